import { type AccountVersion } from '../erc4337/entry-points';
import { type Deployment } from '../erc4337/kind';
import { KIND_OF_VERSION, type KindName, KINDS } from '../erc4337/kinds';
import { StateError } from '../errors';
import { isSameAddress } from '../eth/address';
import { type Hex, quantityToHex } from '../eth/bytes';
import { SMART_ACCOUNT_METHODS } from '../methods';
import { type SmartAccount } from '../methods/user-operation-context';
import { type Entropy } from '../platform/entropy';
import { type ChainName } from '../wire/chain';
import { accountId, type KeySource, keyOptions, type StoredSmartAccount } from './account';
import { addressOfKey } from './keys';

const TYPE = 'eip155:erc4337';

/** What determines a smart account. */
type Making = {
  readonly version: AccountVersion;
  readonly key: KeySource;
  readonly salt: bigint;
  /** The factory, where it is not the canonical one. */
  readonly factory?: Hex | undefined;
};

/** @returns Kind and deployment of a smart account; the same on every machine and every chain. */
export async function deploymentOf(
  { version, key, salt, factory }: Making,
  entropy: Entropy,
): Promise<{ kind: KindName; deployment: Deployment; address: Hex }> {
  const kind = KIND_OF_VERSION[version];
  const owner = await addressOfKey({ source: key, purpose: `${TYPE}/${kind}` }, entropy);
  const deployment = { factory: factory ?? KINDS[kind].factory, owner, salt };
  return { kind, deployment, address: KINDS[kind].address(deployment) };
}

/** @returns The account as it is stored before the wallet knows it. */
export async function newSmartAccount(making: Making, chain: ChainName, entropy: Entropy): Promise<StoredSmartAccount> {
  const { kind, deployment, address } = await deploymentOf(making, entropy);
  return {
    account: {
      id: accountId(address, TYPE),
      type: TYPE,
      address,
      scopes: [chain],
      methods: [...SMART_ACCOUNT_METHODS],
      options: { ...keyOptions(making.key), kind, entryPointVersion: making.version, owner: deployment.owner },
    },
    key: making.key,
    announced: false,
    smart: { kind, owner: deployment.owner, factory: deployment.factory, salt: quantityToHex(deployment.salt) },
  };
}

/**
 * What a stored smart account is to the methods.
 *
 * @throws {StateError} If its address is not that of its deployment: then nothing may be signed for it.
 */
export function smartAccountOf({ account: { address }, smart }: StoredSmartAccount): SmartAccount {
  const kind = KINDS[smart.kind];
  const deployment = { factory: smart.factory, owner: smart.owner, salt: BigInt(smart.salt) };
  if (!isSameAddress(kind.address(deployment), address))
    throw new StateError('The stored smart account is damaged: its parts give another address. Nothing was signed.');
  return { address, kind, deployment };
}
