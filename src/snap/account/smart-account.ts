import { getAddress } from 'viem/utils';

import { type Deployment } from '../../core/erc4337/kind';
import { type KindName, KINDS } from '../../core/kinds';
import { StateError } from '../../core/errors';
import { isSameAddress } from '../../core/eth/address';
import { type Hex, lowerCase, quantityToHex } from '../../core/eth/bytes';
import { MESSAGE_METHODS, SMART_ACCOUNT_METHODS } from './methods';
import { type SmartAccount } from '../network/operation-chain';
import { type Entropy } from '../wallet/client';
import { type ChainName } from '../../core/schemas/chain';
import {
  accountId,
  type KeySource,
  keyOptions,
  SMART_TYPE,
  type SmartAccountEntry,
  type StoredSmartAccount,
} from './account';
import { addressOfKey } from './keys';

/** The parameters that determine a smart account in addition to its owner. */
type Making = {
  readonly kind: KindName;
  readonly salt: bigint;
  /** The factory, if it is not the canonical one. */
  readonly factory?: Hex | undefined;
  /** The address of an account that a recovery gave to the owner's key. */
  readonly recovered?: Hex | undefined;
};

/** @returns The owner address of a smart account of this kind. */
export const ownerOf = (kind: KindName, key: KeySource, entropy: Entropy): Promise<Hex> =>
  addressOfKey({ source: key, purpose: `${SMART_TYPE}/${kind}` }, entropy);

/** @returns The deployment and address of a smart account, which are the same on every machine and chain. */
export function deploymentOf({ kind, salt, factory }: Making, owner: Hex): { deployment: Deployment; address: Hex } {
  const deployment = { factory: factory ?? KINDS[kind].factory, owner, salt };
  return { deployment, address: KINDS[kind].address(deployment) };
}

/** @returns A new smart account, not announced yet. */
export async function newSmartAccount(
  making: Making & { readonly key: KeySource },
  scopes: readonly ChainName[],
  entropy: Entropy,
): Promise<StoredSmartAccount> {
  const { kind, key, recovered } = making;
  const { deployment, address: derived } = deploymentOf(making, await ownerOf(kind, key, entropy));
  const address = recovered === undefined ? derived : getAddress(lowerCase(recovered));
  const { entryPointVersion, messageDigest } = KINDS[kind];
  return {
    account: {
      id: accountId(address, SMART_TYPE),
      type: SMART_TYPE,
      address,
      scopes: [...scopes],
      methods: [...(messageDigest === undefined ? [] : MESSAGE_METHODS), ...SMART_ACCOUNT_METHODS],
      options: {
        ...keyOptions(key),
        kind,
        entryPointVersion,
        owner: deployment.owner,
        ...(recovered !== undefined && { isRecovered: true }),
      },
    },
    key,
    announced: false,
    smart: {
      kind,
      owner: deployment.owner,
      factory: deployment.factory,
      salt: quantityToHex(deployment.salt),
      ...(recovered !== undefined && { isRecovered: true }),
    },
  };
}

/** Verified accounts, by their cached entry. Computing an address takes four hashes. */
const verified = new WeakMap<SmartAccountEntry, SmartAccount>();

/**
 * Converts a stored smart account to the form that the methods use.
 *
 * @throws {StateError} If its address does not match its deployment. Nothing may be signed for it then.
 */
export function smartAccountOf(entry: SmartAccountEntry): SmartAccount {
  const known = verified.get(entry);
  if (known !== undefined) return known;
  const {
    account: { address },
    smart,
  } = entry;
  const kind = KINDS[smart.kind];
  const owned = kind.canHaveSeveralOwners === true && { owner: smart.owner };
  // It exists already. Its address comes from its first owner, whose key is lost.
  if (smart.isRecovered === true) return { address, kind, initCode: '0x', ...owned };
  const deployment = { factory: smart.factory, owner: smart.owner, salt: BigInt(smart.salt) };
  if (!isSameAddress(kind.address(deployment), address))
    throw new StateError(
      'The stored smart account is damaged: its owner, factory and salt give another address. Nothing was signed.',
    );
  const account = {
    address,
    kind,
    initCode: kind.initCode(deployment),
    ...owned,
  };
  verified.set(entry, account);
  return account;
}
