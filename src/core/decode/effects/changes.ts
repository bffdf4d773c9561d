import { isSameAddress } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { MAX_UINT256 } from '../../eth/units';
import { tokenAt } from '../metadata/tokens';
import { type WordScene } from '../scene';
import { isBeyondSupply, tokenOf } from '../words/amounts';
import { type Allow, type FoundEffect, type Move } from './effect';
import { type Allowance, type Asset, type AssetAmount, type Changes } from './outcome';

/** @returns A key that two assets have in common if they are the same. */
export const keyOfAsset = (asset: Asset): string =>
  asset.kind === 'native'
    ? 'native'
    : `${asset.kind}:${asset.token.toLowerCase()}:${'id' in asset ? (asset.isAny ?? asset.id) : ''}`;

const keyOfAllowance = (allowance: Allowance): string =>
  `${allowance.kind}:${allowance.token}:${allowance.spender}:${'id' in allowance ? allowance.id : ''}:${'isDebt' in allowance}`.toLowerCase();

/** The largest amount means everything, and stays so. */
export const plus = (a: bigint, b: bigint): bigint => (a + b < MAX_UINT256 ? a + b : MAX_UINT256);

const simulated = ({ view: { outcome } }: WordScene): Changes | undefined =>
  outcome?.kind === 'changes' ? outcome.changes : undefined;

const isOf = (token: Hex, asset: Asset): boolean => asset.kind !== 'native' && isSameAddress(asset.token, token);

/**
 * The assets that move, as a simulation knows them: with the names that contracts give themselves, and as an NFT where
 * a function that ERC-20 and ERC-721 share moves one. A token on Keystead's list is never taken for an NFT.
 */
export function assetOf({ asset, amount, mayBeId }: Move, scene: WordScene): AssetAmount {
  if (asset.kind === 'native') return { asset, amount };
  const { sends = [], receives = [] } = simulated(scene) ?? {};
  const found = [...sends, ...receives].map((one) => one.asset).filter((one) => isOf(asset.token, one));
  const same = found.find((one) => keyOfAsset(one) === keyOfAsset(asset));
  if (same !== undefined) return { asset: same, amount };
  const nft = found.find((one) => one.kind === 'erc721' && one.id === amount);
  if (mayBeId === true && nft !== undefined && tokenAt(asset.token, scene) === undefined)
    return { asset: nft, amount: 1n };
  const declared = found.find((one) => one.kind !== 'erc20' && one.kind !== 'native')?.declared;
  const isNamed = 'id' in asset && declared !== undefined && 'name' in declared;
  return { asset: isNamed ? { ...asset, declared } : asset, amount };
}

/** The permission that an effect gives, as rows show it; undefined if it gives none, or names no contract. */
export function allowanceOf(effect: Allow, scene: WordScene): Allowance | undefined {
  const { of, spender, token, amount, id = 0n, mayBeId, isDebt } = effect;
  if (amount === 0n || token === undefined) return undefined;
  if (of === 'everything') return { kind: 'everything', token, spender };
  if (of === 'nft') return { kind: 'nft', token, spender, id, ...(amount > 1n && { amount }) };
  const isNft = simulated(scene)?.allows.some(
    (one) => one.kind === 'nft' && isSameAddress(one.token, token) && one.id === amount,
  );
  if (mayBeId === true && isNft === true && tokenAt(token, scene) === undefined)
    return { kind: 'nft', token, spender, id: amount };
  return { kind: 'amount', token, spender, amount, ...(isDebt && { isDebt }) };
}

/** Adds up amounts of the same asset. Numbers that may be IDs of NFTs are not added up. */
function sums(amounts: readonly (AssetAmount & { readonly isId?: boolean })[]): Map<string, AssetAmount> {
  const all = new Map<string, AssetAmount>();
  for (const [at, { isId, ...one }] of amounts.entries()) {
    const key = `${keyOfAsset(one.asset)}${isId === true ? `/${at}` : ''}`;
    all.set(key, { ...one, amount: plus(all.get(key)?.amount ?? 0n, one.amount) });
  }
  return all;
}

