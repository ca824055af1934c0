import { Call, ExecRequest, Method, Verdict, WriteRequest, match } from "../assembly";
import { hex } from "./render";

export function registerMatchers(): void {
  match("accept", (_call: Call): Verdict => Verdict.accept());
  match("undecided", (_call: Call): Verdict => Verdict.undecided());
  match("only_git", onlyGit, [Method.Exec]);
  match("differ", (_call: Call): Verdict =>
    Verdict.reject("two differences").differ("a", "1", "2").differ("b", "", ""));
  match("digest", digest, [Method.Write]);
  match("broken", (_call: Call): Verdict => Verdict.fail("it's broken"), [Method.Exec]);
  match("panic", (_call: Call): Verdict => {
    throw new Error("deliberate panic");
  }, [Method.Exec]);
}

function onlyGit(call: Call): Verdict {
  const command = (call.request as ExecRequest).command;
  const first = command.length > 0 ? command[0] : "";
  if (first == "git") return Verdict.accept();
  return Verdict.reject("not git").differ("args[0]", "git", first);
}

function digest(call: Call): Verdict {
  const content = (call.request as WriteRequest).data.content;
  const sum = content.sha256;
  return Verdict.reject(sum === null ? "inline" : hex(sum)).differ("data", "", content.size.toString());
}
