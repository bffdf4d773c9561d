import { type Hex } from '../../src/core/eth/bytes';
import { changesBetween } from '../../src/core/watch/changes';
import { type BegunRecovery, type SafeState } from '../../src/core/watch/state';
import { type Watched } from '../../src/core/watch/watched';

/** @returns A Safe with one owner, and nothing else. */
export const safeState = (owner: Hex, more: Partial<SafeState> = {}): SafeState => ({
  kind: 'safe',
  owners: [owner],
  threshold: '0x1',
  modules: [],
  guard: null,
  moduleGuard: null,
  handler: null,
  implementation: owner,
  recoveries: [],
  ...more,
});

const OTHER: Hex = `0x${'1'.repeat(40)}`;

/** @returns Watched accounts for screens: with every kind of change, with a pending recovery, late, and with a key. */
export function watchedAccounts(address: Hex): Watched[] {
  const recovery: BegunRecovery = {
    module: address,
    newOwners: [address],
    more: 2,
    newThreshold: '0x2',
    executeAfter: '0x65000000',
  };
  const before = safeState(address, { owners: [address, OTHER], modules: [OTHER], guard: address });
  const after = safeState(address, {
    owners: [address],
    modules: [address],
    handler: address,
    implementation: null,
    recoveries: [recovery],
  });
  const changes = [
    ...changesBetween(before, after),
    ...changesBetween(after, before),
    ...changesBetween({ kind: 'key', delegate: null }, { kind: 'key', delegate: address }),
    ...changesBetween(before, { kind: 'key', delegate: null }),
  ];
  const one: Omit<Watched, 'state'> = { account: address, chainId: 'eip155:1', seenAt: 1e12, noticed: [], dropped: 0 };
  return [
    { ...one, state: after, noticed: changes.map((change) => ({ change, at: 1e12 })), dropped: 3 },
    { ...one, state: after },
    { ...one, state: { kind: 'key', delegate: null }, seenAt: 0 },
    { ...one, state: { kind: 'key', delegate: address } },
  ];
}
