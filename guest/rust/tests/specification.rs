//! The names that the crate shares with the specification.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The functions in the table of a section: name to signature, such as
/// `(i32, i32) -> i64`.
fn specified(heading: &str) -> BTreeMap<String, String> {
    let spec = read("../../abi/SPEC.md");
    let section = spec.split(heading).nth(1).expect("the section");
    let section = section.split("\n## ").next().unwrap();
    let mut functions = BTreeMap::new();
    for line in section.lines() {
        let mut cells = line.split('|').map(|cell| cell.trim().trim_matches('`'));
        let (name, signature) = (cells.nth(1).unwrap_or(""), cells.next().unwrap_or(""));
        if signature.starts_with('(') {
            functions.insert(name.to_string(), signature.to_string());
        }
    }
    assert!(!functions.is_empty(), "no functions in {heading}");
    functions
}

/// The functions that a source file declares with `extern "C"`.
fn declared(source: &str, keyword: &str) -> BTreeMap<String, String> {
    let mut functions = BTreeMap::new();
    for line in source.lines() {
        let declaration = match line.trim().strip_prefix(keyword) {
            Some(declaration) => declaration,
            None => continue,
        };
        let (name, rest) = declaration.split_once('(').unwrap();
        let (parameters, result) = rest.split_once(')').unwrap();
        let types: Vec<_> = parameters
            .split(", ")
            .filter_map(|parameter| Some(wasm_type(parameter.split_once(": ")?.1)))
            .collect();
        let result = result.trim_matches(|c: char| " ->;{".contains(c));
        let signature = format!("({}) -> {}", types.join(", "), wasm_type(result));
        functions.insert(name.to_string(), signature);
    }
    functions
}

fn wasm_type(rust: &str) -> &'static str {
    match rust {
        "u32" | "i32" | "usize" | "*const u8" | "*mut u8" => "i32",
        "u64" | "i64" => "i64",
        other => panic!("the type {other}"),
    }
}

#[test]
fn imports_are_those_of_the_specification() {
    let source = read("src/host/imports_wasm32.rs");
    let imports = source.split("extern \"C\" {").nth(1).unwrap();
    let imports = imports.split('}').next().unwrap();
    assert_eq!(declared(imports, "pub fn "), specified("## 3. Imports"));
    assert!(source.contains("wasm_import_module = \"wasmsandbox_v1\""));
}

#[test]
fn exports_are_those_of_the_specification() {
    let mut want = specified("## 2. Exports");
    want.remove("_initialize"); // this target needs nothing initialised
    assert_eq!(
        declared(&read("src/export_macro.rs"), "extern \"C\" fn "),
        want
    );
}

#[test]
fn codes_are_those_of_the_host() {
    let quoted = |source: &str, before: &str| -> Vec<String> {
        let lines = source.lines().filter_map(|line| line.split_once(before));
        let mut codes: Vec<_> = lines
            .filter_map(|(_, rest)| Some(rest.strip_prefix('"')?.split_once('"')?.0.to_string()))
            .collect();
        codes.sort();
        codes
    };
    let want = quoted(&read("../../abi/code.go"), "Code = ");
    assert!(!want.is_empty());
    assert_eq!(quoted(&read("src/codes.rs"), " = "), want);
}
