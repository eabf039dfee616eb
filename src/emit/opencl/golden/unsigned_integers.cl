#pragma OPENCL FP_CONTRACT OFF

static uint vyre_div_u32(uint a, uint b) {
  return b == (uint)(0) ? ~(uint)(0) : a / (b == (uint)(0) ? (uint)(1) : b);
}

static ulong vyre_div_u64(ulong a, ulong b) {
  return b == (ulong)(0) ? ~(ulong)(0) : a / (b == (ulong)(0) ? (ulong)(1) : b);
}

static uint vyre_mod_u32(uint a, uint b) {
  return b == (uint)(0) ? (uint)(0) : a % (b == (uint)(0) ? (uint)(1) : b);
}

static ulong vyre_mod_u64(ulong a, ulong b) {
  return b == (ulong)(0) ? (ulong)(0) : a % (b == (ulong)(0) ? (ulong)(1) : b);
}

// program unsigned_integers
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void unsigned_integers(
    __global const uint* restrict a,
    __global const ulong* restrict b,
    __global uint* restrict y,
    __global ulong* restrict z,
    uint n,
    uint s,
    ulong t) {
  const uint i = (uint)get_global_id(0);
  if (i >= n) {
    return;
  }
  const uint p = a[i];
  const ulong q = b[i];
  y[i] = vyre_div_u32(p, s) + vyre_mod_u32(p, s) + p / 3u + p % n;
  y[i] = ((y[i] << (s & 31u)) ^ (y[i] >> (s & 31u))) | ~p;
  y[i] = y[i] + mul_hi(p, s) * popcount(p) - clz(p) + min(p, max(s, 4u));
  z[i] = vyre_div_u64(q, t) + vyre_mod_u64(q, t) + q / 10ul + (q << (s & 63u)) + (q >> 40u) * 18446744073709551615ul;
  z[i] = z[i] + (ulong)p * (ulong)s + mul_hi(q, t);
}
