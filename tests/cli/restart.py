"""A run that is continued has the same bits as one without a break."""
import pathlib
import re
import resource
import signal
import unittest

import h5py
import numpy

from command import BOX, FALL, LAWS, PATIENCE, Case, numbers_only
from kill import with_fault

QUANTITIES = """quantities = ["position", "velocity", "angular_velocity", "orientation", "force"];"""

# Spheres of two sizes rain on a small plate, wait for each other, hit it and roll over its edge; what
# falls leaves the domain. 500 steps, 20 of them to a frame.
RAIN = """
seed = 3;
time: { step = 1e-3; end = 0.5; };
output: { interval = 0.02; contacts = true; checkpoint_wall_interval = 0.0; """ + QUANTITIES + """ };
materials = ( { name = "grain"; density = 1300.0; }, { name = "plate"; } );
contacts = ( { between = ["grain", "grain"]; friction = 0.3; rolling_friction = 1e-3; restitution = 0.3; },
             { between = ["grain", "plate"]; friction = 0.3; rolling_friction = 1e-3; pivoting_friction = 1e-4; } );
boundaries = ( { plate: { size = [0.05, 0.05]; }; material = "plate"; } );
feeders = ( { pluviation: { count = 80; interval = 0.006; height = 0.12; footprint: { square = 0.03; }; };
              material = "grain"; radius = [0.005, 0.01]; velocity = [0, 0, -1]; } );
domain: { box = [[-1, -1, -0.05], [1, 1, 1]]; };
"""

# Two streams that ask for more than their areas let through: grains of two materials by mass flow through
# a disc that is inclined, and sizes by sieves along a line. What finds no room tries again in each step.
STREAMS = RAIN[:RAIN.index("feeders")].replace("materials = (", 'materials = ( { name = "wood"; density = 600.0; },').replace(
    "contacts = (", 'contacts = ( { between = ["wood", "wood"]; friction = 0.3; }, { between = ["wood", "grain"]; friction = 0.3; },'
    ' { between = ["wood", "plate"]; friction = 0.3; },') + """
feeders = ( { inlet: { mass_flow = 1.0; stop = 0.3; area: { disc: { center = [0, 0, 0.12]; normal = [0, 1, 2]; radius = 0.02; }; }; };
              mixture = ( { material = "grain"; share = 2; radius: { distribution = "lognormal"; by = "mass"; median = 0.006;
                                                                     sigma = 0.3; range = [0.004, 0.01]; }; },
                          { material = "wood"; share = 1; radius = [0.004, 0.006]; } ); velocity = [0, 0, -1]; },
            { inlet: { rate = 300.0; start = 0.1; count = 60; area: { line: { from = [-0.02, 0, 0.2]; to = [0.02, 0, 0.25]; }; }; };
              material = "grain"; radius: { sieves = [[0.006, 0], [0.01, 0.5], [0.02, 1]]; }; velocity = [0, 0, -0.5]; } );
domain: { box = [[-1, -1, -0.05], [1, 1, 1]]; };
"""

# A block settles in a box: more bodies than any loop wants before it uses several threads, and contacts
# enough that the solver cuts them into tiles.
CROWD = """
seed = 3;
time: { step = 1e-3; end = 0.12; };
gravity = [1.0, 0.0, -9.81];
output: { interval = 0.02; contacts = true; """ + QUANTITIES + """ };
boundaries = ( { box: { lower = [0, 0, 0]; upper = [0.53, 0.53, 1.0];
                        faces = ["x-", "x+", "y-", "y+", "z-"]; }; material = "plate"; } );
bodies = ( { lattice: { counts = [26, 26, 21]; spacing = 0.0202; origin = [0.0125, 0.0125, 0.0101]; };
             material = "grain"; radius = [0.0098, 0.01]; } );
""" + LAWS


