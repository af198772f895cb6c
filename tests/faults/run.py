#!/usr/bin/python3
"""Plants the faults of kernels.py, boundaries.py and readers.py into a copy of the tree, one at a time, and asks whether
the test that is meant to catch each does.

    tests/faults/run.py                      all of them, in a new folder
    tests/faults/run.py --folder DIR NAME... only these; DIR is kept, so that the next time builds less
    tests/faults/run.py --changed            those that are new, were changed or not caught
    tests/faults/run.py --named ...          the named tests alone: quicker
    tests/faults/run.py --page               no run: writes the table into tests/README.md
    tests/faults/run.py --check              no run: are all texts found, and is the table current?

Results are kept in results.csv, from which --page and every run make the table. Where the named test
passes, the quick suite is run: what that finds was caught by accident. Exit code 0: each fault was
caught by the test meant for it. Standard library only.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import faults
import results

ROOT = pathlib.Path(__file__).resolve().parents[2]
SUITES = ["unit", "physics"]  # the quick suite, less
SLOW = {"piles", "touch", "sleep"}  # those that take a minute and more
UNBUILT = 125  # what meson test ends with when the build fails


def run(words, folder, **options):
    return subprocess.run(words, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          **options)


def copy_tree(folder):
    """Files that git knows, and new ones; what is the same is left alone, or it would be built anew."""
    listed = run(["git", "-c", "safe.directory=*", "ls-files", "--cached", "--others", "--exclude-standard",
                  "-z"], ROOT, check=True).stdout
    for name in filter(None, listed.split("\0")):
        source, target = ROOT / name, folder / name
        if not source.is_file():
            target.unlink(missing_ok=True)
            continue
        data = source.read_bytes()
        if not target.exists() or target.read_bytes() != data:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            target.chmod(source.stat().st_mode)


def prepare(folder):
    copy_tree(folder)
    build = folder / "build"
    if not (build / "build.ninja").exists():
        # A fault may leave a variable unused, which is no error here.
        made = run(["meson", "setup", "build", "-Dtests=enabled", "-Dbuildtype=release", "-Dwerror=false"], folder)
        if made.returncode:
            sys.exit(made.stdout)
    return build


def failing_cases(test):
    """Of a record of meson's: the names of the cases that failed, or how it ended."""
    if test["result"] in ("OK", "SKIP", "EXPECTEDFAIL"):
        return []
    said = (test.get("stdout") or "") + (test.get("stderr") or "")
    cases = re.findall(r"^\[  FAILED  \] (?:\S+: )?(\w+)$", said, re.M)
    cases += re.findall(r"^(?:FAIL|ERROR): (test_\w+)", said, re.M)
    ended = "ran too long" if test["result"] == "TIMEOUT" else "crashed"
    return list(dict.fromkeys(cases)) or [ended]


def run_tests(build, tests):
    """What failed of the tests "suite/name", as {test: [cases]}; None where the fault does not compile."""
    failed = {}
    for suite in sorted({test.split("/")[0] for test in tests}):
        names = [test.split("/")[1] for test in tests if test.startswith(suite + "/")]
        log = build / "meson-logs/testlog.json"
        log.unlink(missing_ok=True)
        done = run(["nice", "meson", "test", "-t", "3", "-C", str(build), "--suite", suite, *names], build)
        if done.returncode == UNBUILT:
            print(done.stdout[-3000:])
            return None
        for line in log.read_text().splitlines():
            test = json.loads(line)
            cases = failing_cases(test)
            if cases:
                failed[f"{suite}/{test['name'].split(' / ')[-1]}"] = cases
    return failed


def quick_suite(build):
    listed = run(["meson", "test", "-C", str(build), "--list"], build).stdout
    found = re.findall(r"^\S+:(\w+) / (\w+)$", listed, re.M)
    return [f"{suite}/{name}" for suite, name in found if suite in SUITES and name not in SLOW]


def try_fault(fault, folder, build, named):
    path = folder / fault.file
    whole = path.read_text()
    if whole.count(fault.old) != 1:
        sys.exit(f"{fault.name}: its text stands {whole.count(fault.old)} times in {fault.file}")
    path.write_text(whole.replace(fault.old, fault.new))
    try:
        failed = run_tests(build, fault.tests)
        if failed == {} and not named:
            failed = run_tests(build, quick_suite(build))
    finally:
        path.write_text(whole)
    return results.verdict(fault, failed)


def main():
    words = argparse.ArgumentParser(description="plants faults and looks which test catches them")
    words.add_argument("names", nargs="*", metavar="NAME", help="faults to try; all without")
    words.add_argument("--folder", type=pathlib.Path, help="where the copy is made, and kept")
    words.add_argument("--changed", action="store_true", help="only what results.csv does not have as caught")
    words.add_argument("--named", action="store_true", help="no quick suite where the named test passes")
    words.add_argument("--page", action="store_true", help="write the table and end")
    words.add_argument("--check", action="store_true", help="compare texts and table and end")
    options = words.parse_args()
    complaints = faults.complaints(ROOT)
    if complaints or options.check:
        complaints += [] if complaints else results.complaints(ROOT)
        print("\n".join(complaints) or "all texts are found, the table is current")
        return 1 if complaints else 0
    if options.page:
        results.write_page(ROOT)
        return 0
    known = {fault.name: fault for fault in faults.ALL}
    unknown = set(options.names) - set(known)
    if unknown:
        sys.exit(f"no fault is called {', '.join(sorted(unknown))}")
    chosen = [known[name] for name in options.names] or faults.ALL
    if options.changed:
        chosen = [fault for fault in chosen if not results.is_current(fault)]
    with tempfile.TemporaryDirectory(prefix="pluvia-faults-") as spare:
        folder = (options.folder or pathlib.Path(spare)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        build = prepare(folder)
        rows = []
        for number, fault in enumerate(chosen, 1):
            rows.append(try_fault(fault, folder, build, options.named))
            print(f"{number}/{len(chosen)} {fault.name}: {rows[-1]['verdict']}, {rows[-1]['found']}", flush=True)
            results.keep(rows[-1])
    results.write_page(ROOT)
    return 0 if all(row["verdict"] == results.CAUGHT for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
