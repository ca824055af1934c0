/// Text of one byte, repeated.
pub fn repeat(comptime count: usize, comptime byte: u8) *const [count]u8 {
    return comptime &@as([count]u8, @splat(byte));
}
