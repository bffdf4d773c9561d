import { formatUnits, getAddress } from 'viem/utils';

import { isSameAddress } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { counted } from '../../eth/units';
import { type Scene } from '../rules/calls/rule';
import { entryOf } from '../metadata/contract-metadata';
import { type Findings } from '../effects/dangers';
import { contractName } from './known-contracts';
import { isUnlimited } from './lines';
import { networkTitle } from '../../networks/network';
import { isNever, utcTime } from './time';
import { declaredTokenAt, tokenAt, type TokenScene } from '../metadata/tokens';
import { type Viewpoint } from '../explanation';

/**
 * An address in its EIP-55 spelling. A spelling that was given in mixed case, right or wrong, is part of what is shown.
 */
export const spelled = (address: Hex): Hex => (address === address.toLowerCase() ? getAddress(address) : address);

/** The ends of an address for use in a sentence, "0x742d…f44e". A row of the same screen shows it in full. */
export function shortAddress(address: Hex): string {
  const written = spelled(address);
  return `${written.slice(0, 6)}…${written.slice(-4)}`;
}

/**
 * "your account" for the account that signs, the name of another account of yours or of a known contract, else the short
 * address.
 */
export function nameOf(account: Hex, view: Viewpoint): string {
  if (isSameAddress(account, view.signer)) return 'your account';
  return knownName(account, view) ?? shortAddress(account);
}

/** The name of another account of yours or of a known contract. */
export function knownName(account: Hex, { names = {} }: Viewpoint): string | undefined {
  const own = entryOf(names, account.toLowerCase());
  return own === undefined ? contractName(account) : `your ${own}`;
}

/** The symbol of a known token, else "tokens" with the contract. */
export function tokenName(token: Hex | undefined, scene: TokenScene): string {
  if (token === undefined) return 'tokens';
  const { symbol } = tokenAt(token, scene) ?? declaredTokenAt(token, scene) ?? {};
  return symbol ?? `tokens in contract ${shortAddress(token)}`;
}

/**
 * "all of your USDC", or the holder if it is another account.
 *
 * @param owner - undefined for the account that makes a call, if it is not known.
 */
export function allOf(what: string, owner: Hex | undefined, { signer }: Viewpoint): string {
  if (owner === undefined) return `all ${what} that the calling account holds`;
  return isSameAddress(owner, signer) ? `all of your ${what}` : `all ${what} that account ${shortAddress(owner)} holds`;
}

/** An amount for a sentence: "5.5 USDC", or "tokens of 0x1f98…F984" where the decimals are not known. */
export function amountOf(amount: bigint, token: Hex, scene: TokenScene): string {
  const known = tokenAt(token, scene) ?? declaredTokenAt(token, scene);
  return known === undefined
    ? `tokens of ${nameOf(token, scene.view)}`
    : `${formatUnits(amount, known.decimals)} ${known.symbol}`;
}

/** One sentence for several: the first, and how many more there are. */
export const withMore = ([first, ...others]: readonly string[], noun: string): string =>
  `${first ?? 'Do nothing'}${others.length === 0 ? '' : `, and ${counted(others.length, `more ${noun}`)}`}`;

/** An approval in one sentence. */
export function approvalSummary(approval: Approval & { readonly amount: bigint }, scene: TokenScene): string {
  const { spender, token, owner, amount } = approval;
  const who = nameOf(spender, scene.view);
  if (amount === 0n) return `Take back the permission of ${who} to spend ${tokenName(token, scene)}`;
  if (token === undefined || isUnlimited(amount))
    return `Let ${who} spend ${allOf(tokenName(token, scene), owner, scene.view)}`;
  return `Let ${who} spend ${amountOf(amount, token, scene)}`;
}

/** An approval to spend; `token` and `owner` are undefined if they are not known. */
export type Approval = { readonly spender: Hex; readonly token: Hex | undefined; readonly owner: Hex | undefined };

/** ", now and in the future" or " until …"; empty if the end has passed. Permit2 then allows the current block only. */
function duration(end: bigint | undefined, now: bigint): string {
  if (end === undefined || isNever(end, now)) return ', now and in the future';
  return end > now ? ` until ${utcTime(end)}` : '';
}

/** @param end - When the permission ends, in seconds since 1970; undefined if it has no end. */
export function unlimitedApproval({ spender, token, owner }: Approval, scene: TokenScene, end?: bigint): string {
  const until = duration(end, scene.view.now);
  return `This lets ${nameOf(spender, scene.view)} spend ${allOf(tokenName(token, scene), owner, scene.view)}${until}.`;
}

/** @param contract - undefined if the message names none. */
export function approvalForAll(
  operator: Hex,
  contract: Hex | undefined,
  owner: Hex | undefined,
  { view }: Pick<Scene, 'view'>,
): string {
  const place = contract === undefined ? 'a contract' : `contract ${shortAddress(contract)}`;
  const holder =
    owner === undefined
      ? 'the calling account holds'
      : isSameAddress(owner, view.signer)
        ? 'you hold'
        : `account ${shortAddress(owner)} holds`;
  return `This lets ${nameOf(operator, view)} move everything ${holder} in ${place}, now and in the future.`;
}

/** A deadline limits the use of a signature. The permission it gives may last longer. */
export const ENDLESS_SIGNATURE = 'This signature can be used for more than ten years.';

/** @param named - The chain ID in what is signed; `ofRequest` is that of the request. */
export const wrongNetwork = (named: bigint, ofRequest: bigint, view: Pick<Viewpoint, 'networks'>): string => {
  const [there, here] = [named, ofRequest].map((chainId) => networkTitle(chainId, view.networks?.[chainId.toString()]));
  return `This is for ${there}, but the request is for ${here}.`;
};

/** Warns if an account calls itself. */
export function warnOfSelfCall(calls: readonly { readonly to: Hex }[], account: Hex, findings: Findings): void {
  if (calls.some(({ to }) => isSameAddress(to, account)))
    findings.warn(
      'One of the calls is to the account itself. It can change who owns the account, or replace its code.',
    );
}
