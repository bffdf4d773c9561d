import { type Batch } from '../../../../src/snap/batches/batch';
import { LOOK_UP_EVENT, onBackgroundEvent, RECOVERY_JOB } from '../../../../src/snap/handlers/background-event';

import { lookAtSafes } from '../../../../src/snap/accounts/look-at-safes';
import { RecoveryRepository } from '../../../../src/snap/recoveries/repository';
import { MODULE_4337 } from '../../../../src/core/erc4337/safe/contracts';
import { ENTRY_POINTS } from '../../../../src/core/erc4337/entry-points';
import { type Hex } from '../../../../src/core/eth/bytes';
import { answersOf, answerTo, RECOVERING } from '../../../support/recovery-node';
import { startSimulatedNode } from '../../../support/simulated-node';
import { startKeyring } from '../../../support/wallet/keyring';
import { WalletDouble } from '../../../support/wallet/wallet-double';

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

describe('a recovery that has begun', () => {
  it('is announced until its dialog was closed, although a page has looked before', async () => {
    const modules = [MODULE_4337.toLowerCase() as Hex, ...RECOVERING.modules];
    const node = await startSimulatedNode({
      eth_call: ([call]) => answerTo((call as { data: Hex }).data, answersOf({ ...RECOVERING, modules })),
    });
    try {
      const { deps: plain, keyring } = startKeyring({ wallet: new WalletDouble() });
      const entry = { entryPoint: ENTRY_POINTS['0.7'], entryPointVersion: '0.7' } as const;
      const chainId = 'eip155:31337';
      await plain.chains.put({ chainId, rpcUrl: node.url, ...entry });
      await keyring.createAccount({ type: 'eip155:erc4337', chainId, kind: 'safe-0.7', index: 0 });
      const stored = new Map<string, unknown>();
      const recoveries = new RecoveryRepository({
        read: (key: string) => Promise.resolve(stored.get(key) ?? null),
        write: (key: string, value: unknown) => Promise.resolve(void stored.set(key, value)),
      } as unknown as ConstructorParameters<typeof RecoveryRepository>[0]);
      let isShowing = false;
      const raised: number[] = [];
      const deps = {
        ...plain,
        recoveries,
        isLocked: () => Promise.resolve(false),
        raise: (alarms: readonly unknown[]) => {
          raised.push(alarms.length);
          return isShowing ? Promise.resolve() : Promise.reject(new Error('another dialog is open'));
        },
      };
      const cron = () => onBackgroundEvent(RECOVERY_JOB, deps as unknown as Parameters<typeof onBackgroundEvent>[1]);
      await lookAtSafes(deps);
      await expect(cron()).rejects.toThrow('another dialog is open');
      isShowing = true;
      await cron();
      await cron();
      await lookAtSafes(deps);
      await cron();
      expect(raised).toEqual([1, 1]);
    } finally {
      await node.stop();
    }
  });
});
