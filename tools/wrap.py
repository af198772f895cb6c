"""Lines of pages: none is longer than 160 characters, and none begins a list, a heading, a quotation, a
table or a comment by chance."""
import re
import textwrap

WIDTH = 160
GLUE = "\x00"


def wrapped(text, indent="  "):
    """The words of a paragraph or list item in lines, of which all but the first begin with `indent`."""
    text = re.sub(r"<!--.*?-->", lambda comment: comment[0].replace(" ", GLUE), " ".join(text.split()))
    text = re.sub(r" (?=(?:[-+*=]|[#>|]\S*|\d+[.)])(?: |$)|<!--)", GLUE, text)
    lines = textwrap.wrap(text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines).replace(GLUE, " ")
