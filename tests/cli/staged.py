"""Stages of one scene: their ends, what they change, one trajectory, one restart."""
import json
import re
import unittest

import h5py
import numpy

from command import SANITIZED, Case
from restart import datasets, state_hash

# A sphere slides without friction; then friction makes it roll; then it hangs without gravity.
BALL = """
gravity = [0, 0, -10.0];
time: { step = 1e-3; end = 9.0; };
output: { interval = 0.05; };
materials = ( { name = "glass"; density = 2500.0; }, { name = "steel"; } );
contacts = ( { between = ["glass", "glass"]; friction = 0.0; }, { between = ["steel", "glass"]; friction = 0.0; } );
boundaries = ( { plane: {}; material = "steel"; name = "floor"; },
               { plate: { center = [0, 0, 1]; size = [1, 1]; }; material = "steel"; name = "plate"; } );
bodies = ( { position = [0, 0, 0.1]; radius = 0.1; velocity = [1, 0, 0]; material = "glass"; } );
"""
SLIDE = BALL + """
stages = (
    { name = "slide"; until: { duration = 0.13; }; },
    { name = "roll"; until: { time = 0.63; }; contacts = ( { between = ["glass", "steel"]; friction = 0.5; } ); },
    { name = "float"; until: { duration = 0.2; }; gravity = [0, 0, 1.0]; output: { interval = 0.03; }; }
);
"""
# Grains settle, are pressed by a lid, loaded more with other laws, tilted with their box, and let go.
BOX = """
seed = 2;
time: { step = 1e-3; end = 9.0; };
output: { interval = 0.02; contacts = true; };
materials = ( { name = "grain"; density = 2500.0; }, { name = "steel"; } );
contacts = ( { between = ["grain", "grain"]; friction = 0.5; }, { between = ["grain", "steel"]; friction = 0.3; } );
boundaries = ( { box: { lower = [0, 0, 0]; upper = [0.03, 0.03, 0.2]; faces = ["x-", "x+", "y-", "y+", "z-"]; };
                 material = "steel"; name = "box"; },
               { plane: { center = [0, 0, 0.06]; normal = [0, 0, -1]; }; material = "steel"; name = "lid"; } );
bodies = ( { packing: { box = [[0, 0, 0], [0.03, 0.03, 0.1]]; count = 60; }; radius = [0.0025, 0.0035]; material = "grain"; } );
sensors = ( { name = "low"; box: { lower = [0, 0, 0]; upper = [0.03, 0.03, 0.01]; }; } );
"""
PRESS = BOX + """
stages = (
    { name = "settle"; until: { rest = 1e-3; within = 2.0; }; },
    { name = "press"; add = ["lid"]; contacts = ( { friction = 0.1; } );
      boundaries = ( { name = "lid"; servo: { mass = 0.005; stress = 500.0; speed = 0.3; }; } );
      until: { number = "lid.stress"; above = 540; below = 570; hold = 0.03; within = 2.0; }; },
    { name = "load"; contacts = ( { friction = 0.5; cohesion = 0.005; } );
      boundaries = ( { name = "lid"; servo: { stress = 1e3; }; } ); output: { interval = 0.005; }; until: { duration = 0.05; }; },
    { name = "tilt"; remove = ["lid"]; contacts = ( { cohesion = 0.0; } ); output: { interval = 0.02; };
      boundaries = ( { name = "box"; motion: { rate = 1.0; axis = [0, 1, 0]; start = 0.02; stop = 0.12; }; } );
      until: { duration = 0.15; }; },
    { name = "heavy"; gravity = [0, 0, -20]; until: { rest = 1e-3; within = 3.0; }; }
);
"""
REFILL = """seed = 3;
time: { step = 1e-3; end = 9.0; };
materials = ( { name = "grain"; density = 2500.0; }, { name = "steel"; } );
contacts = ( { between = ["grain", "grain"]; friction = 0.5; }, { between = ["grain", "steel"]; friction = 0.3; } );
boundaries = ( { box: { lower = [0, 0, 0]; upper = [0.05, 0.05, 0.3]; faces = ["x-", "x+", "y-", "y+", "z-"]; }; material = "steel"; name = "box"; } );
feeders = ( { pluviation: { count = 40; rate = 200; height = 0.1; center = [0.025, 0.025]; footprint: { square = 0.04; }; }; radius = 0.003; material = "grain"; },
            { pluviation: { count = 30; rate = 300; start = 0.05; height = 0.15; center = [0.025, 0.025]; footprint: { square = 0.04; }; }; radius = 0.003; material = "grain"; stage = "refill"; } );
stages = ( { name = "fill"; until: { rest = 1e-3; within = 3.0; }; },
           { name = "refill"; until: { rest = 1e-3; within = 3.0; }; },
           { name = "end"; until: { duration = 0.05; }; } );
output: { interval = 0.02; };
"""


def observable(path, name):
    with h5py.File(path) as file:
        return file[f"observables/{name}/value"][()]


def series(path, name):
    with h5py.File(path) as file:
        return file[f"particles/trajectory/{name}/value"][()], file["observables/stage/value"][()], file["observables/stage/time"][()]


