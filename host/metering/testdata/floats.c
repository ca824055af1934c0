// A guest that computes with floats: it moves the planets of a solar system, and
// multiplies matrices. Nothing of it comes from a library. Compiled with clang 19.1.7:
//
//	clang --target=wasm32 -O2 -nostdlib -Wl,--no-entry -Wl,--strip-all -o floats.wasm floats.c
typedef unsigned int u32;
typedef unsigned long long u64;

#define BODIES 5
static double position[BODIES][3], velocity[BODIES][3], mass[BODIES];

static void place(void) {
	for (int i = 0; i < BODIES; i++) {
		mass[i] = i == 0 ? 39.47 : 0.04 / i;
		for (int k = 0; k < 3; k++) {
			position[i][k] = i * (5.0 + k) * (k == 1 ? -1 : 1);
			velocity[i][k] = i * 0.6 / (1 + k) * (k == 2 ? -1 : 1);
		}
	}
}

static void advance(double dt) {
	for (int i = 0; i < BODIES; i++) {
		for (int j = i + 1; j < BODIES; j++) {
			double dx = position[i][0] - position[j][0];
			double dy = position[i][1] - position[j][1];
			double dz = position[i][2] - position[j][2];
			double square = dx * dx + dy * dy + dz * dz;
			double scale = dt / (square * __builtin_sqrt(square));
			velocity[i][0] -= dx * mass[j] * scale;
			velocity[i][1] -= dy * mass[j] * scale;
			velocity[i][2] -= dz * mass[j] * scale;
			velocity[j][0] += dx * mass[i] * scale;
			velocity[j][1] += dy * mass[i] * scale;
			velocity[j][2] += dz * mass[i] * scale;
		}
	}
	for (int i = 0; i < BODIES; i++)
		for (int k = 0; k < 3; k++)
			position[i][k] += dt * velocity[i][k];
}

// bodies gives the bits of where a body is in the end.
__attribute__((export_name("bodies"))) u64 bodies(u32 steps, u32 which) {
	place();
	for (u32 i = 0; i < steps; i++)
		advance(0.01);
	return *(u64 *)&position[which % BODIES][0];
}

#define SIZE 64
static double left[SIZE][SIZE], right[SIZE][SIZE], product[SIZE][SIZE];

// matrices gives the bits of one number of a product.
__attribute__((export_name("matrices"))) u64 matrices(u32 rounds, u32 which) {
	for (int i = 0; i < SIZE; i++)
		for (int j = 0; j < SIZE; j++) {
			left[i][j] = i - 0.5 * j;
			right[i][j] = 1.0 / (1 + i + j);
		}
	for (u32 r = 0; r < rounds; r++)
		for (int i = 0; i < SIZE; i++)
			for (int j = 0; j < SIZE; j++) {
				double sum = 0;
				for (int k = 0; k < SIZE; k++)
					sum += left[i][k] * right[k][j];
				product[i][j] = sum;
			}
	return *(u64 *)&product[which % SIZE][which / SIZE % SIZE];
}
