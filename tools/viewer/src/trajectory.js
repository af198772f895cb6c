// A trajectory as the rest of the page sees it: what never changes, and frames on demand.

const CACHE_BYTES = 256 * 2 ** 20;

/** Starts a worker from the text of its script, which works for pages from disk too. */
function startReader() {
  const url = URL.createObjectURL(new Blob([globalThis.readerScript], { type: "text/javascript" }));
  return new Worker(url);
}

export class Trajectory {
  /** Opens a Blob or File; rejects with a sentence for the user. */
  static async open(blob, name) {
    const trajectory = new Trajectory();
    try {
      Object.assign(trajectory, await trajectory.ask("open", blob, name));
    } catch (trouble) {
      trajectory.close();
      throw trouble;
    }
    return trajectory;
  }

  constructor() {
    this.waiting = new Map();
    this.cache = new Map();
    this.cacheBytes = 0;
    this.asked = 0;
    this.worker = startReader();
    this.worker.onmessage = ({ data: { id, result, trouble } }) => {
      const { resolve, reject } = this.waiting.get(id);
      this.waiting.delete(id);
      if (trouble) reject(new Error(trouble));
      else resolve(result);
    };
    this.worker.onerror = (event) => {
      for (const { reject } of this.waiting.values()) reject(new Error(event.message));
      this.waiting.clear();
    };
  }

  close() {
    this.worker.terminate();
    for (const { reject } of this.waiting.values()) reject(new Error(`${this.name} was closed`));
    this.waiting.clear();
  }

  ask(what, ...args) {
    return new Promise((resolve, reject) => {
      this.waiting.set(++this.asked, { resolve, reject });
      this.worker.postMessage({ id: this.asked, what, args });
    });
  }

  has(quantity) {
    return quantity === "contacts" ? this.contacts !== null : this.quantities.includes(quantity);
  }

  /** A promise for what `key` names, made by `make` unless it is still at hand. */
  keep(key, make) {
    let entry = this.cache.get(key);
    if (entry) {
      this.cache.delete(key); // and put back as the one used last
    } else {
      entry = { bytes: 0, promise: make() };
      entry.promise.then((result) => {
        const arrays = ArrayBuffer.isView(result) ? [result] : Object.values(result);
        entry.bytes = arrays.reduce((sum, array) => sum + array.byteLength, 0);
        this.cacheBytes += entry.bytes;
        this.forget();
      }, () => this.cache.delete(key));
    }
    this.cache.set(key, entry);
    return entry.promise;
  }

  forget() {
    for (const [key, entry] of this.cache) {
      if (this.cacheBytes <= CACHE_BYTES || this.cache.size <= 8) return;
      if (entry.bytes === 0) continue;
      this.cache.delete(key);
      this.cacheBytes -= entry.bytes;
    }
  }

  /** Where boundaries are in a frame: { position, rotation, state }; null where none ever moves. */
  async places(index) {
    return this.moving ? this.keep(`places/${index}`, () => this.ask("places", index)) : null;
  }

  /** Position, state and the named quantities of a frame; "contacts" among the names adds those. The places of
   * boundaries, and the `edges` of a periodic cell, are always there. */
  async frame(index, names = []) {
    const elements = [...new Set(["position", "state", ...names])].filter((name) => name !== "contacts");
    const parts = await Promise.all(elements.map(
      (name) => this.keep(`${name}/${index}`, () => this.ask("frame", index, [name]))));
    const frame = Object.assign({ index, time: this.time[index] }, ...parts);
    frame.places = await this.places(index);
    if (this.cell) Object.assign(frame, await this.keep(`edges/${index}`, () => this.ask("edges", index)));
    if (names.includes("contacts") && this.contacts) frame.contacts = await this.contactsOf(index);
    return frame;
  }

  async contactsOf(index) {
    const [first, last] = this.contacts.offset.slice(index, index + 2);
    const table = await this.keep(`contacts/${index}`, () => this.ask("contacts", first, last));
    return { ...table, count: last - first, dt: this.contacts.dt[index] };
  }

  observable(name) {
    return this.keep(`observable/${name}`, () => this.ask("observable", name, this.frames));
  }

  history(name, body) {
    return this.keep(`history/${name}/${body}`, () => this.ask("history", name, body, this.frames));
  }

  released() {
    return this.keep("released", () => this.ask("released", this.frames, this.bodies));
  }

  /** The last frame whose time is not after t. */
  frameAt(t) {
    let low = 0;
    let high = this.frames - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.time[middle] <= t + 1e-12) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
