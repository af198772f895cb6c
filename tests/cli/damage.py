"""Damaged files: every flipped bit and every cut is found, or changes nothing that can be read."""
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import unittest

import h5py
import numpy

from command import PATIENCE, PLUVIA, Case
from restart import RAIN

PROBLEM = pathlib.Path(__file__).parents[1] / "data/problems/coulomb_falling-nc-35.hdf5"
FLIPS = int(os.environ.get("FLIPS", 36))  # of each file; more for a longer look


def contents(path):
    """All that h5py finds in a file, as one dictionary of bytes."""
    found = {}

    def visit(name, item):
        for key, value in item.attrs.items():
            found[name, key] = numpy.asarray(value).tobytes()
        if isinstance(item, h5py.Dataset):
            found[name] = (item.shape, item.dtype.str, numpy.asarray(item[()]).tobytes())
        else:
            for key in item:  # second names of step and time are not visited
                found[name, "has", key] = item.get(key, getclass=True).__name__

    with h5py.File(path) as file:
        file.visititems(visit)
    return found


class Damage(Case):
    def prepare(self):
        self.write("rain.cfg", RAIN)
        self.pluvia("run", "rain.cfg", "-o", "a.h5md", "--until", "0.3")
        self.pluvia("run", "rain.cfg", "-o", "a.h5md", "--until", "0.4", "--restart", "auto")

    def verify(self, path):
        """Exit code and what was said; nothing but 0 and 3 is an answer."""
        process = subprocess.run([PLUVIA, "info", "--verify", path], cwd=self.folder, text=True,
                                 capture_output=True, timeout=PATIENCE)
        self.assertIn(process.returncode, [0, 3], process.stderr)
        if process.returncode == 3:
            self.assertEqual(process.stdout, "")
            self.assertRegex(process.stderr, "^pluvia: [^\n]*\n$")
            self.assertNotIn("verified", process.stderr)
        return process.returncode, process.stderr

    def flip(self, name, choose):
        """FLIPS times one other bit; returns how often that was found, and unused."""
        whole = (self.folder / name).read_bytes()
        right = contents(self.folder / name)
        path = self.folder / ("flipped-" + name)
        found, crashes = 0, 0
        for _ in range(FLIPS):
            at, bit = choose.randrange(len(whole)), choose.randrange(8)
            with self.subTest(at=at, bit=bit):
                path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << bit]) + whole[at + 1:])
                code, said = self.verify(path.name)
                found += code == 3
                crashes += "crashes" in said
                if code == 0:
                    now = contents(path)
                    self.assertEqual([key for key in right if now.get(key) != right[key]], [])
                    self.assertEqual(len(now), len(right))
        if "FLIPS" in os.environ:
            print(f"{name}: {FLIPS} flips, {found} found, {crashes} of them as crashes of HDF5, "
                  f"{FLIPS - found} in unused bytes", file=sys.stderr)
        return found

    def test_whole_files(self):
        out, _ = self.pluvia("info", "--verify", "a.h5md")
        frames, sets = map(int, re.fullmatch(r"verified: (\d+) frames, (\d+) data sets\n", out).groups())
        names = []
        with h5py.File(self.folder / "a.h5md") as file:
            file.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) else None)
            self.assertEqual(frames, len(file["particles/trajectory/position/step"]))
        self.assertGreaterEqual(sets, len(names))
        self.assertIn("step 400", self.pluvia("info", "--verify", "a.checkpoint.h5")[0])
        self.pluvia("run", "rain.cfg", "-o", "b.h5md", "--until", "0.1", "-s", "output.precision=float32",
                    "-s", "output.compression=0")
        self.pluvia("info", "--verify", "b.h5md")
        self.pluvia("run", "rain.cfg", "-o", "c.h5md", "--until", "0.1", "-s", "output.contacts=false")
        self.pluvia("info", "--verify", "c.h5md")

    def test_what_was_added_by_restarts(self):
        """It is in no sum of ours, HDF5 has one."""
        with h5py.File(self.folder / "a.h5md") as file:
            place = file["parameters/pluvia/restarts"].id.get_chunk_info(0)
        whole = bytearray((self.folder / "a.h5md").read_bytes())
        whole[place.byte_offset + 3] ^= 64
        (self.folder / "b.h5md").write_bytes(whole)
        self.assertEqual(self.verify("a.h5md")[0], 0)
        code, said = self.verify("b.h5md")
        self.assertEqual(code, 3)
        self.assertIn("restarts cannot be read", said)

    def test_flipped_bits_of_a_trajectory(self):
        self.assertGreater(self.flip("a.h5md", random.Random(1)), FLIPS // 8)

    def test_flipped_bits_of_a_checkpoint(self):
        self.assertEqual(self.flip("a.checkpoint.h5", random.Random(2)), FLIPS)

    def test_changed_numbers(self):
        """Each data set, changed by a program that knows HDF5 and leaves its checksums right."""
        with h5py.File(self.folder / "a.h5md") as file:
            names = []
            file.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) else None)
        checked = 0
        for name in names:
            (self.folder / "b.h5md").write_bytes((self.folder / "a.h5md").read_bytes())
            with h5py.File(self.folder / "b.h5md", "r+") as file:
                item = file[name]
                if not item.size or item.dtype.kind == "S" or name == "parameters/pluvia/restarts":
                    continue
                at = (len(item) // 2, *[0] * (item.ndim - 1))
                item[at] = item[at] + 1 if item[at] == item[at] else 1  # also what is no number
            with self.subTest(name):
                code, said = self.verify("b.h5md")
                self.assertEqual(code, 3)
                checked += 1
        self.assertGreater(checked, 40)

    def test_no_command_shows_damaged_numbers(self):
        """Each data set changed in the last frame: who reads it says so with exit code 3, others do not mind."""
        readers = [["info"], ["measure"], ["measure", "--every"], ["render", "-o", "a.png"], ["compare", "a.h5md"],
                   ["export", "--to", "csv", "-o", "a.csv"]]
        of_all = ["particles/trajectory/radius", "particles/trajectory/mass", "particles/trajectory/species"]
        in_frame = ["particles/trajectory/" + name for name in
                    ["position/value", "velocity/value", "id/value", "position/time"]] + \
                   ["contacts/body", "contacts/impulse", "contacts/law", "contacts/dt"]
        reads = [(name, [0, 1, 2, 3, 4, 5]) for name in of_all] + [(name, [1, 2, 3, 4, 5]) for name in in_frame] + \
                [("particles/trajectory/state/value", [0, 1, 2, 3, 4, 5]),
                 ("observables/kinetic_energy/value", [0, 1, 2, 4]), ("observables/contacts/value", [0, 4])]
        for name, who in reads:
            shutil.copy(self.folder / "a.h5md", self.folder / "b.h5md")
            with h5py.File(self.folder / "b.h5md", "r+") as file:
                at = (len(file[name]) - 1, *[0] * (file[name].ndim - 1))
                raw = bytearray(numpy.asarray(file[name][at]).tobytes())
                raw[0] ^= 1
                file[name][at] = numpy.frombuffer(bytes(raw), file[name].dtype)[0]
            for k in who:
                first, *rest = readers[k]
                with self.subTest(name=name, command=readers[k]):
                    out, err = self.pluvia(first, "b.h5md", *rest, code=3)
                    if rest != ["--every"]:  # which has printed the frames before
                        self.assertEqual(out, "")
                    self.assertRegex(err, r"^pluvia: b\.h5md: damaged[^\n]*\n$")
                    self.assertRegex(err, "use another copy" if name in of_all else
                                     name + r" of frame \d+ differs .* info --verify .* the frames before it are intact")
        for first, *rest in readers:
            self.pluvia(first, "a.h5md", *rest)

    def test_files_without_sums_by_set(self):
        """As an older program wrote them: what is read of a frame counts together, and a run goes on."""
        with h5py.File(self.folder / "a.h5md", "r+") as file:
            del file["parameters/pluvia/sums_by_set"], file["parameters/pluvia/sums_of"]
        self.reseal("a.h5md")
        shutil.copy(self.folder / "a.h5md", self.folder / "b.h5md")
        with h5py.File(self.folder / "b.h5md", "r+") as file:
            file["contacts/point"][-1, 0] += 1e-9
        for words in [["measure", "FILE"], ["compare", "FILE", "FILE"]]:
            self.pluvia(*[w.replace("FILE", "a.h5md") for w in words])
            _, err = self.pluvia(*[w.replace("FILE", "b.h5md") for w in words], code=3)
            self.assertIn("numbers of frame", err)
        self.pluvia("run", "rain.cfg", "-o", "a.h5md", "--until", "0.5", "--restart", "auto")
        self.pluvia("info", "--verify", "a.h5md")
        with h5py.File(self.folder / "b.h5md", "r+") as file:  # of the first layout
            file["parameters/pluvia"].attrs["schema"] = numpy.int32(1)
            del file["parameters/pluvia"].attrs["header_sum"], file["parameters/pluvia/sums"]
        self.pluvia("measure", "b.h5md")

    def test_numbers_that_cannot_be(self):
        for name, at, value, said in [("position", (3, 5, 1), numpy.nan, "frame 3: numbers of body 5"),
                                      ("velocity", (2, 0, 0), numpy.inf, "frame 2: numbers of body 0"),
                                      ("orientation", (1, 2), 0.7, "frame 1: the orientation of body 2"),
                                      ("state", (1, 2), 7, "frame 1: body 2 has state 7"),
                                      ("id", (1, 0), 3, "frame 1: body 0")]:
            (self.folder / "b.h5md").write_bytes((self.folder / "a.h5md").read_bytes())
            with h5py.File(self.folder / "b.h5md", "r+") as file:
                file[f"particles/trajectory/{name}/value"][at] = value
            self.reseal("b.h5md")
            with self.subTest(name):
                self.assertIn(said, self.verify("b.h5md")[1])

    def test_cut_files(self):
        choose = random.Random(3)
        for name in ["a.h5md", "a.checkpoint.h5"]:
            whole = (self.folder / name).read_bytes()
            for length in [0, 1, 8, 511, 512, len(whole) - 1, *choose.sample(range(len(whole)), 14)]:
                with self.subTest(name=name, length=length):
                    (self.folder / ("cut-" + name)).write_bytes(whole[:length])
                    self.assertEqual(self.verify("cut-" + name)[0], 3)

    def test_problems(self):
        self.pluvia("run", "rain.cfg", "-o", "p.h5md", "--until", "0.1", "-s", "output.dump_problems=every",
                    "-s", "contacts.*.pivoting_friction=0")
        problem = next(f for f in self.files() if f.startswith("p.problems"))
        self.assertIn("verified: problem of", self.pluvia("info", "--verify", problem)[0])
        self.write("bad.dat", "3\n1\n0\n")
        self.pluvia("info", "--verify", "bad.dat", code=3)

    def test_addresses_beyond_the_file(self):
        """Of a problem, which has no checksums: HDF5 reads zeros there, or where the address and the size wrap."""
        self.pluvia("run", "rain.cfg", "-o", "q.h5md", "--until", "0.1", "-s", "output.dump_problems=every",
                    "-s", "contacts.*.pivoting_friction=0")
        problem = next(f for f in self.files() if f.startswith("q.problems") and f.endswith(".hdf5"))
        whole = (self.folder / problem).read_bytes()
        with h5py.File(self.folder / problem) as file:
            group = file["fclib_global_rolling"]
            read = [group[name] for name in ["vectors/mu", "vectors/mu_r", "vectors/f", "vectors/w", "vectors/length",
                                             "spacedim", "M/x", "H/i"]] + [group["info/title"]] + [file["guesses/1/r"], file["solution/r"]]
            leads = [(s.name, s.id.get_offset()) for s in read]
            leads += [(s.name + " (header)", h5py.h5o.get_info(s.id).addr) for s in read + [group["info"]]]
        size = len(whole)
        checked = 0
        for name, address in leads:
            places = [m.start() for m in re.finditer(re.escape(address.to_bytes(8, "little")), whole)]
            self.assertGreaterEqual(len(places), 1, name)
            for bad in [2**64 - 1, 2**64 - 16, 2**64 - 256, 2**64 - size, 2**63, 2**62 + 8, size - 2, size, size + 4096]:
                with self.subTest(name=name, bad=bad):
                    at = places[-1] if "header" in name else places[0]
                    (self.folder / "r.hdf5").write_bytes(
                        whole[:at] + bad.to_bytes(8, "little") + whole[at + 8:])
                    self.assertEqual(self.verify("r.hdf5")[0], 3)
                    self.assertNotIn("solved", self.pluvia("solve", "r.hdf5", code=3)[0])
                    checked += 1
        self.assertEqual(checked, 9 * len(leads))

    def test_types_that_no_computer_has(self):
        """Another bias of exponents makes other numbers of the same bytes, or zeros: "solved"."""
        whole = PROBLEM.read_bytes()
        found = 0
        for float64 in re.finditer(re.escape(bytes.fromhex("004000340b0034ff030000")), whole):
            bias = float64.end() - 4
            (self.folder / "t.hdf5").write_bytes(whole[:bias] + bytes([whole[bias] ^ 0x80]) + whole[bias + 1:])
            found += self.verify("t.hdf5")[0] == 3
        self.assertGreaterEqual(found, 6)  # M, H, f, w, mu, the solution

    def test_what_other_programs_left_unwritten(self):
        """Siconos makes the solution of problems that it did not solve, and writes nothing there."""
        self.pluvia("run", "rain.cfg", "-o", "o.h5md", "--until", "0.1", "-s", "output.dump_problems=every",
                    "-s", "contacts.*.pivoting_friction=0")
        problem = next(f for f in self.files() if f.startswith("o.problems") and f.endswith(".hdf5"))
        with h5py.File(self.folder / problem) as ours, h5py.File(self.folder / "others.hdf5", "w") as theirs:
            ours.copy("fclib_global_rolling", theirs)
            shape = ours["solution/r"].shape
            theirs.create_dataset("solution/r", shape, dtype=float)
            theirs.create_dataset("guesses/1/r", shape, dtype=float)
            ours.copy("fclib_global_rolling", self_made := h5py.File(self.folder / "ours.hdf5", "w"))
            self_made.create_dataset("solution/r", shape, dtype=float)
            self_made.close()
            info = theirs["fclib_global_rolling/info"]
            del info["description"]
            info["description"] = numpy.bytes_("made by another program")
            self.assertIsNone(theirs["solution/r"].id.get_offset())
        self.pluvia("solve", "others.hdf5")
        self.assertIn("solution/r are not in the file", self.pluvia("solve", "ours.hdf5", code=3)[1])

    def test_addresses_of_what_was_never_written(self):
        """HDF5 gives zeros for data whose address is all ones: of a run's texts and numbers all were written."""
        whole = (self.folder / "a.h5md").read_bytes()
        places = {}

        def visit(name, item):
            if isinstance(item, h5py.Dataset) and item.size and item.id.get_offset() is not None:
                places[name] = item.id.get_offset()

        with h5py.File(self.folder / "a.h5md") as file:
            file.visititems(visit)
        self.assertIn("parameters/pluvia/scene", places)
        for name, address in places.items():
            with self.subTest(name=name):
                at = whole.index(address.to_bytes(8, "little"))
                (self.folder / "r.h5md").write_bytes(whole[:at] + b"\xff" * 8 + whole[at + 8:])
                self.assertEqual(self.verify("r.h5md")[0], 3)


if __name__ == "__main__":
    unittest.main()
