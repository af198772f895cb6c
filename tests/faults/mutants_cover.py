"""Which tests run a line: each test once, with the sources of a step compiled to count (gcov). So a change of a sample is
called unnoticed only after all tests that run its line have been asked."""
import concurrent.futures
import gzip
import hashlib
import json
import os
import pathlib
import re
import subprocess
import tempfile

import run as planted
from mutants_tests import COMMANDS, FOLDERS

ROOT = planted.ROOT
MOST = 40  # seconds of processor time: tests that take longer are asked for no change


def all_tests(copy):
    """"suite/name" of the tests of physics, of the unit tests that have some of these sources, and of what the command is asked."""
    rules = (copy.build / "build.ninja").read_text()
    has = "|".join(folder.removeprefix("src/") for folder in FOLDERS)
    found = re.findall(rf"^build tests/(unit)/test_(\w+): (?:.+\n)*? LINK_ARGS = .*libpluvia-(?:{has})\.a", rules, re.M)
    found += re.findall(r"^build tests/(physics)/physics_(\w+): ", rules, re.M)
    return sorted({f"{suite}/{name}" for suite, name in found} | set(COMMANDS))


def sources():
    return [str(path.relative_to(ROOT)) for folder in FOLDERS for path in sorted((ROOT / folder).glob("*.c"))]


def compile_counting(copy, jobs):
    """Objects of all sources of FOLDERS; each source has a folder of its own, which is named after it."""
    def one(name):
        place = copy.folder / "counting" / name.replace("/", "+")
        place.mkdir(parents=True, exist_ok=True)
        return copy.compile(name, (ROOT / name).read_text(), place, ["--coverage"])
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return sum(pool.map(one, sources()), [])


def lines_of(folder, counted):
    """{file: lines that were run} from the counts below `counted`, which has the notes of the compiler linked."""
    ran = {}
    for place in sorted(counted.iterdir()):
        data = sorted(str(one) for one in place.glob("*.gcda"))
        if not data:
            continue
        for old in place.glob("*.gcov.json.gz"):
            old.unlink()
        subprocess.run(["gcov", "--json-format", "--preserve-paths", *data], cwd=place, check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        name, lines = place.name.replace("+", "/"), set()
        for made in place.glob("*.gcov.json.gz"):
            for file in json.loads(gzip.open(made).read())["files"]:
                if file["file"].endswith("/" + place.name + "/" + pathlib.Path(name).name):
                    lines |= {one["line_number"] for one in file["lines"] if one["count"]}
        if lines:
            ran[name] = sorted(lines)
    return ran


def run_of(copy, test, objects):
    """{"seconds": of processor time, "lines": {file: lines}}; None where it takes too long."""
    counting = copy.folder / "counting"
    with tempfile.TemporaryDirectory(prefix="pluvia-counts-") as spare:
        spare = pathlib.Path(spare)
        counted = spare / "counted"
        for place in counting.iterdir():
            (counted / place.name).mkdir(parents=True)
            for note in place.glob("*.gcno"):
                (counted / place.name / note.name).symlink_to(note)
        environment = {"GCOV_PREFIX": str(counted), "GCOV_PREFIX_STRIP": str(len(counting.resolve().parts) - 1)}
        try:
            if not copy.passes(test, [*objects, "--coverage"], spare, MOST, more=environment):
                return None
        except subprocess.CalledProcessError:  # it has some of these functions itself
            return None
        return {"seconds": copy.used[test], "lines": lines_of(counting, counted)}


def mark_of(name):
    return hashlib.sha256((ROOT / name).read_bytes()).hexdigest()


def measure(copy, jobs):
    """{test: {"seconds": , "lines": {file: lines}}} of all that end in time. What is known of the same test from a run before is
    kept; of a file that has changed since then it is taken to run all lines, if it ran any."""
    objects = compile_counting(copy, jobs)
    marks = {name: mark_of(name) for name in sources()}

    def one(test):
        key = hashlib.sha256(f"{test} {copy.marks[test]}".encode()).hexdigest()
        place = copy.known / f"run-{key}"
        if not place.exists():
            found = run_of(copy, test, objects) or {"seconds": None, "lines": {}}
            print(f"{test}: {found['seconds']} s, {len(found['lines'])} files", flush=True)
            place.write_text(json.dumps(found | {"marks": marks}))
        found = json.loads(place.read_text())
        for name in found["lines"]:
            if (ROOT / name).exists() and found["marks"][name] != marks[name]:
                found["lines"][name] = list(range(1, 1000))
        return found
    tests = all_tests(copy)
    copy.link(tests)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        found = dict(zip(tests, pool.map(one, tests)))
    copy.seconds |= {test: one["seconds"] for test, one in found.items() if one["seconds"]}
    return {test: one for test, one in found.items() if one["lines"]}


def that_run(measured, mutant, source):
    """The tests that run the line of a change, or of what follows in its statement; of what is no code, all of the file."""
    lines = source.splitlines()
    known = {line for one in measured.values() for line in one["lines"].get(mutant.file, [])}
    line = mutant.line
    while line <= len(lines) and line not in known and not re.search(r"[;{}]\s*(?:/\*.*)?$", lines[line - 1]):
        line += 1
    begin = mutant.line
    while begin > 1 and not re.search(r"[;{}]\s*(?:/\*.*)?$", lines[begin - 2]):
        begin -= 1
    wanted = set(range(begin, line + 1))
    inside = source.rfind("\n{\n", 0, mutant.begin) > source.rfind("\n}\n", 0, mutant.begin)
    return [test for test, one in measured.items()
            if (wanted & set(one["lines"].get(mutant.file, [])) if inside else mutant.file in one["lines"])]
