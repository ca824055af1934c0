;; Neither types, imports, globals, functions nor exports.
(module (memory 1))
