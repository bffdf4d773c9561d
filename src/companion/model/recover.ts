import { describeAccount } from './describe-account';
import { type SnapClient } from './snap-client';
import { type Account, type Chain } from './types';

type Discovered = { readonly scopes: readonly string[]; readonly derivationPath: string };

/** So many numbers in a row without use end a search (BIP-44 has 20 addresses; these are whole accounts). */
const GAP = 3;
/** So many numbers are looked at in one go: a node that calls every address used would never come to an end. */
const STRETCH = 10;

/** The SimpleAccount of entry point 0.6, 0.7 or 0.8, or the Safe of 0.7. */
const SMART = /^m\/4337'\/([678])'\/(1'\/)?(\d+)'$/u;
const OWNED = /^m\/(\d+)'$/u;

/** A derived account that a node calls used. */
export type Used = {
  readonly name: string;
  readonly index: number;
  /** Of a smart account. */
  readonly kind: string | undefined;
  /** The chains that it was used on. */
  readonly chains: readonly string[];
};

export type Search = {
  readonly used: readonly Used[];
  /** How many accounts of each kind were looked at, from the first on. */
  readonly looked: number;
  /** Whether it stopped although the last ones were called used. */
  readonly isCutOff: boolean;
};

function readUsed({ derivationPath, scopes: chains }: Discovered): Used[] {
  const [, owned] = OWNED.exec(derivationPath) ?? [];
  const [, version, safe, smart] = SMART.exec(derivationPath) ?? [];
  const index = Number(owned ?? smart);
  // A kind that this page does not know.
  if (Number.isNaN(index)) return [];
  const kind = version === undefined ? undefined : safe === undefined ? `simple-account-0.${version}` : 'safe-0.7';
  const type = kind === undefined ? 'eip155:eoa' : 'eip155:erc4337';
  const options = { index, ...(kind !== undefined && { kind, entryPointVersion: `0.${version}` }) };
  return [{ name: describeAccount({ type, address: '', options }), index, kind, chains }];
}

/**
 * Asks which accounts of the recovery phrase were used on chains that are set up. What it finds is what the nodes of
 * these chains say.
 *
 * @param before - A search that was cut off, to be gone on with.
 */
export async function searchAccounts(
  client: SnapClient,
  chains: readonly Chain[],
  before: Search = { used: [], looked: 0, isCutOff: false },
): Promise<Search> {
  const used = [...before.used];
  const scopes = chains.map(({ chainId }) => chainId);
  let looked = before.looked;
  let empty = 0;
  for (; empty < GAP && looked < before.looked + STRETCH; looked += 1) {
    const found = await client.dapp<readonly Discovered[]>('keystead_discoverAccounts', {
      scopes,
      entropySource: 'default',
      groupIndex: looked,
    });
    used.push(...found.flatMap(readUsed));
    empty = found.length === 0 ? empty + 1 : 0;
  }
  return { used, looked, isCutOff: empty === 0 };
}

const isSame = ({ index, kind }: Used, { type, options }: Account): boolean =>
  options.index === index && (kind === undefined ? type === 'eip155:eoa' : options.kind === kind);

/** @returns Those of the accounts that are not here, or not on all chains that they were used on. */
export function missing(used: readonly Used[], accounts: readonly Account[]): Used[] {
  return used.flatMap((each) => {
    const here = accounts.find((account) => isSame(each, account));
    if (here === undefined) return [each];
    const chains = each.kind === undefined ? [] : each.chains.filter((chain) => !here.scopes.includes(chain as never));
    return chains.length === 0 ? [] : [{ ...each, chains }];
  });
}

/** Creates accounts that were used; the wallet asks for each. An externally owned one takes those with lower numbers along. */
export async function addAccounts(
  client: SnapClient,
  wanted: readonly Used[],
  accounts: readonly Account[],
): Promise<void> {
  const highest = Math.max(-1, ...wanted.flatMap(({ kind, index }) => (kind === undefined ? [index] : [])));
  const owned = accounts.filter(({ type, options }) => type === 'eip155:eoa' && Number(options.index) <= highest);
  for (let count = owned.length; count <= highest; count += 1)
    await client.keyring('keyring_createAccount', { options: { type: 'eip155:eoa' } });
  for (const { kind, index, chains } of wanted) {
    if (kind === undefined) continue;
    for (const chainId of chains)
      await client.keyring('keyring_createAccount', { options: { type: 'eip155:erc4337', chainId, kind, index } });
  }
}
