import { getAddress } from 'viem/utils';

import { isSameAddress } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { counted } from '../../eth/units';
import { networkTitle } from '../../networks/network';
import { type Line, type Viewpoint } from '../explanation';
import { entryOf } from '../metadata/contract-metadata';
import { isDeadAddress, isPlaceholder } from './keyless';
import { contractName } from './known-contracts';
import { address } from './lines';

/**
 * An address in its EIP-55 spelling. A spelling that was given in mixed case, right or wrong, is part of what is shown.
 */
export const spelled = (at: Hex): Hex => (at === at.toLowerCase() ? getAddress(at) : at);

/** The ends of an address for use in a sentence, "0x742d…f44e". A row of the same screen shows it in full. */
export function shortAddress(at: Hex): string {
  const written = spelled(at);
  return `${written.slice(0, 6)}…${written.slice(-4)}`;
}

/**
 * The name of another account of yours or of a known contract: it does what its calldata says, and its address need not
 * be shown in full.
 */
export function knownName(account: Hex, { names = {} }: Viewpoint): string | undefined {
  const own = entryOf(names, account.toLowerCase());
  return own === undefined ? contractName(account) : `your ${own}`;
}

/** The same, or the name of a contact. A contact may be any contract, so nothing is trusted for being one. */
export function calledName(account: Hex, view: Viewpoint): string | undefined {
  const contact = entryOf(view.recipients?.contacts ?? {}, account.toLowerCase());
  return knownName(account, view) ?? (contact && `your contact ${contact}`);
}

/**
 * "your account" for the account that signs, the name of another account of yours or of a known contract, else the
 * short address.
 */
export function nameOf(account: Hex, view: Viewpoint): string {
  if (isSameAddress(account, view.signer)) return 'your account';
  return calledName(account, view) ?? shortAddress(account);
}

/** A note on an address that belongs to nobody. */
function keylessName(at: Hex): string | undefined {
  if (isPlaceholder(at)) return 'a placeholder: the contract decides whom it means';
  return isDeadAddress(at) ? 'nobody controls it' : undefined;
}

/** An address in full, with its name if it has one. */
export function namedAddress(label: string, at: Hex, view: Viewpoint): Line {
  const name = calledName(at, view) ?? keylessName(at);
  return address(name === undefined ? label : `${label} (${name})`, at);
}

/** One sentence for several: the first, and how many more there are. */
export const withMore = (first: string | undefined, more: number, noun: string): string =>
  `${first ?? 'Do nothing'}${more <= 0 ? '' : `, and ${counted(more, `more ${noun}`)}`}`;

/** @param named - The chain ID in what is signed; `ofRequest` is that of the request. */
export const wrongNetwork = (named: bigint, ofRequest: bigint, view: Pick<Viewpoint, 'networks'>): string => {
  const [there, here] = [named, ofRequest].map((chainId) => networkTitle(chainId, view.networks?.[chainId.toString()]));
  return `This is for ${there}, but the request is for ${here}.`;
};
