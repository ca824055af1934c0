// Decodes a message with the runtime's codec, and encodes it again: the command is
// the name of the message and its bytes in hexadecimal. Standard output is the
// encoding; with exit code 1 it is the reason why there is none.
import { onExec } from "wasmsandbox";
import { decodeMessage, encoded } from "wasmsandbox/codec.js";
import { Region } from "wasmsandbox/host.js";
import { message } from "wasmsandbox/schema.js";
import { DecodeError } from "wasmsandbox/wire.js";

onExec("recode", (call, { command: [, name, hex = ""] }) => {
  const size = hex.length / 2;
  const region = new Region(size + 1);
  for (let i = 0; i < size; i++) region.bytes[i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  region.bytes[size] = 0xaa; // the byte behind the message is nobody's
  try {
    const encoder = encoded(message(name), decodeMessage(message(name), region, size));
    return { stdout: Array.from(encoder.bytes.subarray(0, encoder.at), (b) => b.toString(16).padStart(2, "0")).join("") };
  } catch (error) {
    if (error instanceof DecodeError) return { stdout: error.reason, exitCode: 1 };
    throw error;
  }
});
