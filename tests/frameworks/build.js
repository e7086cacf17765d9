// Builds the page of each framework into dist/, as somebody who uses the npm package would.
// The page without a framework is copied with the unpacked package beside it: no bundler.

import { cp, mkdir } from "node:fs/promises";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import vue from "@vitejs/plugin-vue";
import { build } from "vite";

const isCustomElement = (tag) => tag.startsWith("checklist-");
const PAGES = {
  react19: [],
  react18: [],
  vue3: [vue({ template: { compilerOptions: { isCustomElement } } })],
  angular: [],
  svelte5: [svelte({ configFile: false })],
};

for (const [name, plugins] of Object.entries(PAGES)) {
  await build({
    root: new URL(name, import.meta.url).pathname,
    base: "./",
    configFile: false,
    logLevel: "warn",
    plugins,
    // The page that both Reacts share takes the React of the one that it is built for.
    resolve: { dedupe: ["react", "react-dom"] },
    build: { outDir: `../dist/${name}`, emptyOutDir: true, chunkSizeWarningLimit: 4000 },
  });
}

// AngularJS comes by plain script tags, as it does where it is still in use.
await mkdir("dist/angularjs", { recursive: true });
for (const file of ["index.html", "platform.js", "checklist.js", "main.js"]) await cp(`angularjs/${file}`, `dist/angularjs/${file}`);
await cp("node_modules/angular/angular.js", "dist/angularjs/angular.js");
await cp("node_modules/@checklist-control/element", "dist/angularjs/element", { recursive: true });

await mkdir("dist/plain", { recursive: true });
for (const file of ["index.html", "page.js", "checklist.js"]) await cp(`plain/${file}`, `dist/plain/${file}`);
await cp("node_modules/@checklist-control/element", "dist/plain/element", { recursive: true });
