import { serializeErc6492Signature } from 'viem/utils';

import { type Hex, lowerCase } from '../eth/bytes';
import { splitInitCode } from './packed-fields';

/**
 * Wraps the signature of an account that is not deployed yet (ERC-6492). A verifier deploys the account, then calls it
 * (ERC-1271).
 *
 * @param initCode - Deploys the account; 0x if it is deployed, in which case the signature is returned unchanged.
 */
export function withDeployment(signature: Hex, initCode: Hex): Hex {
  const parts = splitInitCode(lowerCase(initCode));
  return parts === undefined
    ? signature
    : serializeErc6492Signature({ address: parts.factory, data: parts.factoryData, signature: lowerCase(signature) });
}
