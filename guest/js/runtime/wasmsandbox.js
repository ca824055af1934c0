// What authors import.

export {
  describe, match, onApplyPatch, onClose, onExec, onLs, onMkdir, onOpen, onPtyExecStart, onPtyWriteStdin, onRead, onRm,
  onWrite, respond,
} from "./wasmsandbox/registry.js";
export { accept, reject } from "./wasmsandbox/verdict.js";
export { SandboxError, panic } from "./wasmsandbox/errors.js";
export { Content, Writer } from "./wasmsandbox/content.js";
export { log } from "./wasmsandbox/log.js";
export { extension } from "./wasmsandbox/extension.js";
