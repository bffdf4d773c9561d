import { serializeErc6492Signature } from 'viem/utils';

import { type Hex, lowerCase } from '../eth/bytes';
import { splitInitCode } from './packed-fields';

/**
 * The signature of an account that is not deployed yet (ERC-6492). A verifier deploys the account first, and then
 * asks it (ERC-1271).
 *
 * @param initCode - What deploys the account; 0x if it is there: the signature is as it is then.
 */
export function withDeployment(signature: Hex, initCode: Hex): Hex {
  const parts = splitInitCode(lowerCase(initCode));
  return parts === undefined
    ? signature
    : serializeErc6492Signature({ address: parts.factory, data: parts.factoryData, signature: lowerCase(signature) });
}