def soft(scene):
    """The scene for the penalty method, with small steps and static friction above the dynamic one."""
    scene = scene.replace(" restitution = 0.3;", "").replace(" pivoting_friction = 1e-4;", "").replace("time: { step = 1e-3;", "time: { step = 1e-4;")
    springs = "normal_stiffness = 2e3; friction_dynamic = 0.2; friction = 0.3;"
    return 'method = "penalty";\n' + scene.replace("friction = 0.3;", springs)


def datasets(path):
    """Every dataset but those that say how the run was made."""
    found = {}

    def visit(name, item):
        if isinstance(item, h5py.Dataset) and not name.startswith("parameters"):
            found[name] = item[()]

    with h5py.File(path) as file:
        file.visititems(visit)
    return found


def state_hash(out):
    return re.search(r"state hash +([0-9a-f]{16})", out)[1]


class Continued(Case):
    def check_same(self, a, b):
        first, second = datasets(self.folder / a), datasets(self.folder / b)
        self.assertEqual(set(first), set(second))
        for name, value in first.items():
            same = numpy.asarray(value).tobytes() == numpy.asarray(second[name]).tobytes()
            self.assertTrue(same, f"{name} of {b} differs from {a}")
        sidecar = [(self.folder / p).with_suffix(".xdmf").read_text().replace(p, "x") for p in [a, b]]
        self.assertEqual(*sidecar)

    def check_pieces(self, scene, end, pieces, *words, threads=(1, 3)):
        """A run in pieces that end at the times `pieces`, by turns with the numbers of `threads`."""
        self.write("scene.cfg", scene)
        whole = self.pluvia("run", "scene.cfg", "-o", "whole.h5md", *words)[0]
        for shift in range(len(threads)):
            name = f"pieces{shift}.h5md"
            for i, until in enumerate([*pieces, end]):
                out, err = self.pluvia("run", "scene.cfg", "-o", name, *words, "--restart", "auto",
                                       "-j", threads[(i + shift) % len(threads)], "--until", until)
                self.assertEqual("continues from step" in err, i > 0)
            self.assertEqual(state_hash(out), state_hash(whole))
            self.check_same("whole.h5md", name)
            with h5py.File(self.folder / name) as file:
                notes = [row.decode() for row in file["parameters/pluvia/restarts"][()]]
            self.assertEqual(len(notes), len(pieces))
            for note, until in zip(notes, pieces):
                self.assertIn(f"t = {until:g} s,", note)
        for line in ["bodies", "sweeps", "springs", "velocity error", "sinking speed", "boundaries carry", "energy created", "feeder 1", "worst residual", "not converged", "interpenetration",
                     "energy balance", "pile"]:
            found = [re.findall(f"^{line}  .*", text, re.MULTILINE) for text in [out, whole]]
            if line == "sweeps":  # the rate beside it is wall time
                found = [[f.split(",")[0] for f in each] for each in found]
            self.assertEqual(*found)
        return whole

    def test_pluviation(self):
        whole = self.check_pieces(RAIN, 0.5, [0.133, 0.3])
        active, waiting, removed, delayed = map(int, re.search(
            r"bodies +(\d+) active, (\d+) waiting, (\d+) removed; (\d+) delayed", whole).groups())
        for what in [active, waiting, removed, delayed]:
            self.assertGreater(what, 0, "the scene must have bodies in every state")

    def test_streams(self):
        whole = self.check_pieces(STREAMS, 0.5, [0.133, 0.3])
        self.assertRegex(whole, r"feeder 1 +\d+ of \d+ spheres, .* kg at .* kg/s, not 1 as set: \d+ were late, and .* kg\n"
                                r" +are due and wait for room")
        self.assertRegex(whole, r"feeder 2 +\d+ of 60 spheres, .* at .* per second, not 300 as set")

    def test_pluviation_without_projection(self):
        self.check_pieces(RAIN, 0.5, [0.25], "-s", "stabilization=none", "-s", "time.theta=1.0")

    def test_bounces_with_energy(self):
        self.check_pieces(RAIN, 0.5, [0.133, 0.3], "-s", "contacts.*.restitution_law=energy")

    def test_penalty(self):
        whole = self.check_pieces(soft(RAIN), 0.5, [0.133, 0.3])
        self.assertRegex(whole, r"springs +store \S+ J; dampers and friction dissipated \S+ J")

    def test_every_solver(self):
        """None keeps anything from step to step that a checkpoint does not know of."""
        table = self.pluvia("solvers")[0].split("\n\n")[0]
        names = re.findall(r"^  ([a-z][a-z-]*) ", table, re.MULTILINE)
        self.assertIn("gs", names)
        for name in names:
            words = ["-s", f"solver.name={name}"]
            knows = name != "newton-fb"  # pivoting friction
            self.write("scene.cfg", RAIN if knows else RAIN.replace(" pivoting_friction = 1e-4;", ""))
            whole = self.pluvia("run", "scene.cfg", "-o", "a.h5md", "--until", 0.15, "--force", *words)[0]
            self.pluvia("run", "scene.cfg", "-o", "b.h5md", "--until", 0.12, "--force", *words)
            out = self.pluvia("run", "scene.cfg", "-o", "b.h5md", "--until", 0.15, "--restart", "auto", *words)[0]
            self.assertEqual(state_hash(out), state_hash(whole), name)

    @numbers_only
    def test_thousands(self):
        self.check_pieces(CROWD, 0.12, [0.09])
        contacts = datasets(self.folder / "whole.h5md")["observables/contacts/value"]
        self.assertGreater(contacts[-1], 16384, "the scene must be cut into tiles")

    def test_frames_further_apart_than_the_pieces(self):
        self.check_pieces(FALL, 0.05, [0.004, 0.011], "-s", "output.interval=0.02")

    def test_single_precision_without_contacts(self):
        self.check_pieces(FALL, 0.05, [0.025], "-s", "output.precision=float32")

    def test_until_rest(self):
        words = ["-s", "time.until_rest=1e-4"]
        scene = FALL.replace("end = 0.05", "end = 3.0")
        whole = self.check_pieces(scene, 3.0, [0.1, 0.15], *words)
        self.assertIn("at rest", whole)
        _, err = self.pluvia("run", "scene.cfg", "-o", "whole.h5md", *words, "--restart", "auto",
                             "--until", 5)
        self.assertIn("complete: it ended at rest (time.until_rest); to go on all the same, add -s time.until_rest=0", err)
        self.assertIn("continues from", self.pluvia("run", "scene.cfg", "-o", "whole.h5md", "--restart", "auto", "--max-time", "0.01", code=75)[1])

    def test_checkpoints_within_a_run(self):
        """From each of the last two checkpoints, whatever came after them."""
        self.write("rain.cfg", RAIN)
        words = ["-s", "output.checkpoint_interval=0.11"]
        self.pluvia("run", "rain.cfg", "-o", "whole.h5md")
        for which in ["checkpoint", "checkpoint_prev"]:
            self.pluvia("run", "rain.cfg", "-o", "a.h5md", "--until", "0.37", "--force", *words)
            _, err = self.pluvia("run", "rain.cfg", "-o", "a.h5md", "--restart", f"a.{which}.h5")
            self.assertIn("step 370," if which == "checkpoint" else "step 330,", err)
            self.check_same("whole.h5md", "a.h5md")

    def test_a_copy_of_a_checkpoint(self):
        self.write("rain.cfg", RAIN)
        self.pluvia("run", "rain.cfg", "-o", "whole.h5md")
        self.pluvia("run", "rain.cfg", "-o", "a.h5md", "--until", "0.1")
        (self.folder / "kept.h5").write_bytes((self.folder / "a.checkpoint.h5").read_bytes())
        self.pluvia("run", "rain.cfg", "-o", "a.h5md", "--until", "0.2", "--restart", "auto")
        # What is later than the copy is gone: nothing could go on from it.
        self.pluvia("run", "rain.cfg", "-o", "a.h5md", "--until", "0.102", "--restart", "kept.h5")
        self.pluvia("run", "rain.cfg", "-o", "a.h5md", "--restart", "auto")
        self.check_same("whole.h5md", "a.h5md")


