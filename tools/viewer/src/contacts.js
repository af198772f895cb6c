// Contacts as rods between centers (or from the center to the wall), thicker where the force is
// larger. A rod is a quad that turns about its axis towards the eye, shaded as a cylinder.
import {
  BufferAttribute, DynamicDrawUsage, GLSL3, InstancedBufferAttribute, InstancedBufferGeometry, Mesh,
  ShaderMaterial,
} from "three";
import { imageNear } from "./cell.js";
import { CATEGORIES, maps } from "./colors.js";

const VERTEX = `
in vec3 from;
in vec3 to;
in vec2 rod;      // half width and value
out float across;
flat out float number;

void main() {
  vec3 a = (viewMatrix * vec4(from, 1.0)).xyz;
  vec3 b = (viewMatrix * vec4(to, 1.0)).xyz;
  vec3 point = mix(a, b, position.y);
  vec3 side = cross(b - a, point);
  across = position.x;
  number = rod.y;
  gl_Position = projectionMatrix * vec4(point + rod.x * position.x * side / max(length(side), 1e-20), 1.0);
}`;

const FRAGMENT = `
in float across;
flat in float number;
uniform sampler2D map;
uniform float top;
uniform bool category;
out vec4 color;

void main() {
  float t = category ? (mod(number, ${CATEGORIES}.0) + 0.5) / ${CATEGORIES}.0 : clamp(number / top, 0.0, 1.0);
  color = vec4(texture(map, vec2(t, 0.5)).rgb * (0.6 + 0.4 * sqrt(max(1.0 - across * across, 0.0))), 1.0);
}`;

export class Contacts {
  constructor() {
    this.uniforms = { map: { value: maps.heat }, top: { value: 1 }, category: { value: false } };
    const material = new ShaderMaterial({
      glslVersion: GLSL3, vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms: this.uniforms, side: 2,
    });
    this.mesh = new Mesh(new InstancedBufferGeometry(), material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
    this.room = -1;
    this.reserve(0);
  }

  reserve(count) {
    if (count <= this.room) return;
    this.room = Math.ceil(count * 1.3);
    this.mesh.geometry.dispose();
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array([-1, 0, 0, 1, 0, 0, 1, 1, 0, -1, 1, 0]), 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    for (const [name, size] of [["from", 3], ["to", 3], ["rod", 2]]) {
      const attribute = new InstancedBufferAttribute(new Float32Array(this.room * size), size);
      geometry.setAttribute(name, attribute.setUsage(DynamicDrawUsage));
    }
    this.mesh.geometry = geometry;
  }

  /** Shows the contacts of a frame between bodies that shown(i) holds for; `mode` is "force" or
   * "status", `top` the force of the thickest rod. */
  update(frame, { radius, cell }, mode, top, shown) {
    const table = frame.contacts;
    this.reserve(table.count);
    const { from, to, rod } = this.mesh.geometry.attributes;
    const copy = (target, n, source, i) => {
      for (let c = 0; c < 3; c++) target.array[3 * n + c] = source[3 * i + c];
    };
    let n = 0;
    for (let k = 0; k < table.count; k++) {
      const force = table.impulse[3 * k] / table.dt;
      if (table.status[k] === 0 || !(force > 0)) continue;
      const [a, b] = [table.body[2 * k], table.body[2 * k + 1]];
      if (!shown(b) || (a >= 0 && !shown(a))) continue;
      if (a >= 0 && cell) from.array.set(imageNear(cell, frame.edges, frame.position, a, b), 3 * n);
      else if (a >= 0) copy(from, n, frame.position, a);
      else copy(from, n, table.point, k);
      copy(to, n, frame.position, b);
      const thinnest = Math.min(radius[b], a >= 0 ? radius[a] : Infinity);
      rod.array[2 * n] = thinnest * (mode === "force" ? 0.04 + 0.4 * Math.min(force / top, 1) : 0.15);
      rod.array[2 * n + 1] = mode === "force" ? force : table.status[k];
      n++;
    }
    this.uniforms.category.value = mode === "status";
    this.uniforms.map.value = mode === "status" ? maps.categories : maps.heat;
    this.uniforms.top.value = top;
    this.mesh.geometry.instanceCount = n;
    for (const attribute of [from, to, rod]) attribute.needsUpdate = true;
  }
}

/** The normal force that 99 % of the contacts of a frame stay below, in N. */
export function strongForce(table) {
  const forces = Float32Array.from({ length: table.count }, (_, k) => table.impulse[3 * k] / table.dt)
    .filter((force) => force > 0).sort();
  return forces.length ? forces[Math.floor(0.99 * (forces.length - 1))] : 0;
}
