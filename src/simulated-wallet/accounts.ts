import type { KeyringAccount } from '@metamask/keyring-api';

import { invalidParams } from './rpc-error';
import { type Store } from './store';

export type WalletAccount = { readonly account: KeyringAccount; readonly name: string };

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** The accounts of the wallet: exactly those that the snap reported (keyring API v1). */
export class Accounts {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async list(): Promise<readonly WalletAccount[]> {
    return (await this.#store.get<readonly WalletAccount[]>('accounts')) ?? [];
  }

  async findByAddress(address: string): Promise<KeyringAccount | undefined> {
    return (await this.list()).find(({ account }) => isSame(account.address, address))?.account;
  }

  /**
   * @returns Whether the account is new; false if the wallet already has it.
   * @throws {RpcError} If it is invalid, or has the id or the address of another account.
   */
  async isNew(account: KeyringAccount): Promise<boolean> {
    assertAccount(account);
    for (const { account: known } of await this.list()) {
      if (known.id === account.id && isSame(known.address, account.address)) return false;
      if (known.id === account.id) throw invalidParams(`Account ID '${account.id}' already exists`);
      if (isSame(known.address, account.address))
        throw invalidParams(`Account address '${account.address}' already exists`);
    }
    return true;
  }

  async add(account: KeyringAccount, name: string): Promise<void> {
    await this.#change((all) => [...all, { account, name }]);
  }

  /**
   * Updates an account with the same id, if there is one.
   *
   * @throws {RpcError} If it is invalid, or its address changed.
   */
  async update(account: KeyringAccount): Promise<void> {
    assertAccount(account);
    await this.#change((all) =>
      all.map((known) => {
        if (known.account.id !== account.id) return known;
        if (!isSame(known.account.address, account.address)) throw invalidParams('Cannot change address of an account');
        return { ...known, account };
      }),
    );
  }

  async delete(id: string): Promise<void> {
    await this.#change((all) => all.filter(({ account }) => account.id !== id));
  }

  async #change(change: (all: readonly WalletAccount[]) => readonly WalletAccount[]): Promise<void> {
    await this.#store.update<readonly WalletAccount[]>('accounts', (before = []) => change(before));
  }
}

const METHODS: Readonly<Record<string, readonly string[]>> = {
  'eip155:eoa': [
    'personal_sign',
    'eth_sign',
    'eth_signTransaction',
    'eth_signTypedData_v1',
    'eth_signTypedData_v3',
    'eth_signTypedData_v4',
  ],
  'eip155:erc4337': [
    'personal_sign',
    'eth_sign',
    'eth_signTypedData_v1',
    'eth_signTypedData_v3',
    'eth_signTypedData_v4',
    'eth_prepareUserOperation',
    'eth_patchUserOperation',
    'eth_signUserOperation',
  ],
};

const MEMBERS = ['id', 'type', 'address', 'scopes', 'options', 'methods'];

/** MetaMask's rules for an account object (`KeyringAccountStruct` of `@metamask/keyring-api`). */
function assertAccount(account: KeyringAccount): void {
  const { id, type, address, scopes, methods } = account;
  const allowed = METHODS[type];
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/iu.test(id))
    throw invalidParams('account.id: must be a UUID, version 4');
  if (allowed === undefined) throw invalidParams(`account.type: "${type}" is not supported by this wallet`);
  if (!/^0x[0-9a-f]{40}$/iu.test(address)) throw invalidParams('account.address: must be an address');
  if (scopes.length === 0 || (type === 'eip155:eoa' && scopes.join() !== 'eip155:0'))
    throw invalidParams('account.scopes: must be eip155:0 for a standard account, and at least one chain otherwise');
  const method = methods.find((each) => !allowed.includes(each));
  if (method !== undefined) throw invalidParams(`account.methods: "${method}" is not a method of account type ${type}`);
  const member = Object.keys(account).find((each) => !MEMBERS.includes(each));
  if (member !== undefined) throw invalidParams(`account.${member}: is not a member of an account`);
}
