import { type Json } from '@metamask/snaps-sdk';
import fc from 'fast-check';
import { recoverMessageAddress } from 'viem';

import { fuzzing, mutated } from '../support/fuzz';
import {
  after,
  callsFrom,
  CHAIN,
  configuration,
  type Furnished,
  furnished,
  SMART,
  TO,
} from '../support/whole-snap/fixture';
import { faultsOfError } from '../support/whole-snap/matrix';
import { OTHER, SnapInProcess } from '../support/wallet/in-process';
import { type WalletDouble } from '../support/wallet/wallet-double';

const MESSAGE = '0x4869';
const INTENTS = [{ to: TO, value: '0x1', data: '0x' }];

let there: Furnished;
let whole: WalletDouble;
beforeAll(async () => {
  there = await furnished();
  const { eoa, smart } = there.accounts;
  whole = await after(
    there.world,
    (session) => session.dapp('wallet_sendCalls', callsFrom(eoa.address)),
    (session) => session.submit(smart.id, 'eth_prepareUserOperation', INTENTS, CHAIN),
    (session) => session.input({ type: 'FormSubmitEvent', name: 'settings', value: { confirmSignatures: 'always' } }),
  );
  whole.write('storage', { url: 'https://storage.example', key: 'a-key', secret: 'storage secret' });
});

/** One request of every kind, in sequence, from an allowed caller. */
const requests = (session: SnapInProcess): (() => Promise<unknown>)[] => {
  const { eoa, smart, safe } = there.accounts;
  return [
    () => session.keyring('keyring_listAccounts'),
    () => session.submit(safe.id, 'personal_sign', [MESSAGE, safe.address], CHAIN),
    () => session.submit(smart.id, 'eth_prepareUserOperation', INTENTS, CHAIN),
    () => session.dapp('eth_accounts'),
    () => session.dapp('eth_sendTransaction', [{ from: eoa.address, to: TO }]),
    () => session.dapp('wallet_sendCalls', callsFrom(smart.address)),
    () => session.dapp('wallet_getCallsStatus', [eoa.address]),
    () => session.dapp('wallet_switchEthereumChain', [{ chainId: '0x7a69' }]),
    () => session.dapp('eth_requestAccounts', [], OTHER),
    () => session.dapp('keystead_getChains'),
    () => session.keyring('keystead_setChain', configuration(31337)),
    () => session.keyring('keystead_getStorage'),
    () => session.keyring('keyring_createAccount', { options: {} }),
    () => session.keyring('keyring_createAccount', { options: { ...SMART, index: 0 } }),
    () => session.cron(),
    () => session.keyring('keyring_deleteAccount', { id: safe.id }),
  ];
};

/** The error for an index that was changed to another one. */
const ANOTHER_KEY = /^The key of this account belongs to another address\./u;

const isState = (value: unknown): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

describe('a stored state with any value in any place', () => {
  it('fails with readable errors, shows the home page, and never signs for another account', async () => {
    const states = mutated(fc.constant(whole.state)).filter(isState);
    await fc.assert(
      fc.asyncProperty(states, async (state) => {
        const world = whole.clone();
        world.state = structuredClone(state);
        const session = new SnapInProcess(world);
        /** @returns The result; undefined if it was rejected with a readable error. */
        const answered = async (request: () => Promise<unknown>): Promise<unknown> => {
          try {
            return await request();
          } catch (error) {
            if (!ANOTHER_KEY.test((error as Error).message)) expect(faultsOfError(error, world)).toEqual([]);
            return undefined;
          }
        };
        await session.home();
        for (const { id, address } of [there.accounts.eoa, there.accounts.imported]) {
          const answer = await answered(() => session.submit(id, 'personal_sign', [MESSAGE, address]));
          if (answer === undefined) continue;
          const { result } = answer as { result: `0x${string}` };
          expect(await recoverMessageAddress({ message: { raw: MESSAGE }, signature: result })).toBe(address);
        }
        for (const request of requests(session)) await answered(request);
        await session.home();
      }),
      fuzzing(60),
    );
  });
});
