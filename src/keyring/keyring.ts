import { type Keyring } from '@metamask/keyring-api';

import { NotFoundError } from '../errors';
import { createAccount } from './create-account';
import { deleteAccount } from './delete-account';
import { type CallerDeps } from './deps';
import { discoverAccounts } from './discover-accounts';
import { exportAccount } from './export-account';
import { submitRequest } from './submit-request';
import { updateAccount } from './update-account';

const EVM_CHAIN = /^eip155:(?:0|[1-9][0-9]{0,31})$/u;

/** Each request is answered at once, so there is never one to look at, approve or reject. */
const nonePending = (): never => {
  throw new NotFoundError('request: none is pending, since each is answered at once');
};

/** The keyring API v1 for one caller. */
export function createKeyring(deps: CallerDeps): Required<Omit<Keyring, NotImplemented>> {
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
    submitRequest: (request) => submitRequest(request, deps),
  };
}

/** Optional parts of the API that are about assets, non-EVM routing or batches, which this keyring has none of. */
type NotImplemented =
  | 'createAccounts'
  | 'listAccountAssets'
  | 'listAccountTransactions'
  | 'getAccountBalances'
  | 'resolveAccountAddress'
  | 'setSelectedAccounts';
