import { etc, Point } from '@noble/secp256k1';

import { type Signature } from './secp256k1';

const { n: ORDER, p: FIELD } = Point.CURVE();
const { bytesToNumberBE: numberOf, invert, mod } = etc;

/** The bits of a scalar are read in this many rows, one of each at a time. */
const ROWS = 6;
const COLUMNS = Math.ceil(256 / ROWS);

/**
 * The sums of every choice among P, 2^43 P, 2^86 P, … A multiple of P is then 43 doublings and additions instead of 256
 * and 128 (comb method, Handbook of Applied Cryptography, 14.117).
 */
function tableOf(point: Point): readonly Point[] {
  const table = [Point.ZERO];
  let power = point;
  for (let row = 0; row < ROWS; row++) {
    table.push(...table.map((sum) => sum.add(power)));
    for (let times = 0; times < COLUMNS && row < ROWS - 1; times++) power = power.double();
  }
  return table;
}

function multiple(table: readonly Point[], scalar: bigint): Point {
  const bits = scalar.toString(2).padStart(ROWS * COLUMNS, '0');
  let sum = Point.ZERO;
  for (let column = 0; column < COLUMNS; column++) {
    let choice = 0;
    for (let row = 0; row < ROWS; row++) choice = 2 * choice + Number(bits[row * COLUMNS + column]);
    sum = sum.double().add(table[choice] ?? Point.ZERO);
  }
  return sum;
}

/**
 * A public key whose signatures are checked again and again. The check is as strict as recovering the key from the
 * signature, and takes about a quarter of the time. A public key is no secret, so nothing here needs constant time.
 */
export class KnownKey {
  readonly #table: readonly Point[];

  /**
   * @param publicKey - 64 bytes: x, y.
   * @throws {Error} If it is not on the curve.
   */
  constructor(publicKey: Uint8Array) {
    this.#table = tableOf(Point.fromBytes(Uint8Array.of(4, ...publicKey)));
  }

  /**
   * @param digest - 32 bytes.
   * @returns Whether recovery gives this key (SEC 1, 4.1.4 and 4.1.6): u1 G + u2 P is the point with the x-coordinate
   * `r` and the parity of the signature.
   */
  made(digest: Uint8Array, { r: rBytes, s: sBytes, yParity }: Signature): boolean {
    const [r, s] = [numberOf(rBytes), numberOf(sBytes)];
    if (r === 0n || r >= ORDER || s === 0n || 2n * s > ORDER) return false;
    const inverse = invert(s, ORDER);
    const u1 = mod(numberOf(digest) * inverse, ORDER);
    const point = Point.BASE.multiplyUnsafe(u1).add(multiple(this.#table, mod(r * inverse, ORDER)));
    if (point.is0() || mod(r * point.Z, FIELD) !== point.X) return false;
    return (point.toAffine().y & 1n) === BigInt(yParity);
  }
}
