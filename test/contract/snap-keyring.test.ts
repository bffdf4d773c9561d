import { Common } from '@ethereumjs/common';
import { TransactionFactory, type TypedTransaction, type TypedTxData } from '@ethereumjs/tx';
import { expect } from '@jest/globals';
import { recoverPersonalSignature, recoverTypedSignature, SignTypedDataVersion } from '@metamask/eth-sig-util';
import { type Json } from '@metamask/snaps-sdk';
import { createTestClient, http, parseEther, publicActions } from 'viem';

import { type Anvil, startAnvil } from '../../src/devnet/anvil';
import { DEVELOPMENT_CHAIN } from '../support/development-chain';
import { type InMetaMask, installInMetaMask, SNAP_ID } from '../support/metamask-keyring';

const OTHER = '0x3535353535353535353535353535353535353535';
const KEY = '0x4af1bceebf7f3634ec3cff8a2c38e51178d5d4ce585c52d6043e5e2cc3418bb0';

/**
 * Whether the snap shows a dialog of its own, in which the user approves: for imports, and for the typed data of this
 * file, which no rule reads.
 */
function asks({ method, params }: { readonly method: string; readonly params?: unknown }): boolean {
  const text = JSON.stringify(params);
  if (method === 'keyring_createAccount') return text.includes('privateKey');
  return method === 'keyring_submitRequest' && text.includes('eth_signTypedData_v4');
}

/** `accepts` is the user's answer to MetaMask's "add account" dialog. */
async function connect({ accepts = true, savesState = true } = {}) {
  const used = new Set<string>();
  const person = { accepts };
  const names: (string | undefined)[] = [];
  const saved: Promise<string>[] = [];
  const connected: InMetaMask = await installInMetaMask(asks, ({ ok }) => ok(), {
    addressExists: (address) => Promise.resolve(used.has(address.toLowerCase())),
    addAccount: async (address, _snapId, handleUserInput, onceSaved, name) => {
      names.push(name);
      saved.push(onceSaved);
      onceSaved.catch(() => undefined);
      await handleUserInput(person.accepts);
      if (!person.accepts) throw new Error('User denied account creation');
      used.add(address.toLowerCase());
    },
    removeAccount: async (address, _snapId, handleUserInput) => {
      await connected.keyring.removeAccount(address);
      used.delete(address.toLowerCase());
      await handleUserInput(true);
    },
    saveState: () => (savesState ? Promise.resolve() : Promise.reject(new Error('the disk is full'))),
  });
  return { ...connected, person, names, saved };
}

describe("MetaMask's SnapKeyring", () => {
  it('creates accounts through the events, and both sides agree on them', async () => {
    const { keystead, keyring, names, saved } = await connect();
    const first = await keyring.createAccount(SNAP_ID as never, {});
    // With internal options MetaMask waits for its correlation id to come back.
    const second = await keyring.createAccount(SNAP_ID as never, { type: 'eip155:eoa' }, {
      displayConfirmation: false,
    } as never);
    await Promise.all(saved);
    const ours = (await keystead.call<Json[]>('keyring_listAccounts')).result;
    expect(ours).toEqual([first, second]);
    expect(keyring.listAccounts().map(({ id }) => id)).toEqual([first.id, second.id]);
    expect(names).toEqual(['Keystead 1', 'Keystead 2']);
  });

  it('adds no account twice, however often it is requested', async () => {
    const { keystead, keyring } = await connect();
    const account = await keyring.createAccount(SNAP_ID as never, { privateKey: KEY });
    expect((await keystead.call('keyring_createAccount', { options: { privateKey: KEY } })).result).toEqual(account);
    expect(keyring.listAccounts()).toHaveLength(1);
  });

  it('is rejected by the user: neither side has the account', async () => {
    const { keystead, keyring, person } = await connect({ accepts: false });
    await expect(keyring.createAccount(SNAP_ID as never, {})).rejects.toThrow('User denied account creation');
    expect(keyring.listAccounts()).toEqual([]);
    expect((await keystead.call('keyring_listAccounts')).result).toEqual([]);
    person.accepts = true;
    expect((await keyring.createAccount(SNAP_ID as never, {})).options.index).toBe(0);
  });

  it('fails to save: the account is deleted here too', async () => {
    const { keystead, keyring, saved } = await connect({ savesState: false });
    await keyring.createAccount(SNAP_ID as never, {});
    await expect(Promise.all(saved)).rejects.toThrow('the disk is full');
    expect(keyring.listAccounts()).toEqual([]);
    expect((await keystead.call('keyring_listAccounts')).result).toEqual([]);
  });

  it('removes an account: both sides forget it, from either side', async () => {
    const { keystead, keyring } = await connect();
    const first = await keyring.createAccount(SNAP_ID as never, {});
    const second = await keyring.createAccount(SNAP_ID as never, {});
    await keyring.removeAccount(first.address);
    expect((await keystead.call('keyring_listAccounts')).result).toEqual([second]);
    expect((await keystead.call('keyring_deleteAccount', { id: second.id })).result).toBeNull();
    expect(keyring.listAccounts()).toEqual([]);
  });

  it('accepts a new label', async () => {
    const { keystead, keyring } = await connect();
    const account = await keyring.createAccount(SNAP_ID as never, {});
    const labelled = { ...account, options: { ...account.options, label: 'Savings' } };
    expect((await keystead.call('keyring_updateAccount', { account: labelled })).error).toBeUndefined();
    expect(keyring.getAccountByAddress(account.address)?.options).toEqual(labelled.options);
  });

  it('accepts signatures of messages and typed data, which recover to the account', async () => {
    const { keyring } = await connect();
    const { address } = await keyring.createAccount(SNAP_ID as never, {});
    const signature = await keyring.signPersonalMessage(address, '0x48656c6c6f');
    expect(recoverPersonalSignature({ data: '0x48656c6c6f', signature })).toBe(address.toLowerCase());
    for (const chainId of [31337, '31337', '0x7a69']) {
      const data = {
        types: {
          EIP712Domain: [
            { name: 'name', type: 'string' },
            { name: 'chainId', type: 'uint256' },
          ],
          Group: [{ name: 'members', type: 'Person[]' }],
          Person: [{ name: 'wallets', type: 'address[2]' }],
        },
        primaryType: 'Group',
        domain: { name: 'Keystead', chainId },
        message: { members: [{ wallets: [address, OTHER] }] },
      };
      const version = SignTypedDataVersion.V4;
      const typed = await keyring.signTypedData(address, data as never, { version } as never);
      expect(recoverTypedSignature({ data: data as never, signature: typed, version })).toBe(address.toLowerCase());
    }
  });

  it('does not offer methods that the account does not support', async () => {
    const { keyring } = await connect();
    const { address } = await keyring.createAccount(SNAP_ID as never, {});
    await expect(keyring.signMessage(address, '0x00')).rejects.toThrow("Method 'eth_sign' not supported");
  });
});

