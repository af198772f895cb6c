// Spheres as impostors: one quad a sphere, on which the fragment shader meets the sphere exactly, so
// that 10^5 of them need 2 x 10^5 triangles and each is round at any size. What a sphere is stands in
// textures that all four vertices of its quad read: instances of four vertices are slow to draw on
// some devices and in software, and attributes would have to be given four times.
import {
  BufferAttribute, BufferGeometry, DataTexture, FloatType, GLSL3, Mesh, RedFormat, RGBAFormat, ShaderMaterial,
} from "three";
import { CATEGORIES, maps } from "./colors.js";

const ROW = 1024; // spheres in a row of the textures

const VERTEX = `
uniform highp sampler2D spheres; // center and radius
uniform highp sampler2D turns;   // unit quaternion, scalar last
uniform highp sampler2D values;
uniform float scale;
out vec3 place;
flat out vec3 center;
flat out float radius;
flat out vec4 quaternion;
flat out float number;
flat out int quad;

void main() {
  quad = gl_VertexID >> 2;
  ivec2 texel = ivec2(quad % ${ROW}, quad / ${ROW});
  vec2 corner = vec2(gl_VertexID & 1, (gl_VertexID >> 1) & 1) * 2.0 - 1.0;
  vec4 sphere = texelFetch(spheres, texel, 0);
  center = (viewMatrix * vec4(sphere.xyz, 1.0)).xyz;
  radius = sphere.w * scale;
  float distance = length(center);
  // The quad stands in the center across the line of sight; the silhouette reaches beyond radius.
  float half_size = radius * distance / sqrt(max(distance * distance - radius * radius, 1e-4 * radius * radius));
  vec3 sight = center / distance;
  vec3 side = normalize(cross(sight, abs(sight.y) < 0.9 ? vec3(0, 1, 0) : vec3(1, 0, 0)));
  place = center + 1.03 * half_size * (corner.x * side + corner.y * cross(side, sight));
  quaternion = texelFetch(turns, texel, 0);
  number = texelFetch(values, texel, 0).r;
  gl_Position = projectionMatrix * vec4(place, 1.0);
}`;

const FRAGMENT = `
in vec3 place;
flat in vec3 center;
flat in float radius;
flat in vec4 quaternion;
flat in float number;
flat in int quad;
uniform mat4 projectionMatrix;
uniform mat4 viewMatrixInverse;
uniform sampler2D map;
uniform vec2 range;
uniform bool category;
uniform bool marks;
uniform int picked;
out vec4 color;

vec3 turned_back(vec3 v) { // into the frame of the body
  vec3 q = -quaternion.xyz;
  return v + 2.0 * cross(q, cross(q, v) + quaternion.w * v);
}

vec3 base_color() {
  if (isnan(number)) return vec3(0.7);
  float t = category ? (mod(number, ${CATEGORIES}.0) + 0.5) / ${CATEGORIES}.0
                     : clamp((number - range.x) / (range.y - range.x), 0.0, 1.0);
  return texture(map, vec2(t, 0.5)).rgb;
}

void main() {
  vec3 ray = normalize(place);
  float along = dot(ray, center);
  vec3 miss = along * ray - center; // from the center, across the ray
  float edge = length(miss) / radius;
  float blur = min(fwidth(edge), 0.5);
  float cover = 1.0 - smoothstep(1.0 - blur, 1.0, edge);
  if (cover <= 0.0) discard;
  float depth = sqrt(max(1.0 - edge * edge, 0.0));
  vec3 normal = (miss - depth * radius * ray) / radius;
  vec4 clip = projectionMatrix * vec4(center + radius * normal, 1.0);
  gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;

  vec3 base = base_color();
  if (marks) { // octants of the body, as on a beach ball
    vec3 body = turned_back(mat3(viewMatrixInverse) * normal);
    vec3 soft = clamp(body / (1.5 * fwidth(body) + 1e-4), -1.0, 1.0);
    base *= 0.79 + 0.21 * soft.x * soft.y * soft.z;
  }
  float light = max(dot(normal, normalize(vec3(0.35, 0.6, 0.75))), 0.0);
  vec3 shade = base * (0.62 + 0.48 * light) * mix(0.6, 1.0, smoothstep(0.0, 0.5, depth));
  shade += 0.12 * pow(light, 24.0);
  if (quad == picked && edge > 0.87) shade = vec3(0.85, 0.0, 0.35);
  color = vec4(shade, cover);
}`;

export class Spheres {
  constructor() {
    this.uniforms = {
      scale: { value: 1 }, map: { value: maps.viridis }, range: { value: [0, 1] },
      category: { value: false }, marks: { value: true }, picked: { value: -1 },
      viewMatrixInverse: { value: null }, spheres: { value: null }, turns: { value: null }, values: { value: null },
    };
    this.material = new ShaderMaterial({
      glslVersion: GLSL3, vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms: this.uniforms,
      alphaToCoverage: true,
    });
    this.mesh = new Mesh(new BufferGeometry(), this.material);
    this.mesh.frustumCulled = false;
    this.mesh.onBeforeRender = (renderer, scene, camera) => {
      this.uniforms.viewMatrixInverse.value = camera.matrixWorld;
    };
    this.reserve(0);
  }

  /** Room for `count` spheres. */
  reserve(count) {
    this.mesh.geometry.dispose();
    const geometry = new BufferGeometry();
    const index = new Uint32Array(6 * count);
    for (let k = 0; k < count; k++) index.set([0, 1, 3, 0, 3, 2].map((corner) => 4 * k + corner), 6 * k);
    geometry.setIndex(new BufferAttribute(index, 1));
    geometry.setDrawRange(0, 0);
    this.mesh.geometry = geometry;
    const rows = Math.max(Math.ceil(count / ROW), 1);
    for (const [name, size, format] of [["spheres", 4, RGBAFormat], ["turns", 4, RGBAFormat], ["values", 1, RedFormat]]) {
      this.uniforms[name].value?.dispose();
      this.uniforms[name].value = new DataTexture(new Float32Array(rows * ROW * size), ROW, rows, format, FloatType);
    }
    this.bodies = new Int32Array(count); // the body of each quad
    this.count = 0;
  }

  /** Shows the bodies of a frame for which shown(i) holds; `values` colors them. */
  update(frame, radius, values, shown) {
    const textures = ["spheres", "turns", "values"].map((name) => this.uniforms[name].value);
    const [sphere, turn, value] = textures.map((texture) => texture.image.data);
    let n = 0;
    for (let i = 0; i < radius.length; i++) {
      if (!shown(i)) continue;
      this.bodies[n] = i;
      for (let c = 0; c < 3; c++) sphere[4 * n + c] = frame.position[3 * i + c];
      sphere[4 * n + 3] = radius[i];
      if (frame.orientation) {
        for (let c = 0; c < 3; c++) turn[4 * n + c] = frame.orientation[4 * i + c + 1];
        turn[4 * n + 3] = frame.orientation[4 * i];
      }
      value[n++] = values[i];
    }
    this.count = n;
    this.mesh.geometry.setDrawRange(0, 6 * n);
    for (const texture of textures) texture.needsUpdate = true;
  }

  /** The number of the quad whose sphere the ray meets first, or -1. */
  hit(origin, direction) {
    const array = this.uniforms.spheres.value.image.data;
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
