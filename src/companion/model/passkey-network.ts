import { type Hex } from 'viem';
import { call, getCode } from 'viem/actions';

import {
  FALLBACK_VERIFIERS,
  hasKnownCode,
  P256_PRECOMPILE,
  SIGNER_FACTORIES,
  type SignerFactory,
  verifiersOf,
} from '../../core/safe/passkey/signer';
import { type NodeClient } from './node';

/** A valid signature of P-256 (hash, r, s, x, y), which the precompile confirms with 1. */
const VALID_SIGNATURE: Hex =
  '0x6071f3fda5a859bec1f4bccc3be96c8a498a2219544a5e9d00e341353559371979773b50588d4bf3f0d2747e820c1358b9276b13def72f7d90e34cf581be99081ce8a2bbdc647f258ffd648a2c9ca5e9a1db52bdf1b3f513c700e77c361ffe8d1affa19ad7bd1569ce7fb2952f8b82004f55009df79b191fee81011de62a7ef3a00d6f3ac15d2123000ad1de9be12e83bd2e74b319733fe8dc591618a6ed07a7';

/** The contracts that a network needs so that a passkey can own a Safe there. */
export type PasskeySupport = { readonly factory: SignerFactory & { readonly code: Hex }; readonly verifiers: Hex };

/** @returns Those of the known contracts that the network has with the code that Keystead knows, and that code. */
export async function presentOf<T extends { readonly address: Hex; readonly codeHash: Hex }>(
  known: readonly T[],
  node: NodeClient,
): Promise<readonly (T & { readonly code: Hex })[]> {
  const codes = await Promise.all(known.map(({ address }) => getCode(node, { address })));
  return known
    .map((one, index) => ({ ...one, code: codes[index] ?? '0x' }) as const)
    .filter((one) => hasKnownCode(one, one.code));
}

/**
 * Finds the signer factory and the verifiers of a network. Contracts count only with the code that Keystead knows.
 *
 * @throws If the network lacks them; the message says what, for people.
 */
export async function passkeySupport(node: NodeClient): Promise<PasskeySupport> {
  const [[factory], [fallback], { data: confirmed }] = await Promise.all([
    presentOf(SIGNER_FACTORIES, node),
    presentOf(FALLBACK_VERIFIERS, node),
    call(node, { to: P256_PRECOMPILE, data: VALID_SIGNATURE }),
  ]);
  const versions = SIGNER_FACTORIES.map(({ version }) => version).join(' or ');
  if (factory === undefined)
    throw new Error(
      `This network does not have Safe’s signer factory ${versions}, with the code that Keystead knows, so a passkey cannot be an owner here. Nothing was made.`,
    );
  const hasPrecompile = confirmed !== undefined && BigInt(confirmed) === 1n;
  if (!hasPrecompile && fallback === undefined)
    throw new Error(
      'This network has neither the precompile nor a verifier contract that Keystead knows for signatures of passkeys, so a passkey cannot be an owner here. Nothing was made.',
    );
  return { factory, verifiers: verifiersOf(hasPrecompile, fallback?.address) };
}
