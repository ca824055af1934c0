/* The SDK: the one file of it that a guest compiles. Its parts, in folder
 * internal, are one translation unit, so that a compiler can drop what a guest
 * doesn't use and inline across them. Functions that many places call are
 * noinline where copies of them would make a guest larger. */
#include "wasmsandbox.h"

#include "internal/calls.h"
#include "internal/encode.h"
#include "internal/exports.h"
#include "internal/panic.h"
#include "internal/schemas.h"
