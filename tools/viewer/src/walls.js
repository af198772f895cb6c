// Boundaries of the scene, piece by piece. One sees a sheet from the side that its
// normal points to; from behind it is clear, so that the near walls of a box do not hide what is in it.
import {
  BufferGeometry, CircleGeometry, CylinderGeometry, DoubleSide, EdgesGeometry, Float32BufferAttribute, FrontSide,
  BackSide, Group, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial, PlaneGeometry, Quaternion,
  SphereGeometry, Vector3,
} from "three";
import { GLOBE, MANTLE, SHEET, piecesOf } from "./pieces.js";

const FLOOR = new MeshBasicMaterial({
  color: "#dde2e8", side: FrontSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
});
const PLATE = FLOOR.clone();
PLATE.color.set("#c3cfdb");
const WALL = new MeshBasicMaterial({ color: "#b9c4d0", transparent: true, opacity: 0.35, side: FrontSide, depthWrite: false });
const BEHIND = new MeshBasicMaterial({ color: "#8a98a8", transparent: true, opacity: 0.12, side: BackSide, depthWrite: false });
const INSIDE = WALL.clone();
INSIDE.side = BackSide;
const STONE = new MeshBasicMaterial({ vertexColors: true });
const FACETS = new MeshBasicMaterial({ vertexColors: true, side: DoubleSide });
const FACETS_WITHIN = new MeshBasicMaterial({ vertexColors: true, side: FrontSide });
const EDGE = new LineBasicMaterial({ color: "#7c8a99" });
const GRID = new LineBasicMaterial({ color: "#c3ccd6" });

const vector = (numbers) => new Vector3(...numbers);

/** The frame of a sheet: x along `direction` (x, or y where that is normal), z along `normal`. */
function placed(object, center, normal, direction = [0, 0, 0]) {
  const z = vector(normal).normalize();
  const x = vector(direction);
  if (x.lengthSq() === 0) x.set(1, 0, 0);
  x.addScaledVector(z, -x.dot(z));
  if (x.length() < 1e-6) x.set(0, 1, 0).addScaledVector(z, -z.y);
  x.normalize();
  const y = new Vector3().crossVectors(z, x);
  object.applyMatrix4(new Matrix4().makeBasis(x, y, z).setPosition(...center));
  return object;
}

function sheet(geometry, material, back = BEHIND) {
  const group = new Group();
  group.add(new Mesh(geometry, material), new LineSegments(new EdgesGeometry(geometry, 20), EDGE));
  if (back) group.add(new Mesh(geometry, back));
  return group;
}

/** Lines over a square of edge length `size`, a round number of meters apart. */
function grid(size) {
  const step = 10 ** Math.floor(Math.log10(size / 8));
  const half = Math.floor(size / 2 / step) * step;
  const points = [];
  for (let k = -half; k <= half + step / 2; k += step) {
    points.push(k, -half, 0, k, half, 0, -half, k, 0, half, k, 0);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(points, 3));
  return new LineSegments(geometry, GRID);
}

function plane(piece, view) {
  const normal = vector(piece.axis).normalize();
  const foot = vector(view.center);
  foot.addScaledVector(normal, -foot.clone().sub(vector(piece.center)).dot(normal));
  const group = sheet(new PlaneGeometry(6 * view.radius, 6 * view.radius), FLOOR);
  group.add(grid(6 * view.radius));
  return placed(group, foot.toArray(), piece.axis);
}

function flat(piece, view) {
  const { center, axis, edge, half, round, container } = piece;
  if (half[0] === Infinity) return plane(piece, view);
  const geometry = round ? new CircleGeometry(half[0], 96) : new PlaneGeometry(2 * half[0], 2 * half[1]);
  const material = !container || round ? PLATE : axis[2] > 0.5 ? FLOOR : WALL;
  return placed(sheet(geometry, material, container ? null : BEHIND), center, axis, edge);
}

