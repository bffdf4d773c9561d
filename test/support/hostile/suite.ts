import { type Json } from '@metamask/snaps-sdk';

import { PermissionRepository } from '../../../src/snap/sites/repository';
import { ChainNameStruct } from '../../../src/core/schemas/chain';
import { flat } from '../screen-text';
import { type SnapInProcess } from '../wallet/in-process';
import { WalletDouble } from '../wallet/wallet-double';
import { SCREENS } from '../books';
import { type HostileCase } from './case';
import { judge } from './judge';
import { firstScreens, type Outcome, shownBy, startForOutcomes } from './outcome';
import { KEY, ME, SECOND_KEY, SITE } from './people';

type Heading<Params> = {
  readonly method: string;
  /** The result of an independent library for inputs that must be signed. */
  readonly expected: (params: Params) => Json | Promise<Json>;
  /** What MetaMask passes to the snap for its own confirmation. */
  readonly insight: (params: Params) => Insight;
};

type Insight = Parameters<SnapInProcess['insight']>;

const siteOn = (scope: string | undefined): string =>
  ChainNameStruct.is(scope) ? `https://chain-${scope.slice('eip155:'.length)}.example` : SITE;

/** The insight that MetaMask's own confirmation shows. */
const insightOf = async (snap: SnapInProcess, insight: Insight): Promise<string> =>
  flat(((await snap.insight(...insight)) as { content: Json }).content);

/**
 * Imports two accounts, and connects sites to both: one without a chain, and one on each chain that is the scope of a
 * case. The snap reads the connected sites only once, so all are connected before the first request.
 */
export function startHostileSuite(cases: readonly { readonly scope?: string }[] = []) {
  // The explanations must not depend on the descriptor files.
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

  /** Sends an input through its handlers, and compares the outcome with the required one. */
  async function run<Params>(each: HostileCase<Params>, heading: Heading<Params>): Promise<void> {
    const { method = heading.method, params, scope, must, mustOverRpc = must, handlers = ['keyring', 'rpc'] } = each;
    const expected = () => heading.expected(params);
    // If the keyring handler shows no dialog, MetaMask shows the insight with its own confirmation.
    const shown =
      ({ screens }: Outcome) =>
      async () =>
        screens.length > 0 ? screens.join(' ') : insightOf(snap.snap, heading.insight(params));
    if (handlers.includes('keyring')) {
      const [account = ''] = await accounts();
      const outcome = await snap.submit(account, method, params, scope);
      await judge(outcome, must, params, expected, shown(outcome));
      if (!handlers.includes('rpc')) SCREENS.expect(`${heading.method}: ${each.name}`, shownBy(outcome));
    }
    if (handlers.includes('rpc')) {
      await (connecting ??= connectSites());
      const outcome = await snap.dapp(siteOn(scope), method, params);
      await judge(outcome, mustOverRpc, params, expected, () => Promise.resolve(outcome.screens.join(' ')));
      // No one else has asked the user.
      if (mustOverRpc.refuse === undefined) expect(firstScreens(outcome.screens)).toHaveLength(1);
      SCREENS.expect(`${heading.method}: ${each.name}`, shownBy(outcome));
    }
  }

  return { wallet, snap, grants, run };
}

/** A message as MetaMask passes it to the snap for its own confirmation. */
export const signatureInsight = (signatureMethod: string, data: unknown): Insight => [
  'onSignature',
  { signature: { from: ME, data: data as Json, signatureMethod }, signatureOrigin: SITE },
];
