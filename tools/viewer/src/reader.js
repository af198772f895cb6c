// The worker that reads the file. It runs beside the page because only workers may read pieces of a
// local file on demand (WORKERFS): a file is never loaded as a whole.
import { Dataset, File, ready } from "h5wasm";

const BODIES = "particles/trajectory";
let file = null;

const has = (path) => file.get(path) !== null;
const text = (value) => (Array.isArray(value) ? value[0] : value);

function attributes(node) {
  const found = {};
  for (const [name, attribute] of Object.entries(node.attrs)) {
    const value = attribute.value;
    found[name] = ArrayBuffer.isView(value) ? Array.from(value, Number) : value;
  }
  return found;
}

/** Rows first to last (not included) of a dataset; 64-bit reals become 32-bit ones if `narrow`. */
function rows(path, first, last, narrow = true) {
  const dataset = file.get(path);
  if (!(dataset instanceof Dataset)) throw new Error(`the file has no ${path}`);
  const ranges = dataset.shape.map((_, k) => (k === 0 ? [first, last] : []));
  const data = first < last ? dataset.slice(ranges) : new Float32Array(0);
  return narrow && data instanceof Float64Array ? Float32Array.from(data) : data;
}

const whole = (path, narrow) => rows(path, 0, file.get(path).shape[0], narrow);

async function open(blob, name) {
  const { FS, deactivate_hdf5_error_handling: silence } = await ready;
  silence?.();
  FS.mkdir("/data");
  FS.mount(FS.filesystems.WORKERFS, { blobs: [{ name: "run.h5md", data: blob }] }, "/data");
  try {
    file = new File("/data/run.h5md", "r");
    if (file.file_id < 0n) throw new Error("not HDF5");
  } catch {
    throw new Error(`${name} is not an HDF5 file, or it is damaged: choose a .h5md file that pluvia wrote.`);
  }
  if (!has(`${BODIES}/position/value`) || !has(`${BODIES}/radius`) || !has(`${BODIES}/state/value`)) {
    throw new Error(`${name} is an HDF5 file but not a trajectory of pluvia: it lacks position, state ` +
      `or radius in /${BODIES}. Choose the .h5md file of a run (not a checkpoint).`);
  }
  return describe(name);
}

/** The corners and triangles of a boundary that is a mesh; null: it is none. */
function mesh(wall) {
  if (!has(`${wall}/vertices`) || !has(`${wall}/faces`)) return null;
  return { vertices: whole(`${wall}/vertices`), faces: whole(`${wall}/faces`) };
}

const firstPart = (wall) => wall.parts?.[0] ?? wall.parts ?? wall.first_part ?? 0;

/** The walls in the order of the scene, which is that of /boundaries and of their parts. */
function walls() {
  if (!has("walls")) return [];
  return file.get("walls").keys().map(
    (wall) => ({ name: wall, ...attributes(file.get(`walls/${wall}`)), mesh: mesh(`walls/${wall}`) }))
    .sort((a, b) => firstPart(a) - firstPart(b));
}

/** Where boundaries are in a frame, one after the other, and whether they are there. */
function places(index) {
  const [position, rotation, state] = ["position", "rotation", "state"].map(
    (name) => rows(`boundaries/${name}/value`, index, index + 1, false));
  return { position, rotation, state };
}

/** The periodic cell: where it begins, and along which of its edges it goes on; null: there is none. */
function cell() {
  if (!has(`${BODIES}/box/edges/value`)) return null;
  const { origin, boundary } = attributes(file.get(`${BODIES}/box`));
  return { origin, periodic: boundary.map((word) => word === "periodic") };
}

function edges(index) {
  return { edges: rows(`${BODIES}/box/edges/value`, index, index + 1, false) };
}

function describe(name) {
  const [valueRows, bodies] = file.get(`${BODIES}/position/value`).shape;
  const frames = Math.min(file.get(`${BODIES}/position/step`).shape[0], valueRows);
  if (frames === 0) throw new Error(`${name} has no frame yet: wait for the run to write one.`);
  const optional = ["velocity", "angular_velocity", "orientation", "force"];
  const run = has("parameters/pluvia") ? file.get("parameters/pluvia") : null;
  const contacts = has("contacts/offset") ? {
    offset: Array.from(whole("contacts/offset", false), Number),
    dt: whole("contacts/dt", false),
  } : null;
  const observables = {};
  for (const key of has("observables") ? file.get("observables").keys() : []) {
    const value = file.get(`observables/${key}/value`);
    if (value) observables[key] = text(value.attrs.unit?.value ?? "");
  }
  return {
    name, frames, bodies, contacts, observables,
    time: rows(`${BODIES}/position/time`, 0, frames, false),
    quantities: optional.filter((quantity) => has(`${BODIES}/${quantity}/value`)),
    radius: whole(`${BODIES}/radius`),
    mass: has(`${BODIES}/mass`) ? whole(`${BODIES}/mass`) : null,
    species: has(`${BODIES}/species`) ? whole(`${BODIES}/species`) : new Int32Array(bodies),
    materials: has("parameters/pluvia/materials") ? file.get("parameters/pluvia/materials").value : [],
    run: run ? attributes(run) : {},
    scene: has("parameters/pluvia/scene_resolved")
      ? text(file.get("parameters/pluvia/scene_resolved").value) : "",
    walls: walls(),
    cell: cell(),
    moving: has("boundaries/position/value"),
  };
}

/** The named elements of a frame, each a typed array with the bodies one after the other. */
function frame(index, names) {
  return Object.fromEntries(names.map(
    (name) => [name, rows(`${BODIES}/${name}/value`, index, index + 1)]));
}

function contacts(first, last) {
  return Object.fromEntries(["body", "point", "normal", "impulse", "status"].map(
    (name) => [name, rows(`contacts/${name}`, first, last)]));
}

function observable(name, frames) {
  return rows(`observables/${name}/value`, 0, frames, false);
}

/** One body through all frames: components of `name`, frame after frame. */
function history(name, body, frames) {
  return file.get(`${BODIES}/${name}/value`).slice([[0, frames], [body, body + 1], []]);
}

/** For each body the first frame in which it was released, or -1. */
function released(frames, bodies) {
  const first = new Int32Array(bodies).fill(-1);
  let waiting = bodies;
  for (let k = 0; k < frames && waiting > 0; k++) {
    const state = rows(`${BODIES}/state/value`, k, k + 1);
    for (let i = 0; i < bodies; i++) {
      if (first[i] < 0 && state[i] > 0) {
        first[i] = k;
        waiting--;
      }
    }
  }
  return first;
}

const work = { open, frame, contacts, observable, history, released, places, edges };

function buffers(result) {
  const values = ArrayBuffer.isView(result) ? [result] : Object.values(result ?? {});
  return [...new Set(values.filter(ArrayBuffer.isView).map((array) => array.buffer))];
}

self.onmessage = async ({ data: { id, what, args } }) => {
  try {
    const result = await work[what](...args);
    self.postMessage({ id, result }, buffers(result));
  } catch (trouble) {
    self.postMessage({ id, trouble: trouble.message ?? String(trouble) });
  }
};
