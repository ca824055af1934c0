//! All tests of the SDK. They run in the SDK's folder.

test {
    _ = @import("vectors.zig");
    _ = @import("contract.zig");
    _ = @import("wire.zig");
    _ = @import("dispatch.zig");
    _ = @import("contents.zig");
    _ = @import("panics.zig");
    _ = @import("kitchen.zig");
}
