import { type SnapClient } from './snap-client';
import { type Account, type Chain } from './types';

type Found = { readonly scopes: readonly string[]; readonly derivationPath: string };

/** So many indices in a row without use end the search (BIP-44 has 20 addresses; these are whole accounts). */
const GAP = 3;

/** A SimpleAccount; with one part more, a Safe (`keystead_discoverAccounts`). */
const SMART = /^m\/4337'\/([678])'(\/1')?\/(\d+)'$/u;
const OWNED = /^m\/(\d+)'$/u;

async function discover(client: SnapClient, chains: readonly Chain[]): Promise<readonly Found[]> {
  const all: Found[] = [];
  const scopes = chains.map(({ chainId }) => chainId);
  for (let groupIndex = 0, empty = 0; empty < GAP; groupIndex += 1) {
    const found = await client.dapp<readonly Found[]>('keystead_discoverAccounts', {
      scopes,
      entropySource: 'default',
      groupIndex,
    });
    all.push(...found);
    empty = found.length === 0 ? empty + 1 : 0;
  }
  return all;
}

/**
 * Finds the accounts of the recovery phrase that were used on the chains that are set up, and creates those that are
 * missing; the wallet asks for each. An externally owned account takes those with lower numbers along.
 *
 * @returns How many were created.
 */
export async function recoverAccounts(client: SnapClient, chains: readonly Chain[]): Promise<number> {
  const found = await discover(client, chains);
  const before = await client.keyring<readonly Account[]>('keyring_listAccounts');
  const owned = before.filter(({ type, options }) => type === 'eip155:eoa' && typeof options.index === 'number').length;
  const highest = Math.max(-1, ...found.map(({ derivationPath }) => Number(OWNED.exec(derivationPath)?.[1] ?? -1)));
  for (let index = owned; index <= highest; index += 1)
    await client.keyring('keyring_createAccount', { options: { type: 'eip155:eoa' } });
  for (const { derivationPath, scopes } of found) {
    const [matched, version, safe, index] = SMART.exec(derivationPath) ?? [];
    if (matched === undefined) continue;
    for (const chainId of scopes)
      await client.keyring('keyring_createAccount', {
        options: {
          type: 'eip155:erc4337',
          chainId,
          ...(safe === undefined ? { entryPointVersion: `0.${version}` } : { kind: `safe-0.${version}` }),
          index: Number(index),
        },
      });
  }
  return (await client.keyring<readonly Account[]>('keyring_listAccounts')).length - before.length;
}
