import { createHmac } from 'node:crypto';

import { PreparedLedger } from '../../src/chains/ledger';
import { ChainRepository } from '../../src/chains/repository';
import { GrantRepository } from '../../src/door/grants';
import { type CallerDeps } from '../../src/keyring/deps';
import { createKeyring } from '../../src/keyring/keyring';
import { AccountRepository } from '../../src/keyring/repository';
import { versionedState } from '../../src/keyring/state';
import { Library } from '../../src/knowledge/library';
import { UserRejectedError, WalletRefusedError } from '../../src/errors';
import { Mutex } from '../../src/platform/mutex';
import { type SimulatedWallet } from './simulated-wallet';

type Options = {
  readonly wallet: SimulatedWallet;
  readonly origin?: string;
  readonly consents?: boolean;
  readonly phrase?: string;
};

const refused = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw new WalletRefusedError((error as Error).message);
  }
};

/**
 * The keyring's real code on a simulated wallet: for what the Snaps runtime cannot show fast enough or at
 * all. `restart` on the same wallet is what an update, a crash or a new browser session is.
 */
export function startKeyring({ wallet, origin = 'metamask', consents = true, phrase = 'test' }: Options) {
  const state = versionedState({
    read: (key) => refused(wallet.call('read', () => wallet.read(key))),
    write: (key, value) =>
      refused(
        wallet.call('write', () => {
          wallet.write(key, value);
        }),
      ),
  });
  const deps: CallerDeps = {
    accounts: new AccountRepository(state),
    chains: new ChainRepository(state),
    prepared: new PreparedLedger(state),
    grants: new GrantRepository(state),
    library: new Library(
      () => Promise.resolve(undefined),
      () => Promise.resolve({}),
    ),
    entropy: (salt) =>
      refused(wallet.call('entropy', () => new Uint8Array(createHmac('sha256', phrase).update(salt).digest()))),
    events: {
      created: async ({ id, address }) => {
        await refused(wallet.call('created', () => wallet.add(id, address)));
      },
      updated: async () => {
        await refused(wallet.call('updated', () => null));
      },
      deleted: async (id) => {
        await refused(wallet.call('deleted', () => wallet.drop(id)));
      },
    },
    consent: async () => {
      await wallet.call('consent', () => null);
      if (!consents) throw new UserRejectedError();
    },
    chain: { isUsed: () => Promise.resolve(false) },
    now: () => 1_700_000_000n,
    mutations: new Mutex(),
    creations: new Mutex(),
    deleting: new Map(),
    origin,
  };
  return { deps, keyring: createKeyring(deps) };
}
