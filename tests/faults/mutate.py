#!/usr/bin/python3
"""Makes small changes in sources (mutants.py), one at a time, and asks whether a fitting test notices.

    tests/faults/mutate.py [FILE...]           the files of CAREFUL, which are to have no change that no test notices
    tests/faults/mutate.py --wide 400          a sample of all files of src/step, world, detect and assemble
        --sample N, --seed S                   only N changes of each file
        --lines A-B                            only changes of these lines
        --again                                only those that no test noticed
        --folder DIR                           where the copy is built, and kept
        --jobs N                               changes at a time (2)
    tests/faults/mutate.py --list [FILE...]    no run: what would be changed
    tests/faults/mutate.py --check             no run: do the kept tables fit the sources and the page?
    tests/faults/mutate.py --page              no run: writes the tables into tests/README.md

A change costs a compilation of its file and the tests that fit, quickest first: the copy is built once as a shared
library in which each function can be replaced, and the changed file is loaded in front of it. What compiles to the same
code is no change. What no test notices is kept in mutants.csv, where `reason` says why none can; counts in
mutants_count.csv. Exit code 0: all that survives has a reason. Standard library only.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import resource
import shlex
import subprocess
import sys
import tempfile

import mutants
import mutants_table as table
import run as planted
from mutants_tests import CAREFUL, FOLDERS, tests_of

ROOT = planted.ROOT
# Beyond the end of an array of known length: stopped, as the sanitizers of tools/test.sh would.
FLAGS = ["-O1", "-fsanitize=bounds", "-fsanitize-undefined-trap-on-error", "-w"]
WATCHED = ["-fsanitize=address", "-fno-sanitize=bounds"]
QUIET = {"OMP_NUM_THREADS": "1", "GOMP_SPINCOUNT": "0", "CCACHE_DISABLE": "1"}
LEAST, TIMES = 4, 6  # seconds of processor time that a test may take, and times what it takes without a change


def shell(words, folder, **options):
    done = subprocess.run(words, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    if done.returncode:
        sys.exit(f"{shlex.join(map(str, words))}\n{done.stdout[-3000:]}")


class Copy:
    """A tree of its own, its library, and test programs that are linked to that."""

    def __init__(self, folder):
        self.folder, self.build = folder, folder / "build"
        planted.copy_tree(folder)
        if not (self.build / "build.ninja").exists():
            shell(["meson", "setup", "build", "-Dtests=enabled", "-Dbuildtype=release", "-Dwerror=false",
                   "-Dc_args=-fvisibility=default"], folder)
        self.programs, self.seconds, self.marks = {}, {}, {}
        self.known = folder / "known"
        self.known.mkdir(exist_ok=True)
        self.watch = subprocess.run(["cc", "-print-file-name=libasan.so"], text=True, stdout=subprocess.PIPE).stdout.strip()
        library = re.search(r"^build (src/libpluvia\.so\.\d+\.\d+\.\d+)", (self.build / "build.ninja").read_text(), re.M)[1]
        shell(["nice", "ninja", "-C", "build", library], folder)
        self.commands = {}
        for one in json.loads((self.build / "compile_commands.json").read_text()):
            self.commands.setdefault(os.path.normpath(os.path.join(one["directory"], one["file"])), one)

    def make(self, tests):
        """Builds these and takes their time; "suite/name"."""
        libraries = subprocess.run(["pkg-config", "--libs", "hdf5"], text=True, stdout=subprocess.PIPE).stdout.split()
        for test in tests:
            if test in self.programs:
                continue
            suite, name = test.split("/")
            program = f"tests/{suite}/{'test' if suite == 'unit' else suite}_{name}"
            unit = f"{program}.p/test_{name}.c.o"
            shell(["nice", "ninja", "-C", "build", unit], self.folder)
            target = self.build / f"{suite}_{name}"
            shell(["cc", "-o", target, unit, "-Lsrc", "-lpluvia", f"-Wl,-rpath,{self.build}/src", "-lcmocka", "-fopenmp", *libraries,
                   "-lconfig", "-lz", "-lm"], self.build)
            self.programs[test] = target
            self.marks[test] = hashlib.sha256((self.build / unit).read_bytes()).hexdigest()
            began = resource.getrusage(resource.RUSAGE_CHILDREN)
            if not self.passes(test, None, 600):
                sys.exit(f"{test} fails as it is")
            ended = resource.getrusage(resource.RUSAGE_CHILDREN)
            self.seconds[test] = ended.ru_utime - began.ru_utime + ended.ru_stime - began.ru_stime

    def passes(self, test, library, most, watched=False, leaks=False):
        """`most`: seconds of processor time."""
        environment = os.environ | QUIET | ({"LD_PRELOAD": f"{self.watch if watched else ''} {library}"} if library else {})
        environment["ASAN_OPTIONS"] = f"detect_leaks={leaks:d}:detect_stack_use_after_return=1:symbolize=0"

        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (int(most) + 1, int(most) + 2))
            if not watched: # AddressSanitizer takes room for all addresses
                resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with tempfile.TemporaryDirectory(prefix="pluvia-mutant-") as here:
            try:
                done = subprocess.run([self.programs[test]], cwd=here, env=environment, stdout=subprocess.DEVNULL,
                                      stderr=subprocess.DEVNULL, preexec_fn=limit, timeout=30 + 10 * most)
            except subprocess.TimeoutExpired:
                return False
        return done.returncode == 0

    def check_watched(self, name, source, spare, tests):
        """Where nothing is changed AddressSanitizer has nothing to say."""
        library = spare / "same.so"
        load(self.compile(name, source, spare, WATCHED), library)
        for test in tests:
            if not self.passes(test, library, 600, True, True):
                sys.exit(f"{test} fails with AddressSanitizer in {name}")

    def compile(self, name, source, target, more=()):
        """The object file of a source, or None where it does not compile."""
        command = self.commands[str(self.folder / name)]
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
        made = target / "changed.o"
        done = subprocess.run([*kept, *FLAGS, *more, "-I", str((self.folder / name).parent), "-c", str(place), "-o", str(made)],
                              cwd=command["directory"], env=os.environ | QUIET, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return made if done.returncode == 0 else None


def load(made, library):
    subprocess.run(["cc", "-shared", "-fopenmp", "-o", library, made], check=True)


def code_of(made):
    return hashlib.sha256(made.read_bytes()).hexdigest()


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
        library = spare / "changed.so"
        frees = any("free(" in line for line in source.splitlines()[mutant.line - 1:mutant.line + 1])
        for watched in (False, True) if copy.watches else (False,):
            if watched: # as tools/test.sh runs all tests: does it read or write where it must not?
                made = copy.compile(mutant.file, mutant.apply(source), spare, WATCHED)
            load(made, library)
            for test in tests:
                if not copy.passes(test, library, (1 + watched) * max(LEAST, TIMES * copy.seconds[test]), watched, frees):
                    return table.KILLED, test + (" by AddressSanitizer" if watched else "")
    return table.SURVIVED, ""


def chosen_of(options):
    """[(mutant, source)]"""
    names = options.files or ([str(path.relative_to(ROOT)) for folder in FOLDERS for path in sorted((ROOT / folder).glob("*.c"))
                               if not path.name.endswith("_lanes.c")] if options.wide else CAREFUL)
    found = []
    left = {row["mark"] for row in table.read(table.LEFT)}
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


def try_all(copy, chosen, jobs):
    """[(mutant, verdict, test)], in order."""
    same = {}
    for mutant, source in chosen:
        if mutant.file not in same:
            with tempfile.TemporaryDirectory() as spare:
                same[mutant.file] = code_of(copy.compile(mutant.file, source, pathlib.Path(spare)))
                copy.make(tests_of(mutant.file))
                if copy.watches:
                    copy.check_watched(mutant.file, source, pathlib.Path(spare), tests_of(mutant.file))
    order = {name: sorted(tests_of(name), key=lambda test: (tests_of(name).index(test) > 3, copy.seconds[test])) for name in same}
    results = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        waiting = [pool.submit(try_once, copy, mutant, source, same[mutant.file], order[mutant.file]) for mutant, source in chosen]
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
    words.add_argument("--jobs", type=int, default=2, help="changes at a time")
    words.add_argument("--list", action="store_true", help="say what would be changed, and end")
    words.add_argument("--check", action="store_true", help="compare tables, sources and page, and end")
    words.add_argument("--page", action="store_true", help="write the tables into the page, and end")
    words.add_argument("--again", action="store_true", help="only what mutants.csv has")
    words.add_argument("--dry", action="store_true", help="keep no results")
    options = words.parse_args()
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
        results = try_all(copy, chosen, options.jobs)
    whole = not options.dry and (options.again or not options.lines) and not options.sample
    sample = f"sample of {options.wide} of {', '.join(name.removeprefix('src/') for name in FOLDERS)}" if options.wide else None
    left = [one for one in results if one[1] == table.SURVIVED]
    if whole:
        left = table.keep(results, sample, options.again)
    counts = {kind: sum(verdict == kind for _, verdict, _ in results) for kind in table.VERDICTS}
    print(", ".join(f"{count} {kind}" for kind, count in counts.items()))
    return bool(left)


if __name__ == "__main__":
    sys.exit(main())
