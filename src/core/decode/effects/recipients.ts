import { isSameAddress } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { counted } from '../../eth/units';
import { type Line, type RecipientFacts, type Viewpoint } from '../explanation';
import { tokenAt } from '../metadata/tokens';
import { type WordScene } from '../scene';
import { isBeyondSupply, rowAmount } from '../words/amounts';
import { isDeadAddress } from '../words/keyless';
import { text } from '../words/lines';
import { knownName, namedAddress, nameOf, shortAddress } from '../words/names';
import { allowanceOf, assetOf, isUncountable, keyOfAsset, plus } from './changes';
import { type FactOf, type FoundEffect } from './effect';
import { type AssetAmount } from './outcome';
import { firstBy } from './rows';

/** The number of hex digits at each end that wallets usually show and people compare. */
const COMPARED = 4;

/** @returns The digits of a lower-case address that people compare. */
export const endsOf = (address: string): string => address.slice(2, 2 + COMPARED) + address.slice(-COMPARED);

/**
 * @returns Whether two different addresses have the same first four and last four hex digits. Someone may have
 * generated one to be taken for the other (address poisoning).
 */
export const imitates = (a: Hex, b: Hex): boolean =>
  !isSameAddress(a, b) && endsOf(a.toLowerCase()) === endsOf(b.toLowerCase());

/** The ways in which somebody gains by a request, in the order of their rows. */
const ROLES = ['To', 'Spender', 'Gets control', 'Code to run', 'Claimed recipient', 'Contract'] as const;
type Role = (typeof ROLES)[number];

/** Somebody who gets an asset, a permission or control. */
export type Beneficiary = {
  readonly address: Hex;
  readonly role: Role;
  /** The assets that it is sent, with the account that loses them. */
  readonly sent: readonly (AssetAmount & { readonly from: Hex | undefined })[];
  /** The things of another account than the signer's that it may use, in words. */
  readonly allowed: readonly string[];
};

/** A screen shows no more beneficiaries without a danger. */
export const MANY_BENEFICIARIES = 20;
/** Nor does it show more than these at all. */
const MAX_SHOWN = 200;

type Gain = { readonly address: Hex | undefined; readonly role: Role } & Partial<Pick<Beneficiary, 'sent' | 'allowed'>>;

/**
 * Nobody gains by these effects, or other effects of the same request say who does. A new kind of effect compiles only
 * once it is listed here or has a case in {@link gainOf}.
 */
const nobody = (
  _effect: FactOf<
    | 'order'
    | 'wrap'
    | 'malformed'
    | 'unread'
    | 'network'
    | 'opaque'
    | 'own-contract'
    | 'operation'
    | 'sign-in'
    | 'paymaster'
    | 'creation'
    | 'fee'
    | 'overhead'
    | 'failure'
    | 'self-call'
    | 'cancel'
    | 'passkey'
    | 'signature'
    | 'note'
  >,
): undefined => undefined;

/** The beneficiaries of an effect, and what each gains. */
function gainOf(effect: FoundEffect, scene: WordScene): Gain | undefined {
  const { signer } = scene.view;
  switch (effect.kind) {
    case 'move': {
      const { from, to, amount } = effect;
      if (amount === 0n || to === undefined || (from !== undefined && isSameAddress(from, to))) return undefined;
      // Data of a contract that nobody vouches for only says so.
      if (effect.known === 'claimed') return { address: to, role: 'Claimed recipient' };
      return { address: to, role: 'To', sent: [{ ...assetOf(effect, scene), from }] };
    }
    case 'allow': {
      const { owner, spender, amount, of } = effect;
      if (amount === 0n) return undefined;
      // The rows of what the account allows name the amount.
      if (owner !== undefined && isSameAddress(owner, signer)) return { address: spender, role: 'Spender' };
      const permission = allowanceOf(effect, scene);
      const of_ = owner === undefined ? '' : ` of ${nameOf(owner, scene.view)}`;
      const what =
        of !== 'amount' || permission?.kind !== 'amount'
          ? 'NFTs or everything'
          : isBeyondSupply(amount, permission.token, scene)
            ? 'an unlimited amount'
            : rowAmount({ asset: { kind: 'erc20', token: permission.token }, amount }, scene);
      return { address: spender, role: 'Spender', allowed: [`${what}${of_}`] };
    }
    case 'control':
      return { address: effect.by, role: 'Gets control' };
    case 'withdrawal':
      return { address: effect.to, role: 'To' };
    case 'delegation':
      return effect.isOwn === true || isDeadAddress(effect.delegate)
        ? undefined
        : { address: effect.delegate, role: 'Gets control' };
    case 'limits-unread':
      return { address: effect.by, role: 'Gets control' };
    case 'permission':
      return { address: effect.to, role: effect.what === 'agent' ? 'Gets control' : 'Spender' };
    case 'foreign-code':
      return { address: effect.code, role: 'Code to run' };
    case 'named':
      return effect.isRecipient ? { address: effect.address, role: 'To' } : undefined;
    case 'call':
      return effect.isUnread === true && knownName(effect.to, scene.view) === undefined
        ? { address: effect.to, role: 'Contract' }
        : undefined;
    default:
      return nobody(effect);
  }
}

