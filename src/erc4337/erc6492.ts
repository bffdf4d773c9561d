import { fromHex, type Hex, toHex } from '../eth/bytes';
import { addressItem, bytesItem, encodeArguments } from './abi';
import { splitInitCode } from './packed-fields';

/** The end by which a verifier knows such a signature. */
const MAGIC = '6492'.repeat(16);

/**
 * The signature of an account that is not deployed yet (ERC-6492): abi.encode(factory, its call data,
 * signature) and the magic bytes. A verifier deploys the account first, and then asks it (ERC-1271).
 *
 * @param initCode - What deploys the account; 0x if it is there: the signature is as it is then.
 */
export function withDeployment(signature: Hex, initCode: Hex): Hex {
  const parts = splitInitCode(initCode);
  if (parts === undefined) return signature;
  const items = [addressItem(parts.factory), bytesItem(fromHex(parts.factoryData)), bytesItem(fromHex(signature))];
  return `${toHex(encodeArguments(items))}${MAGIC}`;
}
