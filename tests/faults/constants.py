#!/usr/bin/python3
"""Asks whether the tests that src/base/strategy.h names fail with a wrong number, as its table says.

    tests/faults/constants.py [NAME...]        all rows, or those of these numbers: NAME xF SUITE/TEST, or NAME /F
        --build DIR                            an optimized build with the library and these tests (build/work)
        --jobs N                               tests at a time (2)
    tests/faults/constants.py --list           no run: the rows
    tests/faults/constants.py --check          no run: has each number a row, and was each row tried as it stands?

The sources that use the table are compiled once with variables in place of its numbers, and linked into each test, so a row
costs a run of its test. What was tried is kept in constants.csv. Exit code 0: all tests of the rows fail. Standard library only.
"""
import argparse
import concurrent.futures
import csv
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "src/base/strategy.h"
KEPT = pathlib.Path(__file__).with_suffix(".csv")
COLUMNS = ["number", "value", "factor", "test"]
FIXED = {"HANDED_FEW"}  # lengths of arrays: no variables, and compiled anew for each row
PLACES = {"unit": "tests/unit/test_{}.c", "physics": "tests/physics/test_{}.c"}


class Table:
    """The header: numbers {name: (type, value)}, the code with variables in their place, rows, and what has none."""

    def __init__(self, text):
        self.numbers, self.plans = {}, []
        code = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        code = re.sub(r"static const struct plu_planning \{(.*?)\}(.*?);\n", self.take_plans, code, flags=re.S)
        code = re.sub(r"static const double (.*?);", lambda m: self.take("double", m[1]), code, flags=re.S)
        code = re.sub(r"enum \{(.*?)\};", lambda m: self.take("int", m[1]), code, flags=re.S)
        self.code = re.sub(r"#define (PLU_\w+) (\S+)", lambda m: self.take("double", f"{m[1]} = {m[2]}"), code)
        comments = (line for text in re.findall(r"/\*(.*?)\*/", text, flags=re.S) for line in text.split("\n"))
        notes = " ".join(re.sub(r"^ \* ?", "", line).strip() for line in comments)
        self.rows = [row for text in re.findall(r"Fails: (.*?)\.(?: |$)", notes) for part in text.split(";") for row in self.rows_of(part)]
        self.free = {word for part in re.findall(r"Free: ([A-Za-z_][\w, ]*)", notes) for word in re.split(r",? ", part) if word in self.numbers}

    def take(self, kind, text):
        made = []
        for name, value in re.findall(r"(\w+)\s*=\s*([^,}]+)", text):
            self.numbers[name] = (kind, value.strip())
            made.append(f"enum {{ {name} = {value.strip()} }};" if name in FIXED else f"extern {kind} {name};")
        return "\n".join(made)

    def take_plans(self, found):
        fields = re.findall(r"\w+", found[1].replace("double", ""))
        for name, values in re.findall(r"(\w+) = \{(.*?)\}", found[2]):
            self.plans.append((name, values))
            self.numbers |= {f"{name}.{field}": ("double", value.strip()) for field, value in zip(fields, values.split(","))}
        names = ", ".join(name for name, _ in self.plans)
        return f"struct plu_planning {{ double {', '.join(fields)}; }};\nextern struct plu_planning {names};\n"

    @staticmethod
    def rows_of(part):
        """Of 'SUITE/TEST with NAME F F, NAME F'."""
        test, _, names = part.strip().partition(" with ")
        for one in names.split(","):
            name, *factors = one.split()
            yield from ((name, factor, test) for factor in factors)

    def wrong(self, name, factor):
        """The value of a row."""
        kind, text = self.numbers[name]
        value = eval(text) * (float(factor[1:]) if factor[0] == "x" else 1.0 / float(factor[1:]))
        return repr(value if kind == "double" else max(1, int(value)))

    def source(self):
        """Variables with the values of the table, one of which an environment variable changes."""
        lines = ["#include <stdlib.h>", "#include <string.h>", '#include "base/strategy.h"']
        lines += [f"struct plu_planning {name} = {{{values}}};" for name, values in self.plans]
        free = {name: one for name, one in self.numbers.items() if name not in FIXED}
        lines += [f"{kind} {name} = {value};" for name, (kind, value) in free.items() if "." not in name]
        lines += ["__attribute__((constructor)) static void change(void) {", 'const char *is = getenv("PLUVIA_WRONG"), *to = is ? strchr(is, \'=\') : NULL;',
                  "if (!to) return;", "const size_t n = (size_t)(to - is);"]
        lines += [f'if (n == {len(name)} && !strncmp(is, "{name}", n)) {name} = ({kind})atof(to + 1);' for name, (kind, _) in free.items()]
        return "\n".join(lines + ["}", ""])