/** All that get an asset, a permission or control, each once in each role; the unknown before the known. */
export function beneficiariesIn(scene: WordScene): readonly Beneficiary[] {
  const { view, findings } = scene;
  const all = new Map<string, Beneficiary>();
  for (const effect of findings.effects) {
    const gain = gainOf(effect, scene);
    if (gain?.address === undefined || isSameAddress(gain.address, view.signer)) continue;
    const { address, role, sent = [], allowed = [] } = gain;
    const key = `${role}${address.toLowerCase()}`;
    const before = all.get(key);
    all.set(key, {
      address: before?.address ?? address,
      role,
      sent: [...(before?.sent ?? []), ...sent],
      allowed: [...new Set([...(before?.allowed ?? []), ...allowed])],
    });
  }
  const found = [...all.values()].filter(
    ({ role, address }) =>
      role !== 'Contract' || !ROLES.some((other) => other !== role && all.has(`${other}${address.toLowerCase()}`)),
  );
  return sorted(found, scene);
}

/** Whoever gets a smaller part of each asset comes after the others, so that nobody hides behind dust. */
const DUST_PARTS = 100n;

/** The role first; then strangers, known assets, and more than dust; then the order of the request. */
function sorted(all: readonly Beneficiary[], scene: WordScene): Beneficiary[] {
  const { view } = scene;
  const used = new Set(view.recipients?.used.map((address) => address.toLowerCase()));
  const totals = new Map<string, bigint>();
  for (const { sent } of all)
    for (const { asset, amount } of sent)
      totals.set(keyOfAsset(asset), plus(totals.get(keyOfAsset(asset)) ?? 0n, amount));
  return firstBy(all, ({ address, role, sent }) => {
    const isKnown = knownName(address, view) !== undefined || used.has(address.toLowerCase());
    const isOfValue =
      sent.length === 0 ||
      sent.some(({ asset }) => asset.kind === 'native' || tokenAt(asset.token, scene) !== undefined);
    const isDust =
      sent.length > 0 &&
      [...sumsOf(sent).values()].every(
        ({ asset, amount }) => amount * DUST_PARTS < (totals.get(keyOfAsset(asset)) ?? amount),
      );
    return ROLES.indexOf(role) * 8 + (isKnown ? 4 : 0) + (isOfValue ? 0 : 2) + (isDust ? 1 : 0);
  });
}

type Sent = Beneficiary['sent'][number];

/** The assets that one recipient is sent, added up by asset and by the account that loses them. */
function sumsOf(sent: readonly Sent[]): Map<string, Sent> {
  const sums = new Map<string, Sent>();
  for (const one of sent) {
    const key = `${keyOfAsset(one.asset)}${one.from?.toLowerCase() ?? ''}`;
    sums.set(key, { ...one, amount: plus(sums.get(key)?.amount ?? 0n, one.amount) });
  }
  return sums;
}

/** A screen shows no more assets for one recipient. */
const MAX_ASSETS = 5;

/** The amount of an asset that the signer sends to each recipient, and the number of recipients. */
function ownSums(all: readonly Beneficiary[], { view }: WordScene): Map<string, { amount: bigint; count: number }> {
  const sums = new Map<string, { amount: bigint; count: number }>();
  for (const { sent } of all)
    for (const { asset, amount, from } of sumsOf(sent).values()) {
      if (from === undefined || !isSameAddress(from, view.signer)) continue;
      const key = keyOfAsset(asset);
      const before = sums.get(key) ?? { amount: 0n, count: 0 };
      sums.set(key, { amount: plus(before.amount, amount), count: before.count + 1 });
    }
  return sums;
}

/**
 * @returns Whether what the account sends of an asset is more than one recipient gets. Numbers that may be IDs are
 * never sums.
 */
