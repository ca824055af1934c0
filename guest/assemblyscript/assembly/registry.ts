import { ApplyPatchRequest } from "./abi/apply_patch_request";
import { HandlerKind } from "./abi/description";
import { ExecRequest, PtyExecStartRequest, PtyWriteStdinRequest } from "./abi/exec_request";
import { LsRequest, MkdirRequest, ReadRequest, RmRequest, WriteRequest } from "./abi/file_request";
import { Method, methodName } from "./abi/method";
import { PtyUpdate } from "./abi/pty_update";
import { Result } from "./abi/result";
import { Done, ExecResult, Listing, Text } from "./abi/results";
import { Stream } from "./abi/stream";
import { Verdict } from "./abi/verdict";
import { Call } from "./call";

/** Answers a call. */
export abstract class Responder {
  abstract respond(call: Call): Result;
}

/** A responder of one method. */
class MethodResponder<Q, R> extends Responder {
  constructor(private answer: (call: Call, request: Q) => R) {
    super();
  }

  respond(call: Call): Result {
    return changetype<Result>(this.answer(call, changetype<Q>(call.request)));
  }
}

/** A responder of several methods. */
class CallResponder extends Responder {
  constructor(private answer: (call: Call) => Result) {
    super();
  }

  respond(call: Call): Result {
    return this.answer(call);
  }
}

/** What is registered under one name. */
export class Handler {
  /** The methods it serves, a bit for each; 0: all. */
  served: u32 = 0;
  /** Of a matcher. */
  match: ((call: Call) => Verdict) | null = null;
  /** Of a responder, by method. */
  responders: StaticArray<Responder | null> = new StaticArray<Responder | null>(Method.Write + 1);

  constructor(
    public kind: HandlerKind,
    public name: string,
  ) {}

  serves(method: Method): bool {
    return this.served == 0 || (this.served & (1 << method)) != 0;
  }

  /** The methods it serves, ascending; none: all. */
  methods(): Method[] {
    const methods = new Array<Method>();
    for (let method = <i32>Method.ApplyPatch; method <= Method.Write; method++) {
      if (this.served & (1 << method)) methods.push(method);
    }
    return methods;
  }

  /** Adds a method to those it serves. */
  serve(method: Method): void {
    if (method < Method.ApplyPatch || method > Method.Write) {
      throw new Error(this.title + " is registered for a method that doesn't exist");
    }
    this.served |= 1 << method;
  }

  /** The kind and name, for people. */
  get title(): string {
    return (this.kind == HandlerKind.Match ? "the matcher " : "the responder ") + this.name;
  }
}

/** All handlers, in the order in which they were registered. Their ids count from 1. */
export class Registry {
  static handlers: Handler[] = [];
  /** Whether an export has been called: a handler registered later would not be described. */
  static frozen: bool = false;

  /** The handler of that kind with that id, or null. */
  static find(kind: HandlerKind, id: u32): Handler | null {
    if (id == 0 || id > <u32>Registry.handlers.length) return null;
    const handler = Registry.handlers[id - 1];
    return handler.kind == kind ? handler : null;
  }

  static addMatcher(name: string, match: (call: Call) => Verdict, methods: Method[]): void {
    const handler = Registry.register(HandlerKind.Match, name);
    if (handler.match !== null) throw new Error(handler.title + " is registered twice");
    handler.match = match;
    for (let i = 0, n = methods.length; i < n; i++) handler.serve(methods[i]);
  }

  static addResponder(name: string, responder: Responder, methods: Method[]): void {
    const before = Registry.handlers.length;
    const handler = Registry.register(HandlerKind.Respond, name);
    const known = Registry.handlers.length == before;
    if (known && (methods.length == 0 || handler.served == 0)) {
      throw new Error(handler.title + " is registered twice, once for all methods");
    }
    if (methods.length == 0) {
      for (let method = <i32>Method.ApplyPatch; method <= Method.Write; method++) {
        handler.responders[method] = responder;
      }
    }
    for (let i = 0, n = methods.length; i < n; i++) {
      handler.serve(methods[i]);
      if (handler.responders[methods[i]] !== null) {
        throw new Error(handler.title + " is registered twice for " + methodName(methods[i]));
      }
      handler.responders[methods[i]] = responder;
    }
  }

  private static register(kind: HandlerKind, name: string): Handler {
    if (Registry.frozen) throw new Error("handlers are registered at the top level of a module, not later: " + name);
    if (name.length == 0) throw new Error("a handler needs a name");
    for (let i = 0, n = Registry.handlers.length; i < n; i++) {
      const handler = Registry.handlers[i];
      if (handler.kind == kind && handler.name == name) return handler;
    }
    const handler = new Handler(kind, name);
    Registry.handlers.push(handler);
    return handler;
  }
}

/**
 * Registers a matcher under a name.
 * @param methods the methods it serves; none: all
 */
export function match(name: string, matcher: (call: Call) => Verdict, methods: Method[] = []): void {
  Registry.addMatcher(name, matcher, methods);
}

/**
 * Registers a responder of several methods. Its result must be of the call's
 * method, or the call fails.
 * @param methods the methods it serves; none: all
 */
export function respond(name: string, responder: (call: Call) => Result, methods: Method[] = []): void {
  Registry.addResponder(name, new CallResponder(responder), methods);
}

export function onApplyPatch(name: string, handler: (call: Call, request: ApplyPatchRequest) => Text): void {
  Registry.addResponder(name, new MethodResponder<ApplyPatchRequest, Text>(handler), [Method.ApplyPatch]);
}

export function onExec(name: string, handler: (call: Call, request: ExecRequest) => ExecResult): void {
  Registry.addResponder(name, new MethodResponder<ExecRequest, ExecResult>(handler), [Method.Exec]);
}

export function onLs(name: string, handler: (call: Call, request: LsRequest) => Listing): void {
  Registry.addResponder(name, new MethodResponder<LsRequest, Listing>(handler), [Method.Ls]);
}

export function onMkdir(name: string, handler: (call: Call, request: MkdirRequest) => Done): void {
  Registry.addResponder(name, new MethodResponder<MkdirRequest, Done>(handler), [Method.Mkdir]);
}

export function onPtyExecStart(name: string, handler: (call: Call, request: PtyExecStartRequest) => PtyUpdate): void {
  Registry.addResponder(name, new MethodResponder<PtyExecStartRequest, PtyUpdate>(handler), [Method.PtyExecStart]);
}

export function onPtyWriteStdin(name: string, handler: (call: Call, request: PtyWriteStdinRequest) => PtyUpdate): void {
  Registry.addResponder(name, new MethodResponder<PtyWriteStdinRequest, PtyUpdate>(handler), [Method.PtyWriteStdin]);
}

export function onRead(name: string, handler: (call: Call, request: ReadRequest) => Stream): void {
  Registry.addResponder(name, new MethodResponder<ReadRequest, Stream>(handler), [Method.Read]);
}

export function onRm(name: string, handler: (call: Call, request: RmRequest) => Done): void {
  Registry.addResponder(name, new MethodResponder<RmRequest, Done>(handler), [Method.Rm]);
}

export function onWrite(name: string, handler: (call: Call, request: WriteRequest) => Done): void {
  Registry.addResponder(name, new MethodResponder<WriteRequest, Done>(handler), [Method.Write]);
}
