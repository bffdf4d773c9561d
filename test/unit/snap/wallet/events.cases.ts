import { newEoa } from '../../../../src/snap/account/account';
import { snapAccountEvents } from '../../../../src/snap/wallet/events';

const { account } = newEoa('0x5FbDB2315678afecb367f032d93F642f64180aa3', { source: 'derived', index: 0 });
const EVENTS = {
  created: () => snapAccountEvents.created(account, 'Keystead 1'),
  updated: () => snapAccountEvents.updated(account),
  deleted: () => snapAccountEvents.deleted(account.id),
};

/** A wallet with a given response that records its requests. */
function walletThat(answer: () => Promise<unknown>): unknown[] {
  const asked: unknown[] = [];
  const request = (call: unknown): Promise<unknown> => {
    asked.push(call);
    return answer();
  };
  Object.assign(globalThis, { snap: { request } });
  return asked;
}

describe('account events', () => {
  it('have the format of the keyring API', async () => {
    const asked = walletThat(() => Promise.resolve(null));
    await EVENTS.created();
    await snapAccountEvents.created(account, 'Keystead 1', 'c');
    await EVENTS.updated();
    await EVENTS.deleted();
    const sent = { account, accountNameSuggestion: 'Keystead 1' };
    expect(asked).toStrictEqual(
      [
        { method: 'notify:accountCreated', params: sent },
        { method: 'notify:accountCreated', params: { ...sent, metamask: { correlationId: 'c' } } },
        { method: 'notify:accountUpdated', params: { account } },
        { method: 'notify:accountDeleted', params: { id: account.id } },
      ].map((params) => ({ method: 'snap_manageAccounts', params })),
    );
  });

  it.each([
    ['created', 'add'],
    ['updated', 'update'],
    ['deleted', 'remove'],
  ] as const)('is a refusal in its words where the wallet does not take it: %s', async (event, verb) => {
    walletThat(() => Promise.reject(Object.assign(Object.create(null), { message: 'it exists' })));
    await expect(EVENTS[event]()).rejects.toThrow(`The wallet did not ${verb} the account: it exists`);
  });

  it.each([undefined, null, {}, { message: '' }, { message: 5 }])(
    'reports that there is no reason: %j',
    async (none) => {
      walletThat(() => Promise.reject(none as unknown as Error));
      await expect(EVENTS.deleted()).rejects.toThrow('The wallet did not remove the account: it gave no reason');
    },
  );
});
