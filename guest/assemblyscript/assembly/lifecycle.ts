import { Open } from "./open";

/** The version of the SDK. */
export const SDK_VERSION = "0.1.0";

/** Who the guest is, and what runs when its session starts and ends. */
export class Guest {
  static name: string = "";
  static version: string = "";
  static schema: string = "";
  static onOpen: Array<(open: Open) => string | null> = [];
  static onClose: Array<() => string | null> = [];
}

/** Tells who the guest is. */
export function describe(name: string, version: string): void {
  Guest.name = name;
  Guest.version = version;
}

/** Tells what configuration the guest takes, as a JSON Schema. */
export function configSchema(schema: string): void {
  Guest.schema = schema;
}

/** Adds what runs when the session starts. It returns why the configuration isn't usable, or null. */
export function onOpen(handler: (open: Open) => string | null): void {
  Guest.onOpen.push(handler);
}

/** Adds what runs when the session ends, the last added first. It returns what went wrong, or null. */
export function onClose(handler: () => string | null): void {
  Guest.onClose.push(handler);
}
