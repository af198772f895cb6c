"""Pages that repeat what the program prints are compared with it."""
import os
import re
import shlex
import subprocess
import sys
import unittest
from pathlib import Path

from command import PATIENCE, PLUVIA, ROOT, Case, numbers_only

PEERS = ROOT / "tests/bench/peers"
sys.path.insert(0, str(PEERS))
import page as peers_page  # noqa: E402
import triaxial_page  # noqa: E402

QUALITY = ROOT / "tests/bench/quality"
sys.path.insert(0, str(QUALITY))
import continued  # noqa: E402
import cost  # noqa: E402
import elements  # noqa: E402
import inertial  # noqa: E402
import step_limit  # noqa: E402
import table  # noqa: E402

sys.path.insert(0, str(ROOT / "tests/bench"))
import steps  # noqa: E402

FAULTS = ROOT / "tests/faults"
sys.path.insert(0, str(FAULTS))
sys.path.insert(0, str(ROOT / "tools"))
import constants  # noqa: E402
import faults  # noqa: E402
import mutants_table  # noqa: E402
import pages  # noqa: E402
import results  # noqa: E402
import tutorial  # noqa: E402

sys.path.insert(0, str(ROOT / "tests/style"))
import links  # noqa: E402


class Documents(Case):
    def test_commands_in_comments_of_scenes(self):
        """Their options and the number of their operands are those of the command."""
        tried = 0
        for path in sorted((ROOT / "scenes").glob("**/*.cfg")):
            for line in re.findall(r"^# +(pluvia (?:run|check|render|measure|sweep|calibrate) .*?)(?:   .*)?$", path.read_text(), re.M):
                words = [word for word in shlex.split(line)[1:] if word not in ("2>&1",)]
                _, err = self.pluvia(*[f"none/{word}" if word.endswith((".cfg", ".h5md")) else word for word in words], code=5)
                self.assertIn("none/", err, f"{path.name}: {line}")
                tried += 1
        self.assertGreater(tried, 30)

    def test_scripts_explain_themselves(self):
        """--help from any folder, and nothing else happens; an argument that does not exist is refused."""
        for path in sorted((ROOT / "tools").glob("*.py")):
            if os.access(path, os.X_OK):
                done = subprocess.run([path, "--help"], cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE)
                self.assertEqual((done.returncode, done.stderr), (0, ""), path.name)
                self.assertGreater(len(done.stdout.split()), 20, path.name)
        for script in ["quickstart.sh", "test.sh", "wheel.sh", "release.sh", "matrix.sh", "debian/package.sh"]:
            words = [str(ROOT / "tools" / script), "--help"]
            done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE)
            self.assertEqual((done.returncode, done.stderr), (0, ""), script)
            self.assertGreater(len(done.stdout.split()), 20, script)
            done = subprocess.run([words[0], "--nonsense"], cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE)
            self.assertEqual(done.returncode, 1, script)
            self.assertIn("--help", done.stderr, script)

    def test_the_reference_of_scenes(self):
        reference = self.pluvia("help", "--reference")[0].strip()
        self.assertIn("`gravity`", reference)
        page = (ROOT / "scenes/reference.md").read_text()
        self.assertIn(reference, page, "scenes/reference.md is not what pluvia help --reference prints")

    def test_exit_codes(self):
        printed = set(re.findall(r"(?<![\d.])(\d+)(?= |,)", self.pluvia("help")[0].split("Exit codes")[1]))
        page = (ROOT / "README.md").read_text()
        table = re.findall(r"^\| ([\d, ]+) \|", page, re.MULTILINE)
        listed = {code for row in table for code in re.findall(r"\d+", row)}
        self.assertEqual(printed, listed)

    def test_commands_in_the_readme_exist(self):
        overview = self.pluvia("help")[0]
        page = (ROOT / "README.md").read_text()
        blocks = "".join(re.findall(r"^```\w*$.*?^```$", page, re.MULTILINE | re.DOTALL))
        named = set(re.findall(r"^pluvia ([a-z]+)", blocks, re.MULTILINE))
        self.assertTrue(named)
        for command in named:
            self.assertIn(f"\n  {command}", overview, f"README.md names pluvia {command}")

    def test_commands_in_the_readme_follow_each_other(self):
        """Who goes through them from top to bottom finds every file that they read, and no result in the way."""
        page = (ROOT / "README.md").read_text()
        blocks = "".join(code for kind, code in re.findall(r"^```(\w*)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL) if not kind)
        made, looked = {"output/pile.h5md"}, 0  # by tools/quickstart.sh
        for line in blocks.splitlines():
            words = shlex.split(line, comments=True)
            if words[:1] == ["printf"]:
                made.add(words[words.index(">") + 1])
            if not words or words[0].split("/")[-1] != "pluvia":
                continue
            output = words[words.index("-o") + 1] if "-o" in words else None
            if words[1] == "run":
                output = output or f"output/{Path(words[2]).stem}.h5md"
                self.assertTrue(output not in made or "--restart" in words, f"{output} exists already: {line}")
            for word in words[2:]:
                if word.endswith((".cfg", ".h5md", ".hdf5", ".dat")) and word != output:
                    self.assertTrue(word in made or (ROOT / word).exists(), f"{word} does not exist: {line}")
                    looked += 1
            made.add(output)
        self.assertGreater(looked, 10)

    def test_the_contact_in_the_readme_has_three_solutions(self):
        lines = re.findall(r"^.*contact\.dat.*$", (ROOT / "README.md").read_text(), re.MULTILINE)
        self.assertEqual(len(lines), 2)
        subprocess.run(["bash", "-c", lines[0]], cwd=self.folder, check=True, timeout=PATIENCE)
        self.assertIn("3 solutions", self.pluvia(*shlex.split(lines[1], comments=True)[1:])[0])

    def test_what_the_hosted_tests_run_is_there(self):
        """The scripts of README.md among it; builds by the names that tools/matrix.sh lists."""
        text = (ROOT / ".github/workflows/ci.yml").read_text()
        runs = re.findall(r"^ +- run: (.+)$", text, re.MULTILINE)
        scripts = {word for line in runs for word in re.findall(r"tools/[\w./-]+", line)}
        self.assertLess({"tools/quickstart.sh", "tools/test.sh", "tools/matrix.sh"}, scripts)
        for script in scripts:
            self.assertTrue(os.access(ROOT / script, os.X_OK), script)
        listed = subprocess.run([ROOT / "tools/matrix.sh", "--list"], check=True, stdout=subprocess.PIPE, text=True).stdout
        known = {line.split(":")[0] for line in listed.splitlines()}
        builds = re.search(r"build: \[(.*?)\]", text, re.DOTALL)[1]
        named = {name.split(":")[-1] for word in re.findall(r'"([^"]*)"', builds) for name in word.split()}
        self.assertIn("arm64", named)
        self.assertLess(named, known)
        overview = self.pluvia("help")[0]
        for line in runs:
            for command in re.findall(r"pluvia ([a-z]+) ", line):
                self.assertIn(f"\n  {command}", overview)

    def test_table_of_other_programs(self):
        text = (PEERS / "README.md").read_text()
        shown = text.split("<!-- run.py --page results.csv -->\n")[1].split("\n<!-- end -->")[0]
        self.assertEqual(shown, peers_page.table(peers_page.read(PEERS / "results.csv")),
                         "tests/bench/peers/README.md is not what run.py --page results.csv prints")

        shown = text.split("<!-- run.py --summary results.csv -->\n")[1].split("\n<!-- end of summary -->")[0]
        self.assertEqual(shown, peers_page.summary(peers_page.read(PEERS / "results.csv")),
                         "tests/bench/peers/README.md is not what run.py --summary results.csv prints")

        shown = text.split("<!-- triaxial.py --page triaxial.csv -->\n")[1].split("\n<!-- end of triaxial -->")[0]
        self.assertEqual(shown, triaxial_page.page(triaxial_page.read(PEERS / "triaxial.csv")),
                         "tests/bench/peers/README.md is not what triaxial.py --page triaxial.csv prints")

    def test_tables_of_quality(self):
        text = (QUALITY / "README.md").read_text()
        for mark, made in [("run.py --page results.csv", table.page(QUALITY / "results.csv")),
                           ("cost.py --page costs.csv", cost.table(cost.read(QUALITY / "costs.csv"))),
                           ("step_limit.py --page step_limits.csv", step_limit.page(QUALITY / "step_limits.csv"))]:
            shown = text.split(f"<!-- {mark} -->\n")[1].split("\n<!-- end -->")[0]
            self.assertEqual(shown, made, f"tests/bench/quality/README.md is not what {mark} prints")

    def test_files_of_runs_that_are_continued(self):
        """Runs that a file has are known when it is opened again, and it keeps one head."""
        fields = ["case", "step", "seed", "height"]
        rows = continued.Rows(self.folder / "runs.csv", fields, 3)
        self.assertFalse(rows.has("a, b", repr(5e-5), 1))
        rows.add(("a, b", repr(5e-5), 1), ["2.5"])
        self.assertTrue(rows.has("a, b", repr(5e-5), 1))
        again = continued.Rows(self.folder / "runs.csv", fields, 3)
        self.assertTrue(again.has("a, b", repr(5e-5), 1))
        self.assertFalse(again.has("a, b", repr(5e-5), 2))
        again.add(("a, b", repr(5e-5), 2), ["3"])
        self.assertEqual([row["height"] for row in continued.read(self.folder / "runs.csv")], ["2.5", "3"])

    def test_table_of_inertial_numbers(self):
        shown = (ROOT / "src/solving.md").read_text().split("inertial.csv -->\n")[1].split("\n<!-- end -->")[0]
        self.assertEqual(shown, inertial.page(QUALITY / "inertial.csv"), "src/solving.md is not what inertial.py --page inertial.csv prints")

    def test_table_of_element_tests(self):
        shown = (ROOT / "src/solving.md").read_text().split("elements.csv -->\n")[1].split("\n<!-- end of elements -->")[0]
        self.assertEqual(shown, elements.page(QUALITY / "elements.csv"), "src/solving.md is not what elements.py --page elements.csv prints")

    def test_table_of_steps(self):
        self.assertEqual(steps.PAGE.read_text(), steps.page(), "tests/bench/README.md is not what steps.py writes")

    def test_numbers_of_scenes(self):
        for page, text in pages.made():
            self.assertEqual(page.read_text(), text, f"{page} is not what tools/pages.py writes")

    @numbers_only
    def test_tutorial(self):
        self.assertEqual(tutorial.complaints(PLUVIA), [])

    def test_faults_can_be_planted(self):
        self.assertEqual(faults.complaints(ROOT), [])

    def test_small_changes_that_survive(self):
        self.assertEqual(mutants_table.complaints(ROOT), [])

    def test_numbers_of_the_strategy(self):
        self.assertEqual(constants.complaints(constants.Table(constants.TABLE.read_text())), [])

    def test_table_of_faults(self):
        self.assertGreater(len(faults.ALL), 40)
        self.assertEqual(results.complaints(ROOT), [])

    def test_links_that_lead_nowhere_are_found(self):
        folder = self.folder.resolve()
        page, source = folder / "page.md", folder / "source.c"
        text = "# A page\n\n- [Two words](#two-words)\n\n## Two words\n\n`[no](link.md)`\n"
        for more, rule in [("", None), ("[itself](page.md#two-words) [there](source.c)", None),
                           ("```\n[no](link.md)\n```", None), ("[](https://example.org/#x)", None),
                           ("[](gone.md)", "page.md:8: gone.md does not exist"),
                           ("![](gone.png)", "page.md:8: gone.png does not exist"),
                           ("[](#gone)", "page.md:8: #gone: no heading has this anchor"),
                           ("[](page.md#gone)", "page.md:8: page.md#gone: no heading has this anchor"),
                           ("x\n" * 150 + "## Gone", "page.md:1: more than 150 lines, and no list of contents "
                                                     "that links \"Gone\""),
                           ("| a | b |\n| --- | --- |\n| 1 | \\| |", None),
                           ("| a |\n| b |\n", "page.md:8: a table without a head"),
                           ("<!-- of a table -->\nas <!-- made -->1<!-- end -->", None),
                           ("as\n<!-- made -->1<!-- end -->", "page.md:9: a comment begins a line with text"),
                           ("| a | b |\n| --- | --- |\n| 1 | `|` |", "page.md:10: a row of 3 cells in a table of 2"),
                           (f"`{page.name}`, \"Gone\"", "page.md:8: page.md has no section \"Gone\"")]:
            page.write_text(text + more)
            source.write_text(f"/* As always ({page.name}, \"Two\n * words\"). */\n")
            self.assertEqual(list(links.breaches([page, source], folder)), [rule] if rule else [], more)
        source.write_text(f"/* As always ({page.name}, \"Three\n * words\"). */\n")
        self.assertEqual(list(links.breaches([source], folder)), ["source.c:1: page.md has no section \"Three words\""])


if __name__ == "__main__":
    unittest.main()
