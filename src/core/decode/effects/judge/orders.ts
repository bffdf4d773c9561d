import { isSameAddress } from '../../../eth/address';
import { type Hex } from '../../../eth/bytes';
import { entryOf } from '../../metadata/contract-metadata';
import { type WordScene } from '../../scene';
import { allOf, isBeyondSupply, shortAmount, tokenName } from '../../words/amounts';
import { nameOf, shortAddress } from '../../words/names';
import { keyOfAsset } from '../changes';
import { type Order, type Term } from '../effect';
import { amountAt, isDust, isKnownAsset, type Payment, sceneOf, type Side, sideOf, summed } from '../orders';
import { type Verdict } from '../verdict';

/** Dangers of orders: `nothing-in-return`, `paid-to-another`, `unknown-token`, `everything`. */

/** Others who get more than this share of a price are no fee and no royalty. In percent. */
const MAX_SHARE_OF_OTHERS = 15n;
const PERCENT = 100n;

const keyOf = ({ asset, chainId }: Term): string => (asset === undefined ? '' : `${keyOfAsset(asset)}${chainId ?? ''}`);

/** What is paid of an asset when an auction begins, or when it ends. */
const sumAt = (isEnd: boolean, terms: readonly Term[], key: string): bigint =>
  terms.reduce((sum, term) => (keyOf(term) === key ? sum + amountAt(term, isEnd) : sum), 0n);

/** @returns Whether others get more of an asset than fees and royalties are, at either end of an auction. */
const isMuch = (strangers: readonly Payment[], { gives, gets, payments }: Side, key: string): boolean =>
  [false, true].some((isEnd) => {
    // Fees of a purchase are a share of what is given, those of a sale a share of the price.
    const whole = sumAt(isEnd, [...gets, ...payments], key);
    const given = sumAt(isEnd, gives, key);
    return sumAt(isEnd, strangers, key) * PERCENT > (given > whole ? given : whole) * MAX_SHARE_OF_OTHERS;
  });

/** @returns Whether an account is the one that signs, or another of the person's own. */
const isOwn = (account: Hex, { view }: WordScene): boolean =>
  isSameAddress(account, view.signer) || entryOf(view.names ?? {}, account.toLowerCase()) !== undefined;

/** Others who are paid more of an asset than fees and royalties are. */
function judgePayments(side: Side, scene: WordScene, verdict: Verdict): void {
  const { payments, self } = side;
  const strangers = payments.filter(({ to, most }) => most > 0n && !isOwn(to, scene));
  for (const key of new Set(strangers.map(keyOf))) {
    if (!isMuch(strangers, side, key)) continue;
    const [first] = strangers.filter((one) => keyOf(one) === key).sort((a, b) => (a.most < b.most ? 1 : -1)) as [
      Payment,
      ...Payment[],
    ];
    verdict.danger('paid-to-another', () => {
      const what =
        first.asset === undefined
          ? 'what is paid for it'
          : `${first.least === first.most ? '' : 'up to '}${shortAmount({ asset: first.asset, amount: first.most }, sceneOf(first, scene))}`;
      const who = self === undefined || isSameAddress(self, scene.view.signer) ? 'you' : nameOf(self, scene.view);
      return `This order pays ${what} to ${nameOf(first.to, scene.view)}, not to ${who}.`;
    });
  }
}

/** The price of what is given: nothing, dust, or a token that nobody knows. */
function judgeReturn({ is, self, gives, gets }: Side, scene: WordScene, verdict: Verdict): void {
  const isGiving = gives.some(({ most }) => most > 0n);
  if (!isGiving) return;
  const got = gets.filter(({ least, asset }) => least > 0n || asset === undefined);
  const who = self === undefined || is !== 'other' ? undefined : shortAddress(self);
  const [first] = got;
  if (first === undefined || gets.every(({ most }) => most === 0n)) {
    verdict.danger('nothing-in-return', () =>
      who === undefined
        ? 'This order gives your items away. You receive nothing in return.'
        : `This order gives items of ${who} away. That account receives nothing in return.`,
    );
    return;
  }
  const { asset } = first;
  const isWorth = gives.some((term) => !isDust(term.most, term, scene));
  if (isWorth && asset !== undefined && summed(got).every((term) => isDust(term.least, term, scene)))
    verdict.danger('nothing-in-return', () => {
      const least = shortAmount({ asset, amount: first.least }, sceneOf(first, scene));
      return `This order gives ${who === undefined ? 'your items' : `items of ${who}`} away for as little as ${least}.`;
    });
  const tokens = got.filter((term) => term.asset?.kind === 'erc20');
  if (tokens.length !== got.length || tokens.some((term) => isKnownAsset(term, scene))) return;
  // Before the list of tokens was read, nobody can say which ones are known.
  if (scene.view.contractMetadata?.tokens === undefined) scene.findings.lookUp({ kind: 'tokens', decides: true });
  verdict.danger('unknown-token', () => {
    const token = asset?.kind === 'erc20' ? asset.token : undefined;
    return `${who === undefined ? 'You are' : `${who} is`} paid in ${tokenName(token, sceneOf(first, scene))}, which Keystead does not know. It may be worth nothing.`;
  });
}

/** Of an order whose direction nobody can tell, one side may be worthless. */
function judgeUndirected({ gives, gets }: Side, scene: WordScene, verdict: Verdict): void {
  const isNothing = (terms: readonly Term[]): boolean => terms.every((term) => isDust(term.most, term, scene));
  if (isNothing(gives) !== isNothing(gets))
    verdict.danger(
      'nothing-in-return',
      () => 'One side of this order gets next to nothing. Keystead cannot tell which side is yours.',
    );
}

/** An order, whatever its protocol: what it gives, what it gets, and who is paid. */
export function judgeOrder(order: Order, scene: WordScene, verdict: Verdict): void {
  const side = sideOf(order, scene.view.signer);
  if (side.is === 'none') {
    judgeUndirected(side, scene, verdict);
    return;
  }
  if (side.is === 'other' && order.isGuess !== true)
    verdict.warn('An order is offered by another account, not by the one you are signing with.');
  for (const { asset, most } of side.gives)
    if (asset?.kind === 'erc20' && isBeyondSupply(most, asset.token, scene))
      verdict.danger(
        'everything',
        () => `This order can take ${allOf(tokenName(asset.token, scene), side.self, scene.view)}.`,
      );
  judgeReturn(side, scene, verdict);
  judgePayments(side, scene, verdict);
}
