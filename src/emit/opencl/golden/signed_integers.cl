#pragma OPENCL FP_CONTRACT OFF

static int vyre_div_i32(int a, int b) {
  return b == 0 ? -1 : b == -1 ? (int)(0 - (uint)a) : a / b;
}

static long vyre_div_i64(long a, long b) {
  return b == 0 ? -1 : b == -1 ? (long)(0 - (ulong)a) : a / b;
}

static long vyre_i32_to_i64(int a) {
  return (long)(((ulong)(uint)a ^ 0x80000000ul) - 0x80000000ul);
}

static int vyre_mod_i32(int a, int b) {
  return b == 0 || b == -1 ? 0 : a % b;
}

static long vyre_mod_i64(long a, long b) {
  return b == 0 || b == -1 ? 0 : a % b;
}

// program signed_integers
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void signed_integers(
    __global const int* restrict a,
    __global const long* restrict b,
    __global int* restrict y,
    __global long* restrict z,
    uint n,
    int s,
    long t) {
  const uint i = (uint)get_global_id(0);
  if (i < n) {
    const int p = a[i];
    const long q = b[i];
    y[i] = (int)(((uint)p + (uint)s) * ((uint)p - (uint)s) - (0u - (uint)p) + (uint)(int)abs(p) * 3u);
    y[i] = (int)((uint)y[i] + (uint)vyre_div_i32(p, s) + (uint)vyre_mod_i32(p, s) + (uint)(p / 7) + (uint)(p % -5) + (uint)vyre_div_i32(p, -1));
    y[i] = y[i] ^ ((int)((uint)p << ((uint)s & 31u)) | ((p >> 3u) & ~s));
    y[i] = (int)((uint)y[i] + (uint)mul_hi(p, s) + (uint)popcount(p) + (uint)clz(s) + (uint)min(p, max(s, -2147483647 - 1)));
    z[i] = (long)(((ulong)q + (ulong)t) * ((ulong)q - (ulong)t) - (0u - (ulong)q) + (ulong)(long)abs(q) * 9223372036854775808ul);
    z[i] = (long)((ulong)z[i] + (ulong)vyre_div_i64(q, t) + (ulong)vyre_mod_i64(q, t) + (ulong)(long)((ulong)q << 63u) + (ulong)(q >> ((uint)s & 63u)) + (ulong)mul_hi(q, t));
    z[i] = (long)((ulong)z[i] + (ulong)(vyre_i32_to_i64(p) * 2l));
  }
}
