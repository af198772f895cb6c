#!/usr/bin/python3
"""Looks for warnings in the sources that a build has not compiled, since its tests did not need them: unbuilt.py BUILD. The compiler
reads them as that build would, but makes no objects."""
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys


def read(entry):
    """What the compiler says of a source."""
    words = shlex.split(entry["command"])
    for option in "-o", "-MF", "-MQ":
        at = words.index(option)
        del words[at:at + 2]
    words = [word for word in words if word not in ("-MD", "-c")]
    done = subprocess.run([*words, "-fsyntax-only"], cwd=entry["directory"], capture_output=True, text=True)
    return done.stderr if done.returncode else ""


def main():
    build = pathlib.Path(sys.argv[1])
    entries = [e for e in json.loads((build / "compile_commands.json").read_text())
               if e["file"].endswith(".c") and not (build / e["output"]).exists()]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        said = "".join(pool.map(read, entries))
    print(said, end="")
    return 1 if said else 0


sys.exit(main())
