"""What `meson install` installs: the files, the symbols of the library, programs that are built against it by pkg-config
(tests/examples), manual pages and completion."""
import math
import os
import pathlib
import re
import shlex
import subprocess
import tempfile
import unittest

from command import ROOT, Case

BUILD = pathlib.Path(os.environ["BUILD"])
EXAMPLES = sorted((ROOT / "tests/examples").glob("*.c"))
WARNINGS = ["-std=c17", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def run(*words, **options):
    return subprocess.run([str(w) for w in words], check=True, text=True, stdout=subprocess.PIPE, **options).stdout


def declared():
    """The functions that the public headers declare, as the preprocessor leaves them."""
    headers = "".join(f"#include <pluvia/{p.name}>\n" for p in sorted((ROOT / "include/pluvia").glob("*.h")))
    text = run("cc", "-E", "-P", f"-I{ROOT / 'include'}", "-", input=headers)
    text = text[text.index("plu_"):]
    while re.search(r"\{[^{}]*\}", text):
        text = re.sub(r"\{[^{}]*\}", ";", text)
    names = set()
    for statement in text.split(";"):
        found = re.search(r"\b(plu_\w+)\s*\(", statement)
        if found and not re.search(r"\b(typedef|static)\b", statement):
            names.add(found[1])
    return names


def exported(library):
    """The functions that a shared library exports."""
    said = run("nm", "-D", "--defined-only", library)
    linkers = {"__bss_start", "_edata", "_end"}
    return {line.split()[-1] for line in said.splitlines() if " .gomp_" not in line} - linkers


class Installed(Case):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix="pluvia-installed-")
        cls.addClassCleanup(holder.cleanup)
        root = pathlib.Path(holder.name)
        run("meson", "install", "-C", BUILD, "--no-rebuild", "--quiet", "--destdir", root)
        (pc,), (exe,) = root.rglob("pluvia.pc"), root.rglob("bin/pluvia")
        cls.root, cls.library, cls.prefix = root, pc.parents[1], exe.parents[1]
        cls.environment = dict(os.environ, PKG_CONFIG_PATH=str(pc.parent), PKG_CONFIG_SYSROOT_DIR=str(root),
                               LD_LIBRARY_PATH=str(cls.library))

    def flags(self, *words):
        return shlex.split(run("pkg-config", *words, "pluvia", env=self.environment))

    def build(self, source, *flags):
        program = self.folder / source.stem
        run("cc", *WARNINGS, source, "-o", program, *(flags or self.flags("--cflags", "--libs")), "-lm")
        return program

    def example(self, name, *words):
        program = self.build(ROOT / f"tests/examples/{name}.c")
        return run(program, *words, env=self.environment, cwd=self.folder)

    def test_files(self):
        share = self.prefix / "share"
        commands = re.findall(r"^  (\w+) .*", run(self.prefix / "bin/pluvia", "help").split("Commands")[1]
                              .split("Exit codes")[0], re.MULTILINE)
        self.assertGreater(len(commands), 10)
        for name in ["pluvia.1"] + [f"pluvia-{c}.1" for c in commands]:
            self.assertTrue((share / "man/man1" / name).is_file(), name)
        for name in ["libpluvia.so", "libpluvia.a"]:
            self.assertTrue((self.library / name).is_file(), name)
        headers = sorted(p.name for p in (self.prefix / "include/pluvia").iterdir())
        self.assertEqual(headers, sorted(p.name for p in (ROOT / "include/pluvia").glob("*.h")))
        self.assertTrue((share / "pluvia/viewer/index.html").is_file())
        self.assertEqual(sorted(p.name for p in (share / "doc/pluvia/examples").iterdir()), sorted(p.name for p in (ROOT / "tests/examples").glob("*.*")))
        self.pluvia("check", share / "pluvia/scenes/first.cfg")

    def test_links_without_the_headers_of_other_libraries(self):
        # Where nothing but the package is installed there are no .pc files of theirs.
        (pc,) = self.root.rglob("pluvia.pc")
        self.assertNotIn("Requires", pc.read_text())

    def test_soname(self):
        version = run(self.prefix / "bin/pluvia", "--version").split()[1]
        said = run("readelf", "-d", self.library / "libpluvia.so")
        self.assertIn(f"soname: [libpluvia.so.{version.rpartition('.')[0]}]", said)
        self.assertEqual(self.flags("--modversion"), [version])

    def test_exports_what_the_headers_declare(self):
        wanted = declared()
        self.assertGreater(len(wanted), 100)
        self.assertEqual(exported(self.library / "libpluvia.so"), wanted)

    def test_examples_are_short(self):
        self.assertGreater(len(EXAMPLES), 0)
        for path in (ROOT / "tests/examples").iterdir():
            self.assertLess(len(path.read_text().splitlines()), 60, path.name)

    def test_a_scene_is_run(self):
        # It stops where closed forms say (its page).
        said = self.example("run_scene", self.prefix / "share/pluvia/scenes/rolling/sliding.cfg").split()
        self.assertAlmostEqual(float(said[1]), 4.141182467, delta=1e-4)
        self.assertAlmostEqual(float(said[4]), 0.0, delta=1e-9)
        alone = subprocess.run([self.build(ROOT / "tests/examples/run_scene.c")], env=self.environment, stderr=subprocess.PIPE, text=True)
        self.assertEqual((alone.returncode, alone.stderr), (2, "usage: run_scene SCENE.cfg\n"))

    def numbers(self, name):
        return [float(w) for w in re.findall(r"-?\d+\.\d+", self.example(name))]

    def near(self, found, expected):
        self.assertEqual(len(found), len(expected))
        for x, y in zip(found, expected):
            self.assertAlmostEqual(x, y, delta=2e-9)

    def test_a_problem_of_arrays(self):
        # The normals share 1 m/s: r_N = 1 / 2.5. The first slides, r_T = mu r_N; the second sticks, r_T = 2 / 3.
        self.near(self.numbers("arrays"), [0.4, -0.2, 0, 0, 1.4, 0, 0.4, -2 / 3, 0, 0, 0, 0])

    def test_a_problem_of_bodies(self):
        # r_N = m g h, both limits reached; u_x = 3 - r_T (1 / m + a^2 / I) + a m_R / I.
        n, inertia = 2 * 9.81 * 0.01, 0.4 * 2 * 0.1**2
        u = 3 - 0.2 * n * (1 / 2 + 0.1**2 / inertia) + 0.1 * 0.001 * n / inertia
        self.near(self.numbers("bodies"), 2 * [n, -0.2 * n, 0, 0, -0.001 * n, 0, u])

    def test_a_solver_from_outside(self):
        # It slides: v = 4 - mu g t, omega = mu m g a t / I. One solve in each of 200 steps.
        said = self.example("own_solver").split()
        self.near([float(w) for w in said[:2]], [4 - 0.3 * 10 * 0.2, 0.3 * 10 * 0.2 / 0.4 / 0.1])
        self.assertEqual(said[2:], ["200"])

    def test_a_local_solver_from_outside(self):
        # 2 r_N + r_N' = 1 in both; the first slides by (3, 4) / 5, the second sticks.
        n = 1 / 3
        self.near(self.numbers("own_local"), [n, -0.5 * n * 0.6, -0.5 * n * 0.8, n, -0.15 / 2, -0.2 / 2])
        self.assertIn("by hand", self.example("own_local").replace("not by hand", ""))

    def test_a_shape_from_outside(self):
        # A ball that rolls in a ring: a quarter of 2 pi sqrt(7/5 (R - a - r) / g), within two steps.
        self.assertAlmostEqual(float(self.example("own_shape").split()[0]), math.pi / 2 * math.sqrt(1.4 * 1.0 / 10), delta=2e-4)

    def test_a_scene_by_calls(self):
        # Equal spheres pass the velocity on.
        self.near(self.numbers("draft"), [0, 0, 1])

    def test_a_run_is_acted_on(self):
        # It slides once the pull t N exceeds mu m g = 2 N, and flies up by v^2 / 2 g.
        slides, rises = self.numbers("control")
        self.assertTrue(2.0 < slides < 2.01, slides)
        self.assertAlmostEqual(rises, 25 / 20, delta=5e-4)

    def test_bodies_come_and_go(self):
        # It lies on the one that is fixed, on the ground, and sinks at m g / c, which it reaches within m / c.
        time, rests, _, lies, _, sinks = self.numbers("edit")
        self.near([time, rests, lies], [0.5, 1.2, 0.1])
        self.assertAlmostEqual(sinks, 5 - 1 * (1 - 0.1 * (1 - math.exp(-10))), delta=1e-3)

    def test_a_boundary_and_gravity_are_set(self):
        # The plate carries it up to mu g; it rises by g t^2 / 2 in 0.1 s.
        slips, _, rises = re.findall(r"\d+\.?\d*(?= m)", self.example("drive"))
        self.assertTrue(2.0 < float(slips) < 2.01, slips)
        self.assertAlmostEqual(float(rises), 0.5 * 10 * 0.1**2, delta=1e-4)

    def test_static_library(self):
        words = self.flags("--cflags", "--libs", "--static")
        # Other libraries are not in the folder that this one was installed into.
        words = [w if str(self.prefix) in w else w.replace(str(self.root), "") for w in words]
        static = ["-l:libpluvia.a" if w == "-lpluvia" else w for w in words]
        program = self.build(ROOT / "tests/examples/run_scene.c", *static)
        self.assertNotIn("libpluvia", run("ldd", program))

    def test_manual_pages(self):
        for page in sorted((self.prefix / "share/man/man1").iterdir()):
            done = subprocess.run(["groff", "-man", "-Tascii", "-ww", page], text=True, capture_output=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""), page.name)
        text = run("groff", "-man", "-Tascii", "-P-cbou", self.prefix / "share/man/man1/pluvia-run.1")
        for said in ["pluvia-run - ", "-o, --output FILE.h5md", "EXAMPLES", "(default: auto)"]:
            self.assertIn(said, text)

    def complete(self, *words):
        """What bash proposes for the last word."""
        script = self.prefix / "share/bash-completion/completions/pluvia.bash"
        quoted = " ".join(shlex.quote(w) for w in ("pluvia",) + words)
        return run("bash", "-c", f"compopt() {{ :; }}; source {script}; COMP_WORDS=({quoted}); COMP_CWORD={len(words)}; "
                   "_pluvia; printf '%s\\n' \"${COMPREPLY[@]}\"").split()

    def test_bash_completes(self):
        self.assertEqual(self.complete("sw"), ["sweep"])
        self.assertEqual(self.complete("run", "--pro"), ["--progress"])
        self.assertEqual(self.complete("run", "--progress", "p"), ["plain"])
        self.assertEqual(self.complete("run", "--progress", "=", "p"), ["plain"])
        self.assertEqual(self.complete("solve", "-S", "prox"), ["prox-newton"])
        self.assertEqual(self.complete("run", "-j", ""), [])
        self.assertEqual(self.complete("help", "cal"), ["calibrate"])

    def test_other_shells_know_every_option(self):
        share = self.prefix / "share"
        zsh = (share / "zsh/site-functions/_pluvia").read_text()
        fish = (share / "fish/vendor_completions.d/pluvia.fish").read_text()
        for command in ["run", "solve", "render"]:
            names = re.findall(r"^  ..  --([\w-]+)", self.pluvia("help", command)[0], re.MULTILINE)
            self.assertGreater(len(names), 5)
            for name in names:
                self.assertIn(f"--{name}", zsh.split(f"\n    {command})")[1].split(";;")[0])
                self.assertRegex(fish, rf"from {command}' -l {name}\b")


if __name__ == "__main__":
    unittest.main()
