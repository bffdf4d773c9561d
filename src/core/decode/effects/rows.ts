import { isSameAddress } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { type Line } from '../explanation';
import { tokenAt } from '../metadata/tokens';
import { type WordScene } from '../scene';
import { isBeyondSupply, isUnlimited, rowAmount, rowTokenAmount } from '../words/amounts';
import { address, text } from '../words/lines';
import { knownName, nameOf } from '../words/names';
import { type Allowance, type Asset, type AssetAmount, type Changes } from './outcome';

/** Sorts the unknown before the known, and keeps the order otherwise. */
export const firstBy = <Entry>(entries: readonly Entry[], rank: (entry: Entry) => number): Entry[] =>
  [...entries].sort((a, b) => rank(a) - rank(b));

const isKnownAsset = (asset: Asset, scene: WordScene): boolean =>
  asset.kind === 'native' || tokenAt(asset.token, scene) !== undefined;

function allowanceText(allowance: Allowance, scene: WordScene): string {
  const { token, spender } = allowance;
  const [who, where] = [nameOf(spender, scene.view), nameOf(token, scene.view)];
  if (allowance.kind === 'everything') return `everything in ${where}, to be moved by ${who}`;
  if (allowance.kind === 'nft') {
    const { id, amount = 1n } = allowance;
    const words = `${isUnlimited(amount) ? 'unlimited' : amount} NFT #${id} of ${where}`;
    for (const number of [amount, id]) scene.findings.signed.wrote(number, words);
    return `${words}, to be moved by ${who}`;
  }
  const { amount, declared, isDebt } = allowance;
  const word = isBeyondSupply(amount, token, scene) ? 'unlimited' : undefined;
  const what = rowTokenAmount(amount, token, declared, scene, word);
  return isDebt === true ? `${what}, to be borrowed in your name by ${who}` : `${what}, to be spent by ${who}`;
}

/** Strangers with a token of value come first, so that nothing pushes them out of sight. */
const rankOf = ({ spender, token }: Allowance, scene: WordScene): number =>
  (knownName(spender, scene.view) !== undefined || isSameAddress(spender, scene.view.signer) ? 2 : 0) +
  (tokenAt(token, scene) === undefined ? 1 : 0);

/**
 * The rows `You send`, `You receive`, `You allow` and `You create`, one for each asset or permission. A value begins
 * with the amount and the symbol.
 *
 * @param isSum - Whether what is sent of an asset is the sum of what several recipients get: then the row says so.
 */
export function changeLines(
  { sends, receives, allows, creates }: Changes,
  scene: WordScene,
  isSum: (sent: AssetAmount) => boolean = () => false,
): Line[] {
  const row = (label: string, amount: AssetAmount, more = ''): Line =>
    text(label, `${rowAmount(amount, scene)}${more}`);
  const known = ({ asset }: AssetAmount): number => (isKnownAsset(asset, scene) ? 0 : 1);
  return [
    ...firstBy(sends, known).map((sent) => row('You send', sent, isSum(sent) ? ' in all' : '')),
    ...firstBy(receives, known).map((received) => row('You receive', received)),
    ...firstBy(allows, (allowance) => rankOf(allowance, scene)).map((allowance) =>
      text('You allow', allowanceText(allowance, scene)),
    ),
    ...creates.map((contract: Hex) => address('You create (contract)', contract)),
  ];
}

/** The assets that may be received, according to decoding. Nothing has checked it, so it is a detail. */
export const expectedLines = (receives: readonly AssetAmount[], scene: WordScene): Line[] =>
  receives.slice(0, 20).map((received) => text('Expected, not checked', rowAmount(received, scene)));
