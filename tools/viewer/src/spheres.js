// Spheres as impostors: one quad a sphere, on which the fragment shader meets the sphere exactly, so
// that 10^5 of them need 2 x 10^5 triangles and each is round at any size.
import {
  BufferAttribute, DynamicDrawUsage, GLSL3, InstancedBufferAttribute, InstancedBufferGeometry, Mesh,
  ShaderMaterial,
} from "three";
import { CATEGORIES, maps } from "./colours.js";

const VERTEX = `
in vec4 sphere;   // centre and radius
in vec4 turn;     // unit quaternion, scalar last
in float value;
uniform float scale;
out vec3 place;
flat out vec3 centre;
flat out float radius;
flat out vec4 quaternion;
flat out float number;
flat out int instance;

void main() {
  centre = (viewMatrix * vec4(sphere.xyz, 1.0)).xyz;
  radius = sphere.w * scale;
  float distance = length(centre);
  // The quad stands in the centre across the line of sight; the silhouette reaches beyond radius.
  float half_size = radius * distance / sqrt(max(distance * distance - radius * radius, 1e-4 * radius * radius));
  vec3 sight = centre / distance;
  vec3 side = normalize(cross(sight, abs(sight.y) < 0.9 ? vec3(0, 1, 0) : vec3(1, 0, 0)));
  place = centre + 1.03 * half_size * (position.x * side + position.y * cross(side, sight));
  quaternion = turn;
  number = value;
  instance = gl_InstanceID;
  gl_Position = projectionMatrix * vec4(place, 1.0);
}`;

const FRAGMENT = `
in vec3 place;
flat in vec3 centre;
flat in float radius;
flat in vec4 quaternion;
flat in float number;
flat in int instance;
uniform mat4 projectionMatrix;
uniform mat4 viewMatrixInverse;
uniform sampler2D map;
uniform vec2 range;
uniform bool category;
uniform bool marks;
uniform int picked;
out vec4 colour;

vec3 turned_back(vec3 v) { // into the frame of the body
  vec3 q = -quaternion.xyz;
  return v + 2.0 * cross(q, cross(q, v) + quaternion.w * v);
}

vec3 base_colour() {
  if (isnan(number)) return vec3(0.7);
  float t = category ? (mod(number, ${CATEGORIES}.0) + 0.5) / ${CATEGORIES}.0
                     : clamp((number - range.x) / (range.y - range.x), 0.0, 1.0);
  return texture(map, vec2(t, 0.5)).rgb;
}

void main() {
  vec3 ray = normalize(place);
  float along = dot(ray, centre);
  vec3 miss = along * ray - centre; // from the centre, across the ray
  float edge = length(miss) / radius;
  float blur = min(fwidth(edge), 0.5);
  float cover = 1.0 - smoothstep(1.0 - blur, 1.0, edge);
  if (cover <= 0.0) discard;
  float depth = sqrt(max(1.0 - edge * edge, 0.0));
  vec3 normal = (miss - depth * radius * ray) / radius;
  vec4 clip = projectionMatrix * vec4(centre + radius * normal, 1.0);
  gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;

  vec3 base = base_colour();
  if (marks) { // octants of the body, as on a beach ball
    vec3 body = turned_back(mat3(viewMatrixInverse) * normal);
    vec3 soft = clamp(body / (1.5 * fwidth(body) + 1e-4), -1.0, 1.0);
    base *= 0.8 + 0.2 * soft.x * soft.y * soft.z;
  }
  float light = max(dot(normal, normalize(vec3(0.35, 0.6, 0.75))), 0.0);
  vec3 shade = base * (0.5 + 0.5 * light) * mix(0.6, 1.0, smoothstep(0.0, 0.5, depth));
  shade += 0.12 * pow(light, 24.0);
  if (instance == picked && edge > 0.8) shade = vec3(0.85, 0.0, 0.35);
  colour = vec4(shade, cover);
}`;

export class Spheres {
  constructor() {
    this.uniforms = {
      scale: { value: 1 }, map: { value: maps.viridis }, range: { value: [0, 1] },
      category: { value: false }, marks: { value: true }, picked: { value: -1 },
      viewMatrixInverse: { value: null },
    };
    this.material = new ShaderMaterial({
      glslVersion: GLSL3, vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms: this.uniforms,
      alphaToCoverage: true,
    });
    this.mesh = new Mesh(new InstancedBufferGeometry(), this.material);
    this.mesh.frustumCulled = false;
    this.mesh.onBeforeRender = (renderer, scene, camera) => {
      this.uniforms.viewMatrixInverse.value = camera.matrixWorld;
    };
    this.reserve(0);
  }

  /** Room for `count` spheres. */
  reserve(count) {
    this.mesh.geometry.dispose();
    const geometry = new InstancedBufferGeometry();
    const corners = new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]);
    geometry.setAttribute("position", new BufferAttribute(corners, 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    for (const [name, size] of [["sphere", 4], ["turn", 4], ["value", 1]]) {
      const attribute = new InstancedBufferAttribute(new Float32Array(count * size), size);
      geometry.setAttribute(name, attribute.setUsage(DynamicDrawUsage));
    }
    geometry.instanceCount = 0;
    this.mesh.geometry = geometry;
    this.bodies = new Int32Array(count); // the body of each instance
    this.count = 0;
  }

  /** Shows the bodies of a frame for which shown(state) holds; `values` colours them. */
  update(frame, radius, values, shown) {
    const { sphere, turn, value } = this.mesh.geometry.attributes;
    let n = 0;
    for (let i = 0; i < radius.length; i++) {
      if (!shown(frame.state[i])) continue;
      this.bodies[n] = i;
      for (let c = 0; c < 3; c++) sphere.array[4 * n + c] = frame.position[3 * i + c];
      sphere.array[4 * n + 3] = radius[i];
      if (frame.orientation) {
        for (let c = 0; c < 3; c++) turn.array[4 * n + c] = frame.orientation[4 * i + c + 1];
        turn.array[4 * n + 3] = frame.orientation[4 * i];
      }
      value.array[n++] = values[i];
    }
    this.count = n;
    this.mesh.geometry.instanceCount = n;
    for (const attribute of [sphere, turn, value]) attribute.needsUpdate = true;
  }

  /** The number of the instance that the ray meets first, or -1. */
  hit(origin, direction) {
    const { array } = this.mesh.geometry.attributes.sphere;
    const scale = this.uniforms.scale.value;
    let [best, nearest] = [-1, Infinity];
    for (let k = 0; k < this.count; k++) {
      const x = array[4 * k] - origin.x;
      const y = array[4 * k + 1] - origin.y;
      const z = array[4 * k + 2] - origin.z;
      const along = x * direction.x + y * direction.y + z * direction.z;
      const r = array[4 * k + 3] * scale;
      const inside = r * r - (x * x + y * y + z * z - along * along);
      if (inside < 0 || along <= 0) continue;
      const distance = along - Math.sqrt(inside);
      if (distance < nearest) [best, nearest] = [k, distance];
    }
    return best;
  }

  /** Marks a body by a ring; -1: none. */
  pick(body) {
    this.uniforms.picked.value = body < 0 ? -1 : this.bodies.subarray(0, this.count).indexOf(body);
  }
}
