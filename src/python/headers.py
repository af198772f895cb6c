#!/usr/bin/python3
"""The declarations of the public headers as cffi reads them: headers.py FOLDER OUTPUT VERSION writes a module with the text
DECLARATIONS and that VERSION; headers.py FOLDER lists the headers. So what Python knows of the library is what they say."""
import pathlib
import re
import sys

INLINE = re.compile(r"^static inline [^{;]*\{.*?^\}\n", re.DOTALL | re.MULTILINE)


def declarations(path):
    """A header without comments, preprocessor lines and functions with a body."""
    text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    text = re.sub(r"^#ifdef __cplusplus$.*?^#endif$", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"\\\n", "", text)
    text = re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
    text = INLINE.sub("", text)
    text = re.sub(r"PLU_PRINTF\([^)]*\)", "", text)
    return re.sub(r"\n\s*\n+", "\n", text)


def included(path):
    return re.findall(r'^#include "pluvia/(\w+\.h)"', path.read_text(encoding="utf-8"), re.MULTILINE)


def in_order(folder):
    """The headers, each after those that it includes."""
    done = []

    def add(path):
        if path in done:
            return
        for name in included(path):
            add(folder / name)
        done.append(path)

    for path in sorted(folder.glob("*.h")):
        add(path)
    return done


def main():
    if len(sys.argv) == 2:
        print(*in_order(pathlib.Path(sys.argv[1])), sep="\n")
        return
    folder, output, version = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    text = "".join(declarations(path) for path in in_order(folder))
    output.write_text(f'"""Made by headers.py from the public headers of the library."""\n\nVERSION = "{version}"\n'
                      f'DECLARATIONS = """{text}"""\n', encoding="utf-8")


if __name__ == "__main__":
    main()