function mantle({ center, axis, edge, radius, height }) {
  const group = new Group();
  const tube = new CylinderGeometry(radius[1], radius[0], height, 96, 1, true).rotateX(Math.PI / 2)
    .translate(0, 0, height / 2);
  group.add(new Mesh(tube, INSIDE), new LineSegments(new EdgesGeometry(tube, 20), EDGE));
  return placed(group, center, axis, edge);
}

/** A solid sphere, darker below, or a bowl, with its great circles along the axes. */
function globe({ center, radius, container }) {
  const group = new Group();
  const ball = new SphereGeometry(radius[0], 96, 48);
  const { array } = ball.getAttribute("position");
  const light = array.map((_, k) => 0.35 + 0.2 * array[k - (k % 3) + 2] / radius[0]);
  ball.setAttribute("color", new Float32BufferAttribute(light, 3));
  group.add(new Mesh(ball, container ? INSIDE : STONE));
  for (const turn of [[0, 0], [Math.PI / 2, 0], [0, Math.PI / 2]]) {
    const circle = new EdgesGeometry(new CircleGeometry(radius[0], 96)).rotateX(turn[0]).rotateY(turn[1]);
    group.add(new LineSegments(circle, EDGE));
  }
  group.position.set(...center);
  return group;
}

/** Triangles, lit from above by their slope; of a container only the inside. */
function triangles({ mesh, inside }) {
  const shared = new BufferGeometry();
  shared.setAttribute("position", new Float32BufferAttribute(Float32Array.from(mesh.vertices), 3));
  shared.setIndex(Array.from(mesh.faces));
  const geometry = shared.toNonIndexed();
  geometry.computeVertexNormals();
  const { array } = geometry.getAttribute("normal");
  const light = array.map((_, k) => 0.5 + 0.25 * Math.abs(array[k - (k % 3) + 2]) + 0.1 * array[k - (k % 3)]);
  geometry.setAttribute("color", new Float32BufferAttribute(light, 3));
  const group = new Group();
  group.add(new Mesh(geometry, inside ? FACETS_WITHIN : FACETS), new LineSegments(new EdgesGeometry(geometry, 20), EDGE));
  return group;
}

const MAKERS = { [SHEET]: flat, [MANTLE]: mantle, [GLOBE]: globe };

/** All boundaries, each a group of its own; `view` = { center, radius } says how much of an infinite plane is drawn. */
export function makeWalls(walls, view) {
  const group = new Group();
  for (const wall of walls) {
    const made = new Group();
    made.matrixAutoUpdate = false;
    if (wall.mesh) made.add(triangles(wall));
    for (const piece of piecesOf(wall)) {
      if (MAKERS[piece.kind]) made.add(MAKERS[piece.kind](piece, view));
      if (piece.half[0] === Infinity) made.userData = { normal: vector(piece.axis).normalize(), view: vector(view.center) };
    }
    group.add(made);
  }
  return group;
}

/** Of an infinite plane the part below the middle of the view is drawn, also where it has moved along itself. */
function keepInView(plane) {
  const { normal, view } = plane.userData;
  const drawn = plane.children[0].position.clone().applyMatrix4(plane.matrix);
  const turned = normal.clone().transformDirection(plane.matrix);
  const along = view.clone().sub(drawn).projectOnPlane(turned);
  plane.matrix.setPosition(new Vector3().setFromMatrixPosition(plane.matrix).add(along));
}

/** Puts each boundary where it is in a frame: x is at position + R (x - center), the center being its first position. */
export function placeWalls(group, places, first) {
  group.children.forEach((wall, k) => {
    const { position, rotation, state } = places;
    wall.visible = state[k] !== 0;
    const [w, x, y, z] = rotation.slice(4 * k, 4 * k + 4);
    wall.matrix.makeRotationFromQuaternion(new Quaternion(x, y, z, w));
    const center = new Vector3().fromArray(first.position, 3 * k).applyMatrix4(wall.matrix);
    wall.matrix.setPosition(new Vector3().fromArray(position, 3 * k).sub(center));
    if (wall.userData.normal) keepInView(wall);
  });
}
