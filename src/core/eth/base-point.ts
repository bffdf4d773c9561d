import { type Hex } from './bytes';

/**
 * The base point G of secp256k1 (SEC 2, 2.4.1), 64 bytes: x, y. Written out, so that what only needs a point of the
 * curve does not need code that signs.
 */
export const BASE_POINT: Hex =
  '0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8';
