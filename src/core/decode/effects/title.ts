import { isSameAddress } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { counted, MAX_UINT256 } from '../../eth/units';
import { tokenAt } from '../metadata/tokens';
import { type WordScene } from '../scene';
import { allOf, isBeyondSupply, isUnlimited, shortAmount, tokenAmount, tokenName } from '../words/amounts';
import { knownName, nameOf, withMore } from '../words/names';
import { nativeAmount, sentValue } from '../words/units';
import { allowanceOf, assetOf, decodedChanges, isUncountable, keyOfAsset, knownChanges, lossesOf } from './changes';
import { type Allow, type Effect, type Move, type Wrap } from './effect';
import { type AssetAmount, type Changes } from './outcome';
import { outcomeTitle } from './own-changes';

/** One sentence on what a call or message does, and how grave that is. */
export type Headline = {
  readonly text: string;
  readonly weight: number;
  /** Of two that concern the same, the larger amount comes first. */
  readonly of?: string;
  readonly amount?: bigint;
};

/** The gravest kind of effect decides the title. */
const WEIGHTS = {
  control: 60,
  everything: 50,
  unlimited: 40,
  allow: 30,
  move: 20,
  wrap: 10,
  revoke: 8,
  other: 5,
  call: 0,
};
/** Among equals, the unknown come before the known, and known tokens before unknown ones. */
const UNKNOWN_PARTY = 4;
const KNOWN_TOKEN = 2;
const ITEM = 1;
/** A title adds up no more assets. */
const MAX_SUMMED = 2;
/** In wei. Less of the coin than this outweighs nothing. */
const DUST = 1_000_000_000_000n;

const isStranger = (party: Hex | undefined, { view }: WordScene): boolean =>
  party !== undefined && !isSameAddress(party, view.signer) && knownName(party, view) === undefined;

function moveHeadline(move: Move, scene: WordScene): Headline {
  const { view } = scene;
  const { from, to, asset, amount } = move;
  const isAll = asset.kind === 'erc20' && amount === MAX_UINT256;
  const what =
    isAll && asset.kind === 'erc20'
      ? allOf(tokenName(asset.token, scene), from, view)
      : shortAmount(assetOf(move, scene), scene);
  const isOwn = from === undefined || isSameAddress(from, view.signer);
  const whither = to === undefined ? '' : ` to ${nameOf(to, view)}`;
  const isDust = asset.kind === 'native' && amount < DUST;
  const isKnown = !isDust && (asset.kind === 'native' || tokenAt(asset.token, scene) !== undefined);
  const isItem = asset.kind === 'erc721' || asset.kind === 'erc1155' || (move.mayBeId === true && !isKnown);
  return {
    text: isOwn ? `Send ${what}${whither}` : `Move ${what} from ${nameOf(from, view)}${whither}`,
    weight:
      WEIGHTS.move + (isStranger(to, scene) ? UNKNOWN_PARTY : 0) + (isKnown ? KNOWN_TOKEN : 0) + (isItem ? ITEM : 0),
    of: keyOfAsset(asset),
    amount,
  };
}

/** What stands before "NFT #7": nothing for one of a kind. */
const howMany = (amount: bigint): string =>
  isUnlimited(amount) ? 'any amount of ' : amount > 1n ? `${amount} of ` : '';

function allowText(effect: Allow, scene: WordScene): string {
  const { view } = scene;
  const { of, owner, spender, token, amount, isDebt } = effect;
  const who = nameOf(spender, view);
  const contract = token === undefined ? 'a contract' : nameOf(token, view);
  if (of === 'everything')
    return amount > 0n ? `Let ${who} move everything in ${contract}` : `Take back the access of ${who} to ${contract}`;
  const permission = allowanceOf(effect, scene);
  if (permission?.kind === 'nft' || of === 'nft')
    return `Let ${who} move ${howMany(of === 'nft' ? amount : 1n)}NFT #${permission?.kind === 'nft' ? permission.id : effect.id}${token === undefined ? '' : ` of ${contract}`}`;
  const name = tokenName(token, scene);
  const verb = isDebt === true ? 'borrow' : 'spend';
  if (amount === 0n) return `Take back the permission of ${who} to ${verb} ${name}`;
  if (isDebt === true)
    return `Let ${who} borrow ${token === undefined || isBeyondSupply(amount, token, scene) ? `any amount of ${name}` : shortAmount({ asset: { kind: 'erc20', token }, amount }, scene)} in your name`;
  if (token === undefined || isBeyondSupply(amount, token, scene))
    return `Let ${who} spend ${allOf(name, owner, view)}`;
  return `Let ${who} spend ${shortAmount({ asset: { kind: 'erc20', token }, amount }, scene)}`;
}

