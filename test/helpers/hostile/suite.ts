import { type Json } from '@metamask/snaps-sdk';

import { PermissionRepository } from '../../../src/snap/permissions/repository';
import { ChainNameStruct } from '../../../src/core/schemas/chain';
import { flat } from '../screen-text';
import { type SnapInProcess } from '../wallet/in-process';
import { WalletDouble } from '../wallet/wallet-double';
import { type HostileCase } from './case';
import { judge } from './judge';
import { type Outcome, startForOutcomes } from './outcome';
import { KEY, ME, SECOND_KEY, SITE } from './people';

type Heading<Params> = {
  readonly method: string;
  /** What an independent library answers for what must be signed. */
  readonly expected: (params: Params) => Json | Promise<Json>;
  /** What MetaMask hands to the snap for its own confirmation. */
  readonly insight: (params: Params) => Insight;
};

type Insight = Parameters<SnapInProcess['insight']>;

const siteOn = (scope: string | undefined): string =>
  ChainNameStruct.is(scope) ? `https://chain-${scope.slice('eip155:'.length)}.example` : SITE;

/** What MetaMask's own confirmation shows, as the snap explains it. */
const insightOf = async (snap: SnapInProcess, insight: Insight): Promise<string> =>
  flat(((await snap.insight(...insight)) as { content: Json }).content);

/**
 * Imports two accounts, and connects sites to both: one on no chain, and one on each chain that is the scope of a case. The
 * snap reads once which sites are connected, so all are before the first request of a site.
 */
export function startHostileSuite(cases: readonly { readonly scope?: string }[] = []) {
  // What is told must not depend on the files of descriptors.
  const wallet = new WalletDouble({ hasFiles: false });
  const snap = startForOutcomes(wallet);
  const store = {
    read: (key: string) => Promise.resolve(wallet.read(key)),
    write: (key: string, value: Json) => {
      wallet.write(key, value);
      return Promise.resolve();
    },
  };
  const grants = new PermissionRepository(store);

  const importKey = async (privateKey: string): Promise<string> => {
    const { result } = await snap.keyring('keyring_createAccount', { options: { privateKey } });
    return (result as { id: string }).id;
  };
  let ids: Promise<string[]> | undefined;
  const accounts = (): Promise<string[]> => (ids ??= Promise.all([importKey(KEY), importKey(SECOND_KEY)]));

  async function connectSites(): Promise<void> {
    const connected = { accounts: await accounts() };
    await grants.put(SITE, connected);
    for (const chainId of new Set(cases.map(({ scope }) => scope))) {
      if (ChainNameStruct.is(chainId)) await grants.put(siteOn(chainId), { ...connected, chainId });
    }
  }
  let connecting: Promise<void> | undefined;

  /** Sends an input through its doors, and holds what comes of it against what must. */
  async function run<Params>(each: HostileCase<Params>, heading: Heading<Params>): Promise<void> {
    const { method = heading.method, params, scope, must, atDapp = must, doors = ['keyring', 'dapp'] } = each;
    const expected = () => heading.expected(params);
    // What the snap does not ask about at the keyring door, MetaMask shows with its own question.
    const shown =
      ({ screens }: Outcome) =>
      async () =>
        screens.length > 0 ? screens.join(' ') : insightOf(snap.snap, heading.insight(params));
    if (doors.includes('keyring')) {
      const [account = ''] = await accounts();
      const outcome = await snap.submit(account, method, params, scope);
      await judge(outcome, must, params, expected, shown(outcome));
    }
    if (doors.includes('dapp')) {
      await (connecting ??= connectSites());
      const outcome = await snap.dapp(siteOn(scope), method, params);
      await judge(outcome, atDapp, params, expected, () => Promise.resolve(outcome.screens.join(' ')));
      // Nobody else has asked.
      if (atDapp.refuse === undefined) expect(outcome.screens).toHaveLength(1);
    }
  }

  return { wallet, snap, grants, run };
}

/** A message as MetaMask hands it to the snap for its own confirmation. */
export const signatureInsight = (signatureMethod: string, data: unknown): Insight => [
  'onSignature',
  { signature: { from: ME, data: data as Json, signatureMethod }, signatureOrigin: SITE },
];
