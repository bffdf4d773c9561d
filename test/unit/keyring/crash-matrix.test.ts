import { type Json } from '@metamask/snaps-sdk';

import { startKeyring } from '../../helpers/simulated-snap';
import { type Fault, FAULTS, SimulatedWallet } from '../../helpers/simulated-wallet';

const KEY = '0x4af1bceebf7f3634ec3cff8a2c38e51178d5d4ce585c52d6043e5e2cc3418bb0';

type Flow = { readonly name: string; readonly before: number; readonly options: Record<string, Json> };

const FLOWS: readonly Flow[] = [
  { name: 'the first derived account', before: 0, options: {} },
  { name: 'the third derived account', before: 2, options: { type: 'eip155:eoa' } },
  { name: 'an imported account', before: 1, options: { privateKey: KEY } },
];

/** A wallet in which some accounts exist already. */
async function walletWith(accounts: number): Promise<SimulatedWallet> {
  const wallet = new SimulatedWallet();
  const { keyring } = startKeyring({ wallet });
  for (let index = 0; index < accounts; index++) await keyring.createAccount({});
  wallet.heal();
  return wallet;
}

async function callsOf({ before, options }: Flow): Promise<readonly string[]> {
  const wallet = await walletWith(before);
  await startKeyring({ wallet }).keyring.createAccount(options);
  return [...wallet.calls];
}

/** Runs a creation in which one call goes wrong; settles also when the snap is killed in it. */
async function createWithFault(wallet: SimulatedWallet, { options }: Flow, at: number, fault: Fault): Promise<void> {
  await new Promise<void>((resolve) => {
    wallet.failAt(at, fault, resolve);
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
  wallet.heal();
}

describe.each(FLOWS)('creating $name, with one call going wrong', (flow) => {
  it('loses no account, doubles none, and completes when repeated', async () => {
    const calls = await callsOf(flow);
    expect(calls).toContain('created');
    for (let at = 0; at < calls.length; at++) {
      for (const fault of FAULTS) {
        const wallet = await walletWith(flow.before);
        await createWithFault(wallet, flow, at, fault);
        const where = `call ${at} (${calls[at] ?? ''}) ${fault}`;

        // Whatever the wallet knows, we hold, with the same address.
        for (const [id, address] of wallet.known) {
          expect({ where, id, address: wallet.stored.get(id) }).toEqual({ where, id, address });
        }

        const account = await startKeyring({ wallet }).keyring.createAccount(flow.options);
        expect({ where, known: wallet.known.get(account.id) }).toEqual({ where, known: account.address });
        expect({ where, stored: [...wallet.stored].sort() }).toEqual({ where, stored: [...wallet.known].sort() });
        const addresses = [...wallet.stored.values()];
        expect({ where, distinct: new Set(addresses).size }).toEqual({ where, distinct: addresses.length });
        // Nothing was skipped: a creation that was cut short is completed, not followed by another. Only one
        // whose very last effect took place counts as done; an import is the same account in any case.
        const done = at === calls.length - 1 && fault.endsWith('after') && flow.options.privateKey === undefined;
        expect({ where, count: addresses.length }).toEqual({ where, count: flow.before + 1 + (done ? 1 : 0) });
      }
    }
  });
});
