import { type Json } from '@metamask/snaps-sdk';
import { Box } from '@metamask/snaps-sdk/jsx';
import { type Hex } from 'viem';

import { type BegunRecovery } from '../../../../../src/core/watch/state';
import { watchSections } from '../../../../../src/snap/screens/watch';
import { WatchRepository } from '../../../../../src/snap/account/watch/repository';
import { flat } from '../../../../support/screen-text';
import { safeState } from '../../../../support/watched-accounts';

const party = (digit: string): Hex => `0x${digit.repeat(40)}`;
const SAFE = party('5');
const OWNER = party('a');
const many = (count: number): Hex[] =>
  Array.from({ length: count }, (_none, at): Hex => `0x${(at + 4096).toString(16).padStart(40, '0')}`);
const RECOVERY: BegunRecovery = {
  module: party('7'),
  newOwners: [party('b')],
  more: 0,
  newThreshold: '0x1',
  executeAfter: '0x6b49d200',
};

async function start() {
  let stored: Json = null;
  const watched = new WatchRepository({
    read: () => Promise.resolve(stored),
    write: (_key, value) => {
      stored = value;
      return Promise.resolve();
    },
  });
  await watched.add(SAFE, 'eip155:1', safeState(OWNER), 1);
  return {
    watched,
    see: (more: object, at: number) => watched.see(SAFE, 'eip155:1', safeState(OWNER, more), at),
    page: async () =>
      flat(<Box>{watchSections({ watched: await watched.read(), now: 10, networks: ['eip155:1'] })}</Box>),
  };
}

describe('what was noticed of a watched account', () => {
  it('keeps the gravest of many changes at once', async () => {
    const { watched, see } = await start();
    await see({ owners: [OWNER, ...many(30)], recoveries: [RECOVERY] }, 2);
    const [one] = await watched.read();
    expect(one!.noticed).toHaveLength(20);
    expect(one!.noticed[0]!.change).toEqual({ kind: 'recovery', recovery: RECOVERY });
    // 30 owners, the recovery, and how many must sign.
    expect(one!.dropped).toBe(12);
  });

  it('hides no recovery that is still pending', async () => {
    const { watched, see, page } = await start();
    await see({ recoveries: [RECOVERY] }, 2);
    // The alarm says it, above.
    expect(await page()).not.toContain('A recovery is pending');
    await watched.acknowledge(SAFE, 'eip155:1', 2);
    expect(await page()).toContain('A recovery is pending');
    await see({ recoveries: [RECOVERY], guard: OWNER }, 3);
    expect(await page()).toContain('A recovery is pending');
  });
});
