// The messages of the ABI, as abi.proto has them. The codec works by these tables.
// Names are abi.proto's in camel case. All of this runs before the program.

const messages = {};
const none = new Uint8Array(0);

/** All messages. */
export const all = () => Object.values(messages);

/** A message by its name in abi.proto. */
export const message = (name) => messages[name];

// octets are bytes that are nearly always text: a string if they are UTF-8, else a
// Uint8Array.
const types = new Set(["uint64", "int64", "sint64", "uint32", "sint32", "bool", "string", "bytes", "octets"]);

/**
 * Defines a message. A field is written as "number name type", with more words
 * after it: repeated, packed, optional, or of=NAME for a member of that oneof. A
 * type is a scalar, {numbers} for an enum, or a message that was defined before.
 * A oneof whose name ends with ! must be set.
 *
 * A message has its fields, also by the tag that they are read with, by number and
 * by name; its oneofs; what a new one starts from: a template, the names of its
 * lists and a prototype; and as choice the name of its oneof, if it is nothing else.
 */
function define(name, ...lines) {
  const m = { __proto__: null, name, fields: [], byTag: [], byNumber: { __proto__: null }, byName: { __proto__: null },
    oneofs: [], template: {}, lists: [], prototype: {} };
  messages[name] = m; // before its fields, which may have its type
  for (const line of lines) addField(m, ...line.split(" "));
}

function addField(m, number, name, type, ...words) {
  const of = words.find((w) => w.startsWith("of="))?.slice(3);
  const field = {
    __proto__: null,
    number: Number(number), name, type, of: of?.replace("!", ""),
    repeated: words.includes("repeated"), packed: words.includes("packed"),
    optional: words.includes("optional") || of !== undefined,
    place: `${m.name}.${name}`,
  };
  if (type.startsWith("{")) {
    field.type = "enum";
    field.numbers = { __proto__: null };
    for (const n of type.slice(1, -1).split(",")) field.numbers[n] = true;
  } else if (!types.has(type)) {
    field.type = "message";
    field.message = type;
  }
  field.wire = ["string", "bytes", "octets", "message"].includes(field.type) ? 2 : 0;
  field.tag = (field.number << 3) | (field.packed ? 2 : field.wire);
  if (of && !m.oneofs.some((o) => o.name === field.of)) m.oneofs.push({ name: field.of, required: of.endsWith("!") });
  m.fields.push(field);
  m.byTag[(field.number << 3) | field.wire] = field;
  m.byNumber[field.number] = field;
  m.byName[name] = field;
  if (field.repeated) m.lists.push(name);
  else if (!field.optional) m.template[name] = initial(field.type);
  else addAbsent(m.prototype, name, field.of);
}

/** Has properties be undefined where they aren't set, whatever a program adds to Object.prototype. */
function addAbsent(prototype, ...names) {
  for (const name of names) if (name) Object.defineProperty(prototype, name, { value: undefined, writable: true, configurable: true });
}

function initial(type) {
  switch (type) {
    case "message": return undefined;
    case "string": case "octets": return "";
    case "bytes": return none;
    case "bool": return false;
    default: return 0;
  }
}

const methods = "{3,4,5,6,7,8,9,10,11}";

define("Void");
define("Value",
  "1 bool bool of=kind", "2 int sint64 of=kind", "3 text string of=kind", "4 data bytes of=kind",
  "5 list ValueList of=kind", "6 map ValueMap of=kind");
define("ValueList", "1 values Value repeated");
define("Entry", "1 key string", "2 value Value");
define("ValueMap", "1 entries Entry repeated");
define("Blob", "1 handle uint32", "2 size uint64", "3 sha256 bytes");
define("Content", "1 inline bytes of=source", "2 blob Blob of=source");
define("Stream", "1 content Content", "2 position uint64", "3 text bool");

define("PatchOperation", "1 type string", "2 path octets", "3 diff octets optional", "4 moveTo octets optional");
define("ApplyPatchRequest", "1 operations PatchOperation repeated", "2 patchFormat string");
define("Shell", "1 mode {0,1,2}", "2 argv octets repeated");
define("ExecRequest", "1 command octets repeated", "2 timeoutNs int64", "3 shell Shell", "4 user string");
define("LsRequest", "1 path octets", "2 user string");
define("MkdirRequest", "1 path octets", "2 parents bool", "3 user string");
define("PtyExecStartRequest",
  "1 command octets repeated", "2 timeoutNs int64", "3 shell Shell", "4 user string", "5 tty bool",
  "6 yieldTimeNs int64", "7 maxOutputTokens int64");
define("PtyWriteStdinRequest", "1 sessionId int64", "2 chars octets", "3 yieldTimeNs int64", "4 maxOutputTokens int64");
define("ReadRequest", "1 path octets", "2 user string");
define("RmRequest", "1 path octets", "2 recursive bool", "3 user string");
define("WriteRequest", "1 path octets", "2 data Stream", "3 user string");
define("Call",
  "1 index uint64", "2 timeNs int64",
  "3 applyPatch ApplyPatchRequest of=request!", "4 exec ExecRequest of=request!", "5 ls LsRequest of=request!",
  "6 mkdir MkdirRequest of=request!", "7 ptyExecStart PtyExecStartRequest of=request!",
  "8 ptyWriteStdin PtyWriteStdinRequest of=request!", "9 read ReadRequest of=request!", "10 rm RmRequest of=request!",
  "11 write WriteRequest of=request!");

define("Limits", "1 inlineBytes uint64", "2 replyBytes uint64", "3 logBytes uint64", "4 blobBytes uint64");
define("Open", "1 config Entry repeated", "2 seed uint64", "3 startTimeNs int64", "4 limits Limits");

define("Handler", "1 id uint32", "2 name string", "3 kind {0,1,2}", `4 methods ${methods} repeated packed`);
define("Description",
  "1 name string", "2 version string", "3 sdk string", "4 sdkVersion string", "5 language string",
  "6 toolchain string", "7 handlers Handler repeated", "8 configSchema string");
define("Difference", "1 field string", "2 expected string", "3 actual string");
define("Verdict", "1 answer {0,1,2}", "2 reason string", "3 differences Difference repeated");
define("ExecResult", "1 stdout Content", "2 stderr Content", "3 exitCode sint32");
define("FileEntry",
  "1 path octets", "2 permissions uint32", "3 owner string", "4 group string", "5 size uint64", "6 kind {0,1,2,3}");
define("Listing", "1 entries FileEntry repeated");
define("PtyUpdate",
  "1 processId sint64 optional", "2 output Content", "3 exitCode sint32 optional",
  "4 originalTokenCount uint64 optional");
define("SandboxError", "1 code string", "2 op string", "3 message string", "4 context Entry repeated", "5 retryable {0,1,2}");
define("Outcome",
  "1 void Void of=kind!", "2 exec ExecResult of=kind!", "3 stream Stream of=kind!", "4 listing Listing of=kind!",
  "5 text string of=kind!", "6 pty PtyUpdate of=kind!", "7 error SandboxError of=kind!");
define("GuestError", "1 kind {0,1,2,3,4,5}", "2 message string");
define("Reply",
  "1 description Description of=kind!", "2 verdict Verdict of=kind!", "3 outcome Outcome of=kind!",
  "4 error GuestError of=kind!", "5 done Void of=kind!");
define("Panic", "1 message octets", "2 file octets", "3 line uint32", "4 stack octets");

for (const m of all()) {
  for (const field of m.fields) if (field.message) field.message = messages[field.message];
  m.choice = m.oneofs.length === 1 && m.fields.every((f) => f.of !== undefined) ? m.oneofs[0].name : undefined;
}
