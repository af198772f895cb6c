// The pieces that a boundary is drawn with, from the attributes of /walls/NAME: its `outline` (output/README.md), or
// for files from before there was one its kind.
const ROW = 17; // numbers of a piece
export const [SHEET, MANTLE, GLOBE] = [0, 1, 2];

const piece = (kind, given) => ({
  kind, container: false, round: false, center: [0, 0, 0], axis: [0, 0, 1], edge: [0, 0, 0], half: [0, 0], radius: [0, 0],
  height: 0, ...given,
});

function faceOf({ lower, upper }, face) {
  const [axis, side] = [face >> 1, face & 1]; // x-, x+, y-, y+, z-, z+
  const [a, b] = [(axis + 1) % 3, (axis + 2) % 3];
  const center = lower.map((x, k) => (x + upper[k]) / 2);
  center[axis] = side ? upper[axis] : lower[axis];
  const [normal, edge] = [[0, 0, 0], [0, 0, 0]];
  normal[axis] = side ? -1 : 1;
  edge[a] = 1;
  return piece(SHEET, { container: true, center, axis: normal, edge, half: [(upper[a] - lower[a]) / 2, (upper[b] - lower[b]) / 2] });
}

const BY_KIND = {
  plane: ({ center, normal }) => [piece(SHEET, { center, axis: normal, half: [Infinity, Infinity] })],
  plate: ({ center, normal, direction, size }) =>
    [piece(SHEET, { center, axis: normal, edge: direction, half: size.map((x) => x / 2) })],
  disc: ({ center, normal, radius }) => [piece(SHEET, { round: true, center, axis: normal, half: [radius, radius] })],
  box: (wall) => [0, 1, 2, 3, 4, 5].filter((face) => wall.faces & (1 << face)).map((face) => faceOf(wall, face)),
  cylinder: ({ center, radius, height, bottom }) => [
    piece(MANTLE, { container: true, center, radius: [radius, radius], height }),
    ...(bottom ? [piece(SHEET, { container: true, round: true, center, half: [radius, radius] })] : []),
  ],
};

/** The pieces of a boundary; none where neither its outline nor its kind is known. */
export function piecesOf(wall) {
  if (!wall.outline) return BY_KIND[wall.kind]?.(wall) ?? [];
  const pieces = [];
  for (let at = 0; at + ROW <= wall.outline.length; at += ROW) {
    const row = wall.outline.slice(at, at + ROW);
    pieces.push({
      kind: row[0], container: row[1] !== 0, round: row[2] !== 0, center: row.slice(3, 6), axis: row.slice(6, 9),
      edge: row.slice(9, 12), half: row.slice(12, 14), radius: row.slice(14, 16), height: row[16],
    });
  }
  return pieces;
}

/** The box around the pieces of a boundary that hold bodies, as [[low, high], ...] along x, y, z; null: there are none. */
export function containerBox(wall) {
  let box = null;
  const include = (center, reach) => {
    box = (box ?? center.map(() => [Infinity, -Infinity])).map(
      ([low, high], k) => [Math.min(low, center[k] - reach[k]), Math.max(high, center[k] + reach[k])]);
  };
  for (const { kind, container, round, center, axis, edge, half, radius, height } of piecesOf(wall)) {
    if (!container) continue;
    const flat = axis.map((n) => Math.sqrt(Math.max(0, 1 - n * n)));
    if (kind === GLOBE) include(center, [radius[0], radius[0], radius[0]]);
    else if (kind === SHEET && round) include(center, flat.map((x) => x * half[0]));
    else if (kind === SHEET) {
      const across = axis.map((_, k) => axis[(k + 1) % 3] * edge[(k + 2) % 3] - axis[(k + 2) % 3] * edge[(k + 1) % 3]);
      include(center, edge.map((x, k) => Math.abs(x) * half[0] + Math.abs(across[k]) * half[1]));
    } else {
      include(center, flat.map((x) => x * radius[0]));
      include(center.map((x, k) => x + height * axis[k]), flat.map((x) => x * radius[1]));
    }
  }
  return box;
}
