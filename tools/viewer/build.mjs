// Makes dist/index.html from src: one file that needs no server and no network. What the page is made
// of is packed with gzip, because HDF5 as WebAssembly is large.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const read = (name) => readFileSync(new URL(name, import.meta.url), "utf8");

async function bundle(entry) {
  const made = await build({
    entryPoints: [new URL(`src/${entry}`, import.meta.url).pathname],
    bundle: true, minify: true, write: false, format: "iife", target: "es2022", charset: "utf8",
    legalComments: "none", define: { "import.meta.url": '""' }, logLevel: "warning",
  });
  return gzipSync(made.outputFiles[0].contents, { level: 9 }).toString("base64");
}

/** A test compares this with the sources, so that the page is not forgotten when they change. */
function fingerprint() {
  const hash = createHash("sha256");
  for (const name of readdirSync(new URL("src", import.meta.url)).sort()) hash.update(read(`src/${name}`));
  return hash.update(read("package-lock.json")).digest("hex");
}

const start = `
const sources = "${fingerprint()}";
const unpack = async (text) => {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
};
(async () => {
  globalThis.readerScript = await unpack("${await bundle("reader.js")}");
  const page = document.createElement("script");
  page.textContent = await unpack("${await bundle("main.js")}");
  document.body.append(page);
})().catch((trouble) => {
  const message = document.getElementById("message");
  message.textContent = "This browser cannot show the page: " + trouble.message;
  message.hidden = false;
});
`;

/** What the page contains of others may only be passed on with these. */
const licences = ["three/LICENSE", "h5wasm/LICENSE.txt"].map((name) => `${name}\n\n${read(`node_modules/${name}`)}`);

const page = read("src/index.html")
  .replace("/*LICENCES*/", () => licences.join("\n\n"))
  .replace("/*STYLE*/", () => read("src/style.css"))
  .replace("/*SCRIPT*/", () => start);
mkdirSync(new URL("dist", import.meta.url), { recursive: true });
writeFileSync(new URL("dist/index.html", import.meta.url), page);
console.log(`dist/index.html: ${(page.length / 1e6).toFixed(2)} MB`);
