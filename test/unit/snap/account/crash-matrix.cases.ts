import { type Json } from '@metamask/snaps-sdk';

import { startKeyring } from '../../../support/wallet/keyring';
import { type Fault, WALLET_FAULTS } from '../../../support/wallet/faults';
import { WalletDouble } from '../../../support/wallet/wallet-double';

const KEY = '0x4af1bceebf7f3634ec3cff8a2c38e51178d5d4ce585c52d6043e5e2cc3418bb0';

const SMART = { type: 'eip155:erc4337', chainId: 'eip155:1' };

type Flow = { readonly name: string; readonly before: number; readonly options: Record<string, Json> };

const FLOWS: readonly Flow[] = [
  { name: 'the first derived account', before: 0, options: {} },
  { name: 'the third derived account', before: 2, options: { type: 'eip155:eoa' } },
  { name: 'an imported account', before: 1, options: { privateKey: KEY } },
  { name: 'a smart account', before: 1, options: SMART },
];

/** A wallet that already has some accounts. */
async function walletWith(accounts: number): Promise<WalletDouble> {
  const wallet = new WalletDouble();
  const { keyring } = startKeyring({ wallet });
  for (let index = 0; index < accounts; index++) await keyring.createAccount({});
  wallet.plan();
  return wallet;
}

async function callsOf({ before, options }: Flow): Promise<readonly string[]> {
  const wallet = await walletWith(before);
  await startKeyring({ wallet }).keyring.createAccount(options);
  return [...wallet.calls];
}

/** Runs a creation in which one call fails. Also settles if the snap is killed. */
async function createWithFault(wallet: WalletDouble, { options }: Flow, at: number, fault: Fault): Promise<void> {
  await new Promise<void>((resolve) => {
    wallet.plan({ at, fault }, resolve);
    startKeyring({ wallet })
      .keyring.createAccount(options)
      .then(
        () => {
          resolve();
        },
        () => {
          resolve();
        },
      );
  });
  wallet.plan();
}

describe.each(FLOWS)('creating $name, with one failing call', (flow) => {
  it('loses and duplicates no account, and completes when repeated', async () => {
    const calls = await callsOf(flow);
    expect(calls).toContain('created');
    for (let at = 0; at < calls.length; at++) {
      for (const fault of WALLET_FAULTS) {
        const wallet = await walletWith(flow.before);
        await createWithFault(wallet, flow, at, fault);
        const where = `call ${at} (${calls[at] ?? ''}) ${fault}`;

        // Every account that the wallet knows is stored, with the same address.
        for (const [id, address] of wallet.known) {
          expect({ where, id, address: wallet.stored.get(id) }).toEqual({ where, id, address });
        }

        const account = await startKeyring({ wallet }).keyring.createAccount(flow.options);
        expect({ where, known: wallet.known.get(account.id) }).toEqual({ where, known: account.address });
        expect({ where, stored: [...wallet.stored].sort() }).toEqual({ where, stored: [...wallet.known].sort() });
        const addresses = [...wallet.stored.values()];
        expect({ where, distinct: new Set(addresses).size }).toEqual({ where, distinct: addresses.length });
        // An interrupted creation is completed and not followed by another one. It counts as done only after its last
        // effect. An import is the same account in any case.
        const done = at === calls.length - 1 && fault.endsWith('after') && flow.options.privateKey === undefined;
        expect({ where, count: addresses.length }).toEqual({ where, count: flow.before + 1 + (done ? 1 : 0) });
      }
    }
  });
});

describe('adding a chain to a smart account, with one failing call', () => {
  it('ends with both sides on both chains when repeated', async () => {
    const onOneMore = { ...SMART, index: 0, chainId: 'eip155:10' };
    const flow: Flow = { name: 'a second chain', before: 0, options: onOneMore };
    const walletWithSmart = async (): Promise<WalletDouble> => {
      const wallet = new WalletDouble();
      await startKeyring({ wallet }).keyring.createAccount({ ...SMART, index: 0 });
      wallet.plan();
      return wallet;
    };
    const undisturbed = await walletWithSmart();
    await startKeyring({ wallet: undisturbed }).keyring.createAccount(onOneMore);
    const calls = [...undisturbed.calls];
    expect(calls).toContain('updated');
    for (let at = 0; at < calls.length; at++) {
      for (const fault of WALLET_FAULTS) {
        const wallet = await walletWithSmart();
        await createWithFault(wallet, flow, at, fault);
        const where = `call ${at} (${calls[at] ?? ''}) ${fault}`;
        // If it is stored as done, the wallet was notified; otherwise the repetition notifies it.
        const account = await startKeyring({ wallet }).keyring.createAccount(onOneMore);
        expect({ where, scopes: account.scopes }).toEqual({ where, scopes: ['eip155:1', 'eip155:10'] });
        expect({ where, stored: wallet.stored.size }).toEqual({ where, stored: 1 });
        const done = at === calls.length - 1 && fault.endsWith('after');
        expect({ where, told: wallet.calls.includes('updated') }).toEqual({ where, told: !done });
      }
    }
  });
});
