"""What a run tells while it works: a bar on a terminal, lines elsewhere."""
import fcntl
import os
import pty
import re
import struct
import termios
import threading
import unittest

from command import BOX, ENDLESS, FALL, PATIENCE, Case, numbers_only

COLOR = re.compile(r"\x1b\[\d+m")


class Progress(Case):
    def on_terminal(self, columns, *words, **environment):
        """What a run writes to a terminal of that width."""
        self.write("a.cfg", FALL)
        try:
            master, slave = pty.openpty()
        except OSError as error:
            self.skipTest(f"there is no pseudo-terminal here: {error}")
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        chunks = []

        def read():
            try:
                while chunk := os.read(master, 4096):
                    chunks.append(chunk)
            except OSError:  # the other end is closed
                pass

        reader = threading.Thread(target=read)
        reader.start()
        env = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
        env |= {"TERM": "xterm"} | environment
        process = self.start("run", "a.cfg", "--force", "--until", "0.3", *words, stderr=slave, env=env)
        os.close(slave)
        process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0)
        reader.join(PATIENCE)
        os.close(master)
        return b"".join(chunks).decode()

    def test_bar_fits_the_terminal(self):
        for columns in [40, 60, 80, 100, 120, 200]:
            text = self.on_terminal(columns)
            lines = COLOR.sub("", text).replace("\n", "").split("\r")
            last = [line for line in lines if "[" in line][-1]
            self.assertIn("100%", last)
            self.assertIn("#", last)
            for line in lines:
                self.assertLess(len(line), min(columns, 121))
            fields = ["0.30/0.3s", " 1 b", " c ", " sw"] if columns >= 80 else ["0.30/0.3s"]
            if columns >= 120:
                fields = ["t 0.300/0.3 s", "ETA", "steps/s", "bodies", "contacts", "sweeps", "err ", "Ek "]
            for field in fields:
                self.assertIn(field, last)

    @numbers_only
    def test_a_slow_fallback_is_named(self):
        """After five sweeps all is handed over: the bar, one warning and the summary say which share of the
        time that takes, and what to do once it is long."""
        self.write("box.cfg", BOX.replace("step = 1e-3; end = 0.3", "step = 2e-4; end = 0.8"))
        hand_over = ["-s", "solver.criterion=scaled", "-s", "solver.tolerance=1e-9", "-s", "solver.quiet=false",
                     "-s", "solver.max_iterations=5", "--progress", "bar", "--force", "-j1"]
        out, err = self.pluvia("run", "box.cfg", *hand_over, env=os.environ | {"COLUMNS": "200"})
        line = re.search(r"fallback +prox-newton took (\d+) % of the processor time, (\S+) s in (\d+) steps", out)
        share, seconds, steps = int(line[1]), float(line[2]), int(line[3])
        self.assertTrue(20 < share < 100 and 1000 < steps <= 4000, line[0])
        self.assertRegex(err, r" fb \d+%")
        if share > 55 and abs(seconds - 2) > 0.2:
            self.assertEqual(err.count("the fallback of the solver: more similar masses"), seconds > 2)
            self.assertEqual(out.count("solver.fallback = \"none\" all steps are fast"), seconds > 2)
        out, err = self.pluvia("run", "box.cfg", *hand_over, "-s", "solver.fallback=none")
        self.assertNotIn("fallback", out + err)

    def test_color_only_where_it_is_wanted(self):
        self.assertRegex(self.on_terminal(80), COLOR)
        self.assertNotRegex(self.on_terminal(80, NO_COLOR="1"), COLOR)
        self.assertEqual(self.on_terminal(80, TERM="dumb"), "")
        self.assertEqual(self.on_terminal(80, "--progress=none"), "")
        self.assertEqual(self.on_terminal(80, "-q"), "")

    @numbers_only
    def test_a_line_every_ten_seconds_elsewhere(self):
        self.write("a.cfg", ENDLESS)
        process = self.start("run", "a.cfg", "-s", "output.interval=1e5")
        line = process.stderr.readline()
        process.terminate()
        process.communicate(timeout=PATIENCE)
        self.assertRegex(line, r"^pluvia: \d+ %, t = .* steps/s, 1 bodies, .* contacts, .* sweeps a step")


if __name__ == "__main__":
    unittest.main()