class Bounces(Case):
    def test_long_strides_before_it(self):
        """Where all pairs bounce, a body that has met another one in a long stride moved as if it met it again, in all steps to
        come, until the run was continued."""
        self.write("a.cfg", """time: { step = 1e-3; end = 0.3; };
            materials = ( { name = "g"; density = 2500.0; } );
            contacts = ( { between = ["g", "g"]; friction = 0.4; restitution = 0.6; } );
            boundaries = ( { box: { lower = [-0.05, -0.05, 0]; upper = [0.05, 0.05, 1]; }; material = "g"; } );
            bodies = ( { packing: { count = 100; box = [[-0.05, -0.05, 0], [0.05, 0.05, 0.4]]; }; material = "g";
                         radius = [0.004, 0.009]; } );
            output: { interval = 0.1; };""")
        self.pluvia("run", "a.cfg", "-q", "-o", "whole.h5md")
        self.pluvia("run", "a.cfg", "-q", "-o", "a.h5md", "--until", "0.2")
        self.pluvia("run", "a.cfg", "-q", "-o", "a.h5md", "--restart", "auto")
        self.pluvia("compare", "whole.h5md", "a.h5md")

    def test_a_run_whose_chosen_steps_were_shorter_is_not_complete(self):
        self.write("a.cfg", BOX.replace("step = 1e-3; ", "").replace("end = 0.3; };", "end = 0.3; }; output: { interval = 0.1; };"))
        self.pluvia("run", "a.cfg", "-q", "-o", "a.h5md", "--until", "0.133")
        _, said = self.pluvia("run", "a.cfg", "-o", "a.h5md", "--restart", "auto", code=3)
        self.assertIn("its longest step is", said)


