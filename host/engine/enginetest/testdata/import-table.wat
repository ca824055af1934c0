;; An import that hosts never offer, under the name of a function that they do.
(module (import "env" "thing" (table 1 funcref)))
