// What spheres can be colored by: name, unit, what it needs from the file, and its values.

export const STATES = ["waiting", "active", "asleep", "removed"];
export const STATUS = ["open", "stick", "slide", "roll", "slide and roll"];

function lengths(vectors) {
  const result = new Float32Array(vectors.length / 3);
  for (let i = 0; i < result.length; i++) {
    result[i] = Math.hypot(vectors[3 * i], vectors[3 * i + 1], vectors[3 * i + 2]);
  }
  return result;
}

const component = (vectors, k) => Float32Array.from({ length: vectors.length / 3 }, (_, i) => vectors[3 * i + k]);

/** Number of contacts of each body that bear something, walls included. */
export function coordination(contacts, bodies) {
  const count = new Float32Array(bodies);
  for (let k = 0; k < contacts.body.length; k++) {
    if (contacts.body[k] >= 0 && contacts.impulse[3 * (k >> 1)] > 0) count[contacts.body[k]]++;
  }
  return count;
}

/** Each entry: label, unit, needs (elements of a frame), values(frame, trajectory, released);
 * `from0`: the range begins at 0; `names`: the values are categories. */
const ALL = {
  speed: {
    label: "speed", unit: "m/s", needs: ["velocity"], from0: true,
    values: (frame) => lengths(frame.velocity),
  },
  angular_speed: {
    label: "angular speed", unit: "rad/s", needs: ["angular_velocity"], from0: true,
    values: (frame) => lengths(frame.angular_velocity),
  },
  force: {
    label: "resultant contact force", unit: "N", needs: ["force"], from0: true,
    values: (frame) => lengths(frame.force),
  },
  coordination: {
    label: "contacts of the sphere", unit: "", needs: ["contacts"], from0: true,
    values: (frame, trajectory) => coordination(frame.contacts, trajectory.bodies),
  },
  height: { label: "height z", unit: "m", needs: [], values: (frame) => component(frame.position, 2) },
  radius: { label: "radius", unit: "m", needs: [], values: (_, trajectory) => trajectory.radius },
  release: {
    label: "release time", unit: "s", needs: [], fixed: true,
    values: (_, trajectory, released) => Float32Array.from(released, (k) => (k < 0 ? NaN : trajectory.time[k])),
  },
  order: {
    label: "index (order of release)", unit: "", needs: [], fixed: true,
    values: (_, trajectory) => Float32Array.from({ length: trajectory.bodies }, (__, i) => i),
  },
  species: {
    label: "species", unit: "", needs: [],
    names: (trajectory) => trajectory.materials,
    values: (_, trajectory) => trajectory.species,
  },
  state: { label: "state", unit: "", needs: [], names: () => STATES, values: (frame) => frame.state },
};

export const byName = (name) => ALL[name];

/** Names of the quantities that the file has the data for. */
export function available(trajectory) {
  return Object.keys(ALL).filter((name) => ALL[name].needs.every((need) => trajectory.has(need)));
}

/** Smallest and largest value over active bodies of a few frames spread over the run. */
export async function rangeOf(quantity, trajectory, released) {
  const samples = quantity.fixed ? 1 : Math.min(trajectory.frames, 9);
  let low = Infinity;
  let high = -Infinity;
  for (let s = 0; s < samples; s++) {
    const index = quantity.fixed ? trajectory.frames - 1
      : Math.round((s * (trajectory.frames - 1)) / Math.max(samples - 1, 1));
    const frame = await trajectory.frame(index, quantity.needs);
    const values = quantity.values(frame, trajectory, released);
    for (let i = 0; i < trajectory.bodies; i++) {
      if (!quantity.fixed && frame.state[i] !== 1 && frame.state[i] !== 2) continue;
      if (values[i] < low) low = values[i];
      if (values[i] > high) high = values[i];
    }
  }
  if (!(low <= high)) return [0, 1];
  if (quantity.from0) low = 0;
  return high > low ? [low, high] : [low, low + (Math.abs(low) || 1)];
}
