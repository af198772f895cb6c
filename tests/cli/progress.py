"""What a run tells while it works: a bar on a terminal, lines elsewhere."""
import fcntl
import os
import pty
import re
import struct
import termios
import threading
import unittest

from command import ENDLESS, FALL, Case

COLOUR = re.compile(r"\x1b\[\d+m")


class Progress(Case):
    def on_terminal(self, columns, *words, **environment):
        """What a run writes to a terminal of that width."""
        self.write("a.cfg", FALL)
        master, slave = pty.openpty()
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
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        reader.join(60)
        os.close(master)
        return b"".join(chunks).decode()

    def test_bar_fits_the_terminal(self):
        for columns in [40, 60, 80, 100, 120, 200]:
            text = self.on_terminal(columns)
            lines = COLOUR.sub("", text).replace("\n", "").split("\r")
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

    def test_colour_only_where_it_is_wanted(self):
        self.assertRegex(self.on_terminal(80), COLOUR)
        self.assertNotRegex(self.on_terminal(80, NO_COLOR="1"), COLOUR)
        self.assertEqual(self.on_terminal(80, TERM="dumb"), "")
        self.assertEqual(self.on_terminal(80, "--progress=none"), "")
        self.assertEqual(self.on_terminal(80, "-q"), "")

    def test_a_line_every_ten_seconds_elsewhere(self):
        self.write("a.cfg", ENDLESS)
        process = self.start("run", "a.cfg", "-s", "output.interval=1e5")
        line = process.stderr.readline()
        process.terminate()
        process.communicate(timeout=60)
        self.assertRegex(line, r"^pluvia: \d+ %, t = .* steps/s, 1 bodies, .* contacts, .* sweeps a step")


if __name__ == "__main__":
    unittest.main()
