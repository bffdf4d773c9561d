import fc from 'fast-check';
import { hashStruct, type Hex } from 'viem';

import { type TypedData } from '../../../../src/core/eth/typed-data';
import { ACCOUNT, type Markets, type Moment, type Placed, STRANGER } from './world';

/** The contract of a market, and how its orders are drawn. */
export type Market = {
  readonly name: string;
  /** A contract that no package has, so it may be missing. */
  readonly contract?: string;
  /** Puts the contract where it is on Ethereum, and lets it move what the account and the filler have. */
  readonly deploy: (markets: Markets) => Promise<void>;
  readonly orders: fc.Arbitrary<(moment: Moment) => Placed>;
};

/** An amount that is no dust of any of the tokens. */
export const amount = fc.bigInt({ min: 10n ** 15n, max: 10n ** 24n });
/** Who gets what the account should get. */
export const payee = fc.constantFrom(ACCOUNT, ACCOUNT, STRANGER);

/** How much of an order is filled, in a thousandth. */
export const parts = fc.oneof(fc.constant(1_000n), fc.bigInt({ min: 1n, max: 999n }));
export const partOf = (whole: bigint, part: bigint): bigint => (whole * part) / 1_000n;

/** Typed data as a site sends it: its numbers are text. */
export const text = (all: object): Record<string, unknown> =>
  JSON.parse(
    JSON.stringify(all, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)),
  ) as Record<string, unknown>;

/** The end of a member that both ends bound, and that is worse for the account. */
export const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
export const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);

export const DAY = 86_400n;

/** The hash of a struct by another library than the one that signs. */
export const structHash = ({ types, primaryType, message }: TypedData): Hex =>
  hashStruct({ data: message, primaryType, types } as Parameters<typeof hashStruct>[0]);
