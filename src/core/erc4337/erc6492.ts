import { serializeErc6492Signature } from 'viem/utils';

import { type Hex, lowerCase } from '../eth/bytes';
import { splitInitCode } from './packed-fields';

/**
 * Wraps the signature of an account that is not deployed yet (ERC-6492). A verifier deploys the account, then calls it
 * (ERC-1271).
 *
 * @param initCode - Deploys the account; 0x if it is deployed, in which case the signature is returned unchanged.
 *
 * @example
 * ```ts
 * import { KINDS } from './kinds';
 * const kind = KINDS['safe-0.7'];
 * const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
 * const initCode = kind.initCode({ factory: kind.factory, owner, salt: 0n });
 * withDeployment(kind.dummySignature, initCode).endsWith('6492'.repeat(16)); // => true
 * withDeployment(kind.dummySignature, '0x') === kind.dummySignature; // => true
 * ```
 */
export function withDeployment(signature: Hex, initCode: Hex): Hex {
  const parts = splitInitCode(lowerCase(initCode));
  return parts === undefined
    ? signature
    : serializeErc6492Signature({ address: parts.factory, data: parts.factoryData, signature: lowerCase(signature) });
}
