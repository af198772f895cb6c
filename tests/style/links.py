#!/usr/bin/python3
"""Links, tables and comments of pages: prints FILE:LINE: RULE for each link that leads nowhere and what would not be
shown as it is meant, and ends with 1 if there was one.

    tests/style/links.py [FILE...]       without files: all that git knows, and new ones that it does not ignore

1. A relative link of a page (*.md) leads to a file or folder, and its anchor to a heading there.
2. A page of more than 150 lines links all of its sections (##) before the first one.
3. A section that a source or a page names as in (src/README.md, "Limits") is one that the page has.
4. A table has a head, and its rows have as many cells: a vertical bar in a cell, also in code, is written \\|.
5. No line of a text begins with a comment: what stands in that line would be a paragraph of its own, shown as it is.

Anchors are made from headings as GitHub does it. Standard library only."""
import pathlib
import re
import subprocess
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
LONG = 150
LINK = re.compile(r"\]\(([^()\s]+)\)|<(?:img|a) [^>]*(?:src|href)=\"([^\"]+)\"")
BREAK = r"(?: |\n[ */#]*)"  # between two words, also from one line of a comment to the next
NAMED = re.compile(rf"([\w/.-]+\.md)`?,{BREAK}\\?\"([^\"\\]+)")


def lines_of(path):
    """Lines with their numbers; those of code blocks are empty."""
    inside = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        fence = line.lstrip().startswith("```")
        yield number, "" if inside or fence else line
        inside = inside != fence


def headings(path):
    return [(len(found[1]), found[2]) for _, line in lines_of(path) if (found := re.match(r"(#+) +(.*?) *$", line))]


def slug(heading):
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def anchors(path):
    """Of all headings; the second one of a name ends in -1."""
    seen, made = {}, set()
    for _, heading in headings(path):
        name = slug(heading)
        count = seen[name] = seen.get(name, -1) + 1
        made.add(f"{name}-{count}" if count else name)
    return made


def links_of(path):
    for number, line in lines_of(path):
        for found in LINK.finditer(re.sub(r"`[^`]*`", lambda code: " " * len(code[0]), line)):
            target = found[1] or found[2]
            if not re.match(r"[a-z][a-z0-9+.-]*:", target):
                yield number, target


def broken_links(page):
    for number, target in links_of(page):
        name, _, anchor = target.partition("#")
        place = page.parent / urllib.parse.unquote(name) if name else page
        if not place.exists():
            yield number, f"{target} does not exist"
        elif anchor and place.suffix == ".md" and urllib.parse.unquote(anchor) not in anchors(place):
            yield number, f"{target}: no heading has this anchor"


def missing_contents(page):
    lines = list(lines_of(page))
    first = next((number for number, line in lines if line.startswith("## ")), None)
    if len(lines) <= LONG or first is None:
        return
    listed = {target for number, target in links_of(page) if number < first}
    for level, heading in headings(page):
        if level == 2 and f"#{slug(heading)}" not in listed:
            yield 1, f"more than {LONG} lines, and no list of contents that links \"{heading}\""


def broken_rows(page):
    head = rows = 0  # cells of the table; 0: no table
    for number, line in lines_of(page):
        row = line.strip()
        cells = len(re.findall(r"(?<!\\)\|", row)) - 1 if row.startswith("|") else 0
        if head and cells and cells != head:
            yield number, f"a row of {cells} cells in a table of {head}"
        head, rows = (head or cells, rows + 1) if cells else (0, 0)
        if rows == 2 and not re.fullmatch(r"\|([ :]*-+[ :]*\|)+", row):
            yield number - 1, "a table without a head"


def broken_paragraphs(page):
    for number, line in lines_of(page):
        if re.match(r"\s*<!--.*?-->\s*\S", line):
            yield number, "a comment begins a line with text"


def lost_sections(source, root):
    """Sections that comments, messages and pages name beside the page."""
    text = source.read_text(encoding="utf-8", errors="replace")
    for found in NAMED.finditer(text):
        number, section = text.count("\n", 0, found.start()) + 1, re.sub(BREAK + "+", " ", found[2])
        page = next((place for place in (root / found[1], source.parent / found[1]) if place.is_file()), None)
        if page is None:
            yield number, f"{found[1]} does not exist"
        elif section not in (heading for _, heading in headings(page)):
            yield number, f"{found[1]} has no section \"{section}\""


def breaches(files, root=ROOT):
    for file in files:
        rules = [broken_links(file), missing_contents(file), broken_rows(file), broken_paragraphs(file)] if file.suffix == ".md" else []
        if file.suffix in (".md", ".c", ".h", ".py", ".sh", ".cfg", ".js") and file.name != "CHANGELOG.md":
            rules.append(lost_sections(file, root))
        for number, rule in (breach for breaches_of in rules for breach in breaches_of):
            yield f"{file.relative_to(root)}:{number}: {rule}"


def known():
    command = ["git", "-c", "safe.directory=*", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout.decode().split("\0")
    return sorted({ROOT / name for name in names if name and (ROOT / name).is_file()})


if __name__ == "__main__":
    found = list(breaches([pathlib.Path(name).resolve() for name in sys.argv[1:]] or known()))
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(1 if found else 0)
