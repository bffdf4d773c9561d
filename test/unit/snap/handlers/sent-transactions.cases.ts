import { type Json } from '@metamask/snaps-sdk';

import { ServiceFailedError, ServiceSilentError, StateError } from '../../../../src/core/errors';
import { type Hex } from '../../../../src/core/eth/bytes';
import { explainAction } from '../../../../src/core/decode/explain/transaction';
import {
  LOOK_UP_EVENT,
  noteShown,
  onLookUpEvent,
  type SentDeps,
} from '../../../../src/snap/handlers/sent-transactions';
import { RecipientRepository } from '../../../../src/snap/explain/recipients/repository';
import { ShownTransactionRepository } from '../../../../src/snap/explain/recipients/shown-transactions';
import { ALICE, BOB, ME, VIEW } from '../../../support/explaining';
import { MinedChain } from '../../../support/wallet/mined-chain';

const DAY = 86_400_000;
const START = Date.parse('2026-01-01T00:00:00Z');
const ETHER = '0xde0b6b3a7640000';
const send = (to: Hex) => ({ from: ME, to, value: ETHER });

/** A wallet with a chain, in which transactions are shown, sent and looked up. */
function start() {
  const state: Record<string, Json> = {};
  const world = {
    chain: new MinedChain(),
    selected: 1n as bigint | undefined,
    locked: false,
    reads: 0,
    failsToWrite: false,
    scheduled: [] as number[],
    /** Which networks were asked, and whether they could be selected for that. */
    asked: [] as string[],
    answers: {} as Record<string, () => Json>,
  };
  const store = {
    read: (key: string) => {
      world.reads++;
      return Promise.resolve(state[key] ?? null);
    },
    write: (key: string, value: Json) => {
      if (world.failsToWrite) return Promise.reject(new StateError('The wallet could not store the change.'));
      state[key] = structuredClone(value);
      return Promise.resolve();
    },
  };
  const deps: SentDeps = {
    recipients: new RecipientRepository(store),
    shown: new ShownTransactionRepository(store),
    walletNode: (chainId, { maySelect }) => ({
      url: 'wallet',
      chainId: () => Promise.resolve(chainId),
      ask: async (method, params, result) => {
        world.asked.push(`${chainId} ${maySelect ? 'selecting' : 'staying'}`);
        const answer: unknown = world.answers[method]?.() ?? world.chain.answers[method]?.(params as Json[]);
        try {
          return await Promise.resolve(result.create(answer));
        } catch {
          throw new ServiceFailedError(`The node returned a malformed result for ${method}.`);
        }
      },
    }),
    selectedNetwork: () => Promise.resolve(world.selected),
    isLocked: () => Promise.resolve(world.locked),
    scheduleLookUp: (seconds) => {
      world.scheduled.push(seconds);
      return Promise.resolve();
    },
  };
  const show = (to: Hex, chainId = 1n) => {
    const action = { to, value: BigInt(ETHER), data: '0x', chainId } as const;
    return noteShown({ from: ME, ...action }, Promise.resolve(explainAction(action, VIEW)), deps);
  };
  const lookUp = () => onLookUpEvent(LOOK_UP_EVENT, deps);
  const used = () => deps.recipients.used(ME);
  const waiting = async () => (await deps.shown.read()).length;
  return { world, deps, show, lookUp, used, waiting };
}

const lower = (address: string) => address.toLowerCase();

beforeEach(() => {
  jest.useFakeTimers({ now: START });
});
afterEach(() => {
  jest.useRealTimers();
});

describe('a transaction that is shown', () => {
  it('counts as sent once it is mined, and its recipient is remembered', async () => {
    const { world, show, lookUp, used, waiting } = start();
    await show(ALICE);
    expect(world.scheduled).toEqual([60]);
    await lookUp();
    expect([await used(), await waiting()]).toEqual([[], 1]);
    world.chain.wait(7);
    world.chain.mine(send(ALICE));
    world.chain.wait(50);
    await lookUp();
    expect([await used(), await waiting()]).toEqual([[lower(ALICE)], 0]);
  });

  it('does not count as sent if another transaction was sent instead, whatever was shown last', async () => {
    const { world, show, lookUp, used, waiting } = start();
    await show(BOB);
    // Something that was sent without being shown uses the nonce.
    world.chain.mine(send(ALICE));
    await lookUp();
    expect([await used(), await waiting()]).toEqual([[], 0]);
  });

  it.each<[string, object]>([
    ['another value', { value: '0x1' }],
    ['other data', { data: '0x00' }],
    ['another recipient', { to: BOB }],
    ['no recipient', { to: null }],
  ])('does not count as sent if one with %s was mined', async (_what, other) => {
    const { world, show, lookUp, used, waiting } = start();
    await show(ALICE);
    world.chain.mine({ ...send(ALICE), ...other });
    await lookUp();
    expect([await used(), await waiting()]).toEqual([[], 0]);
  });

  it('does not count as sent if another account sent the same in that block', async () => {
    const { world, show, lookUp, used, waiting } = start();
    await show(ALICE);
    world.chain.mine(send(BOB));
    const transactions = [send(BOB), { ...send(ALICE), from: BOB }].map((mined) => ({ ...mined, input: '0x' }));
    world.answers.eth_getBlockByNumber = () => ({ number: '0x64', transactions });
    await lookUp();
    expect([await used(), await waiting()]).toEqual([[], 0]);
  });

  it('is found among several that were shown for the same nonce', async () => {
    const { world, show, lookUp, used, waiting } = start();
    await show(ALICE);
    await show(BOB);
    world.chain.mine(send(ALICE));
    await lookUp();
    expect([await used(), await waiting()]).toEqual([[lower(ALICE)], 0]);
  });

  it('is found where the node spells out more than it must, or less', async () => {
    const { world, show, lookUp, used } = start();
    await show(ALICE);
    world.chain.mine(send(ALICE));
    const mined = { ...send(ALICE), input: '0x' };
    world.answers.eth_getBlockByNumber = () => ({
      number: '0x64',
      transactions: [null, 'hash', { type: '0x7e', from: BOB }, { ...mined, to: lower(ALICE), v: '0x1' }],
    });
    await lookUp();
    expect(await used()).toEqual([lower(ALICE)]);
  });

  it('that sends nothing is not remembered', async () => {
    const { deps, world, waiting } = start();
    const action = { to: ALICE, value: 0n, data: '0xdeadbeef', chainId: 1n } as const;
    await noteShown({ from: ME, ...action }, Promise.resolve(explainAction(action, VIEW)), deps);
    expect([await waiting(), world.scheduled]).toEqual([0, []]);
  });

  it('counts as rejected after a day, on any network', async () => {
    const { show, lookUp, waiting } = start();
    await show(ALICE);
    await show(BOB, 10n);
    jest.setSystemTime(START + DAY);
    await lookUp();
    expect(await waiting()).toBe(2);
    jest.setSystemTime(START + DAY + 1);
    await lookUp();
    expect(await waiting()).toBe(0);
  });
});

