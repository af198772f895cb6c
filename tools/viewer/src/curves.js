// Small charts of a number over time, with a line at the present time. A click goes there.

const WIDTH_OF_AXIS = 52;
const COLOR = "#0072b2";

export function short(x) {
  if (x === 0 || !Number.isFinite(x)) return String(x);
  const size = Math.abs(x);
  return size >= 1e5 || size < 1e-3 ? x.toExponential(1) : String(Number(x.toPrecision(3)));
}

class Chart {
  constructor(curves, first) {
    this.curves = curves;
    this.root = document.createElement("div");
    this.root.className = "chart";
    this.choice = document.createElement("select");
    this.choice.title = "what the curve shows";
    this.log = Object.assign(document.createElement("input"), { type: "checkbox" });
    const label = document.createElement("label");
    label.append(this.log, "log");
    this.now = document.createElement("output");
    const head = document.createElement("div");
    head.append(this.choice, label, this.now);
    this.canvas = document.createElement("canvas");
    this.root.append(head, this.canvas);
    this.choice.onchange = () => this.read();
    this.log.onchange = () => this.draw();
    const seek = (event) => event.buttons === 1 && curves.seek(this.timeAt(event.offsetX));
    this.canvas.onpointerdown = seek;
    this.canvas.onpointermove = seek;
    this.offer(first);
  }

  offer(wanted = this.choice.value) {
    const { options } = this.curves;
    this.choice.replaceChildren(...options.map(({ key, label }) => new Option(label, key)));
    const found = options.find(({ key }) => key === wanted) ?? options[0];
    if (found) this.choice.value = found.key;
    return this.read();
  }

  async read() {
    const option = this.curves.options.find(({ key }) => key === this.choice.value);
    if (!option) return;
    this.unit = option.unit;
    this.values = await option.read();
    this.draw();
  }

  timeAt(x) {
    const { time } = this.curves;
    const part = (x - WIDTH_OF_AXIS) / (this.canvas.clientWidth - WIDTH_OF_AXIS - 6);
    return time[0] + Math.min(Math.max(part, 0), 1) * (time[time.length - 1] - time[0]);
  }

  draw() {
    if (!this.values) return;
    const { time, index } = this.curves;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const pixels = globalThis.devicePixelRatio;
    this.canvas.width = width * pixels;
    this.canvas.height = height * pixels;
    const pen = this.canvas.getContext("2d");
    pen.scale(pixels, pixels);
    const turn = this.log.checked ? (y) => (y > 0 ? Math.log10(y) : NaN) : (y) => y;
    let [low, high] = [Infinity, -Infinity];
    for (const value of this.values) {
      const y = turn(value);
      if (y < low) low = y;
      if (y > high) high = y;
    }
    this.now.textContent = `${short(this.values[index])} ${this.unit}`;
    if (!(low <= high)) return;
    if (low === high) [low, high] = [Math.min(2 * low, 0), Math.max(2 * high, 0) || 1];
    const span = time[time.length - 1] - time[0] || 1;
    const x = (t) => WIDTH_OF_AXIS + ((t - time[0]) / span) * (width - WIDTH_OF_AXIS - 6);
    const y = (v) => height - 16 - ((turn(v) - low) / (high - low)) * (height - 24);
    this.axes(pen, width, height, [low, high], x);
    pen.strokeStyle = COLOR;
    pen.lineWidth = 1.5;
    pen.beginPath();
    for (let k = 0; k < time.length; k++) if (Number.isFinite(turn(this.values[k]))) pen.lineTo(x(time[k]), y(this.values[k]));
    pen.stroke();
    pen.strokeStyle = pen.fillStyle = "#d55e00";
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(x(time[index]), 4);
    pen.lineTo(x(time[index]), height - 16);
    pen.stroke();
    pen.beginPath();
    pen.arc(x(time[index]), y(this.values[index]), 3, 0, 7);
    pen.fill();
  }

  axes(pen, width, height, [low, high], x) {
    const { time } = this.curves;
    const back = this.log.checked ? (v) => 10 ** v : (v) => v;
    pen.strokeStyle = "#c3ccd6";
    pen.strokeRect(WIDTH_OF_AXIS - 0.5, 4.5, width - WIDTH_OF_AXIS - 5, height - 20);
    pen.fillStyle = "#4a5563";
    pen.font = "10px system-ui, sans-serif";
    pen.textAlign = "right";
    pen.fillText(short(back(high)), WIDTH_OF_AXIS - 4, 13);
    pen.fillText(short(back(low)), WIDTH_OF_AXIS - 4, height - 16);
    pen.fillText(`${short(time[time.length - 1])} s`, x(time[time.length - 1]), height - 4);
    pen.textAlign = "left";
    pen.fillText(short(time[0]), x(time[0]), height - 4);
  }
}

export class Curves {
  constructor(root, seek) {
    this.root = root;
    this.seek = seek;
    this.options = [];
    this.charts = [];
    this.index = 0;
    new ResizeObserver(() => this.draw()).observe(root);
  }

  load(trajectory) {
    this.time = trajectory.time;
    this.index = 0;
    this.trajectory = trajectory;
    this.options = this.observables();
    this.charts = ["kinetic_energy", "coordination", "max_penetration"]
      .slice(0, Math.min(3, this.options.length)).map((name) => new Chart(this, name));
    this.root.replaceChildren(...this.charts.map((chart) => chart.root));
  }

  observables() {
    return Object.entries(this.trajectory.observables).map(([key, unit]) => ({
      key, unit, label: key.replaceAll("_", " "), read: () => this.trajectory.observable(key),
    }));
  }

  /** Adds the curves of a body (-1: none) to what can be chosen. */
  offerBody(body) {
    this.options = this.observables();
    const add = (label, unit, name, value) => {
      if (name !== "position" && !this.trajectory.has(name)) return;
      const read = async () => {
        const all = await this.trajectory.history(name, body);
        return Float64Array.from({ length: this.time.length }, (_, k) => value(all, 3 * k));
      };
      this.options.push({ key: `body ${label}`, unit, label: `sphere ${body}: ${label}`, read });
    };
    const length = (v, k) => Math.hypot(v[k], v[k + 1], v[k + 2]);
    if (body >= 0) {
      add("speed", "m/s", "velocity", length);
      add("angular speed", "rad/s", "angular_velocity", length);
      add("force", "N", "force", length);
      ["x", "y", "z"].forEach((axis, c) => add(axis, "m", "position", (v, k) => v[k + c]));
    }
    return Promise.all(this.charts.map((chart) => chart.offer()));
  }

  show(index) {
    this.index = index;
    this.draw();
  }

  draw() {
    for (const chart of this.charts) chart.draw();
  }
}
