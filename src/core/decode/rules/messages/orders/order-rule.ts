import { isIn, isSameAddress, ZERO_ADDRESS } from '../../../../eth/address';
import { type Hex } from '../../../../eth/bytes';
import { type TypedDataTypes } from '../../../../eth/typed-data';
import { type Effect, type Order, type Term } from '../../../effects/effect';
import { type Asset } from '../../../effects/outcome';
import { contractLine, type Struct, type TypedRule, type TypedScene } from '../rule';

/** The terms of an order, and what else is to be said of it. */
export type OrderTerms = Omit<Order, 'kind'> & { readonly notes?: readonly (string | undefined)[] | undefined };

/** The orders of one protocol and type. */
export type OrderForm = {
  /** The protocol's name, for a sentence. */
  readonly protocol: string;
  readonly type: TypedRule['type'];
  /** The contracts that keep to the terms, in any case. Others may accept the signature and do what they like. */
  readonly contracts: readonly string[];
  readonly read: (message: Struct, scene: TypedScene, types: TypedDataTypes) => readonly OrderTerms[];
};

/** The whole, of shares in hundredths of a percent. */
export const WHOLE_SHARE = 10_000n;

/** Many contracts take it for the network's coin. */
export const COIN = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';

/** An amount that no auction changes, of a token or of the network's coin (0xeeee…). */
export function tokenTerm(token: Hex, amount: bigint, more: Partial<Term> = {}): Term {
  return {
    asset: isSameAddress(token, COIN) ? { kind: 'native' } : { kind: 'erc20', token },
    least: amount,
    most: amount,
    ...more,
  };
}

/** As {@link tokenTerm}, where the zero address stands for the coin, too. */
export const coinOrTokenTerm = (token: Hex, amount: bigint, more: Partial<Term> = {}): Term =>
  tokenTerm(token === ZERO_ADDRESS ? COIN : token, amount, more);

/** An amount of any asset that no auction changes. */
export const exactly = (asset: Asset | undefined, amount: bigint, more: Partial<Term> = {}): Term => ({
  asset,
  least: amount,
  most: amount,
  ...more,
});

/** An amount that an auction moves from its start to its end. */
export const between = (start: bigint, end: bigint): Pick<Term, 'least' | 'most' | 'isRising'> =>
  start < end ? { least: start, most: end, isRising: true } : { least: end, most: start, isRising: false };

/** An address, or undefined for the zero address, which protocols write for "the maker" or "anybody". */
export const orNobody = (address: Hex): Hex | undefined => (address === ZERO_ADDRESS ? undefined : address);

/** What the message of Permit2 allows that an order is the witness of. */
export type Permission = { readonly spender: Hex; readonly tokens: readonly Hex[] };

/**
 * Whether a one-time transfer of Permit2 binds its spender to the order that is its witness.
 *
 * @param spenders - Contracts that keep to the orders of the protocol.
 * @param settler - The contract that the order names.
 * @param token - What the order gives; undefined if it is no token.
 */
export const isBound = (
  { spender, tokens: [permitted, ...others] }: Permission,
  spenders: readonly string[],
  settler: Hex,
  token: Hex | undefined,
): boolean =>
  isIn(spenders, spender) &&
  isSameAddress(spender, settler) &&
  others.length === 0 &&
  permitted !== undefined &&
  token !== undefined &&
  isSameAddress(permitted, token);

/** The effects of orders, and of what else is to be said of them. */
export const orderEffects = (orders: readonly OrderTerms[]): Effect[] =>
  orders.flatMap(({ notes = [], ...order }): Effect[] => [
    { kind: 'order', ...order },
    ...notes.flatMap((text): Effect[] => (text === undefined ? [] : [{ kind: 'note', text }])),
  ]);

/** The end of the last of several; undefined if one has none. */
const latest = (ends: readonly (bigint | undefined)[]): bigint | undefined =>
  ends.reduce((last, end) => (last === undefined || end === undefined ? undefined : last > end ? last : end), ends[0]);

/** A rule for the orders of one type. Their terms are rows of the open part; everything that is signed is listed. */
export const orderRule = ({ protocol, type, contracts, read }: OrderForm): TypedRule => ({
  type,
  read: (message, scene, types) => {
    const { contract } = scene;
    const isOther = contract === undefined || !isIn(contracts, contract);
    const orders = read(message, scene, types);
    return {
      title: 'Place an order',
      effects: [
        ...(isOther
          ? [
              {
                kind: 'note',
                text: `This looks like an order of ${protocol}, but it is for a contract that Keystead does not know. It may not keep to these terms.`,
              } as const,
            ]
          : []),
        ...orderEffects(orders),
      ],
      isListed: true,
      lines: [contractLine('Contract', contract)],
      ...(!isOther && { until: latest(orders.map(({ until }) => until)) }),
    };
  },
});
