#!/usr/bin/python3
"""Makes small changes in sources (mutants.py), one at a time, and asks whether a fitting test notices.

    tests/faults/mutate.py [FILE...]           the files of CAREFUL, which are to have no change that no test notices
    tests/faults/mutate.py --wide 400          a sample of all files of src/step, world, detect and assemble
        --sample N, --seed S                   only N changes of each file
        --lines A-B                            only changes of these lines
        --again                                only those that no test noticed
        --folder DIR                           where the copy is built, and kept
        --tests LIST                           these tests, comma-separated, for all files; no results are kept
        --seconds S                            of a sample: only tests that take so long at most
        --jobs N                               changes at a time (2)
    tests/faults/mutate.py --list [FILE...]    no run: what would be changed
    tests/faults/mutate.py --check             no run: do the kept tables fit the sources and the page?
    tests/faults/mutate.py --page              no run: writes the tables into tests/README.md

A change costs a compilation of its file and the tests that fit, quickest first, each linked with the changed object in
place of that of the library. What compiles to the same
code is no change. What no test notices is kept in mutants.csv, where `reason` says why none can; counts in
mutants_count.csv. Exit code 0: all that survives has a reason. Standard library only.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import mutants
import mutants_cover as cover
import mutants_table as table
import mutants_tests
import run as planted
from mutants_tests import BITS, CAREFUL, FOLDERS, tests_of

ROOT = planted.ROOT
# Beyond the end of an array of known length: stopped, as the sanitizers of tools/test.sh would.
FLAGS = ["-O1", "-fsanitize=bounds", "-fsanitize-undefined-trap-on-error", "-w"]
WATCHED = ["-fsanitize=address", "-fno-sanitize=bounds"]
QUIET = {"OMP_NUM_THREADS": "1", "GOMP_SPINCOUNT": "0", "CCACHE_DISABLE": "1"}
PYTHON = "/usr/bin/python3"  # that of the tests of the command
LINKER = ["-fuse-ld=gold"] if shutil.which("ld.gold") else []  # quicker
MOST = 40  # seconds of processor time that a test may take to be asked of a sample
FEW = 5  # tests that AddressSanitizer watches for a change of a sample
LEAST, TIMES = 4, 6  # seconds of processor time that a test may take, and times what it takes without a change


def shell(words, folder, **options):
    done = subprocess.run(words, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    if done.returncode:
        sys.exit(f"{shlex.join(map(str, words))}\n{done.stdout[-3000:]}")


def data_of(test):
    """What a test reads, which says as much as its code."""
    suite, name = test.split("/")
    return {"cli": [f"tests/cli/{name}.py"], "physics": ["tests/data/bits", "tests/physics/bits.csv"] if name == "bits" else []}.get(suite, [])


def files_in(place):
    return sorted(path for path in [place, *place.glob("**/*")] if path.is_file())


class Copy:
    """A tree of its own, its static library, and test programs that are linked anew for each change: what the changed
    object has is not taken from the library."""

    def __init__(self, folder):
        self.folder, self.build = folder, folder / "build/work"  # as deep as that of a developer: a cache of compilers hits
        planted.copy_tree(folder)
        if not (self.build / "build.ninja").exists():
            shell(["meson", "setup", "build/work", "-Dtests=enabled", "-Dbuildtype=release", "-Dwerror=true"], folder)
        self.units, self.links, self.seconds, self.marks, self.used = {}, {}, {}, {}, {}
        self.known = folder / "known"
        self.known.mkdir(exist_ok=True)
        shell(["ninja", "-C", "build/work", "src/libpluvia.a"], folder)
        self.commands = {}  # of a source several: the kernels of each instruction set
        for one in json.loads((self.build / "compile_commands.json").read_text()):
            self.commands.setdefault(os.path.normpath(os.path.join(one["directory"], one["file"])), []).append(one)

    def link(self, tests):
        """Builds what these are linked from; "suite/name"."""
        rules = (self.build / "build.ninja").read_text()
        for test in tests:
            if test in self.units:
                continue
            suite, name = test.split("/")
            program = f"tests/{suite}/{'test' if suite == 'unit' else suite}_{name}" if suite != "cli" else "src/cli/pluvia"
            rule = re.search(rf"^build {program}: \S+ (.*?) \|.*?^ LINK_ARGS = (.*?)$", rules, re.M | re.S)
            self.units[test] = [word for word in rule[1].split() if word.endswith(".o")]
            # libpluvia.a has what the libraries of the folders have
            words = [word for word in shlex.split(rule[2].replace("$:", ":")) if not re.search(r"libpluvia(-\w+)?\.a$", word)]
            self.links[test] = ["src/libpluvia.a", *words]
        helper = ["tests/cli/reseal"] if any(test.startswith("cli/") for test in tests) else []
        units = sorted({unit for test in tests for unit in self.units[test]})
        shell(["ninja", "-C", "build/work", *units, *helper], self.folder)
        for test in tests:
            data = [(self.build / unit).read_bytes() for unit in self.units[test]]
            data += [path.read_bytes() for place in data_of(test) for path in files_in(ROOT / place)]
            self.marks[test] = hashlib.sha256(b"".join(data)).hexdigest()

    def make(self, tests):
        """Builds these and takes their time; "suite/name"."""
        self.link(tests)
        for test in tests:
            with tempfile.TemporaryDirectory() as spare:
                if test not in self.seconds and not self.passes(test, [], pathlib.Path(spare), 600):
                    sys.exit(f"{test} fails as it is")
            self.seconds.setdefault(test, self.used.get(test))

    def passes(self, test, objects, spare, most, watched=False, leaks=False, more=None):
        """`objects`: what is changed; `most`: seconds of processor time; `more`: variables."""
        program = spare / "pluvia"
        subprocess.run(["cc", "-o", program, *self.units[test], *objects, *(["-fsanitize=address"] if watched else LINKER),
                        *self.links[test]], cwd=self.build, check=True)
        suite, name = test.split("/")
        words = [PYTHON, self.folder / f"tests/cli/{name}.py"] if suite == "cli" else [program]
        environment = os.environ | QUIET | {"PLUVIA": str(program), "RESEAL": str(self.build / "tests/cli/reseal")} | (more or {})
        environment["ASAN_OPTIONS"] = f"detect_leaks={leaks:d}:detect_stack_use_after_return=1:symbolize=0"

        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (int(most) + 1, int(most) + 2))
            if not watched: # AddressSanitizer takes room for all addresses
                resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with tempfile.TemporaryDirectory(prefix="pluvia-mutant-") as here:
            began = time.monotonic()
            one = subprocess.Popen(words, cwd=here, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   preexec_fn=limit, start_new_session=True)
            while True:
                done, code, usage = os.wait4(one.pid, os.WNOHANG)
                if done:
                    break
                if time.monotonic() - began > 30 + 10 * most:
                    os.killpg(one.pid, signal.SIGKILL)
                time.sleep(0.01)
            one.returncode = code
        self.used[test] = usage.ru_utime + usage.ru_stime
        return code == 0

    def check_watched(self, name, source, spare, tests):
        """Where nothing is changed AddressSanitizer has nothing to say."""
        (spare / "watched").mkdir()
        made = self.compile(name, source, spare / "watched", WATCHED)
        for test in tests:
            if not self.passes(test, made, spare, 600, True, True):
                sys.exit(f"{test} fails with AddressSanitizer in {name}")

    def is_clean(self, name, source, test, leaks):
        """Whether AddressSanitizer has nothing to say where nothing is changed."""
        with tempfile.TemporaryDirectory(prefix="pluvia-mutant-") as spare:
            made = self.compile(name, source, pathlib.Path(spare), WATCHED)
            return self.passes(test, made, pathlib.Path(spare), 600, True, leaks)

    def compile(self, name, source, target, more=()):
        """The object files of a source, or None where it does not compile."""
        made = []
        for number, command in enumerate(self.commands[str(self.folder / name)]):
            words = [word for word in shlex.split(command["command"]) if word != "ccache"]
            kept, skip = [], False
            for word in words:
                if skip or word in ("-MD", "-c") or word == command["file"]:
                    skip = False
                    continue
                skip = word in ("-MQ", "-MF", "-o")
                kept += [] if skip else [word]
            place = target / pathlib.Path(name).name  # the name stands in the object file
            place.write_text(source)
            made.append(target / f"changed{number}.o")
            words = [*kept, *FLAGS, *more, "-I", str((self.folder / name).parent), "-c", str(place), "-o", str(made[-1])]
            done = subprocess.run(words, cwd=command["directory"], env=os.environ | QUIET, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL)
            if done.returncode:
                return None
        return made


def code_of(made):
    return hashlib.sha256(b"".join(one.read_bytes() for one in made)).hexdigest()


def try_once(copy, mutant, source, same, tests):
    """As try_one; what is known from a run before with the same folder is not tried again."""
    key = hashlib.sha256("\0".join([mutant.mark, str(mutant.line), source, *(copy.marks[test] for test in tests)]).encode()).hexdigest()
    place = copy.known / key
    if not place.exists():
        place.write_text("\n".join(try_one(copy, mutant, source, same, tests)))
    verdict, test = place.read_text().split("\n")
    return verdict, test


def try_one(copy, mutant, source, same, tests):
    """(verdict, test that failed)."""
    with tempfile.TemporaryDirectory(prefix="pluvia-mutant-") as spare:
        spare = pathlib.Path(spare)
        made = copy.compile(mutant.file, mutant.apply(source), spare)
        if made is None:
            return table.UNBUILT, ""
        if code_of(made) == same:
            return table.SAME, ""
        frees = any("free(" in line for line in source.splitlines()[mutant.line - 1:mutant.line + 1])
        for watched in (False, True):
            if watched: # as tools/test.sh runs all tests: does it read or write where it must not?
                made = copy.compile(mutant.file, mutant.apply(source), spare, WATCHED)
                tests = tests if copy.watches else tests[:FEW]
            for test in tests:
                most = (1 + watched) * max(LEAST, TIMES * copy.seconds[test])
                if copy.passes(test, made, spare, most, watched, frees):
                    continue
                if watched and not copy.watches and not copy.is_clean(mutant.file, source, test, frees):
                    continue
                return table.KILLED, test + (" by AddressSanitizer" if watched else "")
    return table.SURVIVED, ""


def sample_of(options):
    """The name of the sample, None: changes of single files."""
    folders = ", ".join(name.removeprefix("src/") for name in FOLDERS)
    return f"sample of {options.wide} of {folders} (seed {options.seed})" if options.wide else None


def chosen_of(options):
    """[(mutant, source)]"""
    wide = [str(path.relative_to(ROOT)) for folder in FOLDERS for path in sorted((ROOT / folder).glob("*.c"))]
    names = options.files or (wide if options.wide else CAREFUL)
    found = []
    scope = sample_of(options)
    left = {row["mark"] for row in table.read(table.LEFT) if row["scope"] == (scope or row["file"])}
    for name in names:
        source = (ROOT / name).read_text()
        some = mutants.mutants_of(name, source)
        if options.lines:
            first, _, last = options.lines.partition("-")
            some = [one for one in some if int(first) <= one.line <= int(last or first)]
        if options.again:
            some = [one for one in some if one.mark in left]
        found += [(one, source) for one in mutants.sample(some, options.sample, options.seed)]
    return mutants.sample(found, options.wide, options.seed)


def marks_of(copy, chosen, jobs):
    """{file: mark of its code as it is}; tests pass with all files compiled with the flags of this."""
    sources = {mutant.file: source for mutant, source in chosen}
    copy.make(sorted({test for name in sources for test in tests_of(name)}))
    with tempfile.TemporaryDirectory() as spare, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        folders = {name: pathlib.Path(spare) / str(number) for number, name in enumerate(sources)}
        for folder in folders.values():
            folder.mkdir()
        made = dict(zip(sources, pool.map(lambda name: copy.compile(name, sources[name], folders[name]), sources)))
        if copy.watches:
            for name in sources:
                copy.check_watched(name, sources[name], folders[name], tests_of(name))
        for test in {tests_of(name)[0] for name in sources}:
            if not copy.passes(test, sum(made.values(), []), pathlib.Path(spare), 600):
                sys.exit(f"{test} fails with the flags of this")
        return {name: code_of(objects) for name, objects in made.items()}


def orders_of(copy, chosen, jobs, most):
    """{mark: tests to ask, in this order}: for a sample all that run the changed line and take so many seconds at most."""
    def key(name):
        first = tests_of(name)
        return lambda test: (first.index(test) > 3 if test in first else 2, copy.seconds[test])
    if copy.watches or mutants_tests.FORCED:
        return {mutant.mark: sorted(tests_of(mutant.file), key=key(mutant.file)) for mutant, _ in chosen}
    measured = cover.measure(copy, jobs)
    return {mutant.mark: sorted((test for test in cover.that_run(measured, mutant, source)
                                 if copy.seconds[test] <= most or test in BITS + tests_of(mutant.file)), key=key(mutant.file))
            for mutant, source in chosen}


def try_all(copy, chosen, jobs, most):
    """[(mutant, verdict, test)]"""
    if copy.watches or mutants_tests.FORCED:
        same = marks_of(copy, chosen, jobs)
        order = orders_of(copy, chosen, jobs, most)
    else: # takes the time of all tests
        order = orders_of(copy, chosen, jobs, most)
        same = marks_of(copy, chosen, jobs)
    results = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        random.Random(1).shuffle(chosen)  # a run that is broken off has tried a sample of the sample
        waiting = [pool.submit(try_once, copy, mutant, source, same[mutant.file], order[mutant.mark]) for mutant, source in chosen]
        for number, ((mutant, source), one) in enumerate(zip(chosen, waiting), 1):
            verdict, test = one.result()
            results.append((mutant, verdict, test))
            print(f"{number}/{len(chosen)} {mutant.file}:{mutant.line}: {mutant.rule}: {source[mutant.begin:mutant.end]!r} -> "
                  f"{mutant.new!r} in {mutant.text}: {verdict} {test}".replace("\n", " "), flush=True)
    return results


def main():
    words = argparse.ArgumentParser(description="changes sources and looks whether a test notices")
    words.add_argument("files", nargs="*", metavar="FILE", help="sources, from the top of the tree")
    words.add_argument("--wide", type=int, default=0, metavar="N", help="a sample of all sources of a step")
    words.add_argument("--sample", type=int, default=0, metavar="N", help="only N changes of each file")
    words.add_argument("--seed", type=int, default=1, help="of samples")
    words.add_argument("--lines", metavar="A-B", help="only changes of these lines")
    words.add_argument("--folder", type=pathlib.Path, help="where the copy is made, and kept")
    words.add_argument("--seconds", type=float, default=MOST, help="of processor time: tests that take longer are not asked of a sample")
    words.add_argument("--jobs", type=int, default=2, help="changes at a time")
    words.add_argument("--list", action="store_true", help="say what would be changed, and end")
    words.add_argument("--check", action="store_true", help="compare tables, sources and page, and end")
    words.add_argument("--page", action="store_true", help="write the tables into the page, and end")
    words.add_argument("--again", action="store_true", help="only what mutants.csv has")
    words.add_argument("--tests", default="", metavar="LIST", help="these (suite/name,...) for all files; keeps no results")
    words.add_argument("--dry", action="store_true", help="keep no results")
    options = words.parse_args()
    if options.tests:
        mutants_tests.FORCED = options.tests.split(",")
        options.dry = True
    if options.check:
        said = table.complaints(ROOT)
        print("\n".join(said) or "the tables of changes that survive fit the sources and the page")
        return bool(said)
    if options.page:
        table.write_page(ROOT)
        return 0
    chosen = chosen_of(options)
    if options.list:
        for mutant, source in chosen:
            print(f"{mutant.mark} {mutant.file}:{mutant.line}: {mutant.rule}: {source[mutant.begin:mutant.end]!r} -> {mutant.new!r}")
        return 0
    with tempfile.TemporaryDirectory(prefix="pluvia-mutants-") as spare:
        folder = (options.folder or pathlib.Path(spare)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        copy = Copy(folder)
        copy.watches = not options.wide  # a sample is of many files, each with many tests
        results = try_all(copy, chosen, options.jobs, options.seconds)
    whole = not options.dry and (options.again or not options.lines) and not options.sample
    left = [one for one in results if one[1] == table.SURVIVED]
    if whole:
        left = table.keep(results, sample_of(options), options.again)
    counts = {kind: sum(verdict == kind for _, verdict, _ in results) for kind in table.VERDICTS}
    print(", ".join(f"{count} {kind}" for kind, count in counts.items()))
    return bool(left)


if __name__ == "__main__":
    sys.exit(main())