def users():
    """The sources of the library that read the table, through headers or not."""
    texts = {path: path.read_text() for path in (ROOT / "src").glob("**/*.[ch]")}
    names = {"base/strategy.h"}
    while True:
        found = {path for path, text in texts.items() if any(f'#include "{name}"' in text for name in names)}
        more = names | {str(path.relative_to(ROOT / "src")) for path in found if path.suffix == ".h"}
        if more == names:
            return sorted(path for path in found if path.suffix == ".c")
        names = more


def compile_some(code, places, build, folder):
    """Objects of these sources with another table, by their name."""
    (folder / "base").mkdir(parents=True)
    (folder / "base/strategy.h").write_text(code)
    commands = {}
    for one in json.loads((build / "compile_commands.json").read_text()):
        commands.setdefault(os.path.realpath(os.path.join(one["directory"], one["file"])), one)
    model = commands[str(users()[0])]
    made = {}
    for place in places:
        one = commands.get(str(place), model)
        words = [word for word in shlex.split(one["command"]) if word not in ("ccache", "-MD", "-c", one["file"])]
        words = [word for number, word in enumerate(words) if word not in ("-MQ", "-MF", "-o") and words[number - 1] not in ("-MQ", "-MF", "-o")]
        made[place.name] = folder / (place.name + ".o")
        subprocess.run([words[0], "-I", folder, *words[1:], "-w", "-c", place, "-o", made[place.name]], cwd=one["directory"], check=True)
    return made


def source_of(test):
    suite, name = test.split("/")
    return ROOT / PLACES[suite].format(name)


def compile_all(table, tests, build, folder):
    """The sources, the tests, for what headers have of the table in them, and the variables."""
    folder.mkdir()
    (folder / "variables.c").write_text(table.source())
    return compile_some(table.code, [*users(), *map(source_of, tests), folder / "variables.c"], build, folder)


def compile_fixed(table, name, factor, made, build, folder):
    """The same where a number that cannot be a variable is wrong."""
    code = re.sub(rf"\b{name} = [^,}}]+", f"{name} = {table.wrong(name, factor)} ", table.code)
    assert code != table.code
    return made | compile_some(code, [place for place in users() if re.search(rf"\b{name}\b", place.read_text())], build, folder)


def program_of(test):
    suite, name = test.split("/")
    return f"tests/{suite}/{'test' if suite == 'unit' else suite}_{name}"


def link(test, made, build, folder):
    rule = re.search(rf"^build {program_of(test)}: \S+ (.*?) \|.*?^ LINK_ARGS = (.*?)$", (build / "build.ninja").read_text(), re.M | re.S)
    words = [word for word in shlex.split(rule[2].replace("$:", ":")) if not re.search(r"libpluvia(-\w+)?\.a$", word)]
    own = source_of(test).name
    units = [word for word in rule[1].split() if word.endswith(".o") and not word.endswith(f"{own}.o")]
    ours = [file for name, file in made.items() if name == own or not name.startswith("test_")]
    place = folder / test.replace("/", "_")
    subprocess.run(["cc", "-o", place, *units, *ours, "src/libpluvia.a", *words], cwd=build, check=True)
    return place


