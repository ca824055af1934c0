import { Entry, Value, ValueKind } from "./abi/value";
import { Session } from "./session";

/**
 * The configuration that a script gives the guest, or a map in it. A setting of
 * another type than its getter's ends the call with a guest error that the
 * configuration isn't usable; the getter itself returns the default.
 */
export class Settings {
  constructor(
    private entries: Entry[] = [],
    private prefix: string = "", // of the names in errors
  ) {}

  /** The keys, in the order in which they came. */
  keys(): string[] {
    const keys = new Array<string>();
    for (let i = 0, n = this.entries.length; i < n; i++) keys.push(this.entries[i].key);
    return keys;
  }

  /** The value of a key, the last if there are several; null without one. */
  value(key: string): Value | null {
    for (let i = this.entries.length - 1; i >= 0; i--) {
      if (this.entries[i].key == key) return this.entries[i].value;
    }
    return null;
  }

  text(key: string, fallback: string): string {
    const v = this.get(key, ValueKind.Text, "a text");
    return v === null ? fallback : v.text;
  }

  int(key: string, fallback: i64): i64 {
    const v = this.get(key, ValueKind.Int, "an integer");
    return v === null ? fallback : v.int;
  }

  bool(key: string, fallback: bool): bool {
    const v = this.get(key, ValueKind.Bool, "true or false");
    return v === null ? fallback : v.int != 0;
  }

  /** A list of texts. */
  texts(key: string, fallback: string[]): string[] {
    const v = this.get(key, ValueKind.List, "a list of texts");
    if (v === null) return fallback;
    const texts = new Array<string>();
    for (let i = 0, n = v.list.length; i < n; i++) {
      if (v.list[i].kind != ValueKind.Text) {
        this.refuse(key, "a list of texts");
        return fallback;
      }
      texts.push(v.list[i].text);
    }
    return texts;
  }

  /** The settings in a map; none without it. */
  section(key: string): Settings {
    const v = this.get(key, ValueKind.Map, "a map");
    return new Settings(v === null ? [] : v.entries, this.prefix + key + ".");
  }

  private get(key: string, kind: ValueKind, want: string): Value | null {
    const v = this.value(key);
    if (v === null || v.kind == ValueKind.Null) return null;
    if (v.kind == kind) return v;
    this.refuse(key, want);
    return null;
  }

  private refuse(key: string, want: string): void {
    if (Session.misconfigured === null) Session.misconfigured = "config: " + this.prefix + key + " must be " + want;
  }
}
