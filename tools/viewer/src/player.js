// The clock: play, pause, steps and speed. Playing waits for a frame that is still being read.

const SPEEDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

export class Player {
  /** `show(index)` returns a promise that is kept once the frame is on the screen. */
  constructor(elements, show) {
    this.elements = elements;
    this.show = show;
    this.trajectory = null;
    this.playing = false;
    this.index = 0;
    this.wanted = null;
    const { play, slider, speed } = elements;
    speed.replaceChildren(...SPEEDS.map((s) => new Option(s < 1 ? `1/${Math.round(1 / s)} ×` : `${s} ×`, s)));
    play.onclick = () => this.toggle();
    slider.oninput = () => {
      this.pause();
      this.go(Number(slider.value));
    };
  }

  unload() {
    this.pause();
    this.trajectory = null;
  }

  load(trajectory, start = 0) {
    this.trajectory = trajectory;
    this.index = start;
    const { slider, speed } = this.elements;
    slider.max = trajectory.frames - 1;
    slider.value = start;
    const lasts = trajectory.time[trajectory.frames - 1] - trajectory.time[0];
    const best = lasts > 0 ? lasts / 10 : 1; // the whole run in about 10 s, but not faster than it was
    speed.value = SPEEDS.findLast((s) => s <= Math.min(Math.max(best, SPEEDS[0]), 1));
    return this.go(start);
  }

  get time() {
    return this.trajectory.time[this.index];
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (!this.trajectory) return;
    if (this.index === this.trajectory.frames - 1) this.go(0);
    this.clock = this.trajectory.time[this.wanted ?? this.index];
    this.playing = true;
    this.reveal();
  }

  pause() {
    this.playing = false;
    this.reveal();
  }

  step(by) {
    this.pause();
    this.go((this.wanted ?? this.index) + by);
  }

  /** Shows a frame; of many wishes while one is being read only the last is kept. */
  async go(index) {
    if (!this.trajectory) return;
    const busy = this.wanted !== null;
    this.wanted = Math.min(Math.max(index, 0), this.trajectory.frames - 1);
    if (busy) return;
    try {
      for (let now = null; now !== this.wanted;) {
        now = this.wanted;
        await this.show(now);
        this.index = now;
        this.reveal();
      }
    } finally {
      this.wanted = null;
    }
  }

  /** Called for every picture; `seconds` have gone by since the last one. */
  tick(seconds) {
    if (!this.playing || this.wanted !== null) return;
    this.clock += Math.min(seconds, 0.1) * Number(this.elements.speed.value);
    const index = this.trajectory.frameAt(this.clock);
    if (index !== this.index) this.go(index);
    if (this.index === this.trajectory.frames - 1) this.pause();
  }

  reveal() {
    const { play, slider, clock } = this.elements;
    play.textContent = this.playing ? "❚❚" : "▶";
    play.title = this.playing ? "pause (space)" : "play (space)";
    if (!this.trajectory) return;
    slider.value = this.index;
    clock.textContent = `t = ${this.time.toPrecision(5)} s   frame ${this.index} of ${this.trajectory.frames - 1}`;
  }
}
