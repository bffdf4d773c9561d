import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { format, resolveConfig } from 'prettier';

const FILE = resolve(dirname(fileURLToPath(import.meta.url)), '../src/eth/keccak-permutation.ts');

/** FIPS 202, table 2: by how much rho rotates lane (x, y), at [x][y]. */
const ROTATIONS = [
  [0, 36, 3, 41, 18],
  [1, 44, 10, 45, 2],
  [62, 6, 43, 15, 61],
  [28, 55, 25, 21, 56],
  [27, 20, 39, 8, 14],
];

const FIVE = [0, 1, 2, 3, 4];

/** The names of the two halves of lane (x, y), low first. */
const lane = (x: number, y: number): [string, string] => {
  const at = (x % 5) + 5 * y;
  return [`s[${2 * at}]!`, `s[${2 * at + 1}]!`];
};

/** @returns The halves of a lane that is rotated left. */
function rotated([low, high]: [string, string], by: number): [string, string] {
  if (by === 0) return [low, high];
  if (by > 32) return rotated([high, low], by - 32);
  const half = (a: string, b: string) => `(${a} << ${by}) | (${b} >>> ${32 - by})`;
  return [half(low, high), half(high, low)];
}

/** FIPS 202, 3.2: theta, then rho and pi, then chi and iota; each lane in two halves. */
function round(): string[] {
  const lines: string[] = [];
  for (const x of FIVE) {
    const [lows, highs] = [0, 1].map((half) => FIVE.map((y) => lane(x, y)[half]).join(' ^ '));
    lines.push(`const c${x} = ${lows}, C${x} = ${highs};`);
  }
  for (const x of FIVE) {
    const next = (x + 1) % 5;
    const [low, high] = rotated([`c${next}`, `C${next}`], 1);
    lines.push(`const d${x} = c${(x + 4) % 5} ^ (${low}), D${x} = C${(x + 4) % 5} ^ (${high});`);
  }
  for (const x of FIVE) {
    for (const y of FIVE) {
      const to = y + 5 * ((2 * x + 3 * y) % 5);
      const [low, high] = lane(x, y);
      lines.push(`const t${to} = ${low} ^ d${x}, T${to} = ${high} ^ D${x};`);
      const [rotatedLow, rotatedHigh] = rotated([`t${to}`, `T${to}`], ROTATIONS[x]![y]!);
      lines.push(`const b${to} = ${rotatedLow}, B${to} = ${rotatedHigh};`);
    }
  }
  for (const y of FIVE) {
    for (const x of FIVE) {
      const [low, high] = lane(x, y);
      const [here, next, after] = [0, 1, 2].map((step) => ((x + step) % 5) + 5 * y);
      const [iotaLow, iotaHigh] =
        here === 0 ? [' ^ ROUND_CONSTANTS[round]!', ' ^ ROUND_CONSTANTS[round + 1]!'] : ['', ''];
      lines.push(`${low.slice(0, -1)} = b${here} ^ (~b${next} & b${after})${iotaLow};`);
      lines.push(`${high.slice(0, -1)} = B${here} ^ (~B${next} & B${after})${iotaHigh};`);
    }
  }
  return lines;
}

/** @returns The text of `src/eth/keccak-permutation.ts`. */
export async function keccakSource(): Promise<string> {
  const source = `
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
    ${round().join('\n')}
  }
}
`;
  return format(source, { ...(await resolveConfig(FILE)), parser: 'typescript' });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const source = await keccakSource();
  if (!process.argv.includes('--check')) writeFileSync(FILE, source);
  else if (readFileSync(FILE, 'utf8') !== source) throw new Error(`${FILE} is not what this script writes: run it`);
}
