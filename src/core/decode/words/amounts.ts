import { isSameAddress } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { groupedUnits, MAX_UINT256 } from '../../eth/units';
import { type Asset, type AssetAmount, type DeclaredToken } from '../effects/outcome';
import { type KnownToken } from '../metadata/contract-metadata';
import { collectionAt, isCopiedName } from '../metadata/collections';
import { declaredTokenAt, isKnownSymbol, tokenAt } from '../metadata/tokens';
import { type WordScene } from '../scene';
import { nameOf, shortAddress } from './names';
import { quotableAgain } from './text';
import { nativeAmount } from './units';

/** More than any token has of its smallest unit: no token in use comes near 2^112. */
const BEYOND_ANY_SUPPLY = (1n << 112n) - 1n;
/** An amount that some tokens treat as unlimited. */
const MAX_UINT96 = (1n << 96n) - 1n;

/** A symbol that nobody can take for a part of the sentence around it. */
const PLAIN_SYMBOL = /^[A-Za-z][A-Za-z0-9.\-_+$]{0,19}$/u;

/** The token, if it is known or says what it is. */
export function tokenOf(token: Hex, declared: DeclaredToken | undefined, scene: WordScene): KnownToken | undefined {
  const known = tokenAt(token, scene);
  if (known !== undefined) return known;
  const own = declared ?? declaredTokenAt(token, scene);
  return own && { ...own, isDeclared: true };
}

/** A symbol. One that a contract chose is quoted, unless it is a plain word and no copy of a known symbol. */
const symbolText = ({ symbol, isDeclared }: KnownToken, scene: WordScene): string =>
  !isDeclared || (PLAIN_SYMBOL.test(symbol) && !isKnownSymbol(symbol, scene)) ? symbol : `“${quotableAgain(symbol)}”`;

/** A symbol in a sentence. A copy of a known one comes with its contract. */
function saidSymbol(known: KnownToken, token: Hex, scene: WordScene): string {
  const isCopy = known.isDeclared && isKnownSymbol(known.symbol, scene);
  return `${symbolText(known, scene)}${isCopy ? ` of contract ${shortAddress(token)}` : ''}`;
}

/**
 * @param supply - The token's total supply, where it is known.
 * @returns Whether an amount is more than can exist.
 */
export const isUnlimited = (amount: bigint, supply?: bigint): boolean =>
  amount >= BEYOND_ANY_SUPPLY || amount === MAX_UINT96 || (supply !== undefined && supply > 0n && amount > supply);

/** The total supply of a token, where a simulation or its contract told it. */
function supplyOf(token: Hex, scene: WordScene): bigint | undefined {
  const { outcome } = scene.view;
  if (outcome?.kind === 'changes') {
    const { sends, receives, allows } = outcome.changes;
    const held = [...sends, ...receives].map(({ asset }) => asset).filter((asset) => asset.kind === 'erc20');
    const found = [...held, ...allows.filter((one) => one.kind === 'amount')].find(
      (one) => one.declared?.supply !== undefined && isSameAddress(one.token, token),
    );
    if (found !== undefined) return found.declared?.supply;
  }
  return tokenOf(token, undefined, scene)?.supply;
}

/** @returns Whether an amount of a token is more than can exist: than its total supply, where that is known. */
export const isBeyondSupply = (amount: bigint, token: Hex | undefined, scene: WordScene): boolean =>
  isUnlimited(amount) || (token !== undefined && isUnlimited(amount, supplyOf(token, scene)));

/** An amount with decimals and symbol where the token is known or says them of itself, else in its smallest unit. */
export function tokenAmount(amount: bigint, token: Hex, scene: WordScene): string {
  const known = tokenOf(token, undefined, scene);
  const { signed } = scene.findings;
  if (known === undefined) return signed.wrote(amount, `${amount} (in the token's smallest unit)`);
  return signed.wrote(amount, `${groupedUnits(amount, known.decimals)} ${saidSymbol(known, token, scene)}`);
}

/** The symbol of a token in a sentence, else "tokens" with the contract. */
export function tokenName(token: Hex | undefined, scene: WordScene, declared?: DeclaredToken): string {
  if (token === undefined) return 'tokens';
  const known = tokenOf(token, declared, scene);
  return known === undefined ? `tokens in contract ${shortAddress(token)}` : saidSymbol(known, token, scene);
}

/**
 * "all of your USDC", or the holder if it is another account.
 *
 * @param owner - undefined for the account that makes a call, if it is not known.
 */