function allowHeadline(effect: Allow, scene: WordScene): Headline {
  const { of, amount, spender, token } = effect;
  const weight =
    amount === 0n
      ? WEIGHTS.revoke
      : of === 'everything'
        ? WEIGHTS.everything
        : of === 'amount' && isBeyondSupply(amount, token, scene)
          ? WEIGHTS.unlimited
          : WEIGHTS.allow;
  const isKnown = token !== undefined && tokenAt(token, scene) !== undefined;
  return {
    text: allowText(effect, scene),
    weight:
      amount === 0n ? weight : weight + (isStranger(spender, scene) ? UNKNOWN_PARTY : 0) + (isKnown ? KNOWN_TOKEN : 0),
    of: `allow:${token}`.toLowerCase(),
    amount,
  };
}

function wrapText({ token, amount, isWrapping, isKnown }: Wrap, value: bigint | undefined, scene: WordScene): string {
  const where = nameOf(token, scene.view);
  if (isWrapping) return isKnown ? `Wrap ${sentValue(value, scene)}` : `Deposit ${sentValue(value, scene)} in ${where}`;
  if (isKnown) return `Unwrap ${tokenAmount(amount, token, scene)}`;
  return `Withdraw ${shortAmount({ asset: { kind: 'erc20', token }, amount }, scene)} from ${where}`;
}

const isSigner = (party: Hex | undefined, { view }: WordScene): boolean =>
  party !== undefined && isSameAddress(party, view.signer);

/** @returns Whether a token that Keystead does not know says that the account receives it from another address. */
const isClaimedGift = ({ from, to, asset }: Move, scene: WordScene): boolean =>
  asset.kind !== 'native' &&
  isSigner(to, scene) &&
  from !== undefined &&
  !isSigner(from, scene) &&
  tokenAt(asset.token, scene) === undefined;

/** @returns Whether an effect takes something from the account, or gives somebody power over it. */
function isGrave(effect: Effect, scene: WordScene): boolean {
  const { signer } = scene.view;
  switch (effect.kind) {
    case 'move':
      return effect.amount > 0n && effect.from !== undefined && isSameAddress(effect.from, signer);
    case 'allow':
      return effect.amount > 0n;
    default:
      return effect.kind === 'control';
  }
}

/** @returns The sentence of an effect, if it says what a whole call does. */
function headlineOfEffect(effect: Effect, value: bigint | undefined, scene: WordScene): Headline[] {
  switch (effect.kind) {
    case 'move':
      return effect.isRefund === true || isClaimedGift(effect, scene) ? [] : [moveHeadline(effect, scene)];
    case 'allow':
      return [allowHeadline(effect, scene)];
    case 'withdrawal':
      return [
        {
          text: `Withdraw a deposit of ${nativeAmount(effect.wei, scene)} to ${nameOf(effect.to, scene.view)}`,
          weight: WEIGHTS.control,
        },
      ];
    case 'wrap':
      return [{ text: wrapText(effect, value, scene), weight: WEIGHTS.wrap }];
    default:
      return [];
  }
}

/** @returns The gravest of several, and how many more there are. */
export function gravest(headlines: readonly Headline[], more: number, noun: string): Headline {
  const worst = headlines.reduce<Headline | undefined>((before, one) => {
    if (before === undefined || one.weight > before.weight) return one;
    const isLarger = one.weight === before.weight && one.of !== undefined && one.of === before.of;
    return isLarger && (one.amount ?? 0n) > (before.amount ?? 0n) ? one : before;
  }, undefined);
  // Calls of which none was read could do anything.
  if (worst === undefined && more > 0)
    return { weight: WEIGHTS.call, text: `Make ${counted(more, noun)} that Keystead does not read` };
  return { weight: WEIGHTS.call, ...worst, text: withMore(worst?.text, more + headlines.length - 1, noun) };
}

