import { ACCOUNT_VERSIONS, type AccountVersion, ENTRY_POINTS, versionOfEntryPoint } from '../erc4337/entry-points';
import { KIND_OF_VERSION, type KindName } from '../kinds';
import { InvalidParamsError } from '../errors';
import { type Hex } from '../eth/bytes';
import { AddressStruct } from './address';
import { type ChainName, ChainNameStruct, ChainReferenceStruct, toChainName } from './chain';
import { WebOriginStruct } from './origin';
import { ServiceContextStruct } from './service-context';
import { isLoopback } from './service-url';
import { enums, exactOptional, type Infer, matching, object } from '../structs/struct';
import { ExplorerUrlStruct, ServiceUrlStruct } from './url';

/**
 * The name of a network. ASCII only, because no letter of it can then imitate another, change the direction of the text
 * or be invisible.
 */
export const NetworkNameStruct = matching(
  'must be 1 to 50 printable ASCII characters, without a space at either end',
  /^(?=[!-~])[ -~]{1,50}(?<! )$/u,
);

/** The symbol of a network's native coin. It starts with a letter, so it cannot extend the amount before it. */
export const CoinSymbolStruct = matching(
  'must be 1 to 11 ASCII letters, digits or any of ". + - _", starting with a letter',
  /^[A-Za-z][A-Za-z0-9.+_-]{0,10}$/u,
);

const optionalParts = {
  /** Another node of the chain, without whose word nobody is told that all is well. */
  secondRpcUrl: exactOptional(ServiceUrlStruct),
  /** Needed to send from smart accounts only. */
  bundlerUrl: exactOptional(ServiceUrlStruct),
  /** A factory with the same code as the canonical one, at another address. */
  factory: exactOptional(AddressStruct),
  /** A paymaster service (ERC-7677). */
  paymasterUrl: exactOptional(ServiceUrlStruct),
  /** The context sent to the paymaster service with every request. */
  paymasterContext: exactOptional(ServiceContextStruct),
  /** Shown for networks that Keystead does not know. */
  name: exactOptional(NetworkNameStruct),
  /** The symbol of the native coin, likewise. */
  symbol: exactOptional(CoinSymbolStruct),
  explorerUrl: exactOptional(ExplorerUrlStruct),
};

/** The parameters of `keystead_setChain`. */
export const SetChainStruct = object({
  chainId: ChainReferenceStruct,
  rpcUrl: ServiceUrlStruct,
  entryPoint: exactOptional(AddressStruct),
  entryPointVersion: exactOptional(enums(ACCOUNT_VERSIONS)),
  ...optionalParts,
});

/** The parameters of `keystead_removeChain`. */
export const RemoveChainStruct = object({ chainId: ChainReferenceStruct });

/**
 * A stored network configuration: the URLs of its services, the entry point they serve, and what the network is called.
 */
export const ChainConfigurationStruct = object({
  chainId: ChainNameStruct,
  rpcUrl: ServiceUrlStruct,
  /** Earlier versions did not store it. */
  nodeFrom: exactOptional(WebOriginStruct),
  entryPoint: AddressStruct,
  entryPointVersion: enums(ACCOUNT_VERSIONS),
  ...optionalParts,
});

/** A stored network configuration, as {@link ChainConfigurationStruct} checks it. */
export type ChainConfiguration = {
  readonly chainId: ChainName;
  readonly rpcUrl: string;
  /** Another node of the chain, of another operator. */
  readonly secondRpcUrl?: string;
  /** The origin of the site that added the node, until the person vouches for it. */
  readonly nodeFrom?: string;
  /** Without a bundler, smart accounts cannot send. */
  readonly bundlerUrl?: string;
  readonly entryPoint: Hex;
  readonly entryPointVersion: AccountVersion;
  readonly factory?: Hex;
  readonly paymasterUrl?: string;
  readonly paymasterContext?: Readonly<Record<string, unknown>>;
  readonly name?: string;
  readonly symbol?: string;
  readonly explorerUrl?: string;
};

const DEFAULT_VERSION: AccountVersion = '0.7';

/** A canonical entry point implies its version. For any other entry point, the version is required. */
function versionFor(entryPoint: Hex | undefined, given: AccountVersion | undefined, root: string): AccountVersion {
  if (entryPoint === undefined) return given ?? DEFAULT_VERSION;
  const known = versionOfEntryPoint(entryPoint);
  if (known === undefined) {
    if (given !== undefined) return given;
    throw new InvalidParamsError(
      `${root}.entryPointVersion`,
      'is missing: it is required for an entry point that is not canonical',
    );
  }
  if (given !== undefined && given !== known)
    throw new InvalidParamsError(
      `${root}.entryPointVersion`,
      `must be ${known}, the version of this canonical entry point`,
    );
  return known;
}

/** The host of a node. On this machine, nodes differ by their ports only. */
function hostOf(url: string): string {
  const { host, hostname } = new URL(url);
  return isLoopback(hostname) ? host : hostname;
}

/** @returns Whether two nodes are on the same host: what one says is no confirmation of the other. */
export const isSameHost = (one: string, other: string): boolean => hostOf(one) === hostOf(other);

/**
 * @param root - The name of the parameters in error messages.
 * @returns The configuration with its entry point and version filled in.
 * @throws {InvalidParamsError} If the entry point and its version contradict each other, or both nodes are one.
 */
export function toChainConfiguration(params: Infer<typeof SetChainStruct>, root: string): ChainConfiguration {
  const entryPointVersion = versionFor(params.entryPoint, params.entryPointVersion, root);
  const { rpcUrl, secondRpcUrl } = params;
  if (secondRpcUrl !== undefined && isSameHost(rpcUrl, secondRpcUrl))
    throw new InvalidParamsError(`${root}.secondRpcUrl`, 'must be on another host than the first node');
  return {
    ...params,
    chainId: toChainName(params.chainId),
    entryPointVersion,
    entryPoint: params.entryPoint ?? ENTRY_POINTS[entryPointVersion],
  };
}

/**
 * @returns The entry point for accounts of a version on this chain: the configured one if it has that version,
 * otherwise the canonical one.
 */
export const entryPointFor = ({ entryPoint, entryPointVersion }: ChainConfiguration, version: AccountVersion): Hex =>
  entryPointVersion === version ? entryPoint : ENTRY_POINTS[version];

/** @returns The configured factory for accounts of a kind on this chain, or undefined for the canonical one. */
export const factoryFor = ({ factory, entryPointVersion }: ChainConfiguration, kind: KindName): Hex | undefined =>
  KIND_OF_VERSION[entryPointVersion] === kind ? factory : undefined;
