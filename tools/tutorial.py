#!/usr/bin/python3
"""Follows scenes/tutorial.md command by command and compares what each one prints with the page.

    tools/tutorial.py             writes what is printed into the page, and makes its picture
    tools/tutorial.py --check     only says where the page differs; exit code 1: it does

Blocks of the page, in their order, in one empty folder:

    ```cfg NAME           a file that the reader writes
    ```console            commands after "$ ", each with what it prints
    ```console chance     the same, but numbers are left out of the comparison: they depend on the compiler

"..." stands for any number of lines, and "?" (when the page is written) for all that a command prints. Standard library
only, but for the picture: python3-matplotlib."""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "scenes/tutorial.md"
PICTURE = [ROOT / "tools/plot_sweep.py", "output/rolling", "-x", "mu_r", "-y", "pile.angle", "--xlabel", "rolling friction (m)",
           "--ylabel", "angle of repose (degrees)", "-o", ROOT / "tools/gallery/sweep.png"]
NUMBER = re.compile(r"-?\d+(\.\d+)?(e[+-]?\d+)?")


def words(line):
    """A line without its numbers and the width of its columns."""
    return " ".join(NUMBER.sub("#", line).split())


def settled(line):
    """A line without the size of a file, which depends on the version of HDF5."""
    return re.sub(r"[\d.]+ [kM]B", "#", line)


def blocks(text):
    """Kind (cfg, console), word after it, and lines of each block, with the place of the first one in the page."""
    lines, begin, info = text.splitlines(), None, []
    for number, line in enumerate(lines):
        if begin is None and line.startswith("```"):
            begin, info = number + 1, line[3:].split() + ["", ""]
        elif begin is not None and line == "```":
            yield info[0], info[1], begin, lines[begin:number]
            begin = None


def commands(lines):
    """Command, shown lines and the place of the first of them."""
    starts = [k for k, line in enumerate(lines) if line.startswith("$ ")]
    for start, end in zip(starts, starts[1:] + [len(lines)]):
        yield lines[start][2:], lines[start + 1:end], start + 1


def fitted(shown, printed, read):
    """The shown lines as they are printed, or the first one that is not, compared as `read` has them; "..." skips lines."""
    made, next_line, skips = [], 0, False
    for line in shown:
        if line == "?":
            made, next_line = made + printed[next_line:], len(printed)
        elif line == "...":
            made, skips = made + [line], True
        else:
            reach = len(printed) if skips else next_line + 1
            found = next((k for k in range(next_line, min(reach, len(printed))) if read(line) == read(printed[k])), None)
            if found is None:
                return None, line
            made, next_line, skips = made + [printed[found]], found + 1, False
    if next_line < len(printed) and not skips:
        return None, f"nothing more, but this is printed: {printed[next_line]}"
    return made, None


def run(command, folder, program):
    place = {**os.environ, "PATH": f"{pathlib.Path(program).resolve().parent}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=place, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return [line.rstrip() for line in done.stdout.splitlines()]


def printed_by(program, text, picture):
    """Runs all blocks in a folder of their own: place, shown lines, printed lines and mark of each command. `picture`: what
    is called at the end."""
    with tempfile.TemporaryDirectory(prefix="pluvia-") as folder:
        for kind, word, begin, content in blocks(text):
            if kind == "cfg" and word:
                (pathlib.Path(folder) / word).write_text("\n".join(content) + "\n", encoding="utf-8")
            for command, shown, place in commands(content) if kind == "console" else ():
                yield begin + place, shown, run(command, folder, program), word
        if picture:
            subprocess.run(picture, cwd=folder, check=True)


def follow(program, exact):
    """The page as the program prints it, and what does not fit: by every digit where `exact`, else by words."""
    text = PAGE.read_text(encoding="utf-8")
    lines, wrong = text.splitlines(), []
    for place, shown, printed, word in reversed(list(printed_by(program, text, [] if exact else PICTURE))):
        read = settled if exact and word != "chance" else words
        made, missing = fitted(shown, printed, read)
        if made is None:
            wrong.insert(0, "\n  ".join([f"{PAGE}:{place + 1}: not printed: {missing}; but:", *printed]))
        else:
            lines[place:place + len(shown)] = made
    return "\n".join(lines) + "\n", wrong


def complaints(program):
    return follow(program, True)[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pluvia", default=ROOT / "build/release/src/cli/pluvia")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    text, wrong = follow(options.pluvia, options.check)
    print(*wrong, sep="\n", end="\n" if wrong else "")
    if not wrong and not options.check:
        PAGE.write_text(text, encoding="utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
