import { type KeyringAccount } from '@metamask/keyring-api';
import { type Json } from '@metamask/snaps-sdk';

import { ENTRY_POINTS } from '../../../../src/core/erc4337/entry-points';
import { WalletRefusedError } from '../../../../src/core/errors';
import { findRecovered } from '../../../../src/snap/account/find-recovered';
import { answerKeyringRequest } from '../../../../src/snap/handlers/keyring';
import { type ChainReader } from '../../../../src/snap/wallet/chain';
import { type SimulatedNode, startSimulatedNode } from '../../../support/simulated-node';
import { keyringOf, startKeyring } from '../../../support/wallet/keyring';
import { WalletDouble } from '../../../support/wallet/wallet-double';

type Ask = (method: string, params?: Json) => Promise<Json>;
type Client = Record<'dapp' | 'keyring', Ask>;
type Chains = readonly { chainId: string }[];
type Search = {
  readonly used: readonly { readonly index: number }[];
  readonly looked: number;
  readonly unsearched: readonly string[];
  readonly isCutOff: boolean;
};
/** The page uses browser types, which are not available here. */
const { addAccounts, missing, searchAccounts } = jest.requireActual<{
  searchAccounts: (client: Client, chains: Chains, before?: Search) => Promise<Search>;
  missing: (used: Search['used'], accounts: readonly KeyringAccount[]) => Search['used'];
  addAccounts: (client: Client, wanted: Search['used'], accounts: readonly KeyringAccount[]) => Promise<void>;
}>('../../../../src/companion/model/recover');

const CHAIN = 'eip155:31337';
const SMART = { type: 'eip155:erc4337', chainId: CHAIN };

/** The used addresses. */
const used = new Set<string>();
/** The addresses that have sent a transaction, and have no code and no balance. */
const hasSent = new Set<string>();
/** A lying node: every address is used. */
let isAny = false;
const isUsed = (address: unknown): boolean => isAny || used.has(String(address).toLowerCase());
const use = ({ address }: KeyringAccount): unknown => used.add(address.toLowerCase());

let node: SimulatedNode;
beforeAll(async () => {
  node = await startSimulatedNode({
    eth_getCode: ([address]) => (isUsed(address) ? '0x00' : '0x'),
    eth_getBalance: () => '0x0',
    eth_getTransactionCount: ([address]) => (hasSent.has(String(address).toLowerCase()) ? '0x1' : '0x0'),
  });
});
beforeEach(() => {
  used.clear();
  hasSent.clear();
  isAny = false;
});
afterAll(() => node.stop());

/** A wallet whose nodes say which addresses are used. */
const knowing: ChainReader = { isUsed: (address) => Promise.resolve(isUsed(address)) };
/** A wallet that does not have the network. */
const unknowing: ChainReader = {
  isUsed: () => Promise.reject(new WalletRefusedError('The wallet could not look it up.')),
};

/** The keyring of one recovery phrase in an empty wallet, and the page's access to it. */
async function start(chain = knowing) {
  const { deps: plain } = startKeyring({ wallet: new WalletDouble() });
  const deps = { ...plain, chain };
  const services = { rpcUrl: node.url, bundlerUrl: node.url, entryPoint: ENTRY_POINTS['0.7'] };
  await deps.chains.put({ chainId: CHAIN, ...services, entryPointVersion: '0.7' });
  const keyring = keyringOf(deps);
  const ask: Ask = async (method, params) => {
    if (method === 'keystead_findRecovered') return (await findRecovered(params, deps)) as unknown as Json;
    const request = { method: method.replace('keystead_discover', 'keyring_discover'), params };
    return answerKeyringRequest(request, deps, deps.origin);
  };
  const client = { dapp: ask, keyring: ask };
  const search = (chainId: string, before?: Search) => searchAccounts(client, [{ chainId }], before);
  /** Adds everything that is found. @returns The number of added accounts. */
  const recover = async (): Promise<number> => {
    const accounts = await keyring.listAccounts();
    await addAccounts(client, missing((await search(CHAIN)).used, accounts), accounts);
    return (await keyring.listAccounts()).length - accounts.length;
  };
  return { keyring, recover, search };
}

describe('the companion page recovers', () => {
  it('a smart account of every kind', async () => {
    const before = await start();
    const made = [];
    for (const options of [
      { ...SMART, entryPointVersion: '0.6', index: 1 },
      { ...SMART, entryPointVersion: '0.7', index: 1 },
      { ...SMART, entryPointVersion: '0.8', index: 0 },
      { ...SMART, kind: 'safe-0.7', index: 0 },
      { ...SMART, kind: 'safe-0.7', index: 2 },
    ])
      made.push(await before.keyring.createAccount(options));
    made.forEach(use);
    const after = await start();
    expect(await after.recover()).toBe(5);
    expect(await after.keyring.listAccounts()).toEqual(expect.arrayContaining(made));
    expect(await after.recover()).toBe(0);
  });

  it('the externally owned accounts up to the last used one', async () => {
    const { keyring, recover } = await start();
    const made: KeyringAccount[] = [];
    for (let index = 0; index < 6; index++) made.push(await keyring.createAccount({}));
    for (const { id } of made.slice(1, 5)) await keyring.deleteAccount(id);
    use(made[1]!);
    use(made[3]!);
    expect(await recover()).toBe(3);
    const ids = (await keyring.listAccounts()).map(({ id }) => id);
    expect(ids.sort()).toEqual([0, 1, 2, 3, 5].map((index) => made[index]!.id).sort());
  });

  it('externally owned accounts on a network that only Keystead has', async () => {
    const before = await start(unknowing);
    const [sender, funded] = [await before.keyring.createAccount({}), await before.keyring.createAccount({})];
    hasSent.add(sender.address.toLowerCase());
    use(funded);
    const after = await start(unknowing);
    expect(await after.recover()).toBe(2);
    expect(await after.keyring.listAccounts()).toEqual([sender, funded]);
    // There is nobody else to ask about a network that is not set up here.
    await expect(after.search('eip155:1')).rejects.toThrow('The wallet could not look it up.');
  });

  it('a bounded number of accounts from a node that reports every account as used', async () => {
    const { keyring, search } = await start();
    isAny = true;
    const first = await search('eip155:1');
    expect(first).toMatchObject({ looked: 10, isCutOff: true });
    expect(first.used.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(await search('eip155:1', first)).toMatchObject({ looked: 20, isCutOff: true });
    await expect(search('eip155:1', { used: [], looked: 1000, unsearched: [], isCutOff: true })).rejects.toThrow(
      'groupIndex: must be a whole number from 0 to 999, where discovery ends',
    );
    expect(await keyring.listAccounts()).toEqual([]);
  });
});
