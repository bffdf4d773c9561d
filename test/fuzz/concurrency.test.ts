import { type Json } from '@metamask/snaps-sdk';
import fc from 'fast-check';

import { fuzzing } from '../support/fuzz';
import {
  after,
  callsFrom,
  CHAIN_ID,
  configuration,
  type Furnished,
  furnished,
  OTHER_KEY,
  SMART,
  TO,
} from '../support/whole-snap/fixture';
import { brokenIn, faultsOfError, told } from '../support/whole-snap/matrix';
import { DAPP, OTHER, SnapInProcess } from '../support/wallet/in-process';
import { type WalletDouble } from '../support/wallet/wallet-double';

let there: Furnished;
let world: WalletDouble;
beforeAll(async () => {
  there = await furnished();
  there.world.choice = Object.values(there.accounts).map(({ id }) => id);
  world = await after(
    there.world,
    (session) => session.dapp('eth_requestAccounts', [], OTHER),
    (session) => session.keyring('keystead_setChain', configuration(10)),
  );
  world.choice = undefined;
});

type Request = (session: SnapInProcess, origin: string) => Promise<Json>;

/** Concurrent requests of two tabs, through both handlers. */
const requests = (): Record<string, Request> => {
  const { eoa, smart, imported } = there.accounts;
  return {
    connect: (session, origin) => session.dapp('eth_requestAccounts', [], origin),
    choose: (session, origin) => session.dapp('wallet_requestPermissions', [{ eth_accounts: {} }], origin),
    revoke: (session, origin) => session.dapp('wallet_revokePermissions', [{ eth_accounts: {} }], origin),
    switch: (session, origin) => session.dapp('wallet_switchEthereumChain', [{ chainId: '0xa' }], origin),
    sign: (session, origin) => session.dapp('personal_sign', ['0x4869', eoa.address], origin),
    signHere: (session) => session.submit(eoa.id, 'personal_sign', ['0x4869', eoa.address]),
    send: (session, origin) =>
      session.dapp('eth_sendTransaction', [{ from: eoa.address, to: TO, chainId: CHAIN_ID }], origin),
    sendSmart: (session) => session.dapp('wallet_sendCalls', callsFrom(smart.address), DAPP),
    create: (session) => session.keyring('keyring_createAccount', { options: {} }),
    createSmart: (session) => session.keyring('keyring_createAccount', { options: SMART }),
    import: (session) => session.keyring('keyring_createAccount', { options: { privateKey: OTHER_KEY } }),
    delete: (session) => session.keyring('keyring_deleteAccount', { id: eoa.id }),
    deleteOther: (session) => session.keyring('keyring_deleteAccount', { id: imported.id }),
    setChain: (session, origin) => session.dapp('keystead_setChain', configuration(5), origin),
    removeChain: (session) => session.keyring('keystead_removeChain', { chainId: 'eip155:10' }),
    settings: (session) =>
      session.input({ type: 'FormSubmitEvent', name: 'settings', value: { confirmSignatures: 'always' } }),
    home: (session) => session.home() as Promise<Json>,
    lookUp: (session) => session.cron(),
  };
};

/** Conflicting requests, and one of every kind. */
const GROUPS: readonly (readonly string[])[] = [
  ['send', 'sendSmart', 'sign', 'signHere', 'lookUp'],
  ['connect', 'choose', 'revoke', 'switch', 'delete'],
  ['create', 'createSmart', 'import', 'delete', 'deleteOther', 'connect'],
  ['setChain', 'removeChain', 'switch', 'settings', 'home', 'send'],
];

const asked = fc.constantFrom(...GROUPS, GROUPS.flat()).chain((names) =>
  fc.array(fc.record({ name: fc.constantFrom(...names), origin: fc.constantFrom(DAPP, OTHER) }), {
    minLength: 2,
    maxLength: 6,
  }),
);

type Grants = Record<string, { accounts: string[]; chainId: string } | undefined>;

/** A site's permission depends only on its own requests. */
function assertGrant(origin: string, names: readonly string[], now: WalletDouble): void {
  const [grant, before] = [now, world].map((one) => (one.state.grants as Grants)[origin]);
  if (!names.some((name) => ['connect', 'choose', 'revoke', 'switch'].includes(name)))
    expect([origin, grant?.chainId]).toEqual([origin, before?.chainId]);
  if (names.includes('switch') && !names.includes('revoke'))
    expect([origin, grant?.chainId]).toEqual([origin, 'eip155:10']);
  if (names.includes('revoke') && !names.includes('connect') && !names.includes('choose'))
    expect([origin, grant]).toEqual([origin, undefined]);
}

describe('concurrent requests of two tabs through both handlers, with wallet responses in any order', () => {
  it('lose nothing, duplicate nothing, get nothing without consent, and all finish', async () => {
    const all = requests();
    await fc.assert(
      fc.asyncProperty(asked, fc.scheduler(), async (wanted, scheduler) => {
        const now = world.clone();
        now.order = (call) => scheduler.schedule(Promise.resolve(), call);
        const session = new SnapInProcess(now);
        const settled = Promise.all(
          wanted.map(async ({ name, origin }) => {
            try {
              return { name, origin, answer: await all[name]!(session, origin), error: undefined };
            } catch (error) {
              expect([name, faultsOfError(error, now)]).toEqual([name, []]);
              return { name, origin, answer: undefined, error };
            }
          }),
        );
        const answers = await scheduler.waitFor(settled);
        now.order = undefined;
        expect(brokenIn(now, world)).toEqual([]);
        expect(await told(session)).toBe(await told(new SnapInProcess(now)));
        // Every successful request took effect, and no two are the same.
        const done = (name: string) => answers.filter((one) => one.name === name && one.error === undefined);
        const sent = new Set(done('send').map(({ answer }) => answer));
        expect(sent.size).toBe(done('send').length);
        expect([...sent].every((hash) => now.chain.transactions.includes(hash as never))).toBe(true);
        expect(now.chain.operations.length).toBe(Math.min(1, done('sendSmart').length));
        expect(
          answers.filter(({ error }) => /already known/u.test((error as Error | undefined)?.message ?? '')),
        ).toEqual([]);
        const made = new Set(
          [...done('create'), ...done('createSmart')].map(({ answer }) => (answer as { id: string }).id),
        );
        expect(made.size).toBe(done('create').length + done('createSmart').length);
        for (const [id, address] of Object.entries(
          now.state.accounts as Record<string, { account: { address: string } }>,
        ))
          expect([id, now.known.get(id)]).toEqual([id, address.account.address]);
        for (const origin of [DAPP, OTHER])
          assertGrant(
            origin,
            answers.flatMap((one) => (one.origin === origin && one.error === undefined ? [one.name] : [])),
            now,
          );
        expect(now.dialogs.filter(({ agreed }) => agreed).length).toBeGreaterThanOrEqual(
          done('sign').length + done('send').length + done('sendSmart').length,
        );
      }),
      fuzzing(150),
    );
  });
});
