// The author's program: read, and evaluated.

import { Region, addressOf, compile, copyProgram, programLength, readInput, runJobs } from "./host.js";
import { decodeLossy } from "./text.js";
import { messageOf, placeOf, shown, stackOf } from "./errors.js";
import { log } from "./log.js";

/** The program, with one NUL behind it: that in the module, else what is on standard input. */
function readProgram() {
  const size = programLength();
  if (size === 0) return readAll();
  const program = new Region(size + 1);
  copyProgram(program.address);
  return program.bytes;
}

function readAll() {
  let buffer = new Region(65536);
  let size = 0;
  const iovec = new Region(12);
  const view = new DataView(iovec.bytes.buffer);
  for (;;) {
    if (size + 1 >= buffer.bytes.length) {
      const larger = new Region(2 * buffer.bytes.length);
      larger.bytes.set(buffer.bytes);
      buffer = larger;
    }
    view.setUint32(0, buffer.address + size, true);
    view.setUint32(4, buffer.bytes.length - 1 - size, true);
    const error = readInput(iovec.address, iovec.address + 8);
    const got = view.getUint32(8, true);
    if (error !== 0) throw new Error(`standard input can't be read: error ${error}`);
    if (got === 0) return buffer.bytes.subarray(0, size + 1);
    size += got;
  }
}

/** What is wrong with a program, with the place in it; line 0 is one that isn't known. */
export class ProgramError extends Error {
  constructor(text, place, stack = "") {
    super(text);
    this.place = place;
    this.trace = stack;
  }
}

/**
 * Evaluates the program: the name of a file, a newline, and the source of an ES
 * module. Gives the name.
 */
export function evaluate() {
  const input = readProgram();
  const newline = input.indexOf(10);
  if (newline < 0) throw new ProgramError("there is no program on standard input", { file: "", line: 0 });
  const name = decodeLossy(input.subarray(0, newline));
  const source = input.subarray(newline + 1, -1);
  input[newline] = 0;
  try {
    compile(addressOf(source), addressOf(input));
  } catch (error) {
    throw explain(error, name, source);
  }
  const outcome = settle(import(name));
  if (outcome === undefined) throw new ProgramError(`${shown(name)}: the top level awaits what never happens`, { file: "", line: 0 });
  if (outcome.failed) throw explain(outcome.value, name, source);
  return name;
}

/** What a promise came to, once all jobs have run; undefined if it is still open. */
export function settle(promise) {
  let outcome;
  promise.then(
    (value) => { outcome = { failed: false, value }; },
    (value) => { outcome = { failed: true, value }; },
  );
  runAllJobs();
  return outcome;
}

// The most errors of work that nobody waits for which are told in one go.
const MAX_STRAY = 100;

/** Runs all jobs. What fails in one that nobody waits for is nobody's answer: it is logged. */
function runAllJobs() {
  for (let stray = 0; stray < MAX_STRAY; stray++) {
    try {
      runJobs();
      return;
    } catch (error) {
      log.error(`in work that no handler waits for: ${messageOf(error)}\n${stackOf(error)}`);
    }
  }
  throw new Error(`more than ${MAX_STRAY} pieces of work that no handler waits for have failed`);
}

// What the interpreter says of an import has no line: it is looked for by the name.
const importErrors = [
  [/^could not load module filename '(.*)'$/, (what) => `there is no module ${what}; a program is one file, and imports "wasmsandbox" alone`],
  [/^Could not find export '(.*)' in module '(.*)'$/, (what, module) => `${module} has no export ${what}`],
];

function explain(error, name, source) {
  const text = messageOf(error);
  for (const [pattern, say] of importErrors) {
    const found = pattern.exec(text);
    if (found) return new ProgramError(say(found[1], found[2]), { file: shown(name), line: lineOf(decodeLossy(source), found[1]) });
  }
  const stack = stackOf(error);
  const place = placeOf(stack);
  const kind = error instanceof Error && error.name !== "Error" ? `${error.name}: ` : "";
  if (place.line === 0) return new ProgramError(`${shown(name)}: ${kind}${text}`, place, stack);
  const column = error instanceof SyntaxError ? "" : `, column ${place.column}`; // where a syntax error is, only its line tells
  return new ProgramError(`${kind}${text}${column}`, place, stack);
}

/** The first line that has a word, or 0. */
function lineOf(source, word) {
  const name = word.replace(/^.*\//, "");
  return 1 + source.split("\n").findIndex((line) => /\b(import|export|from)\b/.test(line) && line.includes(name));
}
