"""One planted fault. All of them are listed by faults.py."""
import dataclasses
import hashlib


@dataclasses.dataclass(frozen=True)
class Fault:
    name: str
    file: str  # from the top of the tree
    old: str  # stands exactly once in the file
    new: str  # what a person might have typed instead
    what: str  # in words
    tests: tuple  # "suite/name" of those that are meant to catch it

    @property
    def mark(self):
        """Changes with what is planted and what is run."""
        whole = "\0".join((self.file, self.old, self.new, *self.tests))
        return hashlib.sha256(whole.encode()).hexdigest()[:12]


def plant(name, file, old, new, what, *tests):
    return Fault(name, file, old, new, what, tests)
