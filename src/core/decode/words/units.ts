import { formatGwei } from 'viem/utils';

import { groupedUnits } from '../../eth/units';
import { type Network, type NetworkDetails, networkOf } from '../../networks/network';
import { type Findings } from '../effects/findings';
import { type Viewpoint } from '../explanation';

/** The part of a network that the amounts of its native coin need. */
type CoinScene = {
  /** Undefined if the object that is signed names no network. */
  readonly chainId: bigint | undefined;
  readonly view: Pick<Viewpoint, 'networks'>;
  readonly findings?: Pick<Findings, 'signed'>;
};

/** Names that were compared with those of all known networks already: an explanation names its network many times. */
const compared = new WeakMap<NetworkDetails, { readonly chainId: bigint; readonly network: Network }>();

/** The network's name and symbol: known, named by the person, or made of its id. */
export function networkIn({ view }: Pick<CoinScene, 'view'>, chainId: bigint): Network {
  const details = view.networks?.[chainId.toString()];
  const before = details && compared.get(details);
  if (before?.chainId === chainId) return before.network;
  const network = networkOf(chainId, details);
  if (details !== undefined) compared.set(details, { chainId, network });
  return network;
}

/** An amount of the network's native coin. */
export function nativeAmount(wei: bigint, scene: CoinScene): string {
  const symbol = scene.chainId === undefined ? "ETH (or the network's coin)" : networkIn(scene, scene.chainId).symbol;
  const words = `${groupedUnits(wei, 18)} ${symbol}`;
  return scene.findings?.signed.wrote(wei, words, { isNative: true }) ?? words;
}

/** Longer numbers are cut. */
const MAX_DIGITS = 34;

/** A number without a unit. The middle of a long one is left out. */
export function plainNumber(number: bigint): string {
  const digits = number.toString();
  return digits.length <= MAX_DIGITS ? digits : `${digits.slice(0, 4)}…${digits.slice(-4)} (${digits.length} digits)`;
}

/** The digits of a fee that is read at a glance. */
const FEE_DIGITS = 3;

/** The most that a fee can be, rounded up. */
export function feeAtMost(wei: bigint, scene: CoinScene): string {
  const unit = 10n ** BigInt(Math.max(0, wei.toString().length - FEE_DIGITS));
  return `up to ${nativeAmount(((wei + unit - 1n) / unit) * unit, scene)}`;
}

/** @param wei - A price per gas. */
export const gwei = (wei: bigint): string => `${formatGwei(wei)} gwei`;

/** The network's coin that a call sends, in wei; undefined where the calling contract sets it. */
export const sentValue = (wei: bigint | undefined, scene: CoinScene): string =>
  wei === undefined ? 'set by the calling contract' : nativeAmount(wei, scene);
