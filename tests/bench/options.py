"""bench says what it does not know, and times nothing then: options.py BENCH."""
import subprocess
import sys
import unittest


class Options(unittest.TestCase):
    def refused(self, *words):
        done = subprocess.run([BENCH, *words], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (2, ""), words)
        return done.stderr

    def test_unknown_option(self):
        for words in (["limits", "--threads", "2"], ["--threads", "2", "limits"], ["limits", "-q"]):
            self.assertIn("there is no option", self.refused(*words))

    def test_missing_value(self):
        self.assertIn('behind "-j"', self.refused("limits", "-j"))

    def test_unknown_case(self):
        self.assertIn('there is no case "pile"', self.refused("limits", "pile"))


if __name__ == "__main__":
    BENCH = sys.argv.pop()
    unittest.main()
