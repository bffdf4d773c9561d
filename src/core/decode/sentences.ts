import { getAddress } from 'viem/utils';

import { isSameAddress } from '../eth/address';
import { type Hex } from '../eth/bytes';
import { type Scene } from './calls/rule';
import { isNever, utcTime } from './time';
import { tokenAt } from './tokens';
import { type Viewpoint } from './types';

type TokenScene = Pick<Scene, 'chainId' | 'view' | 'findings'>;

/**
 * An address in its EIP-55 spelling. A spelling that was given in mixed case, right or wrong, is part of what is shown.
 */
export const spelled = (address: Hex): Hex => (address === address.toLowerCase() ? getAddress(address) : address);

/** The ends of an address for use in a sentence, "0x742d…f44e". A row of the same screen shows it in full. */
export function shortAddress(address: Hex): string {
  const written = spelled(address);
  return `${written.slice(0, 6)}…${written.slice(-4)}`;
}

/** "your account" for the account that signs, else the short address. */
export const nameOf = (account: Hex, { signer }: Viewpoint): string =>
  isSameAddress(account, signer) ? 'your account' : shortAddress(account);

/** The symbol of a known token, else "tokens" with the contract. */
export function tokenName(token: Hex | undefined, scene: TokenScene): string {
  if (token === undefined) return 'tokens';
  return tokenAt(token, scene)?.symbol ?? `tokens in contract ${shortAddress(token)}`;
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
  return `This lets ${shortAddress(spender)} spend ${allOf(tokenName(token, scene), owner, scene.view)}${until}.`;
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
  return `This lets ${shortAddress(operator)} move everything ${holder} in ${place}, now and in the future.`;
}

/** A deadline limits the use of a signature. The permission it gives may last longer. */
export const ENDLESS_SIGNATURE = 'This signature can be used for more than ten years.';

/** @param named - The chain ID in what is signed; `ofRequest` is that of the request. */
export const wrongNetwork = (named: bigint, ofRequest: bigint): string =>
  `This is for network eip155:${named}, but the request is for eip155:${ofRequest}.`;
