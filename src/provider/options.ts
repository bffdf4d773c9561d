import { version as ourVersion } from '../../package.json';
import { InvalidParamsError } from '../core/errors';
import { type Node } from './nodes';
import { type SnapSpec } from './snap-host';
import { type Eip1193Provider } from './types';
import { type SnapWallet } from './wallets';

/**
 * The options of {@link createKeysteadProvider} and {@link announceKeystead}. All are optional.
 *
 * @example
 * import { type KeysteadOptions } from 'keystead/provider';
 *
 * const options: KeysteadOptions = {
 *   snapId: 'local:http://localhost:8080',
 *   nodes: { 31337: 'http://127.0.0.1:8545' },
 * };
 */
export type KeysteadOptions = {
  /** The snap's id: `npm:<package>`, or `local:<URL>` for development. Defaults to `npm:keystead`. */
  readonly snapId?: `npm:${string}` | `local:${string}`;
  /**
   * The accepted versions of the snap (semver range). Defaults to those compatible with this package; any for `local:`.
   */
  readonly version?: string;
  /** The wallet that hosts the snap. By default it is discovered in the page (EIP-6963). */
  readonly wallet?: Eip1193Provider;
  /**
   * Chooses where to install the snap if several wallets host snaps. Defaults to the first: MetaMask Flask if present.
   */
  readonly chooseWallet?: (wallets: readonly [SnapWallet, ...SnapWallet[]]) => SnapWallet | Promise<SnapWallet>;
  /** Nodes by chain id, for read methods. A chain without one uses the snap's own node. */
  readonly nodes?: Readonly<Record<number, Node>>;
  /** The chain id that `eth_chainId` returns until the snap is available. Defaults to the first of `nodes`, else 1. */
  readonly chainId?: number;
  /**
   * Sets `isMetaMask: true`, for pages that accept no other provider. Such pages may also expect what only MetaMask
   * has, and other libraries then mistake Keystead for MetaMask, so it is off by default.
   */
  readonly isMetaMask?: boolean;
};

const OPTIONS = {
  snapId: true,
  version: true,
  wallet: true,
  chooseWallet: true,
  nodes: true,
  chainId: true,
  isMetaMask: true,
} satisfies Record<keyof KeysteadOptions, true>;

/** @throws {InvalidParamsError} If there is no such option: a misspelt one must not be ignored silently. */
export function checkOptions(options: KeysteadOptions): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(OPTIONS, name));
  if (unknown !== undefined)
    throw new InvalidParamsError(unknown, `must be one of the options ${Object.keys(OPTIONS).join(', ')}`);
}

const DEFAULT_SNAP = 'npm:keystead';

/**
 * @returns The snap to use, and which versions of it.
 * @throws {InvalidParamsError} If `snapId` is invalid. The type forbids it, but plain JavaScript has no types.
 */
export function snapSpecOf({ snapId = DEFAULT_SNAP, version }: KeysteadOptions): SnapSpec {
  if (!/^(?:npm|local):./u.test(String(snapId)))
    throw new InvalidParamsError('snapId', 'must begin with npm: or local:');
  return { id: snapId, version: version ?? (snapId.startsWith('local:') ? undefined : `^${ourVersion}`) };
}

/**
 * @param option - The option that holds the chain id, as its value or as a key.
 * @throws {InvalidParamsError} If it is not a chain id.
 */
export function toChainId(option: keyof KeysteadOptions, id: number | string): bigint {
  const chainId = Number(id);
  if (Number.isSafeInteger(chainId) && chainId > 0) return BigInt(chainId);
  throw new InvalidParamsError(option, 'must be a chain id: a whole number above zero');
}
