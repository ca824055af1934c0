//! Builds the SDK's module, its tests, and the kitchen-sink guest. A guest's build.zig
//! imports this file, from a copy of the SDK or from a package, and calls `addGuest` and
//! `addGuestTests`.

const std = @import("std");

/// How a guest is built.
pub const GuestOptions = struct {
    /// Of the module: `zig-out/bin/NAME.wasm`.
    name: []const u8,
    root_source_file: std.Build.LazyPath,
    /// Of the guest's own code: `.safe` keeps Zig's checks, `.small` drops them. The SDK
    /// is always built small. `zig build --release` has no say in it.
    optimize: std.builtin.Optimize = .safe,
};

const exported_functions = [_][]const u8{
    "wasmsandbox_abi_v1",
    "wasmsandbox_buffer",
    "wasmsandbox_describe",
    "wasmsandbox_open",
    "wasmsandbox_match",
    "wasmsandbox_respond",
    "wasmsandbox_close",
};

/// Adds a WebAssembly module that is a guest. `sdk` is the folder of this file.
pub fn addGuest(b: *std.Build, sdk: std.Build.LazyPath, options: GuestOptions) *std.Build.Step.Compile {
    const target = b.resolveTargetQuery(.{ .cpu_arch = .wasm32, .os_tag = .freestanding });
    const guest = b.addExecutable(.{
        .name = options.name,
        .root_module = b.createModule(.{
            .root_source_file = options.root_source_file,
            .target = target,
            .optimize = options.optimize,
            .strip = true,
            .imports = &.{.{ .name = "wasmsandbox", .module = b.createModule(.{
                .root_source_file = sdk.path(b, "src/wasmsandbox.zig"),
                .target = target,
                .optimize = .small,
            }) }},
        }),
    });
    guest.entry = .disabled;
    guest.root_module.export_symbol_names = &exported_functions;
    guest.stack_size = 256 << 10;
    return guest;
}

/// Adds the native tests of a guest. `sdk` is the folder of this file.
pub fn addGuestTests(b: *std.Build, sdk: std.Build.LazyPath, root_source_file: std.Build.LazyPath) *std.Build.Step.Run {
    const native = b.resolveTargetQuery(.{});
    const tests = b.addTest(.{ .root_module = b.createModule(.{
        .root_source_file = root_source_file,
        .target = native,
        .imports = &.{.{ .name = "wasmsandbox", .module = b.createModule(.{
            .root_source_file = sdk.path(b, "src/wasmsandbox.zig"),
            .target = native,
        }) }},
    }) });
    return b.addRunArtifact(tests);
}

pub fn build(b: *std.Build) void {
    const kitchen = addGuest(b, b.path("."), .{
        .name = "kitchen",
        .root_source_file = b.path("kitchen/kitchen.zig"),
        .optimize = b.option(std.builtin.Optimize, "guest-optimize", "of the kitchen-sink guest") orelse .safe,
    });
    const install = b.addInstallArtifact(kitchen, .{});
    b.step("kitchen", "Build the kitchen-sink guest").dependOn(&install.step);

    const native = b.resolveTargetQuery(.{});
    const sdk = b.addModule("wasmsandbox", .{ .root_source_file = b.path("src/wasmsandbox.zig"), .target = native });
    const kitchen_module = b.createModule(.{
        .root_source_file = b.path("kitchen/kitchen.zig"),
        .target = native,
        .imports = &.{.{ .name = "wasmsandbox", .module = sdk }},
    });
    const tests = b.addTest(.{ .root_module = b.createModule(.{
        .root_source_file = b.path("tests/all.zig"),
        .target = native,
        .imports = &.{
            .{ .name = "wasmsandbox", .module = sdk },
            .{ .name = "kitchen", .module = kitchen_module },
        },
    }) });
    const run = b.addRunArtifact(tests);
    run.setCwd(b.path("."));
    run.has_side_effects = true; // it reads the vectors, which the build doesn't know
    b.step("test", "Run the tests natively").dependOn(&run.step);
}
