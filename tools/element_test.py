"""What tools/element.py works out of a specimen: columns of each frame, and the numbers that sum up a test (its --help has the
definitions)."""
import numpy as np

from plots import fail
from specimen import MOVES, Specimen

LEVEL = 0.01  # a stress that stays within this for a while is a level
STEADY = 0.05  # a state is critical if volume changes by less of the strain
PARTS, LAYERS = 4, 8


def smoothed(values, strain, width, least=0):
    """Running mean over frames that span about `width` of strain, and at least that many on each side; of fewer at the ends."""
    step = np.median(np.abs(np.diff(strain)))
    half = max(least, int(min(width / step / 2 if step > 0 else 0, len(strain) / 8)))
    known = ~np.isnan(values)
    sums = np.concatenate([[0.0], np.cumsum(np.where(known, values, 0.0))])
    counts = np.concatenate([[0], np.cumsum(known)])
    k = np.arange(len(values))
    reach = np.minimum(half, np.minimum(k, len(values) - 1 - k))  # the same on both sides: no bias by a slope
    counted = counts[k + reach + 1] - counts[k - reach]
    return np.where(counted > 0, (sums[k + reach + 1] - sums[k - reach]) / np.maximum(counted, 1), np.nan)


def rate(y, x, width):
    """dy/dx by straight lines through the frames within `width` of x, at least five; nan at the ends."""
    x, y = x - x.mean(), y - y.mean()
    x_mean, y_mean = smoothed(x, x, width, 2), smoothed(y, x, width, 2)
    covariance = smoothed(x * y, x, width, 2) - x_mean * y_mean
    square = smoothed(x * x, x, width, 2) - x_mean**2
    least = 1e-12 * np.ptp(x)**2
    return np.where(square > least, covariance / np.where(square > least, square, 1), np.nan)


def reversals(values, share=0.1):
    """Frames at which a value turns, by more than a share of its range; the first and last of those that are known, too."""
    known = np.flatnonzero(~np.isnan(values))
    if not len(known):
        return []
    least, turns, best, way = share * np.ptp(values[known]), [known[0]], known[0], 0
    for k in known:
        if (values[k] - values[best]) * way > 0 or (way == 0 and abs(values[k] - values[best]) > least > 0):
            way, best = way or np.sign(values[k] - values[best]), k
        elif way * (values[best] - values[k]) > least:
            turns.append(best)
            way, best = -way, k
    return turns + [known[-1]]


def levels(stress, time):
    """Frames at the end of each stretch in which the stress stays within 1 %. Stretches one after the other at the same stress
    are one level, in which grains knocked."""
    ends, first = [], 0
    for k in range(1, len(stress) + 1):
        if k == len(stress) or not abs(stress[k] - stress[first]) <= LEVEL * abs(stress[first]):  # nan before the first step
            if stress[first] > 0 and k - first > 2 and time[k - 1] - time[first] > 0.015 * (time[-1] - time[0]):
                if ends and abs(stress[k - 1] / stress[ends[-1]] - 1) < 3 * LEVEL:
                    ends.pop()
                ends.append(k - 1)
            first = k
    return ends


def angle(sine):
    return np.degrees(np.arcsin(np.clip(sine, -1, 1)))


def largest(values):
    return np.nanmax(values) if not np.isnan(values).all() else np.nan


