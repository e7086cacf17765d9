/** Bundles the pages of the comparison into the folder that is named: `node build.js FOLDER`. */

import { build } from "esbuild";

await build({
  entryPoints: ["vanilla.js", "lit.js", "react.jsx", "survey.js"],
  outdir: process.argv[2],
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  legalComments: "none",
  define: { "process.env.NODE_ENV": '"production"' },
});