class Staged(Case):
    def run_scene(self, scene, *words, **options):
        self.write("scene.cfg", scene)
        return self.pluvia("run", "scene.cfg", "-o", "out.h5md", "--force", *words, **options)

    def stages(self, name="out.h5md"):
        return json.loads(self.pluvia("info", name, "--json")[0])["stages"]


class Ends(Staged):
    def test_time_duration_and_what_changes(self):
        """Closed forms: the speed stays, then rolling takes two sevenths of it; then the sphere rises by half a g t squared."""
        out, err = self.run_scene(SLIDE)
        self.assertIn('step 130 (t = 0.13 s): stage "slide" is over, "roll" begins', err)
        velocity, stage, time = series(self.folder / "out.h5md", "velocity")
        position, _, _ = series(self.folder / "out.h5md", "position")
        numpy.testing.assert_allclose(velocity[stage == 0][:, 0, 0], 1.0, atol=1e-12)
        self.assertAlmostEqual(velocity[stage == 1][-1, 0, 0], 5 / 7, 9)
        self.assertAlmostEqual(position[-1, 0, 2] - 0.1, 0.5 * 1.0 * 0.2**2, 12)
        numpy.testing.assert_allclose(time[stage == 0], [0, 0.05, 0.1, 0.13], atol=1e-12)
        numpy.testing.assert_allclose(time[stage == 1][[0, -1]], [0.18, 0.63], atol=1e-12)
        numpy.testing.assert_allclose(time[stage == 2], [0.66, 0.69, 0.72, 0.75, 0.78, 0.81, 0.83], atol=1e-12)
        self.assertIn('complete (all stages), 21 frames', out)
        self.assertIn('"float" from 0.63 s to 0.83 s', out)

    def test_rest_numbers_and_frames(self):
        """The energy is accounted for over all changes."""
        out = self.run_scene(PRESS)[0]
        self.assertLess(float(re.search(r"energy balance +(\S+) ", out)[1]), 1e-12)
        stages = self.stages()
        self.assertEqual([s["name"] for s in stages], ["settle", "press", "load", "tilt", "heavy"])
        path = self.folder / "out.h5md"
        with h5py.File(path) as file:
            stress = file["boundaries/stress/value"][:, 1]
            there = file["boundaries/state/value"][:, 1]
        number = observable(path, "stage")
        weight = 0.005 * 9.81 / 0.03**2
        self.assertAlmostEqual(stress[stages[1]["last"]], 500 + weight, delta=15)
        self.assertAlmostEqual(stress[stages[2]["last"]], 1000 + weight, delta=20)
        numpy.testing.assert_array_equal(there, (number == 1) | (number == 2))
        self.assertAlmostEqual(stages[2]["ended"] - stages[2]["begun"], 0.05)
        self.assertEqual(stages[2]["last"] - stages[2]["first"], 9)
        text = self.pluvia("info", "out.h5md")[0]
        self.assertRegex(text, r"stage\n  settle +from 0 s to ")

    def test_a_number_of_a_sensor_and_below(self):
        scene = BOX + """stages = ( { name = "a"; until: { number = "low.grains"; above = 30; }; },
            { name = "b"; until: { number = "kinetic_energy"; below = 1e-6; hold = 0.05; }; },
            { name = "c"; until: { number = "grains"; above = 1; }; } );"""
        self.run_scene(scene)
        stages, path = self.stages(), self.folder / "out.h5md"
        grains = observable(path, "sensor_low_grains")
        self.assertGreaterEqual(grains[stages[0]["last"]], 30)
        self.assertTrue((grains[:stages[0]["last"]] < 30).all())
        self.assertLessEqual(observable(path, "kinetic_energy")[stages[1]["last"]], 1e-6)
        self.assertAlmostEqual(stages[2]["ended"] - stages[2]["begun"], 1e-3)

    def test_the_limit(self):
        """The run has failed, and goes on with a later limit."""
        scene = PRESS.replace("rest = 1e-3; within = 2.0;", "rest = 1e-3; within = 0.1;", 1)
        err = self.run_scene(scene, code=6)[1]
        self.assertRegex(err, r'scene.cfg:\d+: stage "settle" is not over 0.1 s after it began \(until.within\), at t = 0.1 s: '
                              r"the bodies are not at rest \(their largest energy is ")
        whole = state_hash(self.run_scene(PRESS, "-o", "whole.h5md")[0])
        out = self.pluvia("run", "scene.cfg", "-o", "out.h5md", "--restart", "auto", "-s", "stages.0.until.within=2")[0]
        self.assertEqual(state_hash(out), whole)

    def test_an_end_that_comes_too_soon_is_said(self):
        err = self.run_scene(SLIDE, "--until", 0.3)[1]
        self.assertIn('time.end = 0.3 s came before the end of stage "roll"; not begun: "float"', err)
        self.assertNotIn("came before", self.run_scene(SLIDE.replace("until: { duration = 0.2; };", ""), "--until", 0.7)[1])

    def test_a_stage_that_begins_at_the_end_bears_nothing_yet(self):
        """No loads are told of it: it has made no step."""
        said = [self.run_scene(SLIDE, "--force", "--until", end)[0] for end in ("0.12", "0.13", "0.14")]
        self.assertEqual(["boundaries carry  1.0000" in text for text in said], [True, False, True], said)
        self.assertNotIn("boundaries carry", said[1])


