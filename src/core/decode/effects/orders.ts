import { isSameAddress } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { networkTitle } from '../../networks/network';
import { type Line } from '../explanation';
import { tokenAt } from '../metadata/tokens';
import { type WordScene } from '../scene';
import { rowAmount, shortAmount, tokenOf } from '../words/amounts';
import { leftOut, text } from '../words/lines';
import { namedAddress, nameOf, withMore } from '../words/names';
import { endTime } from '../words/time';
import { keyOfAsset } from './changes';
import { type Order, type Term } from './effect';
import { type Asset } from './outcome';

/** A screen shows the terms of so many orders. More are a danger. */
export const MAX_ORDERS = 10;

/** Something that is paid, and to whom. */
export type Payment = Term & { readonly to: Hex };

/**
 * An order from the side of one of the two: of the account that signs, else of the maker.
 *
 * - `none`: nothing says which side signs.
 */
export type Side = {
  readonly is: 'maker' | 'taker' | 'other' | 'none';
  /** The account on this side; undefined for `none`. */
  readonly self: Hex | undefined;
  readonly gives: readonly Term[];
  /** What this side gets itself. */
  readonly gets: readonly Term[];
  /** What others are paid, by either side. */
  readonly payments: readonly Payment[];
};

/** The order as the account that signs has it. */
export function sideOf({ maker, taker, gives, gets }: Order, signer: Hex): Side {
  if (maker === undefined) return { is: 'none', self: undefined, gives, gets, payments: [] };
  const isTaker = !isSameAddress(maker, signer) && taker !== undefined && isSameAddress(taker, signer);
  const self = isTaker ? taker : maker;
  const [given, got] = isTaker ? [gets, gives] : [gives, gets];
  const isPayment = (term: Term): term is Payment => term.to !== undefined && !isSameAddress(term.to, self);
  // Whoever is paid by this side is named, unless it is the other side of the order.
  const other = isTaker ? maker : taker;
  const isElsewhere = ({ to }: Payment): boolean => other === undefined || !isSameAddress(to, other);
  return {
    is: isTaker ? 'taker' : isSameAddress(maker, signer) ? 'maker' : 'other',
    self,
    gives: given,
    gets: got.filter((term) => !isPayment(term)),
    payments: [...got.filter(isPayment), ...given.filter(isPayment).filter(isElsewhere)],
  };
}

/** @returns A key that two terms have in common if they are of the same asset. */
const keyOfTerm = ({ asset, chainId }: Term): string =>
  asset === undefined ? 'unknown' : `${keyOfAsset(asset)}${chainId ?? ''}`;

/** Adds up two terms of one asset. An auction moves both at the same time, so the sum is bounded by its two ends. */
function sumOf(a: Term, b: Term): Term {
  const at = (isEnd: boolean): bigint => amountAt(a, isEnd) + amountAt(b, isEnd);
  const isRising = at(false) < at(true);
  return { ...a, least: at(!isRising), most: at(isRising), isRising };
}

/** What is paid when an auction begins, or when it ends. */
export const amountAt = ({ least, most, isRising = false }: Term, isEnd: boolean): bigint =>
  isRising === isEnd ? most : least;

/** Adds up what is of the same asset, in the order of the terms. */
export function summed(terms: readonly Term[]): Term[] {
  const sums = new Map<string, Term>();
  for (const term of terms) {
    const before = sums.get(keyOfTerm(term));
    sums.set(keyOfTerm(term), before === undefined ? term : sumOf(before, term));
  }
  return [...sums.values()];
}

/** The scene of the network on which a term is paid. */
export const sceneOf = ({ chainId }: Term, scene: WordScene): WordScene =>
  chainId === undefined ? scene : { ...scene, chainId };

/** @returns Whether Keystead knows an asset. NFTs have no list. */
export const isKnownAsset = (term: Term, scene: WordScene): boolean =>
  term.asset?.kind === 'native' ||
  (term.asset?.kind === 'erc20' && tokenAt(term.asset.token, sceneOf(term, scene)) !== undefined);

const COIN_DECIMALS = 18;
/** Below these parts of a unit, an amount is worth nothing. Tokens with few decimals are often worth a dollar each. */
const DUST_PARTS = 100_000n;
const DUST_PARTS_OF_FEW = 1_000n;
const FEW_DECIMALS = 6;

/** @returns Whether an amount is worth next to nothing, as far as its unit says. */
export function isDust(amount: bigint, term: Term, scene: WordScene): boolean {
  const { asset } = term;
  if (asset === undefined || (asset.kind !== 'native' && asset.kind !== 'erc20')) return amount === 0n;
  const decimals =
    asset.kind === 'native' ? COIN_DECIMALS : tokenOf(asset.token, asset.declared, sceneOf(term, scene))?.decimals;
  if (decimals === undefined) return amount === 0n;
  const parts = decimals <= FEW_DECIMALS ? DUST_PARTS_OF_FEW : DUST_PARTS;
  return amount * parts < 10n ** BigInt(decimals);
}

const amountOf = (asset: Asset, amount: bigint, term: Term, scene: WordScene): string => {
  const { chainId } = term;
  const where = chainId === undefined ? '' : ` on ${networkTitle(chainId, scene.view.networks?.[chainId.toString()])}`;
  const words = `${rowAmount({ asset, amount }, sceneOf(term, scene))}${where}`;
  // A message has coins as numbers that nothing marks as coins. This one is read, so it is said.
  return asset.kind === 'native' ? scene.findings.signed.wrote(amount, words) : words;
};

/** The bound that counts for whoever reads it: the most that is given, the least that is got; both if others get it. */
type Bound = 'least' | 'most' | 'both';

