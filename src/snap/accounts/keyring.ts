import type { Keyring, KeyringResponse } from '@metamask/keyring-api';

import { NotFoundError } from '../../core/errors';
import { createAccount } from './create-account';
import { deleteAccount } from './delete-account';
import { type CallerDeps } from './deps';
import { discoverAccounts } from './discover-accounts';
import { exportAccount } from './export-account';
import { type SubmittedRequest, submitRequest } from './submit-request';
import { updateAccount } from './update-account';

const EVM_CHAIN = /^eip155:(?:0|[1-9][0-9]{0,31})$/u;

/** Each request is answered at once, so there is never one to look at, approve or reject. */
const nonePending = (): never => {
  throw new NotFoundError('request: none is pending, since each is answered at once');
};

/** The parts of the API that this keyring has, with requests as platform version 12 sends them. */
type OurKeyring = Required<Omit<Keyring, NotImplemented | 'submitRequest'>> & {
  submitRequest(request: SubmittedRequest): Promise<KeyringResponse>;
};

/**
 * The keyring API v1 for one caller.
 *
 * `setSelectedAccounts` stores nothing: which accounts the wallet has selected makes no difference to what is signed.
 */
export function createKeyring(deps: CallerDeps): OurKeyring {
  const { accounts } = deps;
  return {
    listAccounts: async () => (await accounts.entries()).map(({ account }) => account),
    getAccount: async (id) => (await accounts.get(id)).account,
    createAccount: (options = {}) => createAccount(options, deps),
    filterAccountChains: async (id, chains) => {
      const { account } = await accounts.get(id);
      // An externally owned account is on every chain; a smart account on those it was created for.
      return chains.filter((chain) =>
        account.type === 'eip155:eoa' ? EVM_CHAIN.test(chain) : (account.scopes as string[]).includes(chain),
      );
    },
    updateAccount: (account) => updateAccount(account, deps),
    deleteAccount: (id) => deleteAccount(id, deps),
    exportAccount: (id) => exportAccount(id, deps),
    discoverAccounts: (scopes, _entropySource, index) => discoverAccounts(scopes, index, deps),
    listRequests: () => Promise.resolve([]),
    getRequest: () => Promise.resolve().then(nonePending),
    approveRequest: () => Promise.resolve().then(nonePending),
    rejectRequest: () => Promise.resolve().then(nonePending),
    setSelectedAccounts: async (ids) => {
      const known = new Set((await accounts.entries()).map(({ account }) => account.id));
      ids.forEach((id, index) => {
        if (!known.has(id)) throw new NotFoundError(`params.accounts[${index}]: no account of Keystead has this id`);
      });
    },
    submitRequest: (request) => submitRequest(request, deps),
  };
}

/** Optional parts of the API that are about assets, non-EVM routing or batches, which this keyring has none of. */
type NotImplemented =
  | 'createAccounts'
  | 'listAccountAssets'
  | 'listAccountTransactions'
  | 'getAccountBalances'
  | 'resolveAccountAddress';