export function allOf(what: string, owner: Hex | undefined, { signer }: WordScene['view']): string {
  if (owner === undefined) return `all ${what} that the calling account holds`;
  return isSameAddress(owner, signer) ? `all of your ${what}` : `all ${what} that account ${shortAddress(owner)} holds`;
}

/** The name of a collection: one that Keystead knows, else what it calls itself, unless that is copied. */
function collectionName({ token, declared }: Extract<Asset, { id: bigint }>, scene: WordScene): string {
  const known = collectionAt(token, scene);
  if (known !== undefined) return known;
  const name = declared?.name ?? '';
  return name === '' || isCopiedName(name, token, scene) ? nameOf(token, scene.view) : `“${quotableAgain(name)}”`;
}

/** The name of a collection in a row: in quotation marks, with its contract, and with a warning if it is copied. */
function rowCollection(asset: Extract<Asset, { id: bigint }>, scene: WordScene): string {
  const { token, declared } = asset;
  const isNamed = declared !== undefined || collectionAt(token, scene) !== undefined;
  if (declared === undefined || !isCopiedName(declared.name, token, scene))
    return `${collectionName(asset, scene)}${isNamed ? ` (${shortAddress(token)})` : ''}`;
  const written = `“${quotableAgain(declared.name)}”`;
  scene.findings.note(
    `A collection calls itself ${written}, but its contract ${shortAddress(token)} is not the one that Keystead knows by that name. It may be a worthless copy.`,
  );
  return `${shortAddress(token)}, which calls itself ${written}`;
}

const idText = ({ id, isAny }: Extract<Asset, { id: bigint }>): string => (isAny === true ? '(any)' : `#${id}`);

/**
 * An amount of an asset for a sentence: "5.5 USDC", "tokens of 0x1f98…F984" where the decimals are not known, "NFT #1
 * of …", "3 of NFT #7 of …".
 */
export function shortAmount({ asset, amount }: AssetAmount, scene: WordScene): string {
  if (asset.kind === 'native') return nativeAmount(amount, scene);
  if (asset.kind !== 'erc20') {
    const one = asset.kind === 'erc721' ? 'NFT' : `${amount} of NFT`;
    const many = asset.isAny === true && amount !== 1n ? `${amount} NFTs` : one;
    return `${many} ${idText(asset)} of ${collectionName(asset, scene)}`;
  }
  const known = tokenOf(asset.token, asset.declared, scene);
  return known === undefined
    ? `tokens of ${nameOf(asset.token, scene.view)}`
    : `${groupedUnits(amount, known.decimals)} ${saidSymbol(known, asset.token, scene)}`;
}

/** A symbol in a row, with who chose it: anyone can deploy a token with any symbol. */
function rowSymbol(known: KnownToken, token: Hex, scene: WordScene): string {
  const written = symbolText(known, scene);
  if (!known.isDeclared) return written;
  if (isKnownSymbol(known.symbol, scene))
    scene.findings.note(
      `A token calls itself ${written}, but its contract ${shortAddress(token)} is not the ${written} that Keystead knows. It may be a worthless copy.`,
    );
  return `${written} (symbol chosen by its contract ${shortAddress(token)})`;
}

/**
 * An amount of a token in a row, the amount and the symbol first.
 *
 * @param word - Instead of a number that only means as much.
 */
export function rowTokenAmount(
  amount: bigint,
  token: Hex,
  declared: DeclaredToken | undefined,
  scene: WordScene,
  word?: 'unlimited' | 'all',
): string {
  const known = tokenOf(token, declared, scene);
  const { signed } = scene.findings;
  if (known === undefined)
    return signed.wrote(
      amount,
      `${word === undefined ? `${amount} units (or token ID ${amount})` : `${word} tokens`} of ${nameOf(token, scene.view)}`,
    );
  const words = `${word ?? groupedUnits(amount, known.decimals)} ${rowSymbol(known, token, scene)}`;
  return signed.wrote(amount, words, known.isDeclared ? {} : { token });
}

/** An amount of an asset in a row, with the symbol or the collection. */
export function rowAmount({ asset, amount }: AssetAmount, scene: WordScene): string {
  if (asset.kind === 'native') return nativeAmount(amount, scene);
  if (asset.kind === 'erc20')
    return rowTokenAmount(amount, asset.token, asset.declared, scene, amount === MAX_UINT256 ? 'all' : undefined);
  const words = `${amount} NFT ${idText(asset)} of ${rowCollection(asset, scene)}`;
  scene.findings.signed.wrote(amount, words);
  return scene.findings.signed.wrote(asset.id, words);
}
