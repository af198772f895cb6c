"""All small changes of a C file that this knows: signs, factors, comparisons, conditions, constants, indices, statements.

The sources have the layout of clang-format, so a binary operator stands between spaces and a body between lines that
are a brace. What is changed is named by the file, the rule, the text of its line and which of those of its rule in
that line it is: such names outlive edits of other lines."""
import dataclasses
import hashlib
import random
import re

COMPARE = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",), "!=": ("==",)}
WORDS = {"true": "false", "false": "true", "plu_max": "plu_min", "plu_min": "plu_max", "PLU_OK": "PLU_IO"}
DECLARES = re.compile(r"(?:(?:const|static|unsigned|struct)\s+)*\w+(?:\s*\**\s+|\s+\*+|\(\*)\(?\w+")
LENGTH = re.compile(r"^ *(?:const |static )*(?:double|int|char|plu_\w+) (?:\w+(?:\[[\w +]+\])*, )*\w+(?:\[[\w +]+\])*\[[^\]]*$")  # of an array
KEYWORDS = re.compile(r"(?:if|for|while|do|switch|case|default|else|return|typedef|enum|goto|_Static_assert|PLU_SPHERES_ARE_BODIES|"
                      r"break|continue)\b")


@dataclasses.dataclass(frozen=True)
class Mutant:
    file: str  # from the top of the tree
    rule: str
    begin: int  # characters of the file that are replaced
    end: int
    new: str
    line: int
    text: str  # of the line, without its indentation
    nth: int  # of the changes of this rule in this line

    @property
    def mark(self):
        whole = "\0".join((self.file, self.rule, self.text, str(self.nth), self.new))
        return hashlib.sha256(whole.encode()).hexdigest()[:12]

    def apply(self, source):
        return source[:self.begin] + self.new + source[self.end:]


def masked(source):
    """The same length, but comments, texts and lines for the preprocessor are blank."""
    def blank(found):
        return re.sub(r"[^\n]", " ", found[0])
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^#(?:[^\n]*\\\n)*[^\n]*', blank, source,
                  flags=re.S | re.M)


def bodies(code):
    """(begin, end) of what functions do."""
    return [(found.start(1), found.end(1)) for found in re.finditer(r"^\{\n(.*?)^\}$", code, re.S | re.M)]


def closing(code, at):
    """Behind the bracket that closes the one at `at`."""
    depth = 0
    for k in range(at, len(code)):
        depth += code[k] in "([{"
        depth -= code[k] in ")]}"
        if depth == 0:
            return k + 1
    return len(code)


def other_number(text):
    if re.fullmatch(r"\d+", text):
        return str(int(text) - 1) if int(text) else "1"
    return "1.0" if float(text) == 0.0 else f"({text} * 2.0)"


def expressions(code):
    """(rule, begin, end, new) of what stands in expressions."""
    for found in re.finditer(r"(?<=\s)[+-](?=\s)", code):
        yield "sign", found.start(), found.end(), "-" if found[0] == "+" else "+"
    for found in re.finditer(r"(?<=\s)[+-]=(?=\s)", code):
        yield "sign", found.start(), found.end(), "-=" if found[0] == "+=" else "+="
    for found in re.finditer(r"(?:(?<=[(\[{,=?:&|<>*/+-] )|(?<=[(\[{\n])|(?<=return ))-(?=[\w(*.])", code):
        if not code[found.start() - 1].isalnum():
            yield "sign", found.start(), found.end(), ""
    for found in re.finditer(r"(?<=\s)[*/](?=\s)", code):
        yield "factor", found.start(), found.end(), "/" if found[0] == "*" else "*"
    for found in re.finditer(r"(?<=\s)([<>]=?|[=!]=)(?=\s)", code):
        for new in COMPARE[found[0]]:
            yield "compare", found.start(), found.end(), new
    for found in re.finditer(r"&&|\|\|", code):
        yield "logic", found.start(), found.end(), "||" if found[0] == "&&" else "&&"
    for found in re.finditer(r"!(?=[\w(*])", code):
        yield "logic", found.start(), found.end(), ""
    for found in re.finditer(r"(?<=\s)\?(?=\s)", code):
        yield "condition", found.start(), found.end(), "&& 0 ?"
        yield "condition", found.start(), found.end(), "|| 1 ?"
    for found in re.finditer(r"\b(?:if|while) (?=\()", code):
        end = closing(code, found.end())
        if found[0] == "if ":
            yield "condition", found.end(), end, "(1)"
        yield "condition", found.end(), end, "(0)"
    for found in re.finditer(r"(?<![\w.])(?:\d+\.\d*(?:e[+-]?\d+)?|\d+e[+-]?\d+|\d+)(?![\w.])", code):
        yield "constant", found.start(), found.end(), other_number(found[0])
    for found in re.finditer(r"\[([ijk])\]", code):
        yield "index", found.start(1), found.end(1), "0"
    for found in re.finditer(r"\b(?:" + "|".join(WORDS) + r")\b", code):
        yield "word", found.start(), found.end(), WORDS[found[0]]
    for found in re.finditer(r"\bplu_cross\(([^,()]+), ([^,()]+),", code):
        yield "swap", found.start(1), found.end(2), f"{found[2]}, {found[1]}"


def statements(code, begin, end):
    """(rule, begin, end, new): each statement that is no declaration is left out."""
    for found in re.finditer(r"^ +(?=\S)", code[begin:end], re.M):
        at = begin + found.end()
        before = code[:begin + found.start()].rstrip()
        if before[-1:] not in ";{})" and not before.endswith("else") and before[-1:] != ":":
            continue
        word = code[at:at + 200]
        if word.startswith(("break;", "continue;", "return;")):
            yield "statement", at, at + word.index(";"), ""
            continue
        if word[0] in "{}#" or KEYWORDS.match(word) or DECLARES.match(word):
            continue
        stop = at
        while stop < end and code[stop] != ";":
            stop = closing(code, stop) if code[stop] in "([{" else stop + 1
        yield "statement", at, stop, ""


def mutants_of(name, source):
    """In the order of the file."""
    code = masked(source)
    found = []
    for begin, end in bodies(code):
        body = " " * begin + code[begin:end]
        found += expressions(body)
        found += statements(code, begin, end)
    for constant in re.finditer(r"^(?:static )?const (?:double|int|long) .*?;|^enum \{.*?\};", code, re.S | re.M):
        found += [one for one in expressions(" " * constant.start() + constant[0]) if one[0] == "constant"]
    made, seen = [], {}
    for rule, begin, end, new in sorted(set(found), key=lambda one: (one[1], one[0], one[3])):
        line = source.count("\n", 0, begin) + 1
        text = source.splitlines()[line - 1].strip()
        if LENGTH.match(code[code.rfind("\n", 0, begin) + 1:begin]):
            continue
        key = (rule, text)
        seen[key] = seen.get(key, -1) + 1
        made.append(Mutant(name, rule, begin, end, new, line, text, seen[key]))
    return made


def sample(mutants, count, seed):
    """`count` of them, in their order; all for 0."""
    if not count or count >= len(mutants):
        return mutants
    chosen = set(random.Random(seed).sample(range(len(mutants)), count))
    return [one for k, one in enumerate(mutants) if k in chosen]
