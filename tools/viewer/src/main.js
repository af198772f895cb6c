// Puts the parts together: what is open, what is shown, and how the controls change it.
import { Vector3 } from "three";
import { maps } from "./colors.js";
import { Contacts, strongForce } from "./contacts.js";
import { Curves } from "./curves.js";
import { describe, fill } from "./details.js";
import { bar, list } from "./legend.js";
import { Player } from "./player.js";
import { available, byName, rangeOf, STATUS } from "./quantities.js";
import { Spheres } from "./spheres.js";
import { Trajectory } from "./trajectory.js";
import { boundsOf, View } from "./view.js";
import { makeCell, placeCell } from "./cell.js";
import { makeWalls, placeWalls } from "./walls.js";

const $ = (id) => document.getElementById(id);

const spheresIn = (count) => `${count.toLocaleString("en")} ${count === 1 ? "sphere" : "spheres"}`;

class Viewer {
  constructor() {
    this.view = new View($("canvas"));
    this.spheres = new Spheres();
    this.contacts = new Contacts();
    this.view.scene.add(this.spheres.mesh, this.contacts.mesh);
    this.player = new Player(
      { play: $("play"), slider: $("slider"), speed: $("speed"), clock: $("clock") }, (k) => this.show(k));
    this.curves = new Curves($("curves"), (t) => {
      this.player.pause();
      this.player.go(this.trajectory.frameAt(t));
    });
    this.trajectory = null;
    this.frame = null;
    this.picked = -1;
    this.pictures = 0;
    this.listen();
    this.last = performance.now();
    requestAnimationFrame((now) => this.loop(now));
  }

  loop(now) {
    this.player.tick((now - this.last) / 1000);
    this.last = now;
    if (this.view.draw()) this.pictures++;
    requestAnimationFrame((next) => this.loop(next));
  }

  // --- opening ------------------------------------------------------------------------------------

  async open(blob, name = blob.name) {
    $("welcome").hidden = true;
    this.say(`reading ${name} ...`, false);
    try {
      const trajectory = await Trajectory.open(blob, name);
      await this.load(trajectory);
      this.say("");
    } catch (trouble) {
      this.say(trouble.message);
      $("welcome").hidden = this.trajectory !== null;
    }
  }

  async load(trajectory) {
    this.player.unload();
    this.trajectory?.close();
    this.trajectory = trajectory;
    this.frame = null;
    this.picked = -1;
    this.spheres.reserve(trajectory.bodies);
    this.view.bounds = await boundsOf(trajectory);
    if (this.walls) this.view.scene.remove(this.walls);
    this.walls = makeWalls(trajectory.walls, this.view.bounds);
    this.places = await trajectory.places(0);
    this.walls.visible = $("walls").checked;
    this.view.scene.add(this.walls);
    if (this.cell) this.view.scene.remove(this.cell);
    this.cell = trajectory.cell ? makeCell() : null;
    if (this.cell) this.view.scene.add(this.cell);
    this.view.look();
    this.fillPanel();
    this.strong = trajectory.has("contacts") ? await this.strongOf() : 0;
    const start = await this.startOf();
    if (await this.isStill(start)) $("color").value = "height";
    await this.colorBy($("color").value);
    this.curves.load(trajectory);
    await this.player.load(trajectory, start);
    this.tellPicked();
  }

  /** The frame to begin with: the first, unless spheres come later and it is nearly empty. */
  async startOf() {
    const { trajectory } = this;
    const last = trajectory.frames - 1;
    const looks = [...new Set([0, last, ...[0.75, 0.5, 0.25].map((part) => Math.round(part * last))])];
    const counts = [];
    for (const index of looks) {
      const { state } = await trajectory.frame(index);
      counts.push(state.reduce((sum, s) => sum + (s === 1 || s === 2), 0));
    }
    const most = Math.max(...counts);
    return looks[counts.findIndex((count) => 2 * count >= most)];
  }

  /** Whether colors by speed, which is what is chosen, would all be the same in that frame. */
  async isStill(index) {
    const { trajectory } = this;
    const speed = byName("speed");
    if ($("color").value !== "speed") return false;
    const [, fastest] = await rangeOf(speed, trajectory);
    const frame = await trajectory.frame(index, speed.needs);
    const speeds = speed.values(frame, trajectory);
    return !speeds.some((value, i) => frame.state[i] !== 0 && frame.state[i] !== 3 && value > 0.02 * fastest);
  }

  async openAddress(address) {
    const name = decodeURIComponent(address.split("/").pop());
    try {
      if (new URL(address, location).origin !== location.origin) throw new Error("it is on another server");
      const answer = await fetch(address);
      if (!answer.ok) throw new Error(`the server says ${answer.status}`);
      await this.open(await answer.blob(), name);
    } catch (trouble) {
      this.say(`${name} cannot be fetched (${trouble.message}): serve it with tools/viewer/serve.sh FILE.`);
    }
  }

