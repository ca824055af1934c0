// What "wasmsandbox-assemblyscript/exports" names.
export * from "./assembly/exports";
