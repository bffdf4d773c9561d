import { type Hex } from 'viem';

import { ServiceFailedError, ServiceRefusedError } from '../../../../src/core/errors';
import { RECOVERY_MODULES } from '../../../../src/core/safe/recovery/modules';
import { type NodeReader } from '../../../../src/core/safe/recovery/answer';
import { changesBetween } from '../../../../src/core/watch/changes';
import { readWatched, type WatchedState } from '../../../../src/core/watch/state';
import { batchedCalls } from '../../../../src/snap/account/watch/batched-calls';
import { answersTogetherAs, callsTogether } from '../../../support/multicall';
import { answersOf, answerTo, GUARDED, MODULE, party, RECOVERING, SAFE } from '../../../support/recovery-node';

const GET_STORAGE = '0x5624b25b';
const GET_MODULES = '0xcc2f8452';
const word = (value: bigint | Hex): string => BigInt(value).toString(16).padStart(64, '0');
const revert = (): never => {
  throw new ServiceRefusedError('The call reverted.', { code: 3, message: 'execution reverted' });
};
const outOfGas = (): never => {
  throw new ServiceRefusedError('The node refused.', { code: -32_000, message: 'out of gas' });
};

type World = {
  implementation: Hex;
  /** What a contract answers instead. */
  readonly instead: Partial<Record<Hex, (data: Hex) => Hex>>;
  isDown: boolean;
};

/** A node with a Safe, and Multicall3, which one call without an end makes fail. */
function start(chain = GUARDED) {
  const world: World = { implementation: party('c'), instead: {}, isDown: false };
  const answers = answersOf(chain);
  const call = ({ to, data }: { to: Hex; data: Hex }): Hex => {
    const instead = world.instead[to.toLowerCase() as Hex];
    if (instead !== undefined) return instead(data);
    if (data.startsWith(GET_STORAGE)) return `0x${word(32n)}${word(32n)}${word(0n)}`;
    return [SAFE, MODULE.address.toLowerCase()].includes(to.toLowerCase()) ? answerTo(data, answers) : revert();
  };
  const node: NodeReader = {
    ask: (method, params, result) => {
      const answer = (): unknown => {
        if (world.isDown) throw new ServiceFailedError('The node does not answer.');
        if (method === 'eth_getCode') return '0x6001';
        if (method === 'eth_getStorageAt') return `0x${word(world.implementation)}`;
        const [asked] = params as [{ to: Hex; data: Hex }];
        const together = callsTogether(asked);
        if (together === undefined) return call(asked);
        return answersTogetherAs(
          together.map((one) => {
            try {
              return call(one);
            } catch (error) {
              if (error instanceof ServiceRefusedError && error.error.code === 3) return undefined;
              throw error;
            }
          }),
        );
      };
      return Promise.resolve().then(() => result.create(answer()));
    },
  };
  const read = async (before?: WatchedState) => readWatched(SAFE, before, await batchedCalls(node));
  const changes = async (before: WatchedState) => changesBetween(before, await read(before));
  return { world, read, changes };
}

/** What a node's client makes of megabytes. */
const tooLong = (): never => {
  throw new ServiceFailedError('The node returned more than 4194304 characters for eth_call.');
};

describe('a Safe whose code is replaced', () => {
  it.each<[string, (data: Hex) => Hex]>([
    ['answers nothing', () => '0x'],
    ['reverts', revert],
    ['spends all gas', outOfGas],
    ['answers with megabytes', tooLong],
  ])('is noticed though the new code %s', async (_what, code) => {
    const { world, read, changes } = start(RECOVERING);
    const before = await read();
    world.implementation = party('e');
    world.instead[SAFE] = code;
    expect(await changes(before)).toEqual([{ kind: 'implementation', address: party('e') }]);
  });

  it('is not told from one whose node fails', async () => {
    const { world, read } = start();
    const before = await read();
    world.instead[SAFE] = revert;
    await expect(read(before)).rejects.toThrow('reverted');
    world.isDown = true;
    await expect(read(before)).rejects.toThrow('does not answer');
  });
});