/** A call, as far as its title goes. */
type Called = {
  readonly to: Hex;
  readonly value?: bigint;
  /** Hex digits; a call without any only sends coins. */
  readonly data: string;
  readonly delegate?: boolean;
};

/** The part of a decoded call that its title needs. */
type Read = {
  readonly title: string;
  /** Whom the call is about; the contract called if absent. */
  readonly about?: Hex;
  readonly effects?: readonly Effect[];
  readonly calls?: readonly unknown[];
  readonly isUnknown?: true;
  readonly quotedAs?: string;
};

/** One sentence on several effects, the gravest first; undefined if none of them says what is done. */
export function headlineOfEffects(
  effects: readonly Effect[],
  value: bigint | undefined,
  scene: WordScene,
): Headline | undefined {
  const all = effects.flatMap((effect) => headlineOfEffect(effect, value, scene));
  // Of a known wrapper, the movements of the two assets are one.
  const wrap = effects.findIndex(({ kind }) => kind === 'wrap');
  if (wrap >= 0) return all[0];
  const noun = effects.some(({ kind }) => kind === 'allow') ? 'token' : 'kind';
  return all.length === 0 ? undefined : gravest(all, 0, noun);
}

/**
 * One sentence on a call: what its effects are, else what the function is called, or only where it goes.
 *
 * @param isVouched - Whether the contract does what the selector says. If nobody vouches for that, only what the
 * account would lose by it makes a sentence.
 */
export function headlineOf(
  { to, value = 0n, data, delegate }: Called,
  { title, about = to, effects: all = [], calls = [], isUnknown, quotedAs }: Read,
  isVouched: boolean,
  scene: WordScene,
): Headline {
  const effects = isVouched ? all : all.filter((effect) => isGrave(effect, scene));
  const { view } = scene;
  const who = nameOf(to, view);
  const amount = nativeAmount(value, scene);
  if (delegate === true) return { text: `Run the code at ${who} as the account`, weight: WEIGHTS.control };
  if (data === '')
    return moveHeadline({ kind: 'move', from: view.signer, to, asset: { kind: 'native' }, amount: value }, scene);
  // Coins that the account sends are graver than what moves between others.
  const isOfOthers = value > 0n && effects.every((effect) => effect.kind === 'move' && !isSigner(effect.from, scene));
  const found = isOfOthers ? undefined : headlineOfEffects(effects, value, scene);
  if (found !== undefined) {
    const isSaid = value === 0n || effects.some(({ kind }) => kind === 'wrap');
    return isSaid ? found : { ...found, text: `${found.text}, and send ${who} ${amount}` };
  }
  const isControl = effects.some(({ kind }) => kind === 'control');
  const isBare = !isVouched && !isControl;
  const isSilent = isBare || isUnknown === true || calls.length > 0 || (isOfOthers && effects.length > 0);
  const what = (isVouched ? quotedAs : undefined) ?? (isSilent ? `Call ${who}` : `${title}: ${nameOf(about, view)}`);
  return {
    text: value > 0n ? `${what} and send it ${amount}` : what,
    weight: isControl
      ? WEIGHTS.control
      : value > 0n
        ? WEIGHTS.move + KNOWN_TOKEN + (isStranger(to, scene) ? UNKNOWN_PARTY : 0)
        : isUnknown === true
          ? WEIGHTS.call
          : WEIGHTS.other,
    ...(value > 0n && { of: 'native', amount: value }),
  };
}

/**
 * The title of a request whose preview shows a loss that decoding did not find: then nothing else is said before it.
 *
 * @param isVouched - Whether somebody vouches for all contracts that are called: then what is graver comes first.
 * @returns Undefined if there is no such loss, or something graver.
 */