  /** The force that the thickest rod stands for: the largest of a few frames. */
  async strongOf() {
    let strong = 0;
    for (const part of [0, 0.25, 0.5, 0.75, 1]) {
      const table = await this.trajectory.contactsOf(Math.round(part * (this.trajectory.frames - 1)));
      strong = Math.max(strong, strongForce(table));
    }
    return strong || 1;
  }

  fillPanel() {
    const { run, name, bodies, frames, time } = this.trajectory;
    document.title = `${name} - pluvia`;
    $("title").textContent = run.title || name;
    const state = run.state === "complete" ? "" : `, ${run.state ?? "of unknown state"}`;
    $("about").textContent = `${name}: ${spheresIn(bodies)}, ${frames} frames to ` +
      `${Number(time[frames - 1].toPrecision(5))} s${state}`;
    const names = available(this.trajectory);
    const before = $("color").value;
    $("color").replaceChildren(...names.map((key) => new Option(byName(key).label, key)));
    $("color").value = names.includes(before) ? before : names[0];
    $("contacts").disabled = !this.trajectory.has("contacts");
    $("contacts").title = $("contacts").disabled ? "the run was written without output.contacts" : "";
    if ($("contacts").disabled) $("contacts").value = "none";
    $("marks").disabled = !this.trajectory.has("orientation");
    $("panel").hidden = $("bottom").hidden = false;
  }

  // --- showing ------------------------------------------------------------------------------------

  needs() {
    const names = [...this.quantity.needs];
    if ($("marks").checked && this.trajectory.has("orientation")) names.push("orientation");
    if ($("contacts").value !== "none") names.push("contacts");
    return names;
  }

  async show(index) {
    const { trajectory } = this;
    const frame = await trajectory.frame(index, this.needs()).catch((trouble) => {
      if (trajectory === this.trajectory) throw trouble;
    });
    if (trajectory !== this.trajectory) return; // another file was opened meanwhile
    this.frame = frame;
    this.paint();
    this.curves.show(index);
    if (this.picked >= 0) await this.tellPicked();
    const ahead = index + 1;
    if (this.player.playing && ahead < trajectory.frames) trajectory.frame(ahead, this.needs());
  }

  /** Shows the present frame again, after the options have changed. */
  async again() {
    if (this.trajectory) await this.show(this.player.index);
  }

  paint() {
    const { frame, trajectory } = this;
    const shown = this.filter();
    const values = this.quantity.values(frame, trajectory, this.released);
    this.spheres.uniforms.marks.value = Boolean($("marks").checked && frame.orientation);
    this.spheres.update(frame, trajectory.radius, values, shown);
    if (frame.places) placeWalls(this.walls, frame.places, this.places);
    if (this.cell) this.cell.visible = $("walls").checked;
    if (frame.edges) placeCell(this.cell, trajectory.cell, frame.edges, this.view.bounds.ends);
    this.follow();
    this.spheres.pick(this.picked);
    const mode = $("contacts").value;
    this.contacts.mesh.visible = mode !== "none" && Boolean(frame.contacts);
    if (this.contacts.mesh.visible) this.contacts.update(frame, trajectory, mode, this.strong, shown);
    $("count").textContent = `${spheresIn(this.spheres.count)} shown`;
    this.view.touch();
  }

  /** Which bodies of the present frame are shown. */
  filter() {
    const { state, position } = this.frame;
    const all = $("waiting").checked;
    const [low, high] = this.view.bounds.ends[1];
    const part = Number($("cut").value);
    const cut = part > 0 ? low + part * (high - low) : -Infinity;
    return (i) => (all || state[i] === 1 || state[i] === 2) && position[3 * i + 1] >= cut;
  }

  follow() {
    if (this.picked < 0) return;
    const place = new Vector3().fromArray(this.frame.position, 3 * this.picked);
    if ($("follow").checked && this.place) this.view.shift(place.clone().sub(this.place));
    this.place = place;
  }

  async colorBy(name) {
    const { trajectory } = this;
    const quantity = byName(name);
    if (name === "release") this.released = await trajectory.released();
    const names = quantity.names?.(trajectory);
    const range = names ? [0, 1] : await rangeOf(quantity, trajectory, this.released);
    this.quantity = quantity;
    $("range").hidden = Boolean(names);
    [$("low").value, $("high").value] = range.map((x) => Number(x.toPrecision(4)));
    this.names = names;
    this.color(range);
  }

  /** Colors and legends for a range of the present quantity. */
  color(range) {
    const { uniforms } = this.spheres;
    uniforms.category.value = Boolean(this.names);
    uniforms.map.value = this.names ? maps.categories : maps.viridis;
    uniforms.range.value = range;
    const { label, unit } = this.quantity;
    const legends = [this.names ? list(label, this.names) : bar(label, unit, range)];
    if ($("contacts").value === "force") legends.push(bar("normal force", "N", [0, this.strong], true));
    if ($("contacts").value === "status") legends.push(list("contacts", STATUS));
    $("legends").replaceChildren(...legends);
    this.view.touch();
  }

