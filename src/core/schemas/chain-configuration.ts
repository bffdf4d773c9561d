import { ACCOUNT_VERSIONS, type AccountVersion, ENTRY_POINTS, versionOfEntryPoint } from '../erc4337/entry-points';
import { KIND_OF_VERSION, type KindName } from '../erc4337/kinds';
import { InvalidParamsError } from '../errors';
import { type Hex } from '../eth/bytes';
import { AddressStruct } from './address';
import { type ChainName, ChainNameStruct, ChainReferenceStruct, toChainName } from './chain';
import { ServiceContextStruct } from './service-context';
import { enums, exactOptional, type Infer, object } from './struct';
import { ServiceUrlStruct } from './url';

const optionalParts = {
  /** Of another factory than the canonical one, with the same code. */
  factory: exactOptional(AddressStruct),
  /** A paymaster service (ERC-7677). */
  paymasterUrl: exactOptional(ServiceUrlStruct),
  /** Sent to the paymaster service with every request. */
  paymasterContext: exactOptional(ServiceContextStruct),
};

/** The parameters of `keystead_setChain`. */
export const SetChainStruct = object({
  chainId: ChainReferenceStruct,
  rpcUrl: ServiceUrlStruct,
  bundlerUrl: ServiceUrlStruct,
  entryPoint: exactOptional(AddressStruct),
  entryPointVersion: exactOptional(enums(ACCOUNT_VERSIONS)),
  ...optionalParts,
});

/** The parameters of `keystead_removeChain`. */
export const RemoveChainStruct = object({ chainId: ChainReferenceStruct });

/** A chain as it is set up: where its services are, and the entry point that they serve. */
export const ChainConfigurationStruct = object({
  chainId: ChainNameStruct,
  rpcUrl: ServiceUrlStruct,
  bundlerUrl: ServiceUrlStruct,
  entryPoint: AddressStruct,
  entryPointVersion: enums(ACCOUNT_VERSIONS),
  ...optionalParts,
});
export type ChainConfiguration = {
  readonly chainId: ChainName;
  readonly rpcUrl: string;
  readonly bundlerUrl: string;
  readonly entryPoint: Hex;
  readonly entryPointVersion: AccountVersion;
  readonly factory?: Hex;
  readonly paymasterUrl?: string;
  readonly paymasterContext?: Readonly<Record<string, unknown>>;
};

const DEFAULT_VERSION: AccountVersion = '0.7';

const isAccountVersion = (version: string | undefined): version is AccountVersion =>
  (ACCOUNT_VERSIONS as readonly (string | undefined)[]).includes(version);

/** A canonical entry point tells its version; for another one the version must be told. */
function versionFor(entryPoint: Hex | undefined, told: AccountVersion | undefined, root: string): AccountVersion {
  if (entryPoint === undefined) return told ?? DEFAULT_VERSION;
  const known = versionOfEntryPoint(entryPoint);
  if (known === undefined) {
    if (told !== undefined) return told;
    throw new InvalidParamsError(
      `${root}.entryPointVersion`,
      'is missing: the entry point is none of the canonical ones',
    );
  }
  if (!isAccountVersion(known))
    throw new InvalidParamsError(
      `${root}.entryPoint`,
      `must be of a version that there are accounts for: ${ACCOUNT_VERSIONS.join(', ')}`,
    );
  if (told !== undefined && told !== known)
    throw new InvalidParamsError(
      `${root}.entryPointVersion`,
      `must be ${known}: the entry point is the canonical one of that version`,
    );
  return known;
}

/**
 * @param root - What to call the parameters in a refusal.
 * @returns The configuration with its entry point and version filled in.
 * @throws {InvalidParamsError} If the two contradict each other.
 */
export function toChainConfiguration(params: Infer<typeof SetChainStruct>, root: string): ChainConfiguration {
  const entryPointVersion = versionFor(params.entryPoint, params.entryPointVersion, root);
  return {
    ...params,
    chainId: toChainName(params.chainId),
    entryPointVersion,
    entryPoint: params.entryPoint ?? ENTRY_POINTS[entryPointVersion],
  };
}

/** @returns The entry point for accounts of a version on this chain: the configured one if it is of that version. */
export const entryPointFor = ({ entryPoint, entryPointVersion }: ChainConfiguration, version: AccountVersion): Hex =>
  entryPointVersion === version ? entryPoint : ENTRY_POINTS[version];

/** @returns The factory for accounts of a kind on this chain, where it is not the canonical one. */
export const factoryFor = ({ factory, entryPointVersion }: ChainConfiguration, kind: KindName): Hex | undefined =>
  KIND_OF_VERSION[entryPointVersion] === kind ? factory : undefined;
