import { PreparedLedger } from '../../../src/snap/network/prepared-operations';
import { ChainRepository } from '../../../src/snap/network/repository';
import { PermissionRepository } from '../../../src/snap/sites/repository';
import { type AccountDeps } from '../../../src/snap/account/deps';
import { fromHex } from '../../../src/core/eth/bytes';
import { createAccount } from '../../../src/snap/account/create-account';
import { deleteAccount } from '../../../src/snap/account/delete-account';
import { exportAccount } from '../../../src/snap/account/export-account';
import { type SubmittedRequest, submitRequest } from '../../../src/snap/account/submit-request';
import { AccountRepository } from '../../../src/snap/account/repository';
import { DelegateRepository } from '../../../src/snap/account/delegations/repository';
import { ContactRepository } from '../../../src/snap/account/contacts/repository';
import { MessageRepository } from '../../../src/snap/account/signed/messages';
import { SignedRepository } from '../../../src/snap/account/signed/repository';
import { TokenRepository } from '../../../src/snap/network/tokens/repository';
import { RecipientRepository } from '../../../src/snap/explain/recipients/repository';
import { ShownInsightRepository } from '../../../src/snap/explain/recipients/shown-insights';
import { CheckedState } from '../../../src/snap/wallet/state';
import { Library } from '../../../src/snap/explain/metadata/library';
import { UserRejectedError, WalletRefusedError } from '../../../src/core/errors';
import { Mutex } from '../../../src/core/mutex';
import { type WalletDouble } from './wallet-double';

type Options = {
  readonly wallet: WalletDouble;
  readonly origin?: string;
  readonly consents?: boolean;
};

/** The keyring's account operations, without the handler. */
export const keyringOf = (deps: AccountDeps & { readonly origin: string }) => ({
  listAccounts: async () => (await deps.accounts.entries()).map(({ account }) => account),
  getAccount: async (id: string) => (await deps.accounts.get(id)).account,
  createAccount: (options: unknown) => createAccount(options, deps, deps.origin),
  deleteAccount: (id: string) => deleteAccount(id, deps, deps.origin),
  exportAccount: (id: string) => exportAccount(id, deps, deps.origin),
  submitRequest: (request: SubmittedRequest) => submitRequest(request, deps, deps.origin),
});

const refused = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw new WalletRefusedError((error as Error).message);
  }
};

/**
 * Starts the keyring's modules on a wallet, without the rest of the snap. The wallet's calls are `read`, `write`,
 * `entropy`, `created`, `updated`, `deleted` and `consent`.
 *
 * @param options - The wallet, the origin of requests, and whether the user consents.
 */
export function startKeyring({ wallet, origin = 'metamask', consents = true }: Options) {
  const state = new CheckedState({
    read: (key) => refused(wallet.call('read', () => wallet.read(key))),
    write: (key, value) =>
      refused(
        wallet.call('write', () => {
          wallet.write(key, value);
        }),
      ),
  });
  const deps: AccountDeps & {
    permissions: PermissionRepository;
    contacts: ContactRepository;
    tokens: TokenRepository;
    origin: string;
  } = {
    accounts: new AccountRepository(state),
    recoveriesOf: () => Promise.resolve([]),
    chains: new ChainRepository(state),
    prepared: new PreparedLedger(state),
    permissions: new PermissionRepository(state),
    library: new Library(
      () => Promise.resolve(undefined),
      () => Promise.resolve({}),
    ),
    delegates: new DelegateRepository(state),
    recipients: new RecipientRepository(state),
    shown: new ShownInsightRepository(state),
    signed: new SignedRepository(state),
    messages: new MessageRepository(state),
    contacts: new ContactRepository(state),
    tokens: new TokenRepository(state),
    sources: { node: () => Promise.resolve(undefined), used: () => Promise.resolve([]) },
    entropy: (salt) => refused(wallet.call('entropy', () => fromHex(wallet.entropy(salt)))),
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
    ask: async ({ initial }) => {
      await wallet.call('consent', () => null);
      if (!consents) throw new UserRejectedError();
      return initial;
    },
    chain: { isUsed: () => Promise.resolve(false) },
    now: () => 1_700_000_000n,
    mutations: new Mutex(),
    creations: new Mutex(),
    deleting: new Map(),
    origin,
  };
  return { deps, keyring: keyringOf(deps) };
}
