"""The command and the library without the parts that a build can leave out (-Drender=disabled -Dportfolio=disabled), linked of
the objects of this build: all functions are there, the words are those of usage.py, and steps have the same bits."""
import os
import re
import subprocess
import unittest

import installed
import usage
from command import BOX, Case


class Absent(Case):
    def test_parts_of_the_build(self):
        usage.Usage.test_parts_of_the_build(self)

    def test_exports_what_the_headers_declare(self):
        plain = {name for name in installed.exported(os.environ["PLUVIA_LIBRARY"]) if name.startswith("plu_")}
        self.assertEqual(plain, installed.declared())

    def test_same_bits(self):
        self.write("a.cfg", BOX)
        here = self.pluvia("run", "a.cfg", "-j", 1, "-o", "small.h5md")[0]
        there = subprocess.run([os.environ["WHOLE"], "run", "a.cfg", "-j", "1", "-o", "whole.h5md"], cwd=self.folder,
                               check=True, text=True, capture_output=True).stdout
        hashes = [re.search(r"^state hash *(\w+)$", text, re.MULTILINE)[1] for text in (here, there)]
        self.assertEqual(*hashes)


if __name__ == "__main__":
    unittest.main()
