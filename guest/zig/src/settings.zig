//! The configuration that a script gives to a guest.

const std = @import("std");
const value = @import("value.zig");

/// The entries of the configuration, with getters by type. Texts and bytes live as long
/// as the session.
pub const Settings = struct {
    /// In the order in which they came.
    entries: []const value.Entry = &.{},
    /// The key of the getter that failed last.
    wrong_key: []const u8 = "",

    /// A setting has another type than its getter's. A handler that returns this error
    /// ends the call with "the configuration isn't usable".
    pub const Error = error{WrongSettingType};

    /// A setting of any type, or null without such a setting.
    pub fn get(self: *const Settings, key: []const u8) ?value.Value {
        var i = self.entries.len;
        while (i > 0) {
            i -= 1;
            if (std.mem.eql(u8, self.entries[i].key, key)) return self.entries[i].value;
        }
        return null;
    }

    pub fn text(self: *Settings, key: []const u8) Error!?[]const u8 {
        return self.typed(key, .text);
    }

    pub fn int(self: *Settings, key: []const u8) Error!?i64 {
        return self.typed(key, .int);
    }

    pub fn boolean(self: *Settings, key: []const u8) Error!?bool {
        return self.typed(key, .bool);
    }

    pub fn data(self: *Settings, key: []const u8) Error!?[]const u8 {
        return self.typed(key, .data);
    }

    pub fn list(self: *Settings, key: []const u8) Error!?[]const value.Value {
        return self.typed(key, .list);
    }

    pub fn map(self: *Settings, key: []const u8) Error!?[]const value.Entry {
        return self.typed(key, .map);
    }

    /// A setting that is null counts as none.
    fn typed(
        self: *Settings,
        key: []const u8,
        comptime tag: std.meta.Tag(value.Value),
    ) Error!?@FieldType(value.Value, @tagName(tag)) {
        const found = self.get(key) orelse return null;
        if (found == tag) return @field(found, @tagName(tag));
        if (found == .null) return null;
        self.wrong_key = key;
        return error.WrongSettingType;
    }
};