export function isSumOf(all: readonly Beneficiary[], scene: WordScene): (sent: AssetAmount) => boolean {
  const sums = ownSums(all, scene);
  return (sent) => {
    const said = sums.get(keyOfAsset(sent.asset));
    return said !== undefined && !isUncountable(sent, scene) && (sent.amount > said.amount || said.count > 1);
  };
}

function amountLines({ sent, allowed }: Beneficiary, isRepeated: boolean, scene: WordScene): Line[] {
  const { signer } = scene.view;
  const all = [...sumsOf(sent).values()].filter((one) => !isUncountable(one, scene));
  const isOwn = ({ from }: Sent): boolean => from !== undefined && isSameAddress(from, signer);
  const own = isRepeated ? all.filter(isOwn).map((one) => rowAmount(one, scene)) : [];
  const lines = [
    ...(own.length === 0 || own.length > MAX_ASSETS
      ? own.map((what) => text('Amount', what))
      : [text('Amount', own.join(' and '))]),
    ...all
      .filter((one) => !isOwn(one))
      .map((one) => {
        const whose = one.from === undefined ? 'another account' : nameOf(one.from, scene.view);
        return text('Amount', `${rowAmount(one, scene)}, from ${whose}`);
      }),
  ];
  const left = lines.length - MAX_ASSETS;
  return [
    ...lines.slice(0, MAX_ASSETS),
    ...(left > 0 ? [text('Amount', counted(left, 'more asset'))] : []),
    ...allowed.slice(0, MAX_ASSETS).map((what) => text('May use', what)),
  ];
}

/**
 * Everybody who gets something, in full, each followed by what it gets, unless that is the only thing the account
 * sends.
 *
 * @param sends - What the account sends, as the rows above say.
 */
export function beneficiaryLines(all: readonly Beneficiary[], sends: readonly AssetAmount[], scene: WordScene): Line[] {
  const sums = ownSums(all, scene);
  const besides = sends.flatMap((one) => {
    const said = sums.get(keyOfAsset(one.asset));
    if (said === undefined || said.amount >= one.amount || isUncountable(one, scene)) return [];
    return [text('To others, by the contracts', rowAmount({ ...one, amount: one.amount - said.amount }, scene))];
  });
  const isRepeated = all.filter(({ sent }) => sent.length > 0).length > 1 || besides.length > 0;
  const left = all.length - MAX_SHOWN;
  const to = all.filter(({ role }) => role === 'To').length;
  const lines = all
    .slice(0, MAX_SHOWN)
    .map((one) => [namedAddress(one.role, one.address, scene.view), ...amountLines(one, isRepeated, scene)]);
  return [
    ...lines.slice(0, to).flat(),
    ...besides,
    ...lines.slice(to).flat(),
    ...(left > 0 ? [text('Not shown', counted(left, 'more address', 'more addresses'))] : []),
  ];
}

/** A notice names no more new recipients. All of them are shown in full besides. */
const MAX_NAMED = 5;

/**
 * The notice about new recipients. It is no danger: everybody is new once.
 * @param more - How many others there are that are not named.
 */
export function firstTimeNotice(addresses: readonly Hex[], more = 0): string {
  const named = [...addresses.map(shortAddress), ...(more > 0 ? [`${more} more`] : [])];
  const [last, ...others] = named.reverse();
  const all = others.length === 0 ? last : `${others.reverse().join(', ')} and ${last}`;
  return `First time you send to ${all}.`;
}

/** The notice about those who are sent something for the first time. */
export function newRecipientLines(strangers: readonly Hex[]): Line[] {
  if (strangers.length === 0) return [];
  const notice = firstTimeNotice(strangers.slice(0, MAX_NAMED), Math.max(strangers.length - MAX_NAMED, 0));
  return [text(strangers.length === 1 ? 'New recipient' : 'New recipients', notice)];
}

/**
 * @param names - The names of all own accounts, by address.
 * @returns Those who are new to the account, and neither the person's own nor contacts.
 */
export function strangersAmong(
  all: readonly Hex[],
  { used, own, contacts = {} }: RecipientFacts,
  names: NonNullable<Viewpoint['names']> = {},
): Hex[] {
  const familiar = [...used, ...[own, contacts, names].flatMap(Object.keys)];
  const known = new Set(familiar.map((address) => address.toLowerCase()));
  return all.filter((address) => !known.has(address.toLowerCase()));
}
