import { isSameAddress } from '../../../eth/address';
import { type Hex } from '../../../eth/bytes';
import { type TypedData } from '../../../eth/typed-data';
import { type Effect } from '../../effects/effect';
import { isUint, type Leaf, numberOf } from './leaves';
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
const MAKER = /^(?:maker|offerer|seller|owner|from|swapper|user|trader)$/iu;
const SALE = /order|maker|ask|listing|offer|sale|sell/iu;
const RECEIVER = /^(?:receiver|recipient|beneficiary|to)$/iu;
/** Shares that others get, in hundredths of a percent. */
const SHARE = /fee|royalt/iu;
const RATE = /rate|bps|basis|percent|fee/iu;
const WHOLE = 10_000n;

const isGiven = (leaf: Leaf): boolean =>
  isUint(leaf) && (GIVES.test(leaf.name) || (AMOUNT.test(leaf.name) && INSIDE_GIVEN.test(leaf.path)));
const isGot = (leaf: Leaf): boolean =>
  isUint(leaf) && (GETS.test(leaf.name) || (AMOUNT.test(leaf.name) && INSIDE_GOT.test(leaf.path)));

const sum = (all: readonly Leaf[]): bigint => all.reduce((total, leaf) => total + numberOf(leaf), 0n);

/** @returns Whether others get all of the price. */
const isAllFees = (leaves: readonly Leaf[]): boolean =>
  sum(leaves.filter((leaf) => isUint(leaf) && SHARE.test(leaf.path) && RATE.test(leaf.name))) >= WHOLE;

/** @returns Whether something is to be got, and all of it is nothing. */
export function getsNothing(leaves: readonly Leaf[]): boolean {
  const gets = leaves.filter(isGot);
  return gets.length > 0 && sum(gets) === 0n;
}

/** An order by any name: what it gives and gets, and whether it gets anything at all. */
export function orderIn(
  leaves: readonly Leaf[],
  { primaryType }: TypedData,
  { view: { signer } }: TypedScene,
): Effect[] {
  const [gives, gets] = [leaves.filter(isGiven), leaves.filter(isGot)];
  // A sale for a price may name what is sold in any way.
  const isSale = gives.length === 0 && gets.length > 0 && SALE.test(primaryType);
  if (isSale && (sum(gets) === 0n || isAllFees(leaves)))
    return [{ kind: 'order', offerer: signer, gives: true, gets: false }];
  if (gives.length === 0 || gets.length === 0) return [];
  const named = (pattern: RegExp): Hex | undefined =>
    leaves.flatMap((leaf) => (pattern.test(leaf.name) ? (leaf.address ?? []) : []))[0];
  const [maker, receiver] = [named(MAKER), named(RECEIVER)];
  const isOwn = maker === undefined || isSameAddress(maker, signer);
  const [given, got] = [sum(gives), sum(gets)];
  const token = (pattern: RegExp): Hex[] =>
    leaves.flatMap((leaf) => (pattern.test(leaf.name) ? (leaf.address ?? []) : []));
  const [[from, ...moreGiven], [into, ...moreGot]] = [token(GIVEN_TOKEN), token(GOT_TOKEN)];
  const isElsewhere = receiver !== undefined && !isSameAddress(receiver, signer);
  return [
    ...(isOwn ? [{ kind: 'order', offerer: signer, gives: given > 0n, gets: got > 0n } as const] : []),
    ...(isOwn && from !== undefined && moreGiven.length === 0
      ? [{ kind: 'move', from: signer, to: undefined, asset: { kind: 'erc20', token: from }, amount: given } as const]
      : []),
    ...(isOwn && !isElsewhere && into !== undefined && moreGot.length === 0
      ? [{ kind: 'move', from: undefined, to: signer, asset: { kind: 'erc20', token: into }, amount: got } as const]
      : []),
    ...(isElsewhere ? [{ kind: 'named', address: receiver, isRecipient: true } as const] : []),
  ];
}
