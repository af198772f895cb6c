// Legends: a bar with numbers and unit, or a list of names, as elements of the page.
import { categoryColor, heatGradient, viridisGradient } from "./colors.js";
import { short } from "./curves.js";

function element(name, className, ...children) {
  const made = document.createElement(name);
  made.className = className;
  made.append(...children);
  return made;
}

const title = (label, unit) => element("div", "legend-title", unit ? `${label} (${unit})` : label);

export function bar(label, unit, [low, high], heat = false) {
  const strip = element("div", "legend-bar");
  strip.style.background = heat ? heatGradient : viridisGradient;
  const numbers = [low, (low + high) / 2, high].map((x) => element("span", "", short(x)));
  return element("div", "legend", title(label, unit), strip, element("div", "legend-numbers", ...numbers));
}

export function list(label, names) {
  const rows = names.map((name, k) => {
    const patch = element("span", "legend-patch");
    patch.style.background = categoryColor(k);
    return element("div", "legend-row", patch, name);
  });
  return element("div", "legend", title(label, ""), ...rows);
}
