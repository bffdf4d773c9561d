import { isSameAddress } from '../../../eth/address';
import { type Hex } from '../../../eth/bytes';
import { type TypedData } from '../../../eth/typed-data';
import { type Effect, type Term } from '../../effects/effect';
import { isUint, type Leaf, numberOf } from './leaves';
import { tokenTerm } from './orders/order-rule';
import { type TypedScene } from './rule';

/** Amounts that an order gives or gets, by the name of the amount or of what contains it. */
const GIVES = /^(?:sell|mak(?:er|ing)|offer|give|input|source|src|base)\w*amounts?$|^amounts?_?in$/iu;
const GETS =
  /^(?:buy|tak(?:er|ing)|want|output|receive|dest|quote|min)\w*amounts?$|^amounts?_?out\w*$|^min_?(?:return|out)\w*$|^\w*price(?:_?in_?wei)?$|^cost$/iu;
const AMOUNT = /^(?:\w*amount|value|quantity)$/iu;
const INSIDE_GIVEN = /(?:^|\.)(?:sell|make|offer|give|input|source|src|base)\w*(?:\[\d+\])*\./iu;
const INSIDE_GOT = /(?:^|\.)(?:buy|take|want|output|receive|dest|dst|quote|consideration)\w*(?:\[\d+\])*\./iu;
const GIVEN_TOKEN = /^(?:sell|maker?|input|source|src|base)_?(?:token|asset)(?:_?address)?$/iu;
const GOT_TOKEN = /^(?:buy|taker?|output|dest|dst|quote)_?(?:token|asset)(?:_?address)?$/iu;
const MAKER = /^(?:maker|offerer|seller|owner|from|swapper|user|trader)(?:_?address)?$/iu;
const TAKER = /^(?:taker|buyer|filler)(?:_?address)?$/iu;
/** Names of a pair, of which either may be given: a field beside them says which. */
const PAIR = /^(?:base|quote)/iu;
const DIRECTION = /^(?:side|direction|is_?(?:buy|bid|long|sell|ask)\w*)$/iu;
/** Names that say which side is which all the same. */
const DIRECTED = /^(?:sell|give|input|source|src)/iu;
const SALE = /order|maker|ask|listing|offer|sale|sell/iu;
const RECEIVER = /^(?:receiver|recipient|beneficiary|payee|pay_?to|to)$/iu;
/** Names of one amount at different times, or of its bounds. */
const BOUND = /start|end|min|max|base|expected|initial|final|_/giu;
/** Shares that others get, in hundredths of a percent. */
const SHARE = /fee|royalt/iu;
const RATE = /rate|bps|basis|percent|fee/iu;
const WHOLE = 10_000n;

const isGiven = (leaf: Leaf): boolean =>
  isUint(leaf) && (GIVES.test(leaf.name) || (AMOUNT.test(leaf.name) && INSIDE_GIVEN.test(leaf.path)));
const isGot = (leaf: Leaf): boolean =>
  isUint(leaf) && (GETS.test(leaf.name) || (AMOUNT.test(leaf.name) && INSIDE_GOT.test(leaf.path)));

/** @returns Whether a field says which side is given, so that the names of the amounts do not. */
const hasDirection = (leaves: readonly Leaf[], gives: readonly Leaf[]): boolean =>
  leaves.some(({ name }) => DIRECTION.test(name)) && !gives.some(({ name }) => DIRECTED.test(name));

/** Adds up amounts. Of several that bound one amount, only the most or the least counts. */
function sum(all: readonly Leaf[], isMost: boolean): bigint {
  const counted = new Map<string, bigint>();
  for (const leaf of all) {
    const key = leaf.path.replace(/\w*$/u, (name) => name.replaceAll(BOUND, '').toLowerCase());
    const [amount, before] = [numberOf(leaf), counted.get(key)];
    if (before === undefined || amount > before === isMost) counted.set(key, amount);
  }
  return [...counted.values()].reduce((total, amount) => total + amount, 0n);
}

/** @returns Whether others get all of the price. */
const isAllFees = (leaves: readonly Leaf[]): boolean =>
  sum(
    leaves.filter((leaf) => isUint(leaf) && SHARE.test(leaf.path) && RATE.test(leaf.name)),
    true,
  ) >= WHOLE;

/** @returns Whether something is to be got, and all of it is nothing. */
export function getsNothing(leaves: readonly Leaf[]): boolean {
  const gets = leaves.filter(isGot);
  return gets.length > 0 && sum(gets, false) === 0n;
}

/** An order by any name: what it gives and gets, and who is paid, as far as names say so. */
export function orderIn(
  leaves: readonly Leaf[],
  { primaryType }: TypedData,
  { view: { signer } }: TypedScene,
): Effect[] {
  const [gives, gets] = [leaves.filter(isGiven), leaves.filter(isGot)];
  const addresses = (pattern: RegExp): Hex[] =>
    leaves.flatMap((leaf) => (pattern.test(leaf.name) ? (leaf.address ?? []) : []));
  const term = (amount: bigint, tokens: readonly Hex[], more: Partial<Term> = {}): Term => {
    const [token] = tokens;
    return token === undefined || tokens.some((one) => !isSameAddress(one, token))
      ? { asset: undefined, least: amount, most: amount, ...more }
      : tokenTerm(token, amount, more);
  };
  // A sale for a price may name what is sold in any way.
  const isSale = gives.length === 0 && gets.length > 0 && SALE.test(primaryType);
  if (isSale && (sum(gets, false) === 0n || isAllFees(leaves)))
    return [
      {
        kind: 'order',
        isGuess: true,
        maker: signer,
        gives: [{ asset: undefined, least: 1n, most: 1n }],
        gets: [{ asset: undefined, least: 0n, most: 0n }],
      },
    ];
  if (gives.length === 0 || gets.length === 0) return [];
  const isUndirected = [...gives, ...gets].some(({ name }) => PAIR.test(name)) || hasDirection(leaves, gives);
  const [maker, taker] = [MAKER, TAKER].map((pattern) => addresses(pattern)[0]);
  // One who is not the signer may be behind one who is.
  const receivers = addresses(RECEIVER);
  const receiver = receivers.find((one) => !isSameAddress(one, signer)) ?? receivers[0];
  const to = receiver ?? maker;
  return [
    {
      kind: 'order',
      isGuess: true,
      maker: isUndirected ? undefined : (maker ?? signer),
      taker,
      gives: [term(sum(gives, true), addresses(GIVEN_TOKEN))],
      gets: [term(sum(gets, false), addresses(GOT_TOKEN), { to })],
    },
    ...(receiver === undefined || isSameAddress(receiver, signer)
      ? []
      : [{ kind: 'named', address: receiver, isRecipient: false } as const]),
  ];
}
