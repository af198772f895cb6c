// The periodic cell: its edges, and the images of spheres that contacts across its sides start from.
import { BufferGeometry, DynamicDrawUsage, Float32BufferAttribute, LineBasicMaterial, LineSegments } from "three";

const EDGE = new LineBasicMaterial({ color: "#46505c" });

export function makeCell() {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(new Float32Array(72), 3).setUsage(DynamicDrawUsage));
  const lines = new LineSegments(geometry, EDGE);
  lines.frustumCulled = false;
  return lines;
}

/** Puts the lines along the edges a, b, c of a frame (nine numbers). Where the cell is open it ends as what is seen does:
 * `ends`, [low, high] along x, y, z. */
export function placeCell(lines, cell, edges, ends) {
  const origin = cell.origin.map((x, k) => (cell.periodic[k] ? x : ends[k][0]));
  const rows = [0, 1, 2].map((k) => [0, 1, 2].map(
    (c) => (cell.periodic[k] ? edges[3 * k + c] : c === k ? ends[k][1] - ends[k][0] : 0)));
  const corner = (bits) => origin.map((x, c) => rows.reduce((sum, row, k) => sum + ((bits >> k) & 1) * row[c], x));
  const points = [];
  for (let k = 0; k < 3; k++) {
    for (let bits = 0; bits < 8; bits++) {
      if (!((bits >> k) & 1)) points.push(...corner(bits), ...corner(bits | (1 << k)));
    }
  }
  const { position } = lines.geometry.attributes;
  position.array.set(points);
  position.needsUpdate = true;
}

/** Where the image of sphere a lies that is nearest to b: edge a is along x, b along y, c leans towards x. */
export function imageNear(cell, edges, position, a, b) {
  const at = [0, 1, 2].map((c) => position[3 * a + c]);
  for (let k = 2; k >= 0; k--) {
    const cells = cell.periodic[k] ? Math.round((position[3 * b + k] - at[k]) / edges[4 * k]) : 0;
    for (let c = 0; c < 3; c++) at[c] += cells * edges[3 * k + c];
  }
  return at;
}
