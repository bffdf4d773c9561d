import { defaultName } from '../../core/accounts/account-name';
import { type OwnMethods } from '../../core/methods/own';
import { type RecoveredSafe } from '../../core/methods/results';
import { isSameAddress } from '../../core/eth/address';
import { type SnapClient } from './snap-client';
import { type Account, type Chain } from './types';

/** A search ends after this many unused indexes in a row. (BIP-44 uses 20 addresses; these are whole accounts.) */
const GAP_LIMIT = 3;
/**
 * The maximum number of indexes that one search covers: with a node that reports every address as used it would never
 * end.
 */
const MAX_INDEXES = 10;

/** The derivation path of a SimpleAccount (entry points 0.6 to 0.9) or a Safe (0.7). */
const SMART = /^m\/4337'\/([6-9])'\/(1'\/)?(\d+)'$/u;
const OWNED = /^m\/(\d+)'$/u;

/** A derived account that a node reports as used. */
export type Used = {
  readonly name: string;
  readonly index: number;
  /** Undefined for an externally owned account. */
  readonly kind: string | undefined;
  /** The chains on which it was used. */
  readonly chains: readonly string[];
  /** Of a Safe that a recovery gave to the key of this index; others follow from the index. */
  readonly address?: string;
};

export type Search = {
  readonly used: readonly Used[];
  /** The number of checked accounts of each kind, counted from the first. */
  readonly looked: number;
  /** The networks that were not searched to the end for Safes that a recovery gave to these keys. */
  readonly unsearched: readonly string[];
  /** Whether the search stopped although the last account checked was reported as used. */
  readonly isCutOff: boolean;
};

function readUsed({
  derivationPath,
  scopes: chains,
}: OwnMethods['keystead_discoverAccounts']['result'][number]): Used[] {
  const [, owned] = OWNED.exec(derivationPath) ?? [];
  const [, version, safe, smart] = SMART.exec(derivationPath) ?? [];
  const index = Number(owned ?? smart);
  // Skip kinds of account that this page does not know.
  if (Number.isNaN(index)) return [];
  const kind = version === undefined ? undefined : safe === undefined ? `simple-account-0.${version}` : 'safe-0.7';
  const ofSmart = kind === undefined ? undefined : { kind, isUsual: true };
  const name = defaultName({ address: '', key: { source: 'derived', index }, smart: ofSmart });
  return [{ name, index, kind, chains }];
}

const usedOf = (index: number, { chainId, address }: RecoveredSafe): Used => {
  const kind = 'safe-0.7';
  const name = defaultName({ address, key: { source: 'derived', index }, smart: { kind, isUsual: false } });
  return { name, index, kind, chains: [chainId], address };
};

/**
 * Finds the accounts of the recovery phrase that were used on the chains. The result is only as true as what the nodes
 * of these chains report.
 *
 * @param before - A search that was cut off, to continue.
 */
export async function searchAccounts(
  client: SnapClient,
  chains: readonly Chain[],
  before: Search = { used: [], looked: 0, unsearched: [], isCutOff: false },
): Promise<Search> {
  const used = [...before.used];
  const unsearched = new Set(before.unsearched);
  const scopes = chains.map(({ chainId }) => chainId);
  let looked = before.looked;
  let empty = 0;
  for (; empty < GAP_LIMIT && looked < before.looked + MAX_INDEXES; looked += 1) {
    const found = await client.dapp('keystead_discoverAccounts', {
      scopes,
      entropySource: 'default',
      groupIndex: looked,
    });
    const recovered = await client.dapp('keystead_findRecovered', { index: looked });
    used.push(...found.flatMap(readUsed), ...recovered.found.map((each) => usedOf(looked, each)));
    for (const chainId of recovered.unsearched) unsearched.add(chainId);
    empty = found.length + recovered.found.length === 0 ? empty + 1 : 0;
  }
  return { used, looked, unsearched: [...unsearched], isCutOff: empty === 0 };
}

const isSame = ({ address, index, kind }: Used, account: Account): boolean => {
  const { type, options } = account;
  if (address !== undefined) return isSameAddress(account.address, address);
  if (options.isRecovered === true || options.index !== index) return false;
  return kind === undefined ? type === 'eip155:eoa' : options.kind === kind;
};

/** @returns The used accounts that are missing here, or missing on some of the chains on which they were used. */
export function missing(used: readonly Used[], accounts: readonly Account[]): Used[] {
  return used.flatMap((each) => {
    const existing = accounts.find((account) => isSame(each, account));
    if (existing === undefined) return [each];
    const chains =
      each.kind === undefined ? [] : each.chains.filter((chain) => !existing.scopes.includes(chain as never));
    return chains.length === 0 ? [] : [{ ...each, chains }];
  });
}

/**
 * Adds a Safe that a recovery gave to the key of an index. Keystead shows its address and asks first.
 *
 * @throws If it is not a Safe that only this key controls.
 */
export const addRecovered = (
  client: SnapClient,
  {
    chainId,
    address,
    index,
    label,
  }: Record<'chainId' | 'address', string> & { readonly index: number; readonly label?: string | undefined },
): Promise<unknown> =>
  client.keyring('keyring_createAccount', {
    options: {
      ...{ type: 'eip155:erc4337', kind: 'safe-0.7', chainId, index, address },
      ...(label !== undefined && { label }),
    },
  });

/**
 * Creates accounts that were used. The wallet asks for each. Externally owned accounts can only be created in order, so
 * those with lower indexes are created too.
 */
export async function addAccounts(
  client: SnapClient,
  wanted: readonly Used[],
  accounts: readonly Account[],
): Promise<void> {
  const highest = Math.max(-1, ...wanted.flatMap(({ kind, index }) => (kind === undefined ? [index] : [])));
  const owned = accounts.filter(({ type, options }) => type === 'eip155:eoa' && Number(options.index) <= highest);
  for (let count = owned.length; count <= highest; count += 1)
    await client.keyring('keyring_createAccount', { options: { type: 'eip155:eoa' } });
  for (const { address, kind, index, chains } of wanted) {
    if (kind === undefined) continue;
    for (const chainId of chains)
      if (address === undefined)
        await client.keyring('keyring_createAccount', { options: { type: 'eip155:erc4337', chainId, kind, index } });
      else await addRecovered(client, { chainId, address, index });
  }
}
