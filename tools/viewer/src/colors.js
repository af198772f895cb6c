// Color maps: viridis without its darkest part (on which shading cannot be seen) for numbers, the
// colors of Okabe and Ito (2008) for categories. Both can be told apart by color-blind readers.
import { DataTexture, LinearFilter, NearestFilter, RGBAFormat } from "three";

const VIRIDIS = ["3b528b", "2c728e", "21918c", "28ae80", "5ec962", "addc30", "fde725"];
const HEAT = ["f6d9b8", "f2b27a", "e8833a", "cc4c1a", "8f1d14", "4a0a1e"];
const OKABE_ITO = ["0072b2", "e69f00", "009e73", "cc79a7", "56b4e9", "d55e00", "f0e442", "666666"];

const rgb = (hex) => [0, 2, 4].map((k) => parseInt(hex.slice(k, k + 2), 16));

/** Color of the map at t in [0, 1], as three numbers up to 255. */
function between(stops, t) {
  const place = Math.min(Math.max(t, 0), 1) * (stops.length - 1);
  const k = Math.min(Math.floor(place), stops.length - 2);
  const [a, b] = [rgb(stops[k]), rgb(stops[k + 1])];
  return a.map((x, c) => Math.round(x + (b[c] - x) * (place - k)));
}

export const categoryColor = (k) => `#${OKABE_ITO[k % OKABE_ITO.length]}`;
const css = (stops) => `linear-gradient(to right, ${stops.map((hex) => `#${hex}`).join(", ")})`;
export const viridisGradient = css(VIRIDIS);
export const heatGradient = css(HEAT);

function texture(colorOf, size, filter) {
  const data = new Uint8Array(size * 4);
  for (let k = 0; k < size; k++) data.set([...colorOf(k), 255], 4 * k);
  const made = new DataTexture(data, size, 1, RGBAFormat);
  made.minFilter = made.magFilter = filter;
  made.needsUpdate = true;
  return made;
}

/** Textures that the shaders look colors up in: along x, the value from 0 to 1. */
export const maps = {
  viridis: texture((k) => between(VIRIDIS, k / 255), 256, LinearFilter),
  heat: texture((k) => between(HEAT, k / 255), 256, LinearFilter),
  categories: texture((k) => rgb(OKABE_ITO[k]), OKABE_ITO.length, NearestFilter),
};

export const CATEGORIES = OKABE_ITO.length;