class Test:
    """The columns of one result from --from to --to, and the numbers that sum it up."""
    smooth = 0.01

    def __init__(self, path, given):
        self.given, self.path = given, path
        s = self.specimen = Specimen(path, given.axis, given.top, given.bottom)
        start = given.start if given.start is not None else self.begins()
        end = given.end if given.end is not None else s.time[-1]
        k = self.frames = np.flatnonzero((s.time >= start - 1e-9) & (s.time <= end + 1e-9))
        if len(k) < 5:
            fail(f"{path} has {len(k)} frames from {start:g} to {end:g} s, and 5 are needed (--from, --to, output.interval)")
        axial, radial = s.normal(s.axis)[k], s.lateral()[k]
        self.height, self.volume = s.length[k, s.axis], s.volume[k]
        self.column = {"t": s.time[k], **self.strains(0), "e": s.void[k], "sigma_a": axial, "sigma_r": radial,
                       "p": (axial + 2 * radial) / 3, "q": axial - radial, "unconverged": s.unconverged[k].astype(float)}
        with np.errstate(divide="ignore", invalid="ignore"):
            self.column["eta"] = self.column["q"] / self.column["p"]
            self.add(-np.log(self.height / self.height[0]), -np.log(self.volume / self.volume[0]))

    def begins(self):
        return self.specimen.time[0]

    def strains(self, first):
        """Of height and volume, from a frame on."""
        return {"eps_a": 1 - self.height / self.height[first], "eps_v": 1 - self.volume / self.volume[first]}

    def width(self):
        return self.given.smooth if self.given.smooth is not None else self.smooth

    def need_radial(self):
        if np.isnan(self.column["sigma_r"]).all():
            fail(f"{self.path}: the stress across {self.given.axis} is not known, so that there is no p and q"
                 + ("; a tube needs output.contacts = true" if self.specimen.tube else ""))

    def notes(self):
        return []

    def quality(self):
        """Whether the run was solved."""
        missed, steps = self.column["unconverged"], self.specimen.steps[self.frames]
        return {"steps not converged (%)": 100 * (missed[-1] - missed[0]) / max(steps[-1] - steps[0], 1)}


class Strength(Test):
    """Tests whose strain rises: friction angle, dilatancy angle, peak and critical state."""

    def late(self):
        """Frames of the critical state."""
        begin = self.given.critical
        if begin is None:
            begin = min(0.75 * abs(self.strain).max(), np.sort(abs(self.strain))[-PARTS])
        frames = np.flatnonzero(abs(self.strain) >= begin - 1e-12)
        if len(frames) < PARTS:
            fail(f"{self.path} has only {len(frames)} frames beyond a strain of {begin:g} (--critical, output.interval)")
        return frames

    def strength(self, frames=None):
        """The friction angle of means: of some frames, or running."""
        upper, lower = self.pair()
        if frames is None:
            upper, lower = (smoothed(part, self.strain, self.width()) for part in (upper, lower))
        else:
            upper, lower = np.nanmean(upper[frames]), np.nanmean(lower[frames])
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.friction(upper / lower)

    def borne(self):
        """Frames in which the specimen bears its load: not those in which a lid still comes down."""
        lower = smoothed(self.pair()[1], self.strain, self.width())
        return np.flatnonzero(lower > 0.5 * np.nanmedian(lower))

    def numbers(self):
        c, late, borne, running = self.column, self.late(), self.borne(), self.strength()
        peak = int(borne[np.nanargmax(running[borne])])
        angles = [self.strength(part) for part in np.array_split(late, PARTS)]
        return {"void ratio at the start": c["e"][0], **self.stresses(late, angles),
                "phi, peak (degrees)": running[peak], "... at a strain of": abs(self.strain[peak]),
                "psi there (degrees)": c["psi"][peak], "psi, largest (degrees)": largest(c["psi"][borne]),
                "phi, critical (degrees)": self.strength(late), "... deviation of four parts": np.std(angles),
                "void ratio, critical": c["e"][late].mean(), "solid fraction, critical": (1 / (1 + c["e"][late])).mean(),
                "void ratio, least": c["e"].min(), f"dv/d{self.along}, critical": np.polyfit(self.strain[late], c["eps_v"][late], 1)[0],
                **self.quality()}

    def notes(self):
        """What of the numbers is not what its name says."""
        made, notes = self.numbers(), []
        change = made[f"dv/d{self.along}, critical"]
        if made["... at a strain of"] >= abs(self.strain[self.late()[0]]):
            notes.append("no peak: the largest friction angle lies in the part that counts as critical")
        if abs(change) > STEADY:
            notes.append(f"not critical yet: there volume still changes by {change:.2g} of the strain")
        return notes

    def quality(self):
        s, stress = self.specimen, np.nanmean(self.column["sigma_a" if np.isnan(self.column["p"]).all() else "p"])
        speed, balance = np.ptp(self.strain) / np.ptp(self.column["t"]), s.balance()[self.frames[self.late()]]
        made = super().quality() | {"inertial number": speed * s.diameter * np.sqrt(s.density / stress) if stress > 0 else np.nan}
        if not np.isnan(balance).all() and not any(s.scene.get("gravity", [0])):
            made["stress below over above, critical"] = np.nanmean(balance)
        return made


