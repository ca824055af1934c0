/** The longest message that a guest takes, in bytes. */
const MAX_MESSAGE: u32 = 64 << 20;
const PAGE_BITS = 16;

/**
 * Where the host puts its messages: pages of its own, which the allocator never
 * has, so that growing it can fail without a trap. Pages that it has outgrown stay
 * unused; as it doubles, they are fewer than those in use.
 */
export class InputBuffer {
  static start: usize = 0;
  static size: usize = 0;

  /** At least `size` bytes, or 0 when there isn't that much memory. */
  static reserve(size: u32): usize {
    if (InputBuffer.start != 0 && size <= <u32>InputBuffer.size) return InputBuffer.start;
    if (size > MAX_MESSAGE) return 0;
    heap.free(heap.alloc(1)); // the allocator takes all the memory there is when it is first used
    const wanted = max(pagesOf(size), pagesOf(<u32>InputBuffer.size) * 2);
    let pages = wanted;
    let first = memory.grow(pages);
    if (first < 0) {
      pages = pagesOf(size);
      first = memory.grow(pages);
    }
    if (first < 0) return 0;
    InputBuffer.start = <usize>first << PAGE_BITS;
    InputBuffer.size = <usize>pages << PAGE_BITS;
    return InputBuffer.start;
  }
}

function pagesOf(size: u32): i32 {
  return <i32>max<u32>((size + 0xffff) >> PAGE_BITS, 1);
}
