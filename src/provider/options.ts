import { version as ourVersion } from '../../package.json';
import { InvalidParamsError } from '../core/errors';
import { type Node } from './nodes';
import { type SnapWanted } from './snap-host';
import { type Eip1193Provider } from './types';
import { type SnapWallet } from './wallets';

/** What a provider may be told; all of it may be left out. */
export type KeysteadOptions = {
  /** The snap: `npm:keystead` if left out, or `local:` and where it is served for development. */
  readonly snapId?: `npm:${string}` | `local:${string}`;
  /** Which versions of the snap will do (semver range). Left out: those that fit this package; any for `local:`. */
  readonly version?: string;
  /** The wallet that hosts the snap. Left out: found in the page (EIP-6963). */
  readonly wallet?: Eip1193Provider;
  /** Where to install the snap when several wallets host snaps. Left out: the first, which is MetaMask Flask if it is there. */
  readonly chooseWallet?: (wallets: readonly [SnapWallet, ...SnapWallet[]]) => SnapWallet | Promise<SnapWallet>;
  /** By chain id: the node that reads of that chain go to. A chain without one: the snap's own node. */
  readonly nodes?: Readonly<Record<number, Node>>;
  /** The chain that `eth_chainId` tells until the snap is there. Left out: the first of `nodes`, else 1. */
  readonly chainId?: number;
};

const OPTIONS = {
  snapId: true,
  version: true,
  wallet: true,
  chooseWallet: true,
  nodes: true,
  chainId: true,
} satisfies Record<keyof KeysteadOptions, true>;

/** @throws {InvalidParamsError} Naming an option that there is not: a misspelt one would be left out in silence. */
export function checkOptions(options: KeysteadOptions): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(OPTIONS, name));
  if (unknown !== undefined)
    throw new InvalidParamsError(unknown, `must be left out: the options are ${Object.keys(OPTIONS).join(', ')}`);
}

const DEFAULT_SNAP = 'npm:keystead';

/**
 * @returns The snap that is wanted, as the options say.
 * @throws {InvalidParamsError} If `snapId` is no snap's: pages in plain JavaScript are held to no type.
 */
export function snapWanted({ snapId = DEFAULT_SNAP, version }: KeysteadOptions): SnapWanted {
  if (!/^(?:npm|local):./u.test(String(snapId)))
    throw new InvalidParamsError('snapId', 'must begin with npm: or local:');
  return { id: snapId, version: version ?? (snapId.startsWith('local:') ? undefined : `^${ourVersion}`) };
}

/**
 * @param option - The option it is in, or is a key of.
 * @throws {InvalidParamsError} If it is no chain id.
 */
export function toChainId(option: keyof KeysteadOptions, id: number | string): bigint {
  const chainId = Number(id);
  if (Number.isSafeInteger(chainId) && chainId > 0) return BigInt(chainId);
  throw new InvalidParamsError(option, 'must be a chain id: a whole number above zero');
}
