// What "wasmsandbox-assemblyscript" names.
export * from "./assembly/index";
