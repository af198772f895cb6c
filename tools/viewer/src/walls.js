// Boundaries of the scene, from the attributes of /walls. One sees a sheet from the side that its
// normal points to; from behind it is clear, so that the near walls of a box do not hide what is in it.
import {
  BufferGeometry, CircleGeometry, CylinderGeometry, EdgesGeometry, Float32BufferAttribute, FrontSide,
  BackSide, Group, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial, PlaneGeometry, Vector3,
} from "three";

const FLOOR = new MeshBasicMaterial({
  color: "#dde2e8", side: FrontSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
});
const PLATE = FLOOR.clone();
PLATE.color.set("#c3cfdb");
const WALL = new MeshBasicMaterial({ color: "#b9c4d0", transparent: true, opacity: 0.35, side: FrontSide, depthWrite: false });
const BEHIND = new MeshBasicMaterial({ color: "#8a98a8", transparent: true, opacity: 0.12, side: BackSide, depthWrite: false });
const INSIDE = WALL.clone();
INSIDE.side = BackSide;
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

/** Lines over a square of edge length `size`, a round number of metres apart. */
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

function plane(wall, view) {
  const normal = vector(wall.normal).normalize();
  const foot = vector(view.centre);
  foot.addScaledVector(normal, -foot.clone().sub(vector(wall.center)).dot(normal));
  const group = sheet(new PlaneGeometry(6 * view.radius, 6 * view.radius), FLOOR);
  group.add(grid(6 * view.radius));
  return placed(group, foot.toArray(), wall.normal);
}

function box({ lower, upper, faces }) {
  const group = new Group();
  const middle = lower.map((x, k) => (x + upper[k]) / 2);
  const size = lower.map((x, k) => upper[k] - x);
  for (let face = 0; face < 6; face++) { // x-, x+, y-, y+, z-, z+
    if (!(faces & (1 << face))) continue;
    const axis = face >> 1;
    const side = face & 1;
    const [a, b] = axis === 0 ? [1, 2] : axis === 1 ? [0, 2] : [0, 1];
    const center = [...middle];
    center[axis] = side ? upper[axis] : lower[axis];
    const normal = [0, 0, 0];
    normal[axis] = side ? -1 : 1;
    const direction = [0, 0, 0];
    direction[a] = 1;
    const material = face === 4 ? FLOOR : WALL;
    group.add(placed(sheet(new PlaneGeometry(size[a], size[b]), material, null), center, normal, direction));
  }
  return group;
}

function cylinder({ center, radius, height, bottom }) {
  const group = new Group();
  const tube = new CylinderGeometry(radius, radius, height, 96, 1, true).rotateX(Math.PI / 2)
    .translate(0, 0, height / 2);
  group.add(new Mesh(tube, INSIDE), new LineSegments(new EdgesGeometry(tube, 20), EDGE));
  if (bottom) group.add(new Mesh(new CircleGeometry(radius, 96), PLATE));
  group.position.set(...center);
  return group;
}

const MAKERS = {
  plane,
  plate: (wall) => placed(sheet(new PlaneGeometry(...wall.size), PLATE), wall.center, wall.normal, wall.direction),
  disc: (wall) => placed(sheet(new CircleGeometry(wall.radius, 96), PLATE), wall.center, wall.normal),
  box,
  cylinder,
};

/** All boundaries; `view` = { centre, radius } says how much of an infinite plane is drawn. */
export function makeWalls(walls, view) {
  const group = new Group();
  for (const wall of walls) if (MAKERS[wall.kind]) group.add(MAKERS[wall.kind](wall, view));
  return group;
}