/** What makes an amount another one, by no word of the order. */
const reserve = ({ isBeforeFees, unless }: Term): string =>
  `${isBeforeFees === true ? ", before the market's fees" : ''}${unless === undefined ? '' : `, unless ${unless} changes it`}`;

function termWords(term: Term, worst: Bound, scene: WordScene): string {
  const { asset, least, most } = term;
  const [bad, good] = worst === 'most' ? [most, least] : [least, most];
  if (asset === undefined) return `${scene.findings.signed.wrote(bad, bad.toString())} of something that is not named`;
  const best = bad === good ? '' : ` (${worst === 'both' ? 'up to' : 'at best'} ${amountOf(asset, good, term, scene)})`;
  return `${amountOf(asset, bad, term, scene)}${best}${reserve(term)}`;
}

/** A row shows no more assets of one payee. */
const MAX_ASSETS = 20;

const termRows = (label: string, terms: readonly Term[], worst: Bound, scene: WordScene): Line[] => [
  ...terms.slice(0, MAX_ASSETS).map((term) => text(label, termWords(term, worst, scene))),
  ...leftOut(terms.length - MAX_ASSETS, 'asset', label),
];

/** Everybody else who is paid, in full, each followed by the amounts. */
function paymentRows(payments: readonly Payment[], scene: WordScene): Line[] {
  const byPayee = new Map<string, Payment[]>();
  for (const payment of payments) {
    const key = payment.to.toLowerCase();
    byPayee.set(key, [...(byPayee.get(key) ?? []), payment]);
  }
  return [...byPayee.values()].flatMap((all) =>
    all[0] === undefined
      ? []
      : [namedAddress('Paid to', all[0].to, scene.view), ...termRows('Amount', summed(all), 'both', scene)],
  );
}

/** @returns The terms that are for somebody who controls them, and are more than nothing. */
const paid = <Entry extends Term>(terms: readonly Entry[]): Entry[] => terms.filter(({ most }) => most > 0n);

/** The rows of one order: what is given at most and got at least, who is paid, and until when. */
function rowsOf(order: Order, scene: WordScene): Line[] {
  const { is, self, gives, gets, payments } = sideOf(order, scene.view.signer);
  const { until, isGuess } = order;
  const end =
    until === undefined
      ? // Whatever a guess finds is listed.
        isGuess === true
        ? []
        : [text('Until', 'no end')]
      : [text('Until', scene.findings.signed.wrote(until, endTime(until, scene.view.now)))];
  if (is === 'none' || self === undefined)
    return [
      ...termRows('One side gives', summed(gives), 'most', scene),
      ...termRows('The other side gives', summed(gets), 'most', scene),
      ...end,
    ];
  const isOwn = is !== 'other';
  const got = paid(gets);
  const given = summed(paid(gives));
  const isNothing = got.length === 0 && gets.every(({ asset }) => asset !== undefined);
  return [
    ...(isOwn ? [] : [namedAddress('Maker', self, scene.view)]),
    ...termRows(isOwn ? 'You send at most' : 'The maker sends at most', given, 'most', scene),
    ...(isNothing
      ? [text(isOwn ? 'You receive at least' : 'The maker receives at least', 'nothing')]
      : termRows(isOwn ? 'You receive at least' : 'The maker receives at least', summed(got), 'least', scene)),
    ...paymentRows(paid(payments), scene),
    ...(got.length > 0 && paid(payments).length === 0
      ? [text('Paid to', isOwn ? 'your account' : nameOf(self, scene.view))]
      : []),
    ...end,
  ];
}

/** The terms of the orders that a message places, for the open part of its screen. */
export function orderRows(scene: WordScene): Line[] {
  const orders = ordersIn(scene);
  return orders
    .slice(0, MAX_ORDERS)
    .flatMap((order, at) => [
      ...(orders.length === 1 ? [] : [text('Order', `${at + 1} of ${orders.length}`)]),
      ...rowsOf(order, scene),
    ]);
}

/** The orders of a request. */
export const ordersIn = ({ findings }: WordScene): Order[] =>
  findings.effects.flatMap((effect) => (effect.kind === 'order' ? [effect] : []));

const shortTerm = (term: Term, amount: bigint, scene: WordScene): string =>
  term.asset === undefined
    ? 'something that is not named'
    : shortAmount({ asset: term.asset, amount }, sceneOf(term, scene));

const isItem = ({ asset }: Term): boolean => asset?.kind === 'erc721' || asset?.kind === 'erc1155';

/** One sentence on the orders of a message; undefined if there are none. */
export function orderTitle(orders: readonly Order[], scene: WordScene): string | undefined {
  const [order] = orders;
  if (order === undefined) return undefined;
  if (orders.length > 1) return `Place ${orders.length} orders`;
  const { is, self, gives, gets, payments } = sideOf(order, scene.view.signer);
  if (is === 'none' || self === undefined) return 'Place an order to buy or to sell';
  if (is === 'other') return `Sign an order of ${nameOf(self, scene.view)}`;
  const [given, got] = [summed(paid(gives)), summed(paid(gets))];
  const [sent, received] = [given[0], got[0]];
  const what = sent === undefined ? 'nothing' : withMore(shortTerm(sent, sent.most, scene), given.length - 1, 'asset');
  if (received === undefined) {
    const [payment] = paid(payments);
    return payment === undefined
      ? `Give away ${what}`
      : `Give ${what}, and have ${nameOf(payment.to, scene.view)} paid`;
  }
  const back = withMore(shortTerm(received, received.least, scene), got.length - 1, 'asset');
  return isItem(received) && (sent === undefined || !isItem(sent))
    ? `Buy ${back} for at most ${what}`
    : `Sell ${what} for at least ${back}${reserve(received)}`;
}
