// The three-dimensional view: renderer, camera, and drawing only when something has changed.
import { Color, PerspectiveCamera, Raycaster, Scene, Vector2, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { containerBox } from "./pieces.js";

const BACKGROUND = "#f7f8fa";
const VIEWS = { x: [1, 0, 0], y: [0, -1, 0], z: [0, -1e-3, 1], oblique: [0.45, -0.8, 0.4] };

export class View {
  constructor(canvas) {
    this.canvas = canvas;
    this.renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: "high-performance" });
    this.scene = new Scene();
    this.scene.background = new Color(BACKGROUND);
    this.camera = new PerspectiveCamera(35, 1, 0.01, 100);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", () => this.touch());
    this.bounds = { center: [0, 0, 0], radius: 1 };
    this.dirty = true;
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
    this.resize();
  }

  touch() {
    this.dirty = true;
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    this.renderer.setPixelRatio(Math.min(globalThis.devicePixelRatio, 2));
    this.renderer.setSize(Math.max(width, 1), Math.max(height, 1), false);
    this.camera.aspect = Math.max(width, 1) / Math.max(height, 1);
    this.touch();
  }

  /** Looks at all of `bounds` from one of VIEWS. */
  look(from = "oblique") {
    const { center, radius } = this.bounds;
    const half = (this.camera.fov * Math.PI) / 360;
    const narrow = Math.min(half, Math.atan(Math.tan(half) * this.camera.aspect));
    const direction = new Vector3(...VIEWS[from]).normalize();
    this.controls.target.set(...center);
    this.camera.position.set(...center).addScaledVector(direction, (1.05 * radius) / Math.sin(narrow));
    this.controls.update();
    this.touch();
  }

  place(position, target) {
    this.controls.target.set(...target);
    this.camera.position.set(...position);
    this.controls.update();
    this.touch();
  }

  /** Moves camera and target along, to follow something. */
  shift(by) {
    this.controls.target.add(by);
    this.camera.position.add(by);
    this.controls.update();
    this.touch();
  }

  /** Draws if needed; true if it did. */
  draw() {
    if (!this.dirty) return false;
    this.dirty = false;
    const distance = this.camera.position.distanceTo(this.controls.target);
    const away = this.camera.position.distanceTo(new Vector3(...this.bounds.center));
    this.camera.near = distance / 200;
    this.camera.far = away + 20 * this.bounds.radius;
    this.camera.updateProjectionMatrix();
    this.renderer.render(this.scene, this.camera);
    return true;
  }

  /** The line of sight through a point of the page. */
  ray(clientX, clientY) {
    const area = this.canvas.getBoundingClientRect();
    const at = new Vector2(
      (2 * (clientX - area.left)) / area.width - 1, 1 - (2 * (clientY - area.top)) / area.height);
    const caster = new Raycaster();
    caster.setFromCamera(at, this.camera);
    return caster.ray;
  }
}

/** The ends along x, y, z of nearly all active bodies in a few frames. */
async function endsOf(trajectory) {
  const found = [[], [], []];
  const samples = Math.min(trajectory.frames, 7);
  for (let s = 0; s < samples; s++) {
    const frame = await trajectory.frame(Math.round((s * (trajectory.frames - 1)) / Math.max(samples - 1, 1)));
    const stride = Math.max(1, Math.floor(trajectory.bodies / 5000));
    for (let i = 0; i < trajectory.bodies; i += stride) {
      if (frame.state[i] !== 1 && frame.state[i] !== 2) continue;
      for (let c = 0; c < 3; c++) {
        const x = frame.position[3 * i + c];
        found[c].push(x - trajectory.radius[i], x + trajectory.radius[i]);
      }
    }
  }
  if (found[0].length === 0) return null;
  return found.map((list) => {
    list.sort((a, b) => a - b);
    // What rolled or flew far away is left out: beyond the middle 95 % by more than half their width and a diameter.
    const skip = trajectory.bodies >= 10 ? Math.max(2 * samples, Math.floor(list.length / 40)) : 0;
    const [low, high] = [list[0], list[list.length - 1]];
    if (skip === 0 || list.length <= 2 * skip) return [low, high];
    const [first, last] = [list[skip], list[list.length - 1 - skip]];
    const beyond = 0.5 * (last - first) + 2 * Math.max(...trajectory.radius.slice(0, 1000));
    return [Math.max(low, first - beyond), Math.min(high, last + beyond)];
  });
}

/** The ends of a container that is not much larger than what is in it. */
function containerOf(wall, ends) {
  const box = containerBox(wall);
  const most = 4 * Math.max(...ends.map(([low, high]) => high - low));
  if (!box || box.some(([low, high]) => high - low > most)) return ends;
  return ends.map(([low, high], k) => [Math.min(low, box[k][0]), Math.max(high, box[k][1])]);
}

/** A ball around all that is worth seeing: { center, radius, ends }. */
export async function boundsOf(trajectory) {
  const bodies = await endsOf(trajectory) ?? [[-1, 1], [-1, 1], [-1, 1]];
  const ends = trajectory.walls.reduce((sum, wall) => containerOf(wall, sum), bodies);
  return {
    ends,
    center: ends.map(([low, high]) => (low + high) / 2),
    radius: 0.5 * Math.hypot(...ends.map(([low, high]) => high - low)),
  };
}
