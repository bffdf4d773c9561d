import { type Hex } from '../../../../src/core/eth/bytes';
import { type AssetEvents, type Grant, type Movement } from '../../../../src/core/simulation/asset-logs';
import { withinRoom } from '../../../../src/core/simulation/reading-order';

const address = (number: number): Hex => `0x${number.toString(16).padStart(40, '0')}`;
/** Tokens from this number on are on the list. */
const LISTED = 1_000;
const isKnown = (token: Hex): boolean => BigInt(token) >= BigInt(LISTED);

const movement = (token: number, net: bigint): Movement => ({ asset: { kind: 'erc20', token: address(token) }, net });
const grant = (token: number): Grant => ({
  holder: address(token),
  allowance: { kind: 'amount', token: address(token), spender: address(1), amount: 1n },
});
const many = <One>(count: number, make: (at: number) => One): One[] =>
  Array.from({ length: count }, (_, at) => make(at));

const read = async (events: Partial<AssetEvents>) => {
  const { movements, grants, bystanders, unread } = await withinRoom(
    { native: 0n, isPartial: false, movements: [], grants: [], bystanders: [], ...events } as AssetEvents,
    isKnown,
  );
  return {
    moved: movements.map(({ asset }) => Number(asset.token)),
    given: grants.map(({ allowance }) => Number(allowance.token)),
    others: bystanders.map(Number),
    unread,
  };
};

describe('what a preview reads', () => {
  it('is everything, in the order of the logs, while there is room', async () => {
    const all = await read({
      movements: many(20, (at) => movement(at, at % 2 === 0 ? 1n : -1n)),
      grants: many(24, (at) => grant(at)),
      bystanders: many(4, (at) => address(100 + at)),
    });
    expect(all).toEqual({
      moved: many(20, (at) => at),
      given: many(24, (at) => at),
      others: [100, 101, 102, 103],
      unread: undefined,
    });
    const full = await read({ movements: many(24, (at) => movement(at, at % 2 === 0 ? 1n : -1n)) });
    expect([full.moved, full.unread]).toEqual([many(24, (at) => at), undefined]);
  });

  it('is first what is lost, then what comes in, each with listed tokens before others', async () => {
    const { moved, unread } = await read({
      movements: [
        ...many(25, (at) => movement(at, 1n)),
        movement(LISTED, 1n),
        movement(50, -1n),
        movement(LISTED + 1, -1n),
        movement(51, -1n),
      ],
    });
    expect(moved).toEqual([LISTED + 1, 50, 51, LISTED, ...many(20, (at) => at)]);
    expect(unread).toBe('receipts');
  });

  it('says that losses are left out if there are more of them, of permissions, or of what cannot be read', async () => {
    const losses = (count: number) => many(count, (at) => movement(at, -1n));
    expect((await read({ movements: losses(24) })).unread).toBeUndefined();
    expect((await read({ movements: losses(25) })).unread).toBe('losses');
    expect((await read({ movements: [...losses(24), movement(99, 0n)] })).unread).toBe('receipts');
    expect((await read({ grants: many(25, grant) })).unread).toBe('losses');
    expect((await read({ isPartial: true })).unread).toBe('losses');
  });

  it('is at most 24 permissions, those of listed tokens first', async () => {
    const { given } = await read({ grants: [...many(24, grant), grant(LISTED)] });
    expect(given).toEqual([LISTED, ...many(23, (at) => at)]);
    const all = await read({ grants: [...many(23, grant), grant(LISTED)] });
    expect([all.given, all.unread]).toEqual([[...many(23, (at) => at), LISTED], undefined]);
  });

  it('is what others move only as far as there is room, listed tokens first', async () => {
    const bystanders = [...many(4, (at) => address(100 + at)), address(LISTED)];
    const movements = (count: number) => many(count, (at) => movement(at, 1n));
    expect((await read({ movements: movements(19), bystanders })).others).toEqual([100, 101, 102, 103, LISTED]);
    expect((await read({ movements: movements(20), bystanders })).others).toEqual([LISTED, 100, 101, 102]);
    expect((await read({ movements: movements(24), bystanders })).others).toEqual([]);
    expect((await read({ movements: movements(25), bystanders })).others).toEqual([]);
    expect((await read({ movements: movements(24), bystanders })).unread).toBeUndefined();
  });
});
