import { expect } from '@jest/globals';
import { type KeyringAccount } from '@metamask/keyring-api';
import { type Json, type JsonRpcRequest } from '@metamask/snaps-sdk';

import { installKeystead, walletError } from '../helpers/installed-snap';
import { type Fault, FAULTS, SimulatedWallet } from '../helpers/simulated-wallet';

describe('the same recovery phrase with nothing else', () => {
  it('gives the same accounts, with the same ids, in the same order', async () => {
    const before = await installKeystead();
    const accounts = [await before.create(), await before.create(), await before.create()];
    const after = await installKeystead();
    expect((await after.call('keyring_listAccounts')).result).toEqual([]);
    expect([await after.create(), await after.create(), await after.create()]).toEqual(accounts);
  });
});

/** The built snap on a wallet that outlives it. */
async function startOn(wallet: SimulatedWallet) {
  const answer = async ({ method, params }: JsonRpcRequest): Promise<Json | undefined> => {
    const { key, value } = params as { key: string; value: Json };
    try {
      if (method === 'snap_getState') return await wallet.call('read', () => wallet.read(key));
      if (method !== 'snap_setState') return undefined;
      return await wallet.call('write', () => {
        wallet.write(key, value);
        return null;
      });
    } catch (error) {
      throw walletError((error as Error).message);
    }
  };
  return installKeystead({
    answer,
    manageAccounts: async ({ method, params }) => {
      try {
        if (method === 'notify:accountDeleted') {
          return await wallet.call('deleted', () => wallet.drop(params.id as string));
        }
        const { id, address } = params.account as unknown as KeyringAccount;
        return await wallet.call('created', () => wallet.add(id, address));
      } catch (error) {
        throw walletError((error as Error).message);
      }
    },
  });
}

/** The calls of a first creation, after the state was prepared. */
async function callsOfCreation(): Promise<readonly string[]> {
  const wallet = new SimulatedWallet();
  const { create } = await startOn(wallet);
  await create();
  return [...wallet.calls];
}

const cases = (calls: readonly string[]): [string, number, Fault][] =>
  calls.flatMap((call, at) => FAULTS.map((fault): [string, number, Fault] => [call, at, fault]));

// The order of the calls is the design: read, look for damage, store, tell, mark. The test below holds it to that.
const CALLS = ['read', 'write', 'read', 'read', 'write', 'created', 'write'];

describe('the crash matrix of account creation on the built snap', () => {
  it('stores before it tells the wallet, and marks after', async () => {
    expect(await callsOfCreation()).toEqual(CALLS);
  });

  it.each(cases(CALLS))('a %s (call %d) that is %s loses and doubles nothing', async (call, at, fault) => {
    const wallet = new SimulatedWallet();
    const first = await startOn(wallet);
    await new Promise<void>((resolve) => {
      wallet.failAt(at, fault, resolve);
      first.create().then(
        () => {
          resolve();
        },
        () => {
          resolve();
        },
      );
    });
    wallet.heal();

    for (const [id, address] of wallet.known) expect(wallet.stored.get(id)).toBe(address);

    // A new snap, as after a crash or an update.
    const second = await startOn(wallet);
    const account = await second.create();
    expect([...wallet.stored].sort()).toEqual([...wallet.known].sort());
    expect(wallet.stored.get(account.id)).toBe(account.address);
    expect(new Set(wallet.stored.values()).size).toBe(wallet.stored.size);
    expect((await second.sign(account.id, 'personal_sign', ['0x00', account.address])).result?.pending).toBe(false);
  });
});