class Decisions(Case):
    def setUp(self):
        super().setUp()
        self.write("a.cfg", FALL)

    def refused(self, *words, code=3):
        _, err = self.pluvia("run", "a.cfg", *words, code=code)
        return err

    def test_nothing_to_continue(self):
        self.pluvia("run", "a.cfg", "-o", "b.h5md")
        self.pluvia("run", "a.cfg", "-o", "a.h5md", "--restart", "auto")
        self.assertEqual(self.info("a.h5md")["frames"], self.info("b.h5md")["frames"])

    def test_complete(self):
        self.pluvia("run", "a.cfg", "-o", "a.h5md")
        before = (self.folder / "a.h5md").read_bytes()
        out, err = self.pluvia("run", "a.cfg", "-o", "a.h5md", "--restart", "auto")
        self.assertIn("complete", err)
        self.assertEqual(out, "")
        (self.folder / "a.checkpoint.h5").unlink()
        self.assertIn("complete", self.pluvia("run", "a.cfg", "-o", "a.h5md", "--restart", "auto")[1])
        self.assertEqual((self.folder / "a.h5md").read_bytes(), before)

    def test_an_existing_result(self):
        self.pluvia("run", "a.cfg", "-o", "a.h5md")
        self.assertIn("--restart auto", self.refused("-o", "a.h5md", code=5))
        for name in ["a.h5md", "a.xdmf"]:
            (self.folder / name).unlink()
        self.assertIn("a.checkpoint.h5 exists", self.refused("-o", "a.h5md", code=5))
        self.assertIn("put it back", self.refused("-o", "a.h5md", "--restart", "auto", code=5))
        self.pluvia("run", "a.cfg", "-o", "a.h5md", "--force")

    def test_force_takes_old_checkpoints_away(self):
        self.pluvia("run", "a.cfg", "-o", "a.h5md", "-s", "output.checkpoint_interval=0.02")
        self.pluvia("run", "a.cfg", "-o", "a.h5md", "--force")
        self.assertEqual(self.files(), ["a.cfg", "a.checkpoint.h5", "a.h5md", "a.xdmf"])
        self.refused("-o", "a.h5md", "--force", "--restart", "auto", code=2)

    def test_another_scene(self):
        self.pluvia("run", "a.cfg", "-o", "a.h5md", "--until", "0.02")
        before = (self.folder / "a.h5md").read_bytes()
        for change, words in [("seed=7", "seed was 1 when the run began and is 7 now"),
                              ("contacts.1.friction=0.5", "contacts[1].friction was 0.3"),
                              ("bodies.0.position=[0,0,0.06]", "bodies[0].position[2] was 0.05"),
                              ("time.step=2e-3", "time.step was 0.001"),
                              ("solver.cell_bodies=200", "solver.cell_bodies was absent when the run began and is 200"),
                              ("output.interval=0.005", "output.interval was 0.01"),
                              ("boundaries.0.plane.normal=[0,0,2]", "boundaries[0].plane.normal[2]")]:
            err = self.refused("-o", "a.h5md", "--restart", "auto", "-s", change)
            self.assertIn(words, err)
            self.assertEqual(len(err.splitlines()), 1, err)
        self.assertIn("bodies", self.refused("-o", "a.h5md", "--restart", "auto", "-s",
                                             "bodies.0.velocity=[1,0,0]", "-s", "bodies.0.radius=0.02"))
        self.assertEqual((self.folder / "a.h5md").read_bytes(), before)
        # What may change, and numbers that are only written in another way.
        self.pluvia("run", "a.cfg", "-o", "a.h5md", "--restart", "auto", "-s", "solver.max_iterations=300",
                    "-s", "time.step=0.001", "-s", "solver.on_failure=stop", "-s", "title=more")

    def test_another_file_of_bodies(self):
        self.write("grains.csv", "x,y,z\n0,0,0.05\n0.1,0,0.05\n")
        self.write("a.cfg", FALL.replace("position = [0, 0, 0.05];", """file: { path = "grains.csv"; };"""))
        self.pluvia("run", "a.cfg", "-o", "a.h5md", "--until", "0.02")
        self.write("grains.csv", "x,y,z,radius\n0,0,0.05,0.01\n0.1,0,0.05,0.02\n")
        self.assertIn("has a file of bodies changed", self.refused("-o", "a.h5md", "--restart", "auto"))
        self.write("grains.csv", "x,y,z\n0,0,0.05\n")
        self.assertIn("has a file of bodies changed", self.refused("-o", "a.h5md", "--restart", "auto"))

    def test_a_trajectory_of_another_run(self):
        self.pluvia("run", "a.cfg", "-o", "a.h5md", "--until", "0.03")
        self.pluvia("run", "a.cfg", "-o", "b.h5md", "--until", "0.01", "-s", "gravity=[0,0,-1]")
        self.pluvia("run", "a.cfg", "-o", "c.h5md", "--until", "0.01")
        for name, words in [("b.h5md", "gravity[2]"), ("c.h5md", "but the checkpoint needs 4")]:
            before = (self.folder / name).read_bytes()
            err = self.refused("-o", name, "--restart", "a.checkpoint.h5")
            self.assertIn(words, err)
            self.assertEqual((self.folder / name).read_bytes(), before)

    def test_a_checkpoint_of_the_end_alone_is_no_result(self):
        self.pluvia("run", "a.cfg", "-o", "a.h5md", "-q")
        self.pluvia("run", "a.cfg", "-o", "b.h5md", "-q", "--until", "0.02")
        (self.folder / "b.checkpoint.h5").write_bytes((self.folder / "a.checkpoint.h5").read_bytes())
        self.assertIn("but the checkpoint needs", self.refused("-o", "b.h5md", "-q", "--restart", "auto"))

    def interrupt_after_frames(self, name, count, *words):
        """A run that is interrupted once it has so many frames, at whatever time of the clock that is."""
        process = self.start("run", "a.cfg", "-o", name, "-q", *words)
        self.wait_for_frames(process, pathlib.Path(name).with_suffix(".xdmf"), count)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 143)

    def test_an_end_that_is_past(self):
        self.interrupt_after_frames("a.h5md", 2, "--until", "1e6")
        self.assertIn("give a later --until", self.refused("-o", "a.h5md", "--restart", "auto", "--until", "0.002"))
        self.assertEqual(self.info("a.h5md")["state"], "interrupted")

    def test_no_checkpoint(self):
        self.assertIn("none.h5", self.refused("--restart", "none.h5", code=5))
        self.assertIn("not a checkpoint", self.refused("--restart", "a.cfg"))
        self.assertIn("not a regular file", self.refused("--restart", "."))
        self.pluvia("run", "a.cfg", "-o", "a.h5md", "--until", "0.02")
        (self.folder / "a.checkpoint.h5").rename(self.folder / "b.checkpoint.h5")
        self.assertIn("complete", self.pluvia("run", "a.cfg", "-o", "a.h5md", "--until", "0.01",
                                              "--restart", "auto")[1])
        self.assertIn("no checkpoint", self.refused("-o", "a.h5md", "--restart", "auto"))
        self.assertIn("seed was 1", self.refused("-o", "a.h5md", "--restart", "auto", "-s", "seed=2"))

    def end_early(self, kill):
        """A run with some frames and no checkpoint, killed or failed; its frames."""
        for path in self.folder.glob("e.*"):
            path.unlink()
        self.write("c.cfg", FALL.replace("interval = 0.01", "interval = 0.001"))
        words = ["run", "c.cfg", "-o", "e.h5md", "-q", "--restart", "auto"]
        if kill:
            process = self.start(*words, "--until", "1e6")
            self.wait_until(process, (self.folder / "e.xdmf").exists, "its first frame")
            process.kill()
        else:
            process = self.start(*words, "--until", "0.5", preexec_fn=lambda: resource.setrlimit(
                resource.RLIMIT_FSIZE, (1000000, 1000000)))
        _, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, -9 if kill else 5, err)
        info = self.info("e.h5md")
        self.assertEqual(info["state"], "running" if kill else "failed")
        return info["frames"]

    def test_ended_before_the_first_checkpoint(self):
        """Killed or on a full disk: the same line begins anew, and says what goes."""
        for kill in True, False:
            frames = self.end_early(kill)
            before = (self.folder / "e.h5md").read_bytes()
            self.assertIn("seed was 1", self.pluvia("run", "c.cfg", "-o", "e.h5md", "--restart", "auto", "-s",
                                                    "seed=2", code=3)[1])
            self.assertEqual((self.folder / "e.h5md").read_bytes(), before)
            err = self.pluvia("run", "c.cfg", "-o", "e.h5md", "-q", "--restart", "auto")[1]
            self.assertIn("was killed before" if kill else "failed before", err)
            self.assertRegex(err, rf"starts again, and its {frames} frames? up to t = .* s will be replaced")
            self.assertEqual((self.info("e.h5md")["state"], self.info("e.h5md")["frames"]), ("complete", 51))

    def test_only_the_sidecar_is_left(self):
        """The trajectory and its checkpoints were removed: the same line begins anew; not over a file of somebody else."""
        self.write("c.cfg", FALL)
        words = ["run", "c.cfg", "-o", "e.h5md", "-q", "--restart", "auto"]
        self.pluvia(*words)
        for name in "e.h5md", "e.checkpoint.h5", "e.checkpoint_prev.h5":
            (self.folder / name).unlink(missing_ok=True)
        self.assertIn("but not the trajectory e.h5md: the run starts again", self.pluvia(*words)[1])
        self.assertEqual(self.info("e.h5md")["state"], "complete")
        self.write("f.xdmf", "notes of mine")
        self.assertIn("f.xdmf exists", self.pluvia(*["f.h5md" if word == "e.h5md" else word for word in words], code=5)[1])

    def test_interrupted_on_a_full_disk(self):
        """What is called interrupted has its checkpoint: here that fails, and the run is a failed one."""
        self.write("a.cfg", FALL.replace("end = 0.05", "end = 1e6"))
        self.pluvia("run", "a.cfg", "-o", "a.h5md", "-q", "--max-time", "0.2", code=5,
                    env=with_fault(28, 1, "checkpoint.h5.part"))
        self.assertEqual(self.info("a.h5md")["state"], "failed")
        self.assertIn("failed before its first checkpoint", self.pluvia(
            "run", "a.cfg", "-o", "a.h5md", "-q", "--restart", "auto", "--until", "0.02")[1])

    def spoil(self, name):
        path = self.folder / name
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 16
        path.write_bytes(content)

    def test_damaged_checkpoints(self):
        whole = state_hash(self.pluvia("run", "a.cfg", "-o", "b.h5md")[0])
        words = ["run", "a.cfg", "-o", "a.h5md", "--restart", "auto"]
        self.pluvia(*words, "--until", "0.04", "-s", "output.checkpoint_interval=0.02")
        self.spoil("a.checkpoint.h5")
        self.assertIn("damaged", self.refused("-o", "a.h5md", "--restart", "a.checkpoint.h5"))
        kept = {p.name: p.read_bytes() for p in self.folder.glob("a.*")}
        out, err = self.pluvia(*words)
        self.assertIn("a.checkpoint.h5: damaged", err)
        self.assertIn("continues from step 20", err)
        self.assertEqual(state_hash(out), whole)
        for name, content in kept.items():
            (self.folder / name).write_bytes(content)
        self.spoil("a.checkpoint_prev.h5")
        err = self.refused("-o", "a.h5md", "--restart", "auto")
        self.assertIn("a.checkpoint.h5: damaged", err)
        self.assertIn("there is no other checkpoint either: a.checkpoint_prev.h5: damaged", err)
        self.spoil("a.checkpoint_prev.h5")  # the same bit again: whole
        (self.folder / "a.checkpoint.h5").unlink()
        self.assertEqual(state_hash(self.pluvia(*words)[0]), whole)

    def test_interrupted(self):
        """A signal as well as --max-time comes at any step, between frames and checkpoints."""
        self.write("a.cfg", FALL.replace("end = 0.05", "end = 1e6"))
        self.interrupt_after_frames("a.h5md", 1)
        self.pluvia("run", "a.cfg", "-o", "a.h5md", "-q", "--restart", "auto", "--max-time", "0.1", code=75)
        end = self.info("a.h5md")["end"] + 0.0123
        one = self.pluvia("run", "a.cfg", "-o", "a.h5md", "--restart", "auto", "--until", end)[0]
        two = self.pluvia("run", "a.cfg", "-o", "b.h5md", "--until", end)[0]
        self.assertEqual(state_hash(one), state_hash(two))
        first, second = datasets(self.folder / "a.h5md"), datasets(self.folder / "b.h5md")
        for name, value in first.items():
            self.assertEqual(value.tobytes(), second[name].tobytes(), name)

    def test_out_of_time(self):
        self.write("a.cfg", FALL.replace("end = 0.05", "end = 1e6"))
        out, err = self.pluvia("run", "a.cfg", "-o", "a.h5md", "--max-time", "0.3s", code=75)
        self.assertIn("--max-time", err)
        self.assertIn("interrupted", out)
        first = self.info("a.h5md")
        self.assertEqual(first["state"], "interrupted")
        self.pluvia("run", "a.cfg", "-o", "a.h5md", "--max-time", "0.005m", "--restart", "auto", code=75)
        self.assertGreater(self.info("a.h5md")["end"], first["end"])
        for word in ["2d", "h", "-1s", "0", "1hs", "nan", "inf"]:
            self.assertIn("time span", self.refused("--max-time", word, code=2))


if __name__ == "__main__":
    unittest.main()
