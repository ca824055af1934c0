import { Content } from "./content";
import { Decoder } from "./decoder";
import { Encoder } from "./encoder";
import { Result } from "./result";

/** The result of write, rm and mkdir. */
export class Done extends Result {
  get outcomeField(): u32 {
    return 1;
  }

  encode(_e: Encoder): void {}

  decode(d: Decoder): void {
    d.empty();
  }
}

/** The result of exec. */
export class ExecResult extends Result {
  stdout: Content = Content.NONE;
  stderr: Content = Content.NONE;
  exitCode: i32 = 0;

  /** Standard output, and exit code 0. */
  static stdout(text: string): ExecResult {
    const r = new ExecResult();
    r.stdout = Content.of(text);
    return r;
  }

  /** An exit code, and standard error. */
  static exit(code: i32, stderr: string = ""): ExecResult {
    const r = new ExecResult();
    r.exitCode = code;
    r.stderr = Content.of(stderr);
    return r;
  }

  get outcomeField(): u32 {
    return 2;
  }

  encode(e: Encoder): void {
    this.stdout.encode(e, 1);
    this.stderr.encode(e, 2);
    e.sint(3, this.exitCode);
  }

  decode(d: Decoder): void {
    const outer = d.enter();
    while (d.next()) {
      switch (d.field) {
        case 1: this.stdout = Content.decode(d, this.stdout); break;
        case 2: this.stderr = Content.decode(d, this.stderr); break;
        case 3: this.exitCode = d.sint32(); break;
        default: d.skip();
      }
    }
    d.leave(outer);
  }
}

export enum FileKind {
  File = 0,
  Directory = 1,
  Symlink = 2,
  Other = 3,
}

/** The bit that a directory has in its permissions. */
export const DIRECTORY_BIT: u32 = 0o40000;

/** One line of a listing. */
export class FileEntry {
  owner: string = "";
  group: string = "";

  /**
   * @param permissions 0o777 bits, and DIRECTORY_BIT for a directory
   * @param size in bytes
   */
  constructor(
    public path: string,
    public permissions: u32 = 0o644,
    public size: u64 = 0,
    public kind: FileKind = FileKind.File,
  ) {}

  /** Sets who owns the file. */
  ownedBy(owner: string, group: string): FileEntry {
    this.owner = owner;
    this.group = group;
    return this;
  }

  encode(e: Encoder): void {
    e.raw(1, this.path);
    e.uint(2, this.permissions);
    e.text(3, this.owner);
    e.text(4, this.group);
    e.uint(5, this.size);
    e.uint(6, this.kind);
  }

  decode(d: Decoder): void {
    const outer = d.enter();
    while (d.next()) {
      switch (d.field) {
        case 1: this.path = d.raw(); break;
        case 2: this.permissions = d.uint32(); break;
        case 3: this.owner = d.text(); break;
        case 4: this.group = d.text(); break;
        case 5: this.size = d.uint64(); break;
        case 6: this.kind = d.enumeration(FileKind.Other); break;
        default: d.skip();
      }
    }
    d.leave(outer);
  }
}

/** The result of ls. */
export class Listing extends Result {
  constructor(public entries: FileEntry[] = []) {
    super();
  }

  get outcomeField(): u32 {
    return 4;
  }

  encode(e: Encoder): void {
    for (let i = 0, n = this.entries.length; i < n; i++) {
      const mark = e.open(1);
      this.entries[i].encode(e);
      e.close(mark);
    }
  }

  decode(d: Decoder): void {
    const outer = d.enter();
    while (d.next()) {
      if (d.field != 1) {
        d.skip();
        continue;
      }
      const entry = new FileEntry("", 0);
      entry.decode(d);
      this.entries.push(entry);
    }
    d.leave(outer);
  }
}

/** The result of apply_patch. */
export class Text extends Result {
  constructor(public text: string = "") {
    super();
  }

  get outcomeField(): u32 {
    return 5;
  }

  /** Text is no message: the outcome has it as a field of its own. */
  encode(e: Encoder): void {
    e.setText(5, this.text);
  }

  decode(d: Decoder): void {
    this.text = d.text();
  }
}
