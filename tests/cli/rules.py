"""A time step that is too long is named, before the run, in the step that breaks a rule, and at the end."""
import unittest

from command import FALL, PATIENCE, Case, shipped

HEAD = """
time: { step = 1e-3; end = 0.05; };
output: { interval = 0.05; };
materials = ( { name = "g"; density = 2500.0; }, { name = "w"; } );
contacts = ( { between = ["g", "g"]; friction = 0.2; cohesion = 1.0; }, { between = ["g", "w"]; friction = 0.2; } );
"""
TUBE = HEAD + """
boundaries = ( { cylinder: { center = [0, -0.1, 0]; axis = [0, 1, 0]; radius = 0.05; height = 0.2; bottom = false; }; material = "w"; } );
bodies = ( { position = [0, 0, -0.04]; velocity = [16, 0, 0]; radius = 0.01; material = "g"; } );
"""
# 1 ms sqrt(g / 2 mm) = 0.07
BOWL = HEAD + """
boundaries = ( { sphere: { radius = 0.003; inside = true; }; material = "w"; } );
bodies = ( { position = [-0.0014, 0, -0.0014]; radius = 0.001; material = "g"; } );
"""
SHAKEN = HEAD + """
boundaries = ( { plate: { size = [1, 1]; }; material = "w";
                 motion: { vibration: { amplitude = [0, 0, 1e-4]; frequency = 60.0; }; }; } );
bodies = ( { position = [0, 0, 0.01]; radius = 0.01; material = "g"; } );
"""
PADDLE = HEAD + """
boundaries = ( { plate: { center = [0.15, 0, 0]; normal = [0, 1, 0]; size = [0.3, 0.2]; }; material = "w";
                 motion: { axis = [0, 0, 1]; center = [0, 0, 0]; rate = 250.0; }; } );
bodies = ( { position = [0, 1, 0]; radius = 0.01; material = "g"; } );
"""
PRESSED = HEAD + """
boundaries = ( { plane: {}; material = "w"; },
               { plate: { center = [0, 0, 0.02]; normal = [0, 0, -1]; size = [0.1, 0.1]; }; material = "w";
                 servo: { axis = [0, 0, -1]; mass = 0.1; stress = 4e5; }; } );
bodies = ( { position = [0, 0, 0.01]; radius = 0.01; material = "g"; } );
"""
# Five balls above each other, 0.1 d apart.
COLUMN = HEAD.replace("friction = 0.2;", "friction = 0.2; restitution = 0.7;").replace("cohesion = 1.0;", "") + """
boundaries = ( { plane: {}; material = "w"; } );
bodies = ( { lattice: { counts = [1, 1, 5]; spacing = 0.022; origin = [0, 0, 0.03]; }; velocity = [0, 0, -1.4]; radius = 0.01; material = "g"; } );
"""
# On a sphere from the side, at 4 m/s.
ASIDE = HEAD + """
boundaries = ( { sphere: { radius = 0.01; }; material = "w"; } );
bodies = ( { position = [0.01, 0, 0.06]; velocity = [0, 0, -4]; radius = 0.01; material = "g"; } );
"""


class Rules(Case):
    def test_each_is_named_everywhere(self):
        for name, scene, rule in [("tube", TUBE, "turning"), ("bowl", BOWL, "swing"), ("shaken", SHAKEN, "period"),
                                  ("paddle", PADDLE, "spin"), ("pressed", PRESSED, "pressure"), ("column", COLUMN, "chain")]:
            with self.subTest(name):
                path = self.write(name + ".cfg", scene)
                before = self.pluvia("check", path)[1]
                self.assertIn(f"time.step = 0.001 s is too long ({rule})", before)
                out, err = self.pluvia("run", path, "-o", name + ".h5md")
                self.assertEqual(err.count("a step of 0.001 s is too long: "), out.count("step too long "), err)
                self.assertIn(f"step too long     {rule}: ", out)
                step = out.split(f"step too long     {rule}: ")[1].split("take time.step = ")[1].split()[0]
                self.assertLess(float(step), 1e-3)

    def test_a_step_that_is_short_enough_keeps_silent(self):
        for name, scene in [("tube", TUBE), ("bowl", BOWL), ("aside", ASIDE), ("shaken", SHAKEN), ("paddle", PADDLE), ("pressed", PRESSED), ("column", COLUMN)]:
            with self.subTest(name):
                path = self.write(name + ".cfg", scene.replace("step = 1e-3", "step = 5e-5"))
                self.assertNotIn("too long", "".join(self.pluvia("check", path)))
                self.assertNotIn("too long", "".join(self.pluvia("run", path, "-o", name + ".h5md")))
        path = self.write("fall.cfg", FALL)
        self.assertNotIn("too long", "".join(self.pluvia("check", path)))

    def test_scenes_of_the_tree(self):
        for path in shipped(campaigns=False):
            with self.subTest(path.name):
                process = self.start("check", path)
                self.assertNotIn("too long", "".join(process.communicate(timeout=PATIENCE)))


if __name__ == "__main__":
    unittest.main()
