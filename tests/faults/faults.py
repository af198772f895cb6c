"""All faults, and whether they can still be planted."""
import boundaries
import kernels
import readers

ALL = kernels.FAULTS + boundaries.FAULTS + readers.FAULTS


def complaints(root):
    """One sentence for each fault that cannot be planted as it stands."""
    said = []
    names = [fault.name for fault in ALL]
    for fault in ALL:
        path = root / fault.file
        times = path.read_text().count(fault.old) if path.exists() else 0
        if times != 1:
            said.append(f"tests/faults: {fault.name}: \"{fault.old}\" stands {times} times in {fault.file}, "
                        "not once: choose the text anew")
        if fault.old == fault.new or names.count(fault.name) > 1 or not fault.tests:
            said.append(f"tests/faults: {fault.name} changes nothing, has no test or is there twice")
    return said
