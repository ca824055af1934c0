import { onExec } from "wasmsandbox";

/** Pretends to publish the package. */
onExec("publish", (call, { command }) => {
  const [, , ...flags] = command;
  const mode = flags.includes("--dry-run") ? "dry run" : "published";
  return { stdout: `+ ${call.config.get("package") ?? "unnamed"}@1.5.0 (${mode})\n` };
});
