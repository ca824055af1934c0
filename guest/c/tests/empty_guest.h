/* A guest without handlers, for tests of the codec alone. */
#include "wasmsandbox.h"

WASMSANDBOX_GUEST = {.name = "empty", .version = "0"};
