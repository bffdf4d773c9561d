import { type Json } from '@metamask/snaps-sdk';

import { type Batch } from '../../../../src/snap/send/batch';
import { BatchRepository } from '../../../../src/snap/send/repository';
import { type OnBroadcast, sendRecorded } from '../../../../src/snap/send/send-recorded';
import { ServiceRefusedError, StateError } from '../../../../src/core/errors';

const ORIGIN = 'https://dapp.example';
const CALLS = {
  id: '1',
  origin: ORIGIN,
  account: `0x${'ac'.repeat(20)}`,
  chainId: 'eip155:1',
  calls: 1,
  atomic: true,
} as const;
const sentAs = (unsent: number): Batch['sent'] => ({
  as: 'transactions',
  items: [{ hash: `0x${'01'.repeat(32)}`, nonce: '0x1' }],
  unsent,
});

/**
 * A site whose wallet fails to store the changes selected by `fails`, which receives the number of changes stored
 * before.
 */
function site(fails: (stored: number) => boolean = () => false) {
  const states: Json[] = [];
  const batches = new BatchRepository({
    read: () => Promise.resolve(states.at(-1) ?? null),
    write: (_key, value) => {
      if (fails(states.length)) return Promise.reject(new StateError('The wallet could not store the change.'));
      states.push(value);
      return Promise.resolve();
    },
  });
  const scheduleLookUp = jest.fn(() => Promise.resolve());
  return { batches, scheduleLookUp, deps: { batches, scheduleLookUp } };
}

/** Sends calls, and then succeeds or fails, after recording them. */
const sending =
  (outcome: () => Promise<Batch['sent']>) =>
  async (note: OnBroadcast<Batch['sent']>): Promise<Batch['sent']> => {
    await note(sentAs(0));
    return outcome();
  };

describe('sent calls', () => {
  it('are recorded as unclear before the broadcast, and with their result afterwards', async () => {
    const { batches, scheduleLookUp, deps } = site();
    let before: readonly Batch[] = [];
    const sent = await sendRecorded(
      CALLS,
      deps,
      sending(async () => {
        before = await batches.read();
        return sentAs(1);
      }),
    );
    expect(sent).toEqual(sentAs(1));
    expect(before).toMatchObject([{ ...CALLS, origin: ORIGIN, status: 100, sent: { ...sentAs(0), isUnclear: true } }]);
    const [after, ...others] = await batches.read();
    expect(others).toEqual([]);
    expect(after?.sent).toEqual(sentAs(1));
    expect(scheduleLookUp).toHaveBeenCalledTimes(1);
  });

  it('are not sent if they cannot be recorded', async () => {
    const { deps } = site(() => true);
    const send = jest.fn(() => Promise.resolve(sentAs(0)));
    await expect(sendRecorded(CALLS, deps, sending(send))).rejects.toThrow(StateError);
    expect(send).not.toHaveBeenCalled();
  });

  it('are removed if they were rejected', async () => {
    const { batches, deps } = site();
    const refusal = new ServiceRefusedError('no', { code: 1, message: 'no' });
    await expect(
      sendRecorded(
        CALLS,
        deps,
        sending(() => Promise.reject(refusal)),
      ),
    ).rejects.toBe(refusal);
    expect(await batches.read()).toEqual([]);
  });

  it('stay unclear after an unexpected error', async () => {
    const { batches, deps } = site();
    const send = sending(() => Promise.reject(new TypeError('a bug')));
    await expect(sendRecorded(CALLS, deps, send)).rejects.toThrow('a bug');
    expect(await batches.read()).toMatchObject([{ sent: { isUnclear: true } }]);
  });

  it('count as sent even if the wallet cannot store the result', async () => {
    const { batches, deps } = site((stored) => stored === 1);
    expect(
      await sendRecorded(
        CALLS,
        deps,
        sending(() => Promise.resolve(sentAs(0))),
      ),
    ).toEqual(sentAs(0));
    expect(await batches.read()).toMatchObject([{ sent: { isUnclear: true } }]);
  });
});