class Triaxial(Strength):
    along = "a"

    def need_sides_that_yield(self):
        """Between rigid walls all of the axial strain is one of volume, and nothing fails."""
        s = self.specimen
        across = [k for k in range(3) if k != s.axis]
        if s.tube or all(k in s.faces and np.ptp(s.length[self.frames, k]) <= MOVES * s.length[0, k] for k in across):
            names = [s.tube.name] if s.tube else list(dict.fromkeys(w.name for k in across for w in s.faces[k]))
            fail(f"{self.path}: the walls around the specimen ({', '.join(names)}) do not move: that is no triaxial test but"
                 ' compression without lateral strain; use "element.py oedometer"')

    def begins(self):
        return self.specimen.loading()

    def add(self, axial, volumetric):
        self.need_sides_that_yield()
        self.need_radial()
        upper, lower = self.pair()
        self.strain, slope = self.column["eps_a"], rate(volumetric, axial, self.width())
        self.column["phi"] = self.friction(upper / lower)
        self.column["psi"] = angle(-np.sign(np.gradient(axial)) * slope / (2 - slope))

    def pair(self):
        return abs(self.column["q"]), self.column["sigma_a"] + self.column["sigma_r"]

    def friction(self, ratio):
        return angle(ratio)

    def stresses(self, late, angles):
        c = self.column
        mean = np.nanmean(c["sigma_r"])
        return {"sigma_r (kPa)": mean / 1e3, "sigma_r off its mean, largest (%)": 100 * np.nanmax(abs(c["sigma_r"] / mean - 1)),
                "q / p, critical": np.nanmean(c["q"][late]) / np.nanmean(c["p"][late])}


class Shear(Strength):
    smooth, along = 0.05, "gamma"

    def begins(self):
        return self.specimen.loading() if self.specimen.stages() else super().begins()

    def add(self, axial, volumetric):
        strain, stress = self.specimen.shear(self.frames)
        self.strain = self.column["gamma"] = strain[self.frames] - strain[self.frames[0]]
        self.column["tau"] = stress[self.frames]
        self.column["phi"] = self.friction(self.column["tau"] / self.column["sigma_a"])
        self.column["psi"] = np.degrees(np.arctan(-rate(volumetric, self.strain, self.width())))

    def pair(self):
        return self.column["tau"], self.column["sigma_a"]

    def friction(self, ratio):
        return np.degrees(np.arctan(ratio))

    def stresses(self, late, angles):
        ratios = np.tan(np.radians(angles))
        return {"sigma_n (kPa)": np.nanmean(self.column["sigma_a"][late]) / 1e3, "tau / sigma_n, critical": np.tan(np.radians(self.strength(late))),
                "... least of four parts": ratios.min(), "... largest of four parts": ratios.max()}

    def layers(self):
        """Mean velocity along the shear in each of eight layers, in the critical state."""
        s, frames = self.specimen, self.frames[self.late()]
        share = (s.run.bodies("position")[frames][:, :, s.axis] - s.below()[frames, None]) / s.length[frames, s.axis, None]
        layer = np.where(s.bodies[frames], np.digitize(share, np.linspace(0, 1, LAYERS + 1)[1:-1]), -1)
        velocity = s.run.bodies("velocity")[frames][:, :, s.way]
        return [velocity[layer == k].mean() if (layer == k).any() else np.nan for k in range(LAYERS)]


