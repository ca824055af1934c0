/** Whether the text is a number in decimal digits that fits into 31 bits, with or without a sign. */
export function isNumber(text: string): bool {
  const start = text.startsWith("-") ? 1 : 0;
  const digits = text.length - start;
  if (digits == 0 || digits > 10) return false;
  for (let i = start; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c < 0x30 || c > 0x39) return false;
  }
  const n = I64.parseInt(text);
  return n >= i32.MIN_VALUE && n <= i32.MAX_VALUE;
}
