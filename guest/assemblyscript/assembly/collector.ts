import { Runtime } from "shared/runtime";

/** Memory of more than this is collected more often, in pages of 64 KiB. */
const LARGE_PAGES = 128;
const CALLS_BETWEEN = 64;
const CALLS_BETWEEN_IF_LARGE = 4;

let calls = 0;
let pages = 0;

/**
 * Frees what the calls before have left, every few calls and whenever the memory
 * has grown. It comes first in a call, before there are references that only the
 * stack holds: the minimal runtime, which has no stack of references to look at,
 * can be collected at no other time. The incremental runtime collects by itself.
 */
export function collectGarbage(): void {
  if (ASC_RUNTIME != Runtime.Minimal) return;
  calls++;
  const size = memory.size();
  if (size == pages && calls < (size > LARGE_PAGES ? CALLS_BETWEEN_IF_LARGE : CALLS_BETWEEN)) return;
  __collect();
  calls = 0;
  pages = memory.size();
}
