import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';

import { toHex } from '../../../eth/bytes';
import { type Assertion, ORDER, type PasskeyPoint, rsOfDer } from './webauthn';

/** P-256 (SEC 2, 2.4.2): y² = x³ - 3x + b over the integers modulo p, and the base point. */
const P = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n;
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;
const BASE: PasskeyPoint = {
  x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
};

/** undefined is the point at infinity. */
type Sum = PasskeyPoint | undefined;

const mod = (value: bigint, modulus = P): bigint => ((value % modulus) + modulus) % modulus;

function power(base: bigint, exponent: bigint, modulus = P): bigint {
  let [result, square] = [1n, mod(base, modulus)];
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

const inverse = (value: bigint, modulus = P): bigint => power(value, modulus - 2n, modulus);

const negated = ({ x, y }: PasskeyPoint): PasskeyPoint => ({ x, y: mod(-y) });

/** @returns Whether two points are the same. */
export const isSamePoint = (a: PasskeyPoint, b: PasskeyPoint): boolean => a.x === b.x && a.y === b.y;

function add(a: Sum, b: Sum): Sum {
  if (a === undefined || b === undefined) return a ?? b;
  if (a.x === b.x && !isSamePoint(a, b)) return undefined;
  const slope = a.x === b.x ? (3n * a.x * a.x - 3n) * inverse(2n * a.y) : (b.y - a.y) * inverse(b.x - a.x);
  const x = mod(slope * slope - a.x - b.x);
  return { x, y: mod(slope * (a.x - x) - a.y) };
}

function multiply(factor: bigint, point: PasskeyPoint): Sum {
  let result: Sum;
  let doubled: Sum = point;
  for (let left = factor; left > 0n; left >>= 1n) {
    if (left & 1n) result = add(result, doubled);
    doubled = add(doubled, doubled);
  }
  return result;
}

/** @returns A point with this x; undefined if the curve has none. */
function pointAt(x: bigint): Sum {
  const square = mod(x ** 3n - 3n * x + B);
  const y = power(square, (P + 1n) / 4n);
  return mod(y * y) === square ? { x, y } : undefined;
}

/**
 * The public keys with which an assertion verifies (SEC 1, 4.1.6). Usually two: one signature cannot say which of them
 * made it. What it computes is public, so it takes no care of how long that takes.
 *
 * @throws {InvalidParamsError} If the signature is not one of P-256.
 */
export function recoverKeys({ authenticatorData, clientDataJSON, signature }: Assertion): readonly PasskeyPoint[] {
  const { r, s } = rsOfDer(signature);
  const digest = BigInt(toHex(sha256(concatBytes(authenticatorData, sha256(clientDataJSON)))));
  const inverseOfR = inverse(r, ORDER);
  const ofDigest = multiply(mod(-digest * inverseOfR, ORDER), BASE);
  // r is the x of a point, reduced by the order.
  return [r, r + ORDER].flatMap((x) => {
    const point = x < P ? pointAt(x) : undefined;
    const ofPoint = point && multiply(mod(s * inverseOfR, ORDER), point);
    return ofPoint === undefined ? [] : [ofPoint, negated(ofPoint)].flatMap((each) => add(ofDigest, each) ?? []);
  });
}