describe('a module that a thief switches on', () => {
  const BAD = party('7');
  const added = { ...GUARDED, modules: [...GUARDED.modules, BAD] };

  it.each<[string, (data: Hex) => Hex]>([
    ['spends all gas', outOfGas],
    ['answers with megabytes', tooLong],
  ])('is noticed though it %s', async (_what, code) => {
    const before = await start().read();
    const { world, changes } = start(added);
    world.instead[BAD] = code;
    expect(await changes(before)).toEqual([{ kind: 'module-added', address: BAD }]);
  });

  it('hides no recovery that has begun', async () => {
    const before = await start().read();
    const { world, changes } = start({ ...RECOVERING, modules: added.modules });
    world.instead[BAD] = outOfGas;
    expect((await changes(before)).map(({ kind }) => kind)).toEqual(['recovery', 'module-added']);
  });

  it('is noticed among more modules than any Safe has', async () => {
    const before = await start().read();
    const { world, changes } = start();
    const many = Array.from({ length: 200 }, (_none, at): Hex => `0x${(at + 4096).toString(16).padStart(40, '0')}`);
    world.instead[SAFE] = (data) => {
      if (data.startsWith(GET_STORAGE)) return `0x${word(32n)}${word(32n)}${word(0n)}`;
      if (!data.startsWith(GET_MODULES)) return answerTo(data, answersOf(GUARDED));
      const start = `0x${data.slice(34, 74)}`;
      const from = many.indexOf(start as Hex) + 1;
      const modules = many.slice(from, from + 20);
      return answersOf({ ...GUARDED, modules, next: modules.at(-1)! }).getModulesPaginated!;
    };
    const found = await changes(before);
    expect(found.filter(({ kind }) => kind === 'module-added').length).toBeGreaterThan(20);
  });
});

describe('an account with a key', () => {
  const keyed = async (code: Hex) =>
    readWatched(SAFE, undefined, {
      block: 'latest',
      node: { ask: (_method, _params, result) => Promise.resolve(result.create(code)) },
    });

  it('has a delegate (EIP-7702), in lower case, or none', async () => {
    expect(await keyed('0x')).toEqual({ kind: 'key', delegate: null });
    expect(await keyed(`0xef0100${'AB'.repeat(20)}`)).toEqual({ kind: 'key', delegate: `0x${'ab'.repeat(20)}` });
  });
});

describe('what a node says of a Safe', () => {
  it('names the first 20 new owners of a recovery, and counts the others', async () => {
    const owners = (count: number): Hex[] =>
      Array.from({ length: count }, (_none, at): Hex => `0x${(at + 4096).toString(16).padStart(40, '0')}`);
    for (const count of [1, 20, 21, 25]) {
      const state = await start({ ...RECOVERING, newOwners: owners(count) }).read();
      expect(state).toMatchObject({
        recoveries: [{ newOwners: owners(count).slice(0, 20), more: Math.max(0, count - 20) }],
      });
    }
  });

  it.each([0n, 2n])('is refused if %d of one owner must sign', async (threshold) => {
    const { world, read } = start();
    const before = await read();
    world.instead[SAFE] = (data) => {
      if (data.startsWith(GET_STORAGE)) return `0x${word(32n)}${word(32n)}${word(0n)}`;
      return answerTo(data, { ...answersOf(GUARDED), getThreshold: `0x${word(threshold)}` });
    };
    await expect(read(before)).rejects.toThrow('threshold: must be from 1 to the number of owners');
  });

  it('is not believed to be that no recovery has begun if a known module cannot be asked', async () => {
    const { world, read } = start();
    const [known] = RECOVERY_MODULES;
    world.instead[known!.address.toLowerCase() as Hex] = outOfGas;
    await expect(read()).rejects.toThrow('The node refused.');
  });
});
