import { type KeyringAccount } from '@metamask/keyring-api';

import { after, CHAIN, configuration, furnished, OTHER_KEY, SMART } from '../support/whole-snap/fixture';
import { type Flow, testEach } from '../support/whole-snap/matrix';
import { COMPANION } from '../support/wallet/program';
import { SnapInProcess } from '../support/wallet/in-process';
import { type WalletDouble } from '../support/wallet/wallet-double';

async function furnish() {
  const there = await furnished();
  const { accounts, world } = there;
  const eoa = (await new SnapInProcess(world.clone()).keyring('keyring_getAccount', {
    id: accounts.eoa.id,
  })) as unknown as KeyringAccount;
  const twoChains = await after(world, (session) => session.keyring('keystead_setChain', configuration(10)));
  return { ...there, eoa, twoChains };
}

type There = Awaited<ReturnType<typeof furnish>>;

/** The next account. Once it exists, repeating the creation requests another one. */
function next(world: WalletDouble): Pick<Flow, 'world' | 'isDone'> {
  const count = world.known.size;
  return {
    world,
    isDone: ({ known, state }) => {
      const stored = Object.values(state.accounts as Record<string, { announced: boolean }>);
      return known.size > count && stored.every(({ announced }) => announced);
    },
  };
}

const create =
  (options: object) =>
  ({ world }: There): Flow => ({
    world,
    run: (session) => session.keyring('keyring_createAccount', { options } as never),
  });

describe('requests that create, change and list accounts, with one failing call', () => {
  testEach<There>(
    furnish,
    {
      'keyring_createAccount: the next derived account': (there) => ({ ...create({})(there), ...next(there.world) }),
      'keyring_createAccount: an imported account': create({ privateKey: OTHER_KEY }),
      'keyring_createAccount: the next smart account': (there) => ({ ...create(SMART)(there), ...next(there.world) }),
      'keyring_createAccount: a smart account of an imported key': create({ ...SMART, privateKey: OTHER_KEY }),
      'keyring_createAccount: a Safe': create({ ...SMART, kind: 'safe-0.7', index: 3 }),
      'keyring_createAccount: an account that is there': create({ ...SMART, index: 0 }),
      'keyring_createAccount: a smart account on another chain': create({ ...SMART, chainId: 'eip155:10', index: 0 }),
      'keyring_deleteAccount: one that a site may use': ({ world, accounts }) => ({
        world,
        run: (session) => session.keyring('keyring_deleteAccount', { id: accounts.eoa.id }),
      }),
      'keyring_deleteAccount: an imported one, requested by a page': ({ world, accounts }) => ({
        world,
        run: (session) => session.keyring('keyring_deleteAccount', { id: accounts.imported.id }, COMPANION),
      }),
      keyring_updateAccount: ({ world, eoa }) => ({
        world,
        run: (session) =>
          session.keyring('keyring_updateAccount', {
            account: { ...eoa, options: { ...eoa.options, label: 'Savings' } },
          } as never),
      }),
      keyring_exportAccount: ({ world, accounts }) => ({
        world,
        run: (session) => session.keyring('keyring_exportAccount', { id: accounts.imported.id }),
      }),
      keyring_discoverAccounts: ({ twoChains }) => ({
        world: twoChains,
        run: (session) =>
          session.keyring('keyring_discoverAccounts', {
            scopes: ['eip155:0', CHAIN],
            entropySource: '',
            groupIndex: 0,
          }),
      }),
      'keyring_discoverAccounts: on a chain that is not selected': ({ world }) => ({
        world,
        run: (session) =>
          session.keyring('keyring_discoverAccounts', { scopes: ['eip155:10'], entropySource: '', groupIndex: 0 }),
      }),
      keyring_listAccounts: ({ world }) => ({ world, run: (session) => session.keyring('keyring_listAccounts') }),
      keyring_filterAccountChains: ({ world, accounts }) => ({
        world,
        run: (session) => session.keyring('keyring_filterAccountChains', { id: accounts.smart.id, chains: [CHAIN] }),
      }),
    },
    350,
  );
});