function lossTitle(headline: Headline, isVouched: boolean, scene: WordScene): string | undefined {
  const { outcome } = scene.view;
  if (outcome?.kind !== 'changes' || (isVouched && headline.weight >= WEIGHTS.allow)) return undefined;
  const decoded = decodedChanges(scene);
  const lost = outcome.changes.sends.filter(
    ({ asset, amount }) =>
      !decoded.sends.some((one) => keyOfAsset(one.asset) === keyOfAsset(asset) && one.amount >= amount),
  );
  const isKnown = ({ asset }: AssetAmount): boolean =>
    asset.kind === 'native' || tokenAt(asset.token, scene) !== undefined;
  const first = lost.find(isKnown) ?? lost[0];
  return first && `Send ${withMore(shortAmount(first, scene), lost.length - 1, 'asset')}`;
}

/** Effects that say nothing about what a request moves. */
const SILENT: readonly Effect['kind'][] = ['note', 'fee', 'overhead', 'paymaster', 'network'];

/**
 * The title of several transfers of the account to one recipient, added up.
 *
 * @returns Undefined if the request does anything else.
 */
function transfersTitle(scene: WordScene): string | undefined {
  const { view, findings } = scene;
  const { effects } = findings;
  const moves = lossesOf(effects, view.signer);
  const [first, second] = moves;
  const to = first?.to;
  if (to === undefined || second === undefined) return undefined;
  const isOther = effects.some(
    (effect) =>
      effect.known === 'claimed' ||
      (effect.kind === 'call'
        ? effect.isUnread === true
        : effect.kind === 'move'
          ? !moves.includes(effect) || effect.to === undefined || !isSameAddress(effect.to, to)
          : !SILENT.includes(effect.kind)),
  );
  const { sends } = decodedChanges(scene);
  if (isOther || sends.length > MAX_SUMMED || sends.some((sent) => 'id' in sent.asset || isUncountable(sent, scene)))
    return undefined;
  return `Send ${sends.map((sent) => shortAmount(sent, scene)).join(' and ')} to ${nameOf(to, view)}`;
}

/**
 * The title that a simulation gives a single call whose meaning is otherwise unknown: what is exchanged for what.
 *
 * @returns Undefined if it is neither an exchange nor a mint.
 */
function simulatedTitle({ sends, receives, allows, creates }: Changes, scene: WordScene): string | undefined {
  const [sent, received] = [sends[0], receives[0]];
  if (allows.length > 0 || creates.length > 0 || sends.length > 1 || received === undefined) return undefined;
  const isNft = receives.every(({ asset }) => asset.kind === 'erc721' || asset.kind === 'erc1155');
  const got = withMore(shortAmount(received, scene), receives.length - 1, 'item');
  const isMint = isNft && receives.every(({ isNew }) => isNew === true);
  if (isMint && (sent === undefined || sent.asset.kind === 'native' || sent.asset.kind === 'erc20'))
    return `Mint ${got}${sent === undefined ? '' : ` for ${shortAmount(sent, scene)}`}`;
  if (sent === undefined) return undefined;
  const isSale = sent.asset.kind !== 'native' && sent.asset.kind !== 'erc20';
  return `${isNft ? 'Buy' : isSale ? 'Sell' : 'Swap'} ${isNft ? got : shortAmount(sent, scene)} for ${isNft ? shortAmount(sent, scene) : got}`;
}

/**
 * The title of a request: what its calls do, unless nobody vouches for that and a preview knows better. A node that a
 * site chose says what its owner likes, so what comes back according to it is in no title.
 *
 * @param isExplained - Whether a rule of ours says what a single call does.
 * @param isVouched - Whether somebody vouches for all contracts that are called.
 */
export const titleOf = (headline: Headline, isExplained: boolean, isVouched: boolean, scene: WordScene): string =>
  outcomeTitle(scene) ??
  (isExplained || scene.view.node?.addedBy !== undefined ? undefined : simulatedTitle(knownChanges(scene), scene)) ??
  lossTitle(headline, isVouched, scene) ??
  transfersTitle(scene) ??
  headline.text;
