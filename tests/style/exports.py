#!/usr/bin/python3
"""A function that only its own file calls is static, and nothing is there for nobody.

    exports.py BUILD     a folder made by meson, in which the library, the command and the tests are built

Asks the symbols of the object files, as circles.py. Prints each function that is visible but called by no other file.
What include/pluvia declares (but for include/pluvia/tool) is there for programs, what fuzzers call for these; a test may
call what else only its own file calls; exports.txt allows others, a line each with the reason. Ends with 1 if there is
one, or a line of exports.txt that nothing needs. First it makes sure, on objects made for that, that each kind would be
found. Standard library and nm only.
"""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
KERNEL = re.compile(r"_(plain|avx2|avx512|one)$")  # chosen at run time, by a table of pointers that is made by a macro


def visible(objects):
    """({function: files that define it}, {symbol: files that need it}); objects: {object: file}."""
    said = subprocess.run(["nm", "-A", "-P", "-g", *objects], text=True, stdout=subprocess.PIPE, check=True).stdout
    defined, needed = {}, {}
    for line in said.splitlines():
        path, symbol, kind = line.split()[:3]
        table = defined if kind in "TW" else needed if kind in "Uvw" else {}
        table.setdefault(symbol, set()).add(objects[path.rstrip(":")])
    return defined, needed


def complaints(objects, promised, allowed, text_of):
    """One line each; promised: names that programs and fuzzers may call; text_of(file): its text."""
    said, used = [], set()
    defined, needed = visible(objects)
    for symbol, files in sorted(defined.items()):
        if not all(file.startswith("src/") for file in files) or symbol in promised or KERNEL.search(symbol) or symbol == "main":
            continue
        others = needed.get(symbol, set()) - files
        if any(file.startswith("src/") for file in others):
            continue
        file = min(files)
        if symbol in allowed:
            used.add(symbol)
        elif not others:
            said.append(f"{file}: no other file calls {symbol}: make it static, or take it out")
        elif len(re.findall(rf"\b{symbol}\b", text_of(file))) < 2:
            said.append(f"{file}: only tests call {symbol}: take it out, or say in tests/style/exports.txt why it is there")
    said += [f"tests/style/exports.txt: {symbol} needs no line" for symbol in sorted(allowed - used)]
    return said


def built(build):
    objects = {}
    for command in json.loads((build / "compile_commands.json").read_text()):
        file = (pathlib.Path(command["directory"]) / command["file"]).resolve()
        if ROOT in file.parents and (build / command["output"]).exists():
            objects[str(build / command["output"])] = str(file.relative_to(ROOT))
    return objects


def planted():
    """What is found in three files, one of them a test."""
    texts = {"src/a.c": "void a(void) {} void b(void) { a(); } void c(void) {} void d(void) {} void e(void) {}",
             "src/b.c": "void b(void); void f(void) { b(); } void g(void) { f(); }",
             "tests/t.c": "void c(void); void f(void); void t(void) { c(); f(); }"}
    with tempfile.TemporaryDirectory() as folder:
        objects = {}
        for name, text in texts.items():
            source = pathlib.Path(folder) / name.replace("/", "-")
            source.write_text(text)
            objects[f"{source}.o"] = name
            compiler = shlex.split(os.environ.get("CC", "cc"))
            subprocess.run([*compiler, "-O0", "-c", "-o", f"{source}.o", source], check=True)
        return complaints(objects, {"d"}, {"e", "x"}, texts.get)


def main():
    found = [re.sub(r".*(src/.\.c: \w+ \w+).* (\w)(: | needs).*", r"\1 \2", line) for line in planted()]
    if found != ["src/a.c: no other a", "src/a.c: only tests c", "src/b.c: no other g",
                 "tests/style/exports.txt: x needs no line"]:
        sys.exit(f"what was planted is not found as it is: {found}")
    objects = built(pathlib.Path(sys.argv[1]))
    if not any(file.startswith("tests/unit/") for file in objects.values()):
        sys.exit(f"{sys.argv[1]}: no object files of tests: build it first")
    promised = set()
    for header in (ROOT / "include/pluvia").glob("*.h"):
        promised.update(re.findall(r"\b(plu_\w+)\(", header.read_text()))
    for fuzzer in (ROOT / "tests/fuzz").glob("*.c"):  # are not part of every build
        promised.update(re.findall(r"\b(plu_\w+)\(", fuzzer.read_text()))
    lines = (ROOT / "tests/style/exports.txt").read_text().splitlines()
    allowed = {line.split(":")[0] for line in lines if line and not line.startswith("#")}
    said = complaints(objects, promised, allowed, lambda file: (ROOT / file).read_text())
    print("\n".join(said), end="\n" if said else "")
    return bool(said)


if __name__ == "__main__":
    sys.exit(main())
