/* Made by scripts/generate-keccak.ts; change that, and run it. */
/* eslint-disable @typescript-eslint/no-non-null-assertion -- each index is a number below 50 */

/** FIPS 202, algorithm 5: 24 constants in two halves each, low first. Only bits at 2^j - 1 may be set: a shift register tells which. */
const ROUND_CONSTANTS = new Int32Array(48);
for (let round = 0, register = 1; round < 48; round += 2) {
  for (let power = 1; power <= 64; power *= 2) {
    if ((register & 1) === 1) ROUND_CONSTANTS[round + (power >> 6)]! ^= 1 << (power - 1);
    register = (register << 1) ^ ((register >> 7) * 0x171);
  }
}

/**
 * Keccak-f[1600] (FIPS 202, 3.3), written out lane by lane: engines that run snaps are several times as fast on this
 * as on loops over tables.
 *
 * @param s - 25 lanes in two halves each, low first; changed in place.
 */
export function keccakF1600(s: Int32Array): void {
  for (let round = 0; round < 48; round += 2) {
    const c0 = s[0]! ^ s[10]! ^ s[20]! ^ s[30]! ^ s[40]!,
      C0 = s[1]! ^ s[11]! ^ s[21]! ^ s[31]! ^ s[41]!;
    const c1 = s[2]! ^ s[12]! ^ s[22]! ^ s[32]! ^ s[42]!,
      C1 = s[3]! ^ s[13]! ^ s[23]! ^ s[33]! ^ s[43]!;
    const c2 = s[4]! ^ s[14]! ^ s[24]! ^ s[34]! ^ s[44]!,
      C2 = s[5]! ^ s[15]! ^ s[25]! ^ s[35]! ^ s[45]!;
    const c3 = s[6]! ^ s[16]! ^ s[26]! ^ s[36]! ^ s[46]!,
      C3 = s[7]! ^ s[17]! ^ s[27]! ^ s[37]! ^ s[47]!;
    const c4 = s[8]! ^ s[18]! ^ s[28]! ^ s[38]! ^ s[48]!,
      C4 = s[9]! ^ s[19]! ^ s[29]! ^ s[39]! ^ s[49]!;
    const d0 = c4 ^ ((c1 << 1) | (C1 >>> 31)),
      D0 = C4 ^ ((C1 << 1) | (c1 >>> 31));
    const d1 = c0 ^ ((c2 << 1) | (C2 >>> 31)),
      D1 = C0 ^ ((C2 << 1) | (c2 >>> 31));
    const d2 = c1 ^ ((c3 << 1) | (C3 >>> 31)),
      D2 = C1 ^ ((C3 << 1) | (c3 >>> 31));
    const d3 = c2 ^ ((c4 << 1) | (C4 >>> 31)),
      D3 = C2 ^ ((C4 << 1) | (c4 >>> 31));
    const d4 = c3 ^ ((c0 << 1) | (C0 >>> 31)),
      D4 = C3 ^ ((C0 << 1) | (c0 >>> 31));
    const t0 = s[0]! ^ d0,
      T0 = s[1]! ^ D0;
    const b0 = t0,
      B0 = T0;
    const t16 = s[10]! ^ d0,
      T16 = s[11]! ^ D0;
    const b16 = (T16 << 4) | (t16 >>> 28),
      B16 = (t16 << 4) | (T16 >>> 28);
    const t7 = s[20]! ^ d0,
      T7 = s[21]! ^ D0;
    const b7 = (t7 << 3) | (T7 >>> 29),
      B7 = (T7 << 3) | (t7 >>> 29);
    const t23 = s[30]! ^ d0,
      T23 = s[31]! ^ D0;
    const b23 = (T23 << 9) | (t23 >>> 23),
      B23 = (t23 << 9) | (T23 >>> 23);
    const t14 = s[40]! ^ d0,
      T14 = s[41]! ^ D0;
    const b14 = (t14 << 18) | (T14 >>> 14),
      B14 = (T14 << 18) | (t14 >>> 14);
    const t10 = s[2]! ^ d1,
      T10 = s[3]! ^ D1;
    const b10 = (t10 << 1) | (T10 >>> 31),
      B10 = (T10 << 1) | (t10 >>> 31);
    const t1 = s[12]! ^ d1,
      T1 = s[13]! ^ D1;
    const b1 = (T1 << 12) | (t1 >>> 20),
      B1 = (t1 << 12) | (T1 >>> 20);
    const t17 = s[22]! ^ d1,
      T17 = s[23]! ^ D1;
    const b17 = (t17 << 10) | (T17 >>> 22),
      B17 = (T17 << 10) | (t17 >>> 22);
    const t8 = s[32]! ^ d1,
      T8 = s[33]! ^ D1;
    const b8 = (T8 << 13) | (t8 >>> 19),
      B8 = (t8 << 13) | (T8 >>> 19);
    const t24 = s[42]! ^ d1,
      T24 = s[43]! ^ D1;
    const b24 = (t24 << 2) | (T24 >>> 30),
      B24 = (T24 << 2) | (t24 >>> 30);
    const t20 = s[4]! ^ d2,
      T20 = s[5]! ^ D2;
    const b20 = (T20 << 30) | (t20 >>> 2),
      B20 = (t20 << 30) | (T20 >>> 2);
    const t11 = s[14]! ^ d2,
      T11 = s[15]! ^ D2;
    const b11 = (t11 << 6) | (T11 >>> 26),
      B11 = (T11 << 6) | (t11 >>> 26);
    const t2 = s[24]! ^ d2,
      T2 = s[25]! ^ D2;
    const b2 = (T2 << 11) | (t2 >>> 21),
      B2 = (t2 << 11) | (T2 >>> 21);
    const t18 = s[34]! ^ d2,
      T18 = s[35]! ^ D2;
    const b18 = (t18 << 15) | (T18 >>> 17),
      B18 = (T18 << 15) | (t18 >>> 17);
    const t9 = s[44]! ^ d2,
      T9 = s[45]! ^ D2;
    const b9 = (T9 << 29) | (t9 >>> 3),
      B9 = (t9 << 29) | (T9 >>> 3);
    const t5 = s[6]! ^ d3,
      T5 = s[7]! ^ D3;
    const b5 = (t5 << 28) | (T5 >>> 4),
      B5 = (T5 << 28) | (t5 >>> 4);
    const t21 = s[16]! ^ d3,
      T21 = s[17]! ^ D3;
    const b21 = (T21 << 23) | (t21 >>> 9),
      B21 = (t21 << 23) | (T21 >>> 9);
    const t12 = s[26]! ^ d3,
      T12 = s[27]! ^ D3;
    const b12 = (t12 << 25) | (T12 >>> 7),
      B12 = (T12 << 25) | (t12 >>> 7);
    const t3 = s[36]! ^ d3,
      T3 = s[37]! ^ D3;
    const b3 = (t3 << 21) | (T3 >>> 11),
      B3 = (T3 << 21) | (t3 >>> 11);
    const t19 = s[46]! ^ d3,
      T19 = s[47]! ^ D3;
    const b19 = (T19 << 24) | (t19 >>> 8),
      B19 = (t19 << 24) | (T19 >>> 8);
    const t15 = s[8]! ^ d4,
      T15 = s[9]! ^ D4;
    const b15 = (t15 << 27) | (T15 >>> 5),
      B15 = (T15 << 27) | (t15 >>> 5);
    const t6 = s[18]! ^ d4,
      T6 = s[19]! ^ D4;
    const b6 = (t6 << 20) | (T6 >>> 12),
      B6 = (T6 << 20) | (t6 >>> 12);
    const t22 = s[28]! ^ d4,
      T22 = s[29]! ^ D4;
    const b22 = (T22 << 7) | (t22 >>> 25),
      B22 = (t22 << 7) | (T22 >>> 25);
    const t13 = s[38]! ^ d4,
      T13 = s[39]! ^ D4;
    const b13 = (t13 << 8) | (T13 >>> 24),
      B13 = (T13 << 8) | (t13 >>> 24);
    const t4 = s[48]! ^ d4,
      T4 = s[49]! ^ D4;
    const b4 = (t4 << 14) | (T4 >>> 18),
      B4 = (T4 << 14) | (t4 >>> 18);
    s[0] = b0 ^ (~b1 & b2) ^ ROUND_CONSTANTS[round]!;
    s[1] = B0 ^ (~B1 & B2) ^ ROUND_CONSTANTS[round + 1]!;
    s[2] = b1 ^ (~b2 & b3);
    s[3] = B1 ^ (~B2 & B3);
    s[4] = b2 ^ (~b3 & b4);
    s[5] = B2 ^ (~B3 & B4);
    s[6] = b3 ^ (~b4 & b0);
    s[7] = B3 ^ (~B4 & B0);
    s[8] = b4 ^ (~b0 & b1);
    s[9] = B4 ^ (~B0 & B1);
    s[10] = b5 ^ (~b6 & b7);
    s[11] = B5 ^ (~B6 & B7);
    s[12] = b6 ^ (~b7 & b8);
    s[13] = B6 ^ (~B7 & B8);
    s[14] = b7 ^ (~b8 & b9);
    s[15] = B7 ^ (~B8 & B9);
    s[16] = b8 ^ (~b9 & b5);
    s[17] = B8 ^ (~B9 & B5);
    s[18] = b9 ^ (~b5 & b6);
    s[19] = B9 ^ (~B5 & B6);
    s[20] = b10 ^ (~b11 & b12);
    s[21] = B10 ^ (~B11 & B12);
    s[22] = b11 ^ (~b12 & b13);
    s[23] = B11 ^ (~B12 & B13);
    s[24] = b12 ^ (~b13 & b14);
    s[25] = B12 ^ (~B13 & B14);
    s[26] = b13 ^ (~b14 & b10);
    s[27] = B13 ^ (~B14 & B10);
    s[28] = b14 ^ (~b10 & b11);
    s[29] = B14 ^ (~B10 & B11);
    s[30] = b15 ^ (~b16 & b17);
    s[31] = B15 ^ (~B16 & B17);
    s[32] = b16 ^ (~b17 & b18);
    s[33] = B16 ^ (~B17 & B18);
    s[34] = b17 ^ (~b18 & b19);
    s[35] = B17 ^ (~B18 & B19);
    s[36] = b18 ^ (~b19 & b15);
    s[37] = B18 ^ (~B19 & B15);
    s[38] = b19 ^ (~b15 & b16);
    s[39] = B19 ^ (~B15 & B16);
    s[40] = b20 ^ (~b21 & b22);
    s[41] = B20 ^ (~B21 & B22);
    s[42] = b21 ^ (~b22 & b23);
    s[43] = B21 ^ (~B22 & B23);
    s[44] = b22 ^ (~b23 & b24);
    s[45] = B22 ^ (~B23 & B24);
    s[46] = b23 ^ (~b24 & b20);
    s[47] = B23 ^ (~B24 & B20);
    s[48] = b24 ^ (~b20 & b21);
    s[49] = B24 ^ (~B20 & B21);
  }
}
