import { formatUnits } from 'viem/utils';

import { MAX_UINT256 } from '../../eth/units';
import { type Hex } from '../../eth/bytes';
import { isUnlimited, leftOut, text } from '../words/lines';
import { type Allowance, type Asset, type AssetAmount, type Changes } from './outcome';
import { nameOf, shortAddress } from '../words/sentences';
import { quotable } from '../words/text';
import { declaredTokenAt, isKnownSymbol, tokenAt, type TokenScene } from '../metadata/tokens';
import { type Line } from '../explanation';
import { nativeAmount } from '../words/units';

/** A screen shows no more rows of one kind. Further ones are counted. */
const MAX_ROWS = 20;
/** The longest name of a collection that is shown, in characters. */
const MAX_NAME = 40;

type Token = { readonly token: Hex; readonly declared?: { readonly symbol: string; readonly decimals: number } };

/** "TEST (symbol chosen by its contract 0x1f98…F984)": anyone can deploy a token with any symbol. */
function ownSymbol(symbol: string, token: Hex, scene: TokenScene): string {
  if (isKnownSymbol(symbol, scene))
    scene.findings.warn(
      `A token calls itself ${symbol}, but its contract ${shortAddress(token)} is not the ${symbol} that Keystead knows. It may be a worthless copy.`,
    );
  return `${symbol} (symbol chosen by its contract ${shortAddress(token)})`;
}

/** An amount of a token, the amount and the symbol first. */
function tokenText(amount: bigint, { token, declared }: Token, scene: TokenScene): string {
  const known = tokenAt(token, scene);
  const own = known === undefined ? (declared ?? declaredTokenAt(token, scene)) : undefined;
  const decimals = known?.decimals ?? own?.decimals;
  const written = decimals === undefined ? amount.toString() : formatUnits(amount, decimals);
  if (known !== undefined) return `${written} ${known.symbol}`;
  if (own !== undefined) return `${written} ${ownSymbol(own.symbol, token, scene)}`;
  return `${written} units (or token ID ${written}) of ${nameOf(token, scene.view)}`;
}

/** The name of a token without any amount. */
function tokenSymbol({ token, declared }: Token, scene: TokenScene): string {
  const known = tokenAt(token, scene);
  if (known !== undefined) return known.symbol;
  const own = declared ?? declaredTokenAt(token, scene);
  return own === undefined ? `tokens of ${nameOf(token, scene.view)}` : ownSymbol(own.symbol, token, scene);
}

function collectionName({ token, declared }: Extract<Asset, { id: bigint }>, scene: TokenScene): string {
  const name = declared?.name ?? '';
  return name === '' ? nameOf(token, scene.view) : `“${quotable(name, MAX_NAME)}” (${shortAddress(token)})`;
}

/** An amount of an asset, with the symbol or the collection. */
export function assetText({ asset, amount }: AssetAmount, scene: TokenScene): string {
  if (asset.kind === 'native') return nativeAmount(amount, scene);
  if (asset.kind !== 'erc20') return `${amount} NFT #${asset.id} of ${collectionName(asset, scene)}`;
  return amount === MAX_UINT256 ? `all ${tokenSymbol(asset, scene)}` : tokenText(amount, asset, scene);
}

function allowanceText(allowance: Allowance, scene: TokenScene): string {
  const { token, spender } = allowance;
  const [who, where] = [nameOf(spender, scene.view), nameOf(token, scene.view)];
  if (allowance.kind === 'everything') return `everything in ${where}, to be moved by ${who}`;
  if (allowance.kind === 'nft') return `1 NFT #${allowance.id} of ${where}, to be moved by ${who}`;
  const what = isUnlimited(allowance.amount)
    ? `unlimited ${tokenSymbol(allowance, scene)}`
    : tokenText(allowance.amount, allowance, scene);
  return `${what}, to be spent by ${who}`;
}

function rows<Entry>(label: string, entries: readonly Entry[], write: (entry: Entry) => string): Line[] {
  return [
    ...entries.slice(0, MAX_ROWS).map((entry) => text(label, write(entry))),
    ...leftOut(entries.length - MAX_ROWS, 'change', label),
  ];
}

/**
 * The rows `You send`, `You receive` and `You allow`, one for each asset. A value begins with the amount and the symbol.
 *
 * @param isSum - Whether what is sent of an asset is the sum of what several recipients get: then the row says so.
 */
export function changeLines(
  { sends, receives, allows, creates }: Changes,
  scene: TokenScene,
  isSum: (sent: AssetAmount) => boolean = () => false,
): Line[] {
  return [
    ...rows('You send', sends, (amount) => `${assetText(amount, scene)}${isSum(amount) ? ' in all' : ''}`),
    ...rows('You receive', receives, (amount) => assetText(amount, scene)),
    ...rows('You allow', allows, (allowance) => allowanceText(allowance, scene)),
    ...rows('You create', creates, (contract) => `a contract at ${contract}`),
  ];
}
