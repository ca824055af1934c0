;; An import that hosts never offer, under the name of a function that they do.
(module (import "env" "thing" (global i32)))
