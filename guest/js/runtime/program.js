// The author's program: read, and evaluated.

import {
  DataView, Error, Promise, SyntaxError, defineProperty, find, getUint32, includes, isA, lastIndexOf, linesOf, part,
  setBytes, setUint32, slice,
} from "./primordials.js";
import { Region, addressOf, compile, copyProgram, programLength, readInput, runJobs } from "./host.js";
import { decodeLossy } from "./text.js";
import { messageOf, nameOf, placeOf, shown, stackOf } from "./errors.js";
import { logError } from "./log.js";

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
  const view = new DataView(iovec.buffer);
  for (;;) {
    if (size + 1 >= buffer.size) {
      const larger = new Region(2 * buffer.size);
      setBytes(larger.bytes, buffer.bytes);
      buffer = larger;
    }
    setUint32(view, 0, buffer.address + size, true);
    setUint32(view, 4, buffer.size - 1 - size, true);
    const error = readInput(iovec.address, iovec.address + 8);
    const got = getUint32(view, 8, true);
    if (error !== 0) throw new Error("standard input can't be read: error " + error);
    if (got === 0) return part(buffer.bytes, 0, size + 1);
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
  const newline = input.indexOf(10); // nothing of the program has run
  if (newline < 0) throw new ProgramError("there is no program on standard input", { file: "", line: 0 });
  const name = decodeLossy(part(input, 0, newline));
  const source = part(input, newline + 1, input.length - 1);
  input[newline] = 0;
  try {
    compile(addressOf(source), addressOf(input));
  } catch (error) {
    throw explain(error, name, source);
  }
  const outcome = settle(import(name));
  if (outcome === undefined) throw new ProgramError(shown(name) + ": the top level awaits what never happens", { file: "", line: 0 });
  if (outcome.failed) throw explain(outcome.value, name, source);
  return name;
}

/** What a promise came to, once all jobs have run; undefined if it is still open. */
export function settle(promise) {
  const awaited = { outcome: undefined };
  wait(promise, awaited);
  runAllJobs();
  return awaited.outcome;
}

/**
 * Takes down what a promise comes to. An await calls no method of a promise whose
 * constructor is Promise, so that is what it gets.
 */
async function wait(promise, awaited) {
  try {
    if (isA(promise, Promise)) defineProperty(promise, "constructor", { __proto__: null, value: Promise, configurable: true });
    const value = await promise;
    awaited.outcome = { failed: false, value };
  } catch (value) {
    awaited.outcome = { failed: true, value };
  }
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
      logError("in work that no handler waits for: " + messageOf(error) + "\n" + stackOf(error));
    }
  }
  throw new Error("more than " + MAX_STRAY + " pieces of work that no handler waits for have failed");
}

// What the interpreter says of an import has no line: it is looked for by the name.
const importErrors = [
  {
    pattern: /^could not load module filename '(.*)'$/,
    say: (what) => "there is no module " + what + '; a program is one file, and imports "wasmsandbox" alone',
  },
  { pattern: /^Could not find export '(.*)' in module '(.*)'$/, say: (what, module) => module + " has no export " + what },
];

function explain(error, name, source) {
  const text = messageOf(error);
  for (let i = 0; i < importErrors.length; i++) {
    const { pattern, say } = importErrors[i];
    const found = find(pattern, text);
    if (found) return new ProgramError(say(found[1], found[2]), { file: shown(name), line: lineOf(decodeLossy(source), found[1]) });
  }
  const stack = stackOf(error);
  const place = placeOf(stack);
  const kind = isA(error, Error) && nameOf(error) !== "Error" ? nameOf(error) + ": " : "";
  if (place.line === 0) return new ProgramError(shown(name) + ": " + kind + text, place, stack);
  const column = isA(error, SyntaxError) ? "" : ", column " + place.column; // where a syntax error is, only its line tells
  return new ProgramError(kind + text + column, place, stack);
}

/** The first line that has a word, or 0. */
function lineOf(source, word) {
  const name = slice(word, lastIndexOf(word, "/") + 1);
  const lines = linesOf(source);
  for (let i = 0; i < lines.length; i++) {
    if (find(/\b(import|export|from)\b/, lines[i]) && includes(lines[i], name)) return i + 1;
  }
  return 0;
}
