// Bundles src/ and three.js into the file that pages hold: ../src/linkwork/view/page.js.
//
//   node build.mjs           writes it
//   node build.mjs --check   says whether what is there is what these sources give, and ends with 1 if not
import { readFile, writeFile } from "node:fs/promises";
import { build } from "esbuild";

const target = new URL("../src/linkwork/view/page.js", import.meta.url);
const made = await build({
  entryPoints: [new URL("src/main.js", import.meta.url).pathname],
  absWorkingDir: new URL(".", import.meta.url).pathname,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "ascii",
  legalComments: "none",
  banner: { js: "/* linkwork's page. Holds three.js, copyright 2010-2026 three.js authors, MIT licence. Built from web/. */" },
  write: false,
});
const code = Buffer.from(made.outputFiles[0].contents);
if (process.argv.includes("--check")) {
  const there = await readFile(target).catch(() => Buffer.alloc(0));
  if (!code.equals(there)) {
    console.error("src/linkwork/view/page.js is not what web/ builds: run `npm ci && npm run build` in web/");
    process.exit(1);
  }
  console.log(`page.js is what web/ builds: ${code.length} bytes`);
} else {
  await writeFile(target, code);
  console.log(`page.js: ${code.length} bytes`);
}
