import { type Batch } from '../../../../src/snap/batches/batch';
import { LOOK_UP_EVENT, onBackgroundEvent } from '../../../../src/snap/handlers/background-event';

const DAY = 86_400_000;

/** The delay scheduled by the event, if a batch of this age is pending on a chain that is no longer set up. */
async function nextAfter(age: number): Promise<number[]> {
  const waiting: Batch = {
    id: '1',
    origin: 'https://dapp.example',
    account: `0x${'ac'.repeat(20)}`,
    chainId: 'eip155:1',
    at: Date.now() - age,
    calls: 1,
    atomic: true,
    sent: { as: 'transactions', items: [{ hash: `0x${'01'.repeat(32)}`, nonce: '0x1' }], unsent: 0 },
    status: 100,
  };
  const asked: number[] = [];
  const deps = {
    batches: { list: () => Promise.resolve([waiting]) },
    chains: { find: () => Promise.resolve(undefined) },
    isLocked: () => Promise.resolve(false),
    scheduleLookUp: (seconds: number) => Promise.resolve(void asked.push(seconds)),
  };
  await onBackgroundEvent(LOOK_UP_EVENT, deps as unknown as Parameters<typeof onBackgroundEvent>[1]);
  return asked;
}

describe('the background event', () => {
  it('is scheduled soon for recent calls, later for older ones, and not forever', async () => {
    expect(await nextAfter(1000)).toEqual([30]);
    expect(await nextAfter(DAY)).toEqual([600]);
    expect(await nextAfter(3 * DAY)).toEqual([]);
  });
});
