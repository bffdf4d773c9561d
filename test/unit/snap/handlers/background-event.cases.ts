import { type Batch } from '../../../../src/snap/send/batch';
import { LOOK_UP_EVENT, onBackgroundEvent, RECOVERY_JOB } from '../../../../src/snap/handlers/background-event';

import { lookAtSafes } from '../../../../src/snap/account/look-at-safes';
import { type RecoveryEntry, RecoveryRepository } from '../../../../src/snap/account/recoveries/repository';
import { MODULE_4337 } from '../../../../src/core/safe/contracts';
import { ENTRY_POINTS } from '../../../../src/core/erc4337/entry-points';
import { type Hex } from '../../../../src/core/eth/bytes';
import { answersOf, answerWithout, type Chain, GUARDED, party, RECOVERING } from '../../../support/recovery-node';
import { type SimulatedNode, startSimulatedNode } from '../../../support/simulated-node';
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
    batches: { read: () => Promise.resolve([waiting]) },
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
  const modules = [MODULE_4337.toLowerCase() as Hex, ...RECOVERING.modules];
  let node: SimulatedNode;
  let chain: Chain;
  beforeEach(async () => {
    chain = { ...RECOVERING, modules };
    node = await startSimulatedNode({
      eth_call: ([call]) => answerWithout(call as { to: Hex; data: Hex }, answersOf(chain)),
    });
  });
  afterEach(() => node.stop());

  /** A keyring with a Safe, and the cron job. `show` is the wallet's dialog. */
  async function start(show: () => Promise<void> = () => Promise.resolve()) {
    const { deps: plain, keyring } = startKeyring({ wallet: new WalletDouble() });
    const entry = { entryPoint: ENTRY_POINTS['0.7'], entryPointVersion: '0.7' } as const;
    const chainId = 'eip155:31337';
    await plain.chains.put({ chainId, rpcUrl: node.url, ...entry });
    const { options } = await keyring.createAccount({ type: 'eip155:erc4337', chainId, kind: 'safe-0.7', index: 0 });
    const owners = [options.owner as Hex];
    chain = { ...chain, owners };
    const stored = new Map<string, unknown>();
    const recoveries = new RecoveryRepository({
      read: (key: string) => Promise.resolve(stored.get(key) ?? null),
      write: (key: string, value: unknown) => Promise.resolve(void stored.set(key, value)),
    } as unknown as ConstructorParameters<typeof RecoveryRepository>[0]);
    const raised: string[] = [];
    const deps = {
      ...plain,
      recoveries,
      isLocked: () => Promise.resolve(false),
      raise: (news: readonly RecoveryEntry[]) => {
        raised.push(news.map((entry) => ('notice' in entry ? entry.notice : 'begun')).join());
        return show();
      },
    };
    const cron = () => onBackgroundEvent(RECOVERY_JOB, deps as unknown as Parameters<typeof onBackgroundEvent>[1]);
    return { cron, deps, raised, owners };
  }

  it('is announced until its dialog was closed, although a page has looked before', async () => {
    let isShowing = false;
    const { cron, deps, raised } = await start(() =>
      isShowing ? Promise.resolve() : Promise.reject(new Error('another dialog is open')),
    );
    await lookAtSafes(deps);
    await expect(cron()).rejects.toThrow('another dialog is open');
    isShowing = true;
    await cron();
    await cron();
    await lookAtSafes(deps);
    await cron();
    expect(raised).toEqual(['begun', 'begun']);
  });

  it('is announced again when it was finished: the key is no owner any more', async () => {
    const { cron, raised } = await start();
    await cron();
    chain = { ...GUARDED, modules, owners: [party('b')], nonce: 1n };
    await cron();
    await cron();
    expect(raised).toEqual(['begun', 'lost']);
  });

  it('is not announced as cancelled: a node that lies would reassure with it', async () => {
    const { cron, raised, owners } = await start();
    await cron();
    chain = { ...GUARDED, modules, owners, nonce: 1n };
    await cron();
    await cron();
    expect(raised).toEqual(['begun']);
  });

  it('is said to be cancelled on pages, for a week, by the name of the node', async () => {
    const { cron, deps, owners } = await start();
    await cron();
    chain = { ...GUARDED, modules, owners, nonce: 1n };
    const ended = () => lookAtSafes(deps).then((found) => found.filter((entry) => 'notice' in entry));
    const notice = { notice: 'cancelled', module: RECOVERING.modules[0], nodes: [new URL(node.url).host] };
    const now = Date.now();
    expect(await ended()).toMatchObject([notice]);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now + 6 * DAY);
    expect(await ended()).toMatchObject([notice]);
    clock.mockReturnValue(now + 8 * DAY);
    expect(await ended()).toEqual([]);
  });

  it('is announced as finished also if nobody saw it begin', async () => {
    const { cron, raised } = await start();
    chain = { ...GUARDED, modules, owners: [party('b')], nonce: 1n };
    await cron();
    await cron();
    expect(raised).toEqual(['lost']);
  });
});