  rangeTyped() {
    const [low, high] = [Number($("low").value), Number($("high").value)];
    if (high > low) this.color([low, high]);
  }

  // --- one sphere ---------------------------------------------------------------------------------

  async pick(body) {
    this.picked = body;
    this.place = null;
    if (this.frame) this.paint();
    await Promise.all([this.tellPicked(), this.curves.offerBody(body)]);
  }

  async tellPicked() {
    $("picked").hidden = this.picked < 0;
    if (this.picked < 0) return;
    const body = this.picked;
    const names = [...this.trajectory.quantities, "contacts"];
    const frame = await this.trajectory.frame(this.frame.index, names);
    if (body === this.picked) fill($("numbers"), describe(this.trajectory, frame, body));
  }

  pickAt(x, y) {
    const { origin, direction } = this.view.ray(x, y);
    const k = this.spheres.hit(origin, direction);
    return this.pick(k < 0 ? -1 : this.spheres.bodies[k]);
  }

  // --- controls -----------------------------------------------------------------------------------

  say(text, bad = true) {
    $("message").textContent = text;
    $("message").hidden = text === "";
    $("message").className = bad ? "bad" : "";
  }

  listen() {
    const again = () => this.again().catch((trouble) => this.say(trouble.message));
    $("file").onchange = () => $("file").files[0] && this.open($("file").files[0]);
    for (const button of document.querySelectorAll("[data-open]")) button.onclick = () => $("file").click();
    $("color").onchange = async () => {
      await this.colorBy($("color").value);
      again();
    };
    $("contacts").onchange = () => this.contactsChosen().then(again);
    $("marks").onchange = $("waiting").onchange = again;
    $("size").oninput = () => {
      this.spheres.uniforms.scale.value = Number($("size").value);
      this.spheres.mesh.visible = Number($("size").value) > 0;
      this.view.touch();
    };
    $("cut").oninput = () => this.frame && this.paint();
    $("walls").onchange = () => {
      if (this.walls) this.walls.visible = $("walls").checked;
      if (this.cell) this.cell.visible = $("walls").checked;
      this.view.touch();
    };
    $("low").onchange = $("high").onchange = () => this.rangeTyped();
    for (const button of document.querySelectorAll("[data-view]")) {
      button.onclick = () => this.view.look(button.dataset.view);
    }
    $("unpick").onclick = () => this.pick(-1);
    $("curves-shown").onchange = () => {
      $("curves").hidden = !$("curves-shown").checked;
    };
    this.listenToPointer();
    this.listenToKeys();
    addEventListener("unhandledrejection", (event) => this.say(event.reason?.message ?? String(event.reason)));
  }

  /** Spheres shrink while contacts are shown, which would be hidden in them. */
  async contactsChosen() {
    const shown = $("contacts").value !== "none";
    if (shown && Number($("size").value) === 1) $("size").value = 0.35;
    if (!shown && Number($("size").value) === 0.35) $("size").value = 1;
    $("size").oninput();
    this.color(this.spheres.uniforms.range.value);
  }

  listenToPointer() {
    let down = null;
    $("canvas").addEventListener("pointerdown", (event) => {
      down = [event.clientX, event.clientY];
    });
    $("canvas").addEventListener("click", (event) => {
      const moved = Math.hypot(event.clientX - down[0], event.clientY - down[1]);
      if (this.frame && moved < 4) this.pickAt(event.clientX, event.clientY);
    });
    addEventListener("dragover", (event) => {
      event.preventDefault();
      document.body.classList.add("dropping");
    });
    addEventListener("dragleave", (event) => event.relatedTarget ?? document.body.classList.remove("dropping"));
    addEventListener("drop", (event) => {
      event.preventDefault();
      document.body.classList.remove("dropping");
      const file = event.dataTransfer.files[0];
      if (file) this.open(file);
    });
  }

  listenToKeys() {
    const keys = {
      " ": () => this.player.toggle(),
      ArrowRight: (event) => this.player.step(event.shiftKey ? 10 : 1),
      ArrowLeft: (event) => this.player.step(event.shiftKey ? -10 : -1),
      Home: () => this.player.step(-Infinity),
      End: () => this.player.step(Infinity),
      Escape: () => this.pick(-1),
      x: () => this.view.look("x"), y: () => this.view.look("y"), z: () => this.view.look("z"),
      r: () => this.view.look("oblique"),
      f: () => $("follow").click(),
    };
    addEventListener("keydown", (event) => {
      const typing = event.target.matches("select, input[type=number]");
      if (typing || event.ctrlKey || event.metaKey || !this.trajectory || !keys[event.key]) return;
      event.preventDefault();
      keys[event.key](event);
    });
  }
}

globalThis.viewer = new Viewer();
const address = new URLSearchParams(location.search).get("file");
if (address) globalThis.viewer.openAddress(address);