describe('transactions that MetaMask signs with the snap, on a real chain', () => {
  let anvil: Anvil;
  beforeAll(async () => {
    anvil = await startAnvil();
  });
  afterAll(() => anvil.stop());

  it('are mined: legacy, EIP-2930, EIP-1559, and a contract creation', async () => {
    const { keyring } = await connect();
    const { address } = await keyring.createAccount(SNAP_ID as never, {});
    const chain = createTestClient({
      chain: DEVELOPMENT_CHAIN,
      mode: 'anvil',
      transport: http(anvil.url),
      pollingInterval: 50,
    }).extend(publicActions);
    await chain.setBalance({ address: address as `0x${string}`, value: parseEther('10') });
    const common = Common.custom({ chainId: 31337 }, { hardfork: 'cancun' });

    const price = { gasPrice: '0x77359400' };
    const fees = { maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x3b9aca00' };
    const transfer = { gasLimit: '0x5208', to: OTHER, value: '0x1' };
    const accessList = [{ address: OTHER, storageKeys: [`0x${'00'.repeat(32)}`] }];
    // PUSH1 0 PUSH1 0 RETURN: deploys an empty contract.
    const creation = { gasLimit: '0x186a0', value: '0x0', data: '0x60006000f3' };
    const wanted: Record<string, unknown>[] = [
      { type: 0, ...price, ...transfer },
      { type: 1, ...price, ...transfer, gasLimit: '0x7530', accessList },
      { type: 2, ...fees, ...transfer, gasLimit: '0x7530', accessList },
      { type: 2, ...fees, ...creation },
      { type: 0, ...price, ...creation },
    ];
    for (const [nonce, tx] of wanted.entries()) {
      const unsigned = TransactionFactory.fromTxData({ ...tx, nonce, chainId: 31337 } as TypedTxData, { common });
      const signed = (await keyring.signTransaction(address, unsigned)) as TypedTransaction;
      // TransactionController reads the signed transaction again with a Common of the chain.
      const read = TransactionFactory.fromSerializedData(signed.serialize(), { common });
      expect(read.getSenderAddress().toString()).toBe(address.toLowerCase());
      const hash = await chain.sendRawTransaction({
        serializedTransaction: `0x${Buffer.from(read.serialize()).toString('hex')}`,
      });
      const receipt = await chain.waitForTransactionReceipt({ hash });
      expect(receipt).toMatchObject({ status: 'success', from: address.toLowerCase() });
      if (tx.data !== undefined) expect(receipt.contractAddress).toMatch(/^0x[0-9a-f]{40}$/u);
    }
    expect(await chain.getTransactionCount({ address: address as `0x${string}` })).toBe(wanted.length);
  });
});