def passes(program, wrong=None):
    environment = os.environ | {"OMP_NUM_THREADS": "1"} | ({"PLUVIA_WRONG": wrong} if wrong else {})
    try:
        return subprocess.run([program], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600, check=False).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def try_rows(table, rows, build, jobs):
    """Rows of constants.csv for those whose tests fail as they should."""
    tests = sorted({test for _, _, test in rows})
    subprocess.run(["ninja", "-C", build, "src/libpluvia.a", *(program_of(test) for test in tests)], stdout=subprocess.DEVNULL, check=True)
    good = []
    with tempfile.TemporaryDirectory(prefix="pluvia-constants-") as spare, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        folder = pathlib.Path(spare)
        made = compile_all(table, tests, build, folder / "all")
        programs = {test: link(test, made, build, folder / "all") for test in tests}
        for test, fine in zip(tests, pool.map(lambda test: passes(programs[test]), tests)):
            if not fine:
                sys.exit(f"{test} fails as it is")
        for number, (name, factor, test) in enumerate(rows):
            if name in FIXED:
                place = folder / str(number)
                programs[name, factor, test] = link(test, compile_fixed(table, name, factor, made, build, place), build, place)
        results = pool.map(lambda row: passes(programs.get(row, programs[row[2]]), f"{row[0]}={table.wrong(row[0], row[1])}"), rows)
        for (name, factor, test), passed in zip(rows, results):
            print(f"{name} {factor} = {table.wrong(name, factor)}: {test} {'PASSES' if passed else 'fails'}", flush=True)
            good += [] if passed else [dict(zip(COLUMNS, (name, table.numbers[name][1], factor, test)))]
    return good


def read_kept():
    with open(KEPT, newline="") as file:
        return list(csv.DictReader(file))


def complaints(table):
    said = []
    have = {name for name, _, _ in table.rows}
    texts = {path: path.read_text() for path in users()} | {path: path.read_text() for path in (ROOT / "src").glob("*/*.h") if path != TABLE}
    for name in table.numbers:
        if (name in have) == (name in table.free):
            said.append(f"{name} needs either rows (Fails), or to be one that changes no bits (Free)")
        word = name.partition(".")[2] or name
        if not any(re.search(rf"\b{word}\b", text) for text in texts.values()):
            said.append(f"{name} is used nowhere")
    kept = {(row["number"], row["value"], row["factor"], row["test"]) for row in read_kept()}
    rows = set()
    for name, factor, test in table.rows:
        suite, _, which = test.partition("/")
        if name not in table.numbers or not re.fullmatch(r"[x/]\d+", factor) or suite not in PLACES or not (ROOT / PLACES[suite].format(which)).exists():
            said.append(f"{name} {factor} {test}: there is no such number, factor or test")
            continue
        rows.add((name, table.numbers[name][1], factor, test))
    said += [f"{' '.join(row)} was not tried: tests/faults/constants.py {row[0]}" for row in sorted(rows - kept)]
    said += [f"constants.csv has {' '.join(row)}, the table has not" for row in sorted(kept - rows)]
    return [f"src/base/strategy.h: {line}" for line in said]


def main():
    words = argparse.ArgumentParser(description="makes numbers of the strategy wrong and looks whether tests notice")
    words.add_argument("names", nargs="*", metavar="NAME")
    words.add_argument("--build", type=pathlib.Path, default=ROOT / "build/work")
    words.add_argument("--jobs", type=int, default=2)
    words.add_argument("--list", action="store_true", help="print the rows, and end")
    words.add_argument("--check", action="store_true", help="compare the table, the tests and what was tried, and end")
    options = words.parse_args()
    table = Table(TABLE.read_text())
    if options.check:
        said = complaints(table)
        print("\n".join(said) or f"{len(table.numbers)} numbers of the strategy, {len(table.rows)} rows, all tried")
        return bool(said)
    rows = [row for row in table.rows if not options.names or row[0] in options.names]
    if options.list:
        print("\n".join(" ".join(row) for row in rows))
        return 0
    good = try_rows(table, rows, options.build.resolve(), options.jobs)
    names = {name for name, _, _ in rows}
    kept = [row for row in (read_kept() if KEPT.exists() and options.names else []) if row["number"] not in names] + good
    with open(KEPT, "w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(kept, key=lambda row: list(table.numbers).index(row["number"]) if row["number"] in table.numbers else -1))
    return len(good) < len(rows)


if __name__ == "__main__":
    sys.exit(main())