class Restarts(Staged):
    def check(self, scene, times):
        """The same file from pieces that end at any time (times: of the ends of the stages): within stages, at their ends, a
        step before and after; with sanitizers at two."""
        out = self.run_scene(scene, "-j", 1)[0]
        whole = datasets(self.folder / "out.h5md")
        chosen = times([stage["ended"] for stage in self.stages()[:-1]])
        for i, until in enumerate(chosen[::len(chosen) // 2] if SANITIZED else chosen):
            name = f"piece{i}.h5md"
            for words in (["--until", until, "-j", 2], ["-j", 1]):
                last = self.pluvia("run", "scene.cfg", "-o", name, "--restart", "auto", *words)[0]
            self.assertEqual(state_hash(last), state_hash(out))
            for key, value in datasets(self.folder / name).items():
                self.assertEqual(numpy.asarray(value).tobytes(), numpy.asarray(whole[key]).tobytes(), f"{key}, until {until}")

    def test_same_bits_from_everywhere(self):
        self.check(PRESS, lambda ends: [*ends, ends[0] + 1e-3, ends[2] - 1e-3, ends[2] + 0.007, ends[3] + 0.013])

    def test_same_bits_where_a_cell_is_compressed_and_sheared(self):
        scene = """
            seed = 3; gravity = [0, 0, 0]; time: { step = 2e-4; end = 1.0; }; output: { interval = 0.01; };
            materials = ( { name = "grain"; density = 2500.0; } );
            contacts = ( { between = ["grain", "grain"]; friction = 0.5; } );
            cell: { size = [0.022, 0.022, 0.022]; stress = [1e3, 1e3, 1e3]; };
            bodies = ( { lattice: { counts = [4, 4, 4]; spacing = 0.0055; origin = [0.0025, 0.0025, 0.0025]; jitter = 2e-4; };
                         material = "grain"; radius = 0.0025; } );
            stages = ( { name = "compress"; contacts = ( { friction = 0.05; } );
                         until: { number = "cell_stress_zz"; above = 900; hold = 0.005; within = 0.15; }; },
                       { name = "still"; cell: { stress = [0, 0, 0]; }; until: { duration = 0.01; }; },
                       { name = "shear"; cell: { stress = [0, 0, 1e3]; shear_rate = 4.0; }; contacts = ( { friction = 0.5; } );
                         until: { duration = 0.02; }; } );"""
        self.check(scene, lambda ends: [ends[0] / 2, ends[0] + 0.004, ends[1], ends[1] + 0.0052])
        with h5py.File(self.folder / "out.h5md") as file:
            edges, stage = file["particles/trajectory/box/edges/value"][()], observable(self.folder / "out.h5md", "stage")
        still = edges[stage == 1]
        numpy.testing.assert_array_equal(still, numpy.broadcast_to(still[0], still.shape))
        self.assertAlmostEqual(edges[-1, 2, 0] / edges[-1, 2, 2], 4.0 * 0.02, delta=3e-3)  # its height changes

    def test_same_bits_with_springs(self):
        springs = BOX.replace("seed", 'method = "penalty"; seed').replace("step = 1e-3", "step = 2e-5").replace(
            "0.5;", "0.5; normal_stiffness = 2e3;").replace("0.3; }", "0.3; normal_stiffness = 2e3; }") + """
            stages = ( { name = "fall"; until: { duration = 0.1; }; },
                       { name = "slippery"; until: { duration = 0.02; }; contacts = ( { friction = 0.1; } ); } );"""
        self.check(springs, lambda ends: [0.06, 0.1, 0.11])

    def test_same_bits_with_chosen_steps(self):
        self.check(PRESS.replace("step = 1e-3", 'step = "auto"').replace("interval = 0.005", "interval = 0.02"),
                   lambda ends: [round(50 * time) / 50 for time in (0.2, 0.5 * (ends[0] + ends[1]), ends[-1])])  # with frames


class Boundaries(Staged):
    def place(self, b):
        with h5py.File(self.folder / "out.h5md") as file:
            return file["boundaries/position/value"][:, b, 2], file["observables/stage/time"][()]

    def test_motions_begin_with_their_stage_and_go_on(self):
        """Also through a stage that does not name the boundary; another motion begins where it is."""
        self.run_scene(BALL + """
            stages = ( { name = "a"; until: { duration = 0.12; }; },
                       { name = "b"; until: { duration = 0.1; };
                         boundaries = ( { name = "plate"; motion: { velocity = [0, 0, 0.5]; start = 0.04; }; } ); },
                       { name = "c"; until: { duration = 0.1; }; gravity = [0, 0, -5]; },
                       { name = "d"; until: { duration = 0.2; };
                         boundaries = ( { name = "plate"; motion: { velocity = [0, 0, -1]; stop = 0.1; }; } ); } );""")
        z, time = self.place(1)
        expected = 1 + 0.5 * numpy.clip(time - 0.16, 0, 0.32 - 0.16) - numpy.clip(time - 0.32, 0, 0.1)
        numpy.testing.assert_allclose(z, expected, atol=1e-12)

    def test_added_and_removed(self):
        """The sphere falls through where the plate is not yet, and lands on it when it falls back."""
        scene = BALL.replace("velocity = [1, 0, 0]", "velocity = [0, 0, 6]") + """
            stages = ( { name = "up"; until: { duration = 0.6; }; },
                       { name = "land"; add = ["plate"]; until: { duration = 0.8; }; },
                       { name = "drop"; remove = ["plate"]; until: { duration = 1.0; }; } );"""
        self.run_scene(scene)
        position, stage, _ = series(self.folder / "out.h5md", "position")
        self.assertAlmostEqual(position[stage == 0][:, 0, 2].max(), 0.1 + 6 * 0.6 - 5 * 0.36, 2)
        self.assertAlmostEqual(position[stage == 1][-1, 0, 2], 1.1, 5)
        self.assertAlmostEqual(position[-1, 0, 2], 0.1, 5)
        err = self.run_scene(scene.replace("duration = 0.6", "duration = 0.17"), code=6)[1]
        self.assertRegex(err, r'scene.cfg:\d+: stage "land" adds boundary "plate" where 1 sphere is: sphere 0 at .* overlaps it by ')


    def test_other_runs_begin_where_the_stages_left_off(self):
        """Another scene, with stages of its own, takes over the tilted box."""
        turned = 'boundaries = ( { name = "box"; motion: { rate = 1.0; axis = %s; stop = 0.1; }; } );'
        stages = 'stages = ( { name = "still"; until: { duration = 0.05; }; }, { name = "turn"; until: { duration = 0.12; }; %s } );'
        self.run_scene(BOX + stages % turned % [0, 1, 0])
        body = re.sub(r"bodies = .*", 'bodies = ( { run: { path = "out.h5md"; }; } );', BOX)
        self.write("next.cfg", body + stages % turned % [0, 1, 0])
        out = self.pluvia("check", "next.cfg")[0]
        self.assertIn("1 boundary where it was", out)
        self.assertRegex(out, r"impulses of (\d+) of \1 contacts")
        self.pluvia("run", "next.cfg", "-o", "next.h5md")
        with h5py.File(self.folder / "next.h5md") as file:
            angle = 2 * numpy.arctan2(file["boundaries/rotation/value"][:, 0, 2], file["boundaries/rotation/value"][:, 0, 0])
        self.assertAlmostEqual(angle[0], 0.1, 12)
        self.assertAlmostEqual(angle[-1], 0.2, 12)
        self.write("next.cfg", body + stages % turned % [1, 0, 0])
        self.assertIn('"box" was turned about another axis', self.pluvia("check", "next.cfg", code=3)[1])
        self.write("next.cfg", body + stages % 'boundaries = ( { name = "box"; motion: { velocity = [0, 0, 0.1]; }; } );')
        self.pluvia("run", "next.cfg", "-o", "next.h5md", "--force")
        with h5py.File(self.folder / "next.h5md") as file:
            turn = file["boundaries/rotation/value"][:, 0]
        numpy.testing.assert_array_equal(turn, numpy.broadcast_to(turn[0], turn.shape))


class Windows(Staged):
    def test_what_passes_in_a_stage(self):
        """The mean of a rate, and the rate of what has passed, are what passed from the beginning of the stage to its end, which is
        no whole number of frames."""
        self.run_scene("""
time: { step = 1e-3; end = 9.0; };
output: { interval = 0.02; };
materials = ( { name = "a"; density = 2500.0; } );
contacts = ( { between = ["a", "a"]; friction = 0.3; } );
bodies = ( { lattice: { counts = [1, 1, 60]; spacing = 0.021; origin = [0, 0, 0.05]; }; radius = 0.01; material = "a"; } );
sensors = ( { name = "out"; plane: { center = [0, 0, 0]; normal = [0, 0, -1]; }; } );
stages = ( { name = "first"; until: { duration = 0.21; }; }, { name = "open"; until: { duration = 0.195; }; } );
""")
        out = self.pluvia("measure", "out.h5md", "--stage", "open", "--columns", "sensors.out_mass_rate,sensors.out_mass")[0]
        head, rate, mass = (line.split(",") for line in out.split())
        with h5py.File(self.folder / "out.h5md") as file:
            passed, time = (file[f"observables/sensor_out_mass/{name}"][()] for name in ("value", "time"))
        begun = numpy.argmin(abs(time - 0.21))
        self.assertGreater(abs(time[-1] - time[-2] - 0.02), 1e-3)
        true = (passed[-1] - passed[begun]) / (time[-1] - time[begun])
        self.assertGreater(true, 0.05)
        self.assertAlmostEqual(float(rate[head.index("mean")]) / true, 1, delta=1e-9)
        self.assertAlmostEqual(float(mass[head.index("rate")]) / true, 1, delta=1e-9)

    def test_steps_that_fit_all_frames(self):
        """Where the run chooses its steps, the longest one is a part of the frames of all stages."""
        scene = SLIDE.replace("step = 1e-3; ", "").replace('interval = 0.03', 'interval = 0.02')
        self.run_scene(scene)
        with h5py.File(self.folder / "out.h5md") as file:
            time = file["particles/trajectory/position/time"][()]
        self.assertTrue(numpy.isclose(time[:3], [0, 0.05, 0.1]).all())
        self.assertIn(0.02, numpy.round(numpy.diff(time), 9))


PARTS = BOX.replace("step = 1e-3; ", "") + """
stages = (
    { name = "fall"; until: { duration = 0.1; }; time: { step = 2e-3; }; },
    { name = "fine"; until: { duration = 0.1; }; time: { step = 2.5e-4; }; },
    { name = "chosen"; until: { duration = 0.1; }; time: { step = "auto"; smallest = 5e-4; }; output: { interval = 0.01; }; },
    { name = "careful"; until: { duration = 0.1; }; time: { largest = 2.5e-4; smallest = 0; }; }
);
"""


class Steps(Staged):
    def test_steps_by_stage(self):
        """Given ones are made as they are, chosen ones are within their limits; the same bits from pieces."""
        self.run_scene(PARTS, "-j", 1)
        with h5py.File(self.folder / "out.h5md") as file:
            time, stage, made = (file[name][()] for name in ("observables/stage/time", "observables/stage/value", "observables/made_steps/value"))
        steps = numpy.diff(made[numpy.searchsorted(stage, range(4), side="right") - 1], prepend=0)
        self.assertEqual(list(steps[:2]), [50, 400])
        self.assertTrue(25 <= steps[2] <= 200 and steps[3] >= 400, steps)
        self.assertTrue(numpy.isclose(time[-1], 0.4))
        Restarts.check(self, PARTS, lambda ends: [0.1, 0.12, 0.2, 0.26, 0.32])

    def test_steps_that_are_no_parts(self):
        for words, text in [
                (["stages.1.time.step=3e-4"], r"bad.cfg:\d+: stages\[1\]: time.step = 0.0003 s is not the longest step .* 0.002 s, .*: take 0.00025 s"),
                (["output.interval=0.0155"], r"output.interval = 0.0155 s does not hold the longest step of the stages, 0.002 s"),
                (["time.step=1e-3", "contacts.0.restitution=0.5", "contacts.0.restitution_law=energy", "stages.2.time.step=1e-3",
                  "stages.3.time.step=1e-3"], r'restitution_law = "energy" needs one number in all stages for time.step')]:
            self.write("bad.cfg", PARTS)
            self.assertRegex(self.pluvia("check", "bad.cfg", *(w for word in words for w in ("-s", word)), code=3)[1], text)


class Parts(Staged):
    """What is measured of a stage, or of a part of it."""

    def test_sensors_of_stages(self):
        """They sum from the beginning of one stage to the end of another; what is in a box then stays."""
        self.run_scene("""
time: { step = 1e-3; end = 9.0; }; output: { interval = 0.02; };
materials = ( { name = "a"; density = 2500.0; } );
contacts = ( { between = ["a", "a"]; friction = 0.3; } );
gravity = [0, 0, 0];
bodies = ( { lattice: { counts = [1, 1, 60]; spacing = 0.021; origin = [0, 0, 0.05]; }; radius = 0.01; velocity = [0, 0, -1.0]; material = "a"; } );
sensors = ( { name = "all"; plane: { normal = [0, 0, -1]; }; }, { name = "one"; plane: { normal = [0, 0, -1]; }; stage = "1"; last_stage = "b"; },
            { name = "late"; box: { lower = [-1, -1, -9]; upper = [1, 1, 0]; }; stage = "b"; last_stage = "b"; } );
stages = ( { name = "a"; until: { duration = 0.2; }; }, { name = "b"; until: { number = "one.grains"; above = 10; }; },
           { name = "c"; until: { duration = 0.2; }; } );
""")
        with h5py.File(self.folder / "out.h5md") as file:
            stage = file["observables/stage/value"][()]
            grains = {name: file[f"observables/sensor_{name}_grains/value"][()] for name in ("all", "one", "late")}
            spent, first = (file[f"observables/sensor_late_{name}/value"][-1] for name in ("grain_time", "first"))
        ends = numpy.searchsorted(stage, range(3), side="right") - 1
        self.assertEqual(list(grains["all"][ends]), [8, 18, 27])
        self.assertEqual(list(grains["one"][ends]), [0, 10, 10])
        self.assertEqual(list(grains["late"][ends]), [0, 18, 18])
        self.assertAlmostEqual(first, 0.2)
        self.assertAlmostEqual(spent, sum(0.407 - max(0.2, 0.05 + 0.021 * k) for k in range(18)), delta=0.02)
        self.write("scene.cfg", (self.folder / "scene.cfg").read_text().replace('number = "one.grains"', 'number = "late.grains"')
                   .replace('stage = "b"; last_stage = "b"', 'stage = "c"'))
        err = self.pluvia("check", "scene.cfg", code=3)[1]
        self.assertIn('sensor "late" sums nothing in this stage', err)
        self.assertIn('sensors[2].stage: the scene has no stage "d"', self.pluvia("check", "scene.cfg", "-s", "sensors.2.stage=d", code=3)[1])

    def test_times_within_a_stage(self):
        """--from and --to count from the beginning of --stage, in campaigns as well."""
        self.run_scene(SLIDE)
        for words, times in [(["--from", "0.1"], [0.23, 0.63]), (["--to", "0.1"], [0.18, 0.23]), (["--from", 0.3, "--to", 0.37], [0.43, 0.48])]:
            table = self.pluvia("measure", "out.h5md", "--stage", "roll", *words, "--every", "--columns", "run.time")[0].split()
            self.assertTrue(numpy.allclose([float(table[1]), float(table[-1])], times), table)
            mean = self.pluvia("measure", "out.h5md", "--stage", "roll", *words, "--columns", "run.time")[0].splitlines()[1].split(",")
            self.assertTrue(numpy.allclose([float(mean[6]), float(mean[7])], times), mean)
        self.assertIn('stage "roll" lasted for 0.5 s', self.pluvia("measure", "out.h5md", "--stage", "roll", "--from", 3, code=2)[1])
        self.write("sweep.cfg", """scene = "scene.cfg"; measures = ["min(last.stage, roll, 0.1, 0.2)", "min(run.time, roll, 0.1, 0.2)", "max(run.time, roll, 0.1, 0.2)"];
            axes = ( { key = "seed"; values = [1]; } );""")
        self.pluvia("sweep", "sweep.cfg", "-o", "cases")
        (table,) = (self.folder / "cases").glob("table.csv")
        self.assertEqual(table.read_text().splitlines()[1].split(",")[2:5], ["1", "0.23", "0.33"])


class Mistakes(Staged):
    def refuse(self, scene, *texts):
        self.write("bad.cfg", scene)
        err = self.pluvia("check", "bad.cfg", code=3)[1]
        for text in texts:
            self.assertRegex(err, text)

    def test_mistakes_have_their_place(self):
        stage = '{ name = "a"; until: { duration = 1.0; }; %s }'
        for what, said in [
                ("friction = 0.1;", r'bad.cfg:11: unknown key "friction" in stages\[0\]'),
                ("gravty = [0, 0, 0];", r'unknown key "gravty" in stages\[0\]; did you mean "gravity"'),
                ("materials = ();", r'bad.cfg:11: stages\[0\]: a stage cannot change materials; it can change gravity, '),
                ("time: { end = 1.0; };", r'bad.cfg:11: stage "a": time.end: a stage cannot change it; here it can change step, largest, smallest'),
                ("contacts = ( { friction = -0.1; } );", r'bad.cfg:11: stage "a": contacts\[0\].friction must be >= 0'),
                ("contacts = ( { frictoin = 0.1; } );", r'bad.cfg:11: stage "a": unknown key "frictoin" in contacts; did you mean "friction"'),
                ('contacts = ( { between = ["glass", "wood"]; friction = 0.1; } );', r"has no law between these two materials"),
                ("contacts = ( { normal_stiffness = 1.0; } );", r"contacts.normal_stiffness: a stage cannot change it; here it can change friction, "),
                ('boundaries = ( { name = "lid"; motion: {}; } );', r'bad.cfg:11: stage "a": boundaries: the scene has no boundary "lid"'),
                ("boundaries = ( { motion: {}; } );", r"needs the name of a boundary"),
                ('boundaries = ( { name = "plate"; servo: { force = 1.0; }; } );', r"boundaries\[1\].servo.mass is missing"),
                ('boundaries = ( { name = "plate"; material = "glass"; } );', r"boundaries.material: a stage cannot change it"),
                ("cell: { shear_rate = 1.0; };", r"cell: the scene has none"),
                ('add = ["lid"];', r'bad.cfg:11: stages\[0\].add: the scene has no boundary "lid"'),
                ('remove = ["plate", "plate"];', r'"plate" is not there already'),
        ]:
            with self.subTest(what):
                self.refuse(BALL + "stages = (\n" + stage % what + ");", said)

    def test_ends_that_make_no_sense(self):
        for until, said in [
                ("until: { duration = 1.0; rest = 1e-3; };", r"needs exactly one of duration, time, rest, number \(found more than one\)"),
                ("until: { within = 1.0; };", r"needs exactly one of"),
                ('until: { number = "grains"; };', r"`number` needs `above` or `below`"),
                ('until: { number = "grains"; above = 5; below = 4; };', r"must not be larger"),
                ('until: { number = "lid.stress"; above = 5; };', r'there is no number "lid.stress"'),
                ('until: { number = "plate.stress"; above = 5; };', r"it needs a plane, or a servo"),
                ('until: { number = "void_ratio"; above = 5; };', r"it needs a servo, or a cell"),
                ("until: { duration = 1.0; above = 5; };", r"go with a `number`"),
                ("until: { rest = 1e-3; }; gravity = [0, 0, 0];", r"needs gravity"),
        ]:
            with self.subTest(until):
                self.refuse(BALL + "stages = (\n{ name = \"a\"; " + until + " } );", r"bad.cfg:11: ", said)
        self.refuse(BALL + 'stages = ( { name = "a"; }, { name = "a"; } );', r"until is missing: only the last", r'"a" is already used')
        self.refuse(BALL.replace("end = 9.0;", "end = 9.0; until_rest = 1e-3;") + 'stages = ( { name = "a"; } );', r"time.until_rest is that of")

    def test_a_number_that_is_undefined(self):
        """It is named once, and in what ends the run: at the limit of the stage, or at the end of the scene."""
        gone = BALL.replace("end = 9.0", "end = 0.5") + """stages = ( { name = "wait"; boundaries = ( { name = "plate"; until = 0.05; } );
            until: { number = "plate.z"; above = 5; %s }; }, { name = "next"; } );"""
        err = self.run_scene(gone % "within = 0.3;", code=6)[1]
        self.assertEqual(err.count('ends by plate.z, which is undefined for 100 steps up to t = 0.15 s: it cannot end'), 1)
        self.assertRegex(err, r'scene.cfg:10: stage "wait" is not over 0.3 s .*: plate.z is undefined')
        err = self.run_scene(gone % "")[1]
        self.assertEqual(err.count("is undefined for 100 steps"), 1)
        self.assertIn('before the end of stage "wait", whose number is undefined: plate.z; not begun: "next"', err)
        self.refuse(BALL + """stages = ( { name = "a"; remove = ["plate"]; until: { number = "plate.z"; above = 5; }; }, { name = "b"; } );""",
                    r'bad.cfg:10: stages\[0\].until.number: "plate" is not there in this stage')
        counted = BALL.replace("end = 9.0", "end = 0.5") + """sensors = ( { name = "level"; plane: { center = [0, 0, 5]; normal = [0, 0, 1]; }; } );
            stages = ( { name = "wait"; until: { number = "level.first"; above = 0; }; }, { name = "next"; } );"""
        self.assertNotIn("is undefined for", self.run_scene(counted)[1])  # it may still come

    def test_a_feeder_of_no_stage(self):
        self.refuse(REFILL.replace('stage = "refill"', 'stage = "refil"'), r'bad.cfg:\d+: feeders\[1\].stage: the scene has no stage "refil"')
        self.refuse(REFILL[:REFILL.index("stages =")], r'feeders\[1\].stage: the scene has no stage "refill"')

    def test_two_axes(self):
        turn = '{ name = "%s"; until: { duration = 0.1; }; boundaries = ( { name = "plate"; motion: { rate = 1.0; axis = %s; }; } ); }'
        self.refuse(BALL + "stages = ( " + turn % ("a", [1, 0, 0]) + "," + turn % ("b", [0, 1, 0]) + " );", r'"plate" turns about another axis')

    def test_what_only_the_run_would_meet_is_found_by_check(self):
        """The table of a later stage."""
        self.refuse(BALL + 'stages = ( { name = "a"; until: { duration = 1.0; }; }, { name = "b"; boundaries = ( { name = "plate"; '
                    'motion: { table = "none.csv"; }; } ); } );', r"none.csv")
        self.write("wrong.csv", "t,z\n0,1\n0,2\n")
        self.refuse(BALL + 'stages = ( { name = "a"; until: { duration = 1.0; }; }, { name = "b"; boundaries = ( { name = "plate"; '
                    'motion: { table = "wrong.csv"; }; } ); } );', r"wrong.csv")


class Tools(Staged):
    def test_overrides_name_keys_of_stages(self):
        self.run_scene(SLIDE, "-s", "stages.1.contacts.0.friction=0", "-s", "stages.0.until.duration=0.2", "-s", "stages.2.gravity.2=2.0")
        velocity, stage, time = series(self.folder / "out.h5md", "velocity")
        numpy.testing.assert_allclose(velocity[:, 0, 0], 1.0, atol=1e-12)
        self.assertAlmostEqual(time[stage == 0][-1], 0.2)
        self.assertAlmostEqual(velocity[-1, 0, 2], 2.0 * 0.2, 9)
        err = self.run_scene(SLIDE, "-s", "stages.1.until.durations=1", code=3)[1]
        self.assertIn('unknown key "durations"', err)

    def test_a_campaign_varies_a_stage(self):
        self.write("scene.cfg", SLIDE)
        self.write("campaign.cfg", """scene = "scene.cfg"; measures = ["rolling.vx", "max(rolling.vz, float)", "stages.1.ended"];
            axes = ( { key = "stages.1.contacts.0.friction"; values = [0.0, 0.5]; } );""")
        self.pluvia("sweep", "campaign.cfg", "-o", "cases")
        rows = [[float(x) for x in line.split(",")[2:5]] for line in (self.folder / "cases/table.csv").read_text().splitlines()[1:]]
        numpy.testing.assert_allclose([row[:3] for row in rows], [[1, 0.2, 0.63], [5 / 7, 0.2, 0.63]], atol=1e-9)
        self.write("campaign.cfg", 'scene = "scene.cfg"; measures = ["mean(rolling.vx, none)"];')
        self.assertIn('the scene has no stage "none"', self.pluvia("sweep", "campaign.cfg", "-o", "none", code=3)[1])

    def test_a_campaign_finds_the_tables_of_stages(self):
        """From its own folders; another table is another case."""
        (self.folder / "tables").mkdir()
        self.write("scene.cfg", BALL + """stages = ( { name = "a"; until: { duration = 0.1; }; gravity = [0, 0, -9]; },
            { name = "b"; until: { duration = 0.1; }; boundaries = ( { name = "floor"; motion: {}; },
              { name = "plate"; motion: { table = "tables/lift.csv"; }; } ); } );""")
        self.write("campaign.cfg", 'scene = "scene.cfg"; measures = ["boundaries.1.moved.2"]; axes = ( { seeds = 2; } );')
        for way in (0.25, 0.5):
            self.write("tables/lift.csv", f"t,z\n0,0\n0.1,{way}\n")
            out = self.pluvia("sweep", "campaign.cfg", "-o", "cases")[0]
            self.assertIn("2 done (2 now)", out)
            for line in (self.folder / "cases/table.csv").read_text().splitlines()[1:]:
                self.assertAlmostEqual(float(line.split(",")[2]), way)

    def test_measure_looks_at_one_stage(self):
        self.run_scene(SLIDE)
        rows = self.pluvia("measure", "out.h5md", "--stage", "float", "--every", "--columns", "run.time")[0].split()[1:]
        numpy.testing.assert_allclose([float(t) for t in rows], [0.66, 0.69, 0.72, 0.75, 0.78, 0.81, 0.83], atol=1e-12)
        self.assertIn('the run has no stage "roll2"; it has "slide", "roll", "float" (numbers 0 to 2)',
                      self.pluvia("measure", "out.h5md", "--stage", "roll2", code=2)[1])

    def test_other_commands_look_at_one_stage(self):
        """fields, render, export: the frames of a stage; pictures of its end are those of its last frame."""
        self.run_scene(SLIDE)
        rows = self.pluvia("export", "out.h5md", "--to", "csv", "--stage", "float", "--columns", "time", "-o", "-")[0].split()[1:]
        numpy.testing.assert_allclose([float(t) for t in rows], [0.66, 0.69, 0.72, 0.75, 0.78, 0.81, 0.83], atol=1e-12)
        self.assertEqual(self.pluvia("fields", "out.h5md", "--stage", "1", "--region", "-1,-1,-1,2,1,1")[0],
                         self.pluvia("fields", "out.h5md", "--from", "0.131", "--to", "0.63", "--region", "-1,-1,-1,2,1,1")[0])
        self.pluvia("render", "out.h5md", "--stage", "roll", "--size", "200x150", "-o", "a.png")
        self.pluvia("render", "out.h5md", "--at", "0.63", "--size", "200x150", "-o", "b.png")
        self.assertEqual((self.folder / "a.png").read_bytes(), (self.folder / "b.png").read_bytes())
        self.pluvia("render", "out.h5md", "--stage", "float", "--movie", "--size", "80x60", "-o", "m.png")
        self.assertEqual(len(list(self.folder.glob("m-*.png"))), 7)
        for words in (["fields"], ["render", "-o", "c.png"], ["export", "--to", "csv", "-o", "-"]):
            self.assertIn('the run has no stage "roll2"; it has "slide", "roll", "float"',
                          self.pluvia(words[0], "out.h5md", *words[1:], "--stage", "roll2", code=2)[1])
            self.assertIn("exclude each other", self.pluvia(words[0], "out.h5md", *words[1:], "--stage", "roll", "--at", "0.2", code=2)[1])

    def test_potential_is_that_of_the_gravity_of_the_stage(self):
        self.run_scene(SLIDE)
        energy = json.loads(self.pluvia("measure", "out.h5md", "--json")[0])["frame"]["energy"]
        self.assertAlmostEqual(energy["potential"], observable(self.folder / "out.h5md", "potential_energy")[-1], 9)

    def test_a_feeder_of_a_stage(self):
        """Its grains come from the beginning of the stage on, the first after its `start`; those that wait for it do not keep the stage before
        from its end; pieces of the run have the same bits."""
        self.run_scene(REFILL)
        path, stages = self.folder / "out.h5md", self.stages()
        with h5py.File(path) as file:
            state, time = (file["particles/trajectory"][name][:] for name in ("state/value", "state/time"))
        count = (state == 1).sum(axis=1)
        begun = stages[1]["begun"]
        self.assertEqual(count[stages[0]["last"]], 40)
        self.assertTrue((count[time < begun + 0.0495] <= 40).all())
        self.assertGreater(count[numpy.searchsorted(time, begun + 0.08)], 40)
        self.assertEqual(count[-1], 70)
        self.pluvia("run", "scene.cfg", "-o", "part.h5md", "-q", "--until", begun - 0.1)
        self.pluvia("run", "scene.cfg", "-o", "part.h5md", "-q", "--restart", "auto", "--until", round(begun + 0.1, 3))
        self.pluvia("run", "scene.cfg", "-o", "part.h5md", "-q", "--restart", "auto", "--until", 9)
        first, second = datasets(path), datasets(self.folder / "part.h5md")
        for name in "particles/trajectory/position/value", "particles/trajectory/state/value", "observables/stage/value":
            self.assertEqual(first[name].tobytes(), second[name].tobytes(), name)

    def test_the_scene_in_the_result_has_its_stages(self):
        self.run_scene(SLIDE)
        resolved = self.pluvia("info", "out.h5md", "--resolved")[0]
        self.write("again.cfg", resolved)
        again = self.pluvia("run", "again.cfg", "-o", "again.h5md")[0]
        self.assertIn(state_hash(again), self.run_scene(SLIDE)[0])


if __name__ == "__main__":
    unittest.main()
