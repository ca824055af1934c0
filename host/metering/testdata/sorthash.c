// A guest that computes: it fills an array from a small generator, sorts it with
// quicksort and insertion sort, and hashes it. Nothing of it comes from a library.
// Compiled with clang 19.1.7:
//
//	clang --target=wasm32 -O2 -nostdlib -Wl,--no-entry -Wl,--strip-all -o sorthash.wasm sorthash.c
typedef unsigned int u32;
typedef unsigned long long u64;

#define SIZE 65536
static u32 values[SIZE];

static void fill(u32 n, u32 seed) {
	for (u32 i = 0; i < n; i++) {
		seed ^= seed << 13;
		seed ^= seed >> 17;
		seed ^= seed << 5;
		values[i] = seed;
	}
}

static void insertion(u32 *v, int n) {
	for (int i = 1; i < n; i++) {
		u32 x = v[i];
		int j = i;
		for (; j > 0 && v[j - 1] > x; j--)
			v[j] = v[j - 1];
		v[j] = x;
	}
}

static void sort(u32 *v, int n) {
	while (n > 16) {
		u32 pivot = v[n / 2];
		int i = 0, j = n - 1;
		for (;;) {
			while (v[i] < pivot)
				i++;
			while (v[j] > pivot)
				j--;
			if (i >= j)
				break;
			u32 t = v[i];
			v[i++] = v[j];
			v[j--] = t;
		}
		if (i < n - i) {
			sort(v, i);
			v += i;
			n -= i;
		} else {
			sort(v + i, n - i);
			n = i;
		}
	}
	insertion(v, n);
}

static u64 hash(const unsigned char *p, u32 n) {
	u64 h = 0xcbf29ce484222325ull;
	for (u32 i = 0; i < n; i++)
		h = (h ^ p[i]) * 0x100000001b3ull;
	return h;
}

__attribute__((export_name("nothing"))) void nothing(void) {}

__attribute__((export_name("run"))) u64 run(u32 n, u32 seed) {
	if (n > SIZE || seed == 0)
		return 0;
	fill(n, seed);
	sort(values, (int)n);
	return hash((const unsigned char *)values, n * 4);
}