/** Adds up permissions of one spender over one asset. Numbers that may be IDs of NFTs are not added up. */
function permissions(
  all: readonly Allowance[],
  isId: (one: Allowance) => boolean = () => false,
): Map<string, Allowance> {
  const found = new Map<string, Allowance>();
  for (const [at, one] of all.entries()) {
    const key = `${keyOfAllowance(one)}${isId(one) ? `/${at}` : ''}`;
    const before = found.get(key);
    const isSum = one.kind === 'amount' && before?.kind === 'amount';
    found.set(key, isSum ? { ...one, amount: plus(before.amount, one.amount) } : one);
  }
  return found;
}

/** @returns Whether a number may be the ID of an NFT, so that it must not be added to others. */
export const isUncountable = ({ asset }: AssetAmount, scene: WordScene): boolean =>
  asset.kind === 'erc20' && tokenOf(asset.token, asset.declared, scene) === undefined;

/** @returns Whether a permission to spend an amount may be one to move the NFT of that number. */
const isIdIn =
  (scene: WordScene) =>
  (one: Allowance): boolean =>
    one.kind === 'amount' &&
    !isBeyondSupply(one.amount, one.token, scene) &&
    isUncountable(
      {
        asset: { kind: 'erc20', token: one.token, ...(one.declared && { declared: one.declared }) },
        amount: one.amount,
      },
      scene,
    );

/** The assets that leave an account, effect by effect. */
export const lossesOf = (effects: readonly FoundEffect[], owner: Hex): (Move & FoundEffect)[] =>
  effects.filter(
    (effect): effect is Move & FoundEffect =>
      effect.kind === 'move' &&
      effect.amount > 0n &&
      effect.from !== undefined &&
      isSameAddress(effect.from, owner) &&
      !(effect.to !== undefined && isSameAddress(effect.to, owner)),
  );

/**
 * The changes that decoding found for the account that signs. Nothing has checked `receives`: it is what the account
 * may expect.
 */
export function decodedChanges(scene: WordScene): Changes {
  const { signer } = scene.view;
  const { effects } = scene.findings;
  const sends = lossesOf(effects, signer).map((move) => {
    const sent = assetOf(move, scene);
    return { ...sent, isId: isUncountable(sent, scene) };
  });
  const receives = effects.flatMap((effect) =>
    effect.kind === 'move' && effect.amount > 0n && effect.to !== undefined && isSameAddress(effect.to, signer)
      ? [assetOf(effect, scene)]
      : [],
  );
  const allows = effects.flatMap((effect) =>
    effect.kind === 'allow' && effect.owner !== undefined && isSameAddress(effect.owner, signer)
      ? (allowanceOf(effect, scene) ?? [])
      : [],
  );
  return {
    sends: [...sums(sends).values()],
    receives: [...sums(receives).values()],
    allows: [...permissions(allows, isIdIn(scene)).values()],
    creates: [],
  };
}

const largerOf = <Entry extends AssetAmount | Allowance>(decoded: Entry | undefined, found: Entry): Entry =>
  decoded !== undefined && 'amount' in decoded && 'amount' in found && decoded.amount > found.amount
    ? { ...found, amount: decoded.amount }
    : found;

/**
 * The assets that the account gives and gets, and the permissions that it gives. What decoding and simulation find are
 * both lower bounds, so losses and permissions are the larger of the two. Only a simulation shows what is received.
 *
 * @param decoded - What decoding found.
 */
export function knownChanges(scene: WordScene, decoded = decodedChanges(scene)): Changes {
  const found = simulated(scene);
  if (found === undefined) return { ...decoded, receives: [] };
  const sends = new Map(
    decoded.sends.map((one, at) => [isUncountable(one, scene) ? `${at}` : keyOfAsset(one.asset), one]),
  );
  for (const one of found.sends) {
    const key = keyOfAsset(one.asset);
    sends.set(key, largerOf(sends.get(key), one));
  }
  const isId = isIdIn(scene);
  const allows = new Map(decoded.allows.map((one, at) => [`${keyOfAllowance(one)}${isId(one) ? `/${at}` : ''}`, one]));
  for (const [key, one] of permissions(found.allows)) allows.set(key, largerOf(allows.get(key), one));
  return { ...found, sends: [...sends.values()], allows: [...allows.values()] };
}
