// The numbers of one sphere, as a table.
import { STATES, STATUS } from "./quantities.js";

function number(x) {
  const size = Math.abs(x);
  return size !== 0 && (size < 1e-3 || size >= 1e4) ? x.toExponential(1) : x.toPrecision(4);
}

const three = (array, i) => [0, 1, 2].map((c) => number(array[3 * i + c])).join("  ");

/** Rows [name, value, unit] about body i in a frame that has all the elements of the file. */
export function describe(trajectory, frame, i) {
  const rows = [
    ["id", i, ""],
    ["state", STATES[frame.state[i]] ?? frame.state[i], ""],
    ["species", trajectory.materials[trajectory.species[i]] ?? trajectory.species[i], ""],
    ["radius", number(trajectory.radius[i]), "m"],
  ];
  if (trajectory.mass) rows.push(["mass", number(trajectory.mass[i]), "kg"]);
  rows.push(["position", three(frame.position, i), "m"]);
  if (frame.velocity) rows.push(["velocity", three(frame.velocity, i), "m/s"]);
  if (frame.angular_velocity) rows.push(["ang. vel.", three(frame.angular_velocity, i), "rad/s"]);
  if (frame.orientation) {
    const q = [0, 1, 2, 3].map((c) => frame.orientation[4 * i + c].toFixed(3)).join("  ");
    rows.push(["orientation", q, ""]);
  }
  if (frame.force) rows.push(["force", three(frame.force, i), "N"]);
  if (frame.contacts) rows.push(...touching(frame.contacts, i));
  return rows;
}

/** The contacts of body i that bear something: with what, normal force, status. */
function touching(table, i) {
  const rows = [];
  for (let k = 0; k < table.count; k++) {
    const [a, b] = [table.body[2 * k], table.body[2 * k + 1]];
    if ((a !== i && b !== i) || !(table.impulse[3 * k] > 0)) continue;
    const other = a === i ? b : a;
    const force = number(table.impulse[3 * k] / table.dt);
    rows.push([other < 0 ? `on wall part ${-1 - other}` : `on sphere ${other}`, `${force} N, ${STATUS[table.status[k]]}`, ""]);
  }
  return [["contacts", rows.length, ""], ...rows];
}

export function fill(table, rows) {
  table.replaceChildren(...rows.map((cells) => {
    const row = document.createElement("tr");
    for (const cell of cells) row.insertCell().textContent = cell;
    return row;
  }));
}
