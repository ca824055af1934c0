import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const folder = fileURLToPath(new URL("..", import.meta.url));
const { options } = JSON.parse(readFileSync(new URL("../asconfig.json", import.meta.url), "utf8"));

/** The version of the compiler that package.json pins. */
export const version = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
  .devDependencies.assemblyscript;

/** Compiles a guest of this folder, such as kitchen/index.ts, and returns its bytes. */
export async function compile(entry, runtime = options.runtime, flags = []) {
  let wasm;
  const { error, stderr } = await asc.main(
    [
      entry,
      "--baseDir", folder,
      "--config", "none",
      "--outFile", "guest.wasm",
      "-O",
      "--runtime", runtime,
      "--exportStart", options.exportStart,
      "--use", options.use.join(","),
      ...flags,
    ],
    {
      readFile: (name) => {
        try {
          return readFileSync(`${folder}/${name}`, "utf8");
        } catch {
          return null; // asc asks for files that needn't be there
        }
      },
      writeFile: (_name, contents) => {
        wasm = contents;
      },
      listFiles: () => null,
    },
  );
  if (error) throw new Error(`${entry}: ${error.message}\n${stderr}`);
  return wasm;
}