describe('a look-up', () => {
  it('comes again while there is something to look up, less often as time passes', async () => {
    const { world, show, lookUp } = start();
    await show(ALICE);
    jest.setSystemTime(START + 599_999);
    await lookUp();
    jest.setSystemTime(START + 600_000);
    await lookUp();
    world.chain.mine(send(ALICE));
    await lookUp();
    expect(world.scheduled).toEqual([60, 60, 600]);
  });

  it('never selects a network, and leaves those alone that are not selected', async () => {
    const { world, show, lookUp, waiting, used } = start();
    await show(ALICE, 10n);
    expect(new Set(world.asked)).toEqual(new Set(['10 selecting']));
    world.chain.mine(send(ALICE));
    world.asked.length = 0;
    await lookUp();
    world.selected = undefined;
    await lookUp();
    expect([await waiting(), world.asked, world.scheduled]).toEqual([1, [], [60]]);
    world.selected = 10n;
    await lookUp();
    expect(await used()).toEqual([lower(ALICE)]);
    expect(new Set(world.asked)).toEqual(new Set(['10 staying']));
  });

  it('reads nothing while the wallet is locked, and comes later', async () => {
    const { world, lookUp } = start();
    world.locked = true;
    await lookUp();
    expect([world.reads, world.asked, world.scheduled]).toEqual([0, [], [600]]);
  });

  it('of another name is refused', async () => {
    await expect(onLookUpEvent('lookUpBatches', start().deps)).rejects.toThrow('unknown event "lookUpBatches"');
  });
});

describe('a failing wallet', () => {
  it('that is silent is asked again', async () => {
    const { world, show, lookUp, used } = start();
    await show(ALICE);
    world.chain.mine(send(ALICE));
    world.answers.eth_getBlockByNumber = () => {
      throw new ServiceSilentError("The wallet's node did not respond within 2.5 s.");
    };
    await show(BOB);
    world.asked.length = 0;
    await lookUp();
    expect(world.scheduled).toEqual([60, 60, 60]);
    // The nonce, the latest block, the nonce at one block, and that block: of the first transaction, and not of the
    // second.
    expect(world.asked).toHaveLength(4);
    world.answers = {};
    await lookUp();
    expect(await used()).toEqual([lower(ALICE)]);
  });

  it.each<[string, Json]>([
    ['text', 'null'],
    ['a block of garbage', { transactions: 'all' }],
    ['hashes instead of transactions', { transactions: [`0x${'ab'.repeat(32)}`] }],
  ])('that answers with %s is not asked again, and the recipient stays new', async (_what, block) => {
    const { world, show, lookUp, used, waiting } = start();
    await show(ALICE);
    world.chain.mine(send(ALICE));
    world.answers.eth_getBlockByNumber = () => block;
    await lookUp();
    expect([await used(), await waiting()]).toEqual([[], 0]);
  });

  it('does not fail the insight, whatever fails', async () => {
    const { world, show, waiting } = start();
    world.answers.eth_blockNumber = () => 'nonsense';
    await show(ALICE);
    expect(await waiting()).toBe(0);
    world.answers = {};
    world.failsToWrite = true;
    await show(ALICE);
    expect(await waiting()).toBe(0);
  });

  it('that says that there are more blocks than there can be is not searched', async () => {
    const { world, show, lookUp, used, waiting } = start();
    await show(ALICE);
    world.chain.mine(send(ALICE));
    world.answers.eth_blockNumber = () => `0x${'f'.repeat(64)}`;
    await lookUp();
    expect([await used(), await waiting(), world.asked.length]).toEqual([[], 0, 4]);
  });

  it('that says that a nonce is used and never was ends the search', async () => {
    const { world, show, lookUp, waiting } = start();
    await show(ALICE);
    let counts = 0;
    world.answers.eth_getTransactionCount = () => (counts++ === 0 ? '0x5' : '0x0');
    await lookUp();
    expect(await waiting()).toBe(0);
  });
});