class Oedometer(Test):
    """Compression: void ratio over the logarithm of the stress."""
    stress, title = "sigma_a", "axial stress (kPa)"

    def add(self, axial, volumetric):
        self.strain = self.column["eps_a"]
        # half way up: the weight adds to the stress below, friction at the sides takes from it
        self.ratio = self.column["sigma_r"] / self.specimen.middle_stress()[self.frames]
        if self.given.start is None:  # not from where a lid starts, above the bed
            self.column |= self.strains(self.steps()[0])

    def load(self):
        return self.column[self.stress]

    def steps(self):
        """Frames that stand for the curve e - log sigma: ends of levels, or where a stress that has none passes 1, 2, 5, 10, ..."""
        load, found = self.load(), levels(self.load(), self.column["t"])
        if len(found) < 2:
            turns, marks = reversals(load), [m * 10.0**n for n in range(-3, 10) for m in (1, 2, 5)]
            found = set(turns)
            for a, b in zip(turns, turns[1:]):
                found |= {a + int(np.nanargmin(abs(load[a:b + 1] - mark))) for mark in marks
                          if min(load[a], load[b]) < mark < max(load[a], load[b])}
        found = sorted(k for k in found if load[k] > 0)
        if not found:
            fail(f"{self.path}: the {self.title[:-6]} never rises above 0")
        return found

    def top(self):
        """Of the steps the first with the largest stress."""
        load, steps = self.load(), self.steps()
        return next(n for n, k in enumerate(steps) if load[k] >= (1 - LEVEL) * load[steps].max())

    def numbers(self):
        c, load, steps, n = self.column, self.load(), self.steps(), self.top()
        top, least = steps[n], min(steps[n:], key=lambda k: load[k])

        def index(a, b):
            return -(c["e"][b] - c["e"][a]) / np.log10(load[b] / load[a]) if abs(load[b] / load[a] - 1) > LEVEL else np.nan

        made = {"void ratio at the start": c["e"][steps[0]], "largest stress (kPa)": load[top] / 1e3, "void ratio there": c["e"][top],
                "Cc": index(steps[0], top), "Cc, last step": index(steps[max(n - 1, 0)], top), "Cs": index(top, least),
                "void ratio at the end": c["e"][-1]}
        if self.stress == "sigma_a":
            made["K0 at the largest stress"] = self.ratio[top]
        return {name: value for name, value in made.items() if not np.isnan(value)} | self.quality()


class Isotropic(Oedometer):
    stress, title = "p", "p (kPa)"

    def add(self, axial, volumetric):
        self.need_radial()
        super().add(axial, volumetric)


KINDS = {"triaxial": Triaxial, "oedometer": Oedometer, "isotropic": Isotropic, "shear": Shear}


def step_table(test):
    """The levels of a compression, one line each."""
    c, load = test.column, test.load()
    lines = ["stress (kPa)   void ratio    eps_a     K0" if test.stress == "sigma_a" else "p (kPa)        void ratio    eps_v"]
    for k in test.steps():
        more = f"{c['eps_a'][k]:9.5f} {test.ratio[k]:6.2f}" if test.stress == "sigma_a" else f"{c['eps_v'][k]:9.5f}"
        lines.append(f"{load[k] / 1e3:12.4g} {c['e'][k]:12.4f} {more}".replace("   nan", "     -"))
    return lines


def cycle_table(test):
    """One line a cycle, from turn to turn of the same side; none where the load goes one way or once back."""
    c = test.column
    strain = isinstance(test, Strength)
    x, y = (test.strain, c.get("tau", c["q"])) if strain else (test.load(), c["e"])
    if not strain:
        x = np.where(np.arange(len(x)) < test.steps()[0], np.nan, x)  # not while a lid still comes down
    turns = reversals(x)
    lines = ["cycle   strain from       to   stress from       to (kPa)   modulus (MPa)   damping   void ratio" if strain
             else "cycle   stress from       to (kPa)   void ratio from       to"]
    for a, b in zip(turns[1::2], turns[3::2]):
        if abs(x[b] - x[a]) > 0.1 * np.nanmax(abs(x - x[a])):  # the run ends within the last one
            continue
        loop = slice(a, b + 1)
        if not strain:
            lines.append(f"{len(lines):5} {np.nanmin(x[loop]) / 1e3:13.4g} {np.nanmax(x[loop]) / 1e3:8.4g} {y[a]:23.4f} {y[b]:8.4f}")
            continue
        lowest, highest, width = np.nanmin(y[loop]), np.nanmax(y[loop]), np.ptp(x[loop])
        area = abs(np.sum((y[loop][1:] + y[loop][:-1]) / 2 * np.diff(x[loop])) - (y[b] + y[a]) / 2 * (x[b] - x[a]))
        damping = area / (2 * np.pi * (highest - lowest) / 2 * width / 2)
        lines.append(f"{len(lines):5} {x[loop].min():13.5f} {x[loop].max():8.5f} {lowest / 1e3:13.4g} {highest / 1e3:8.4g} "
                     f"{(highest - lowest) / width / 1e6:21.4g} {damping:9.3f} {c['e'][b]:12.4f}")
    return lines if len(lines) > 1 else []
