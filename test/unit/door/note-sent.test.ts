import { BatchRepository } from '../../../src/door/batches/repository';
import { noteSent } from '../../../src/door/batches/note-sent';
import { StateError } from '../../../src/errors';

const SENT = {
  id: '1',
  account: `0x${'ac'.repeat(20)}`,
  chainId: 'eip155:1',
  calls: 1,
  atomic: true,
  sent: { as: 'transactions', items: [{ hash: `0x${'01'.repeat(32)}`, nonce: '0x1' }], unsent: 0 },
} as const;

/** A site whose wallet stores nothing if `failure` is given. */
function site(failure?: Error) {
  const stored: unknown[] = [];
  const batches = new BatchRepository({
    read: () => Promise.resolve(null),
    write: (_key, value) => {
      if (failure !== undefined) return Promise.reject(failure);
      stored.push(value);
      return Promise.resolve();
    },
  });
  const lookAgainLater = jest.fn(() => Promise.resolve());
  return { stored, lookAgainLater, visit: { batches, lookAgainLater, origin: 'https://dapp.example' } };
}

const calls = () => ({ ...SENT, sent: { ...SENT.sent, items: [...SENT.sent.items] } });

describe('calls that were sent', () => {
  it('are remembered as those of the site, and looked up later', async () => {
    const { lookAgainLater, stored, visit } = site();
    await noteSent(calls(), visit);
    expect(stored).toMatchObject([[{ ...SENT, origin: 'https://dapp.example', status: 100 }]]);
    expect(lookAgainLater).toHaveBeenCalledTimes(1);
  });

  it('are sent, even if the wallet cannot store them', async () => {
    const { visit } = site(new StateError('The wallet could not store the change.'));
    await expect(noteSent(calls(), visit)).resolves.toBeUndefined();
  });

  it('do not hide what else goes wrong', async () => {
    await expect(noteSent(calls(), site(new TypeError('a bug')).visit)).rejects.toThrow('a bug');
  });
});
