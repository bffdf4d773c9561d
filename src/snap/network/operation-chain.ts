import { fundsFor, nextNonce } from '../../clients/entry-point';
import { inOrder } from '../../clients/in-order';
import { transactionCount } from '../../clients/transactions';
import { THRESHOLD_SLOT, type Owner, GET_OWNERS, isOwner, ownerWith, readOwners } from '../../core/safe/owners/owners';
import { isSameAddress } from '../../core/eth/address';
import { delegateIn } from '../../core/eth/authorization';
import { ServiceFailedError, ServiceRefusedError, ServiceSilentError } from '../../core/errors';
import { chainIdOf } from '../../core/schemas/chain';
import { type ChainConfiguration, entryPointFor } from '../../core/schemas/chain-configuration';
import { type PreparedLedger } from './prepared-operations';
import { bundlerUrlOf, servicesOf } from './services';
import { type FundsFacts } from '../../core/erc4337/failures';
import { type OperationDomain } from '../../core/erc4337/hash';
import { type AccountKind } from '../../core/erc4337/kind';
import { type PreparedOperation } from '../../core/erc4337/prepared';
import { type GasLimits, type UserOperation } from '../../core/erc4337/user-operation';
import { type Hex } from '../../core/eth/bytes';
import { type NodeClient } from '../../clients/node';
import { BytesStruct } from '../../core/structs/hex';

/** The account of a request: a smart account, or an externally owned account with a delegate (EIP-7702). */
export type SmartAccount = {
  readonly address: Hex;
  readonly kind: AccountKind;
  /** The code or authorization that deploys or delegates the account with its first operation. */
  readonly initCode: Hex;
  /** The owner whose key signs for the account, where its contract can have other owners. */
  readonly owner?: Hex;
  /** The contract whose code the account runs, now or from its first operation on (EIP-7702). */
  readonly delegate?: Hex;
};

/** The owners of an account of which more than one must sign. */
export type CoOwners = { readonly owners: readonly Owner[]; readonly threshold: number };

/** The state of the account that sends an operation, according to a node. */
export type SenderState = {
  readonly nonce: bigint;
  /** Whether the account has its code. */
  readonly isDeployed: boolean;
  /** The account's own next nonce, for an authorization (EIP-7702), if it still has to be delegated. */
  readonly authorizationNonce?: bigint;
  /** Absent if the account's own key is enough. */
  readonly coOwners?: CoOwners;
};

/**
 * A bundler's gas estimates. `paymasterVerificationGasLimit` is present only with a paymaster, from entry point 0.7 on.
 */
export type EstimatedGas = GasLimits<bigint> & { readonly paymasterVerificationGasLimit?: bigint };

/** A paymaster service (ERC-7677). */
export type Sponsor = {
  /** @throws {ServiceRefusedError} If the service does not sponsor the operation. */
  readonly stubData: (operation: UserOperation) => Promise<{
    readonly paymasterAndData: Hex;
    readonly isFinal: boolean;
    readonly verificationGasOpen: boolean;
  }>;
  /** @throws {ServiceRefusedError} If the service does not sponsor the operation. */
  readonly data: (operation: UserOperation) => Promise<Hex>;
};

/** The chain of a request, and the services configured for it. */
export type OperationChain = {
  readonly domain: OperationDomain;
  readonly bundlerUrl: string;
  /** @throws {ServiceFailedError} If the node does not respond correctly. A failure never counts as "not deployed". */
  readonly senderState: () => Promise<SenderState>;
  /**
   * @returns The estimate, or undefined if the bundler does not respond; MetaMask then estimates the gas itself.
   * @throws {ServiceRefusedError} If the operation would fail according to the bundler.
   */
  readonly estimateGas: (operation: UserOperation) => Promise<EstimatedGas | undefined>;
  /** The cost of an operation and the account's funds; undefined if the node does not respond correctly. */
  readonly fundsFor: (operation: UserOperation) => Promise<FundsFacts | undefined>;
  /** Absent if no paymaster service is set up. */
  readonly sponsor?: Sponsor;
  /** The recently prepared operations of this account on this chain. */
  readonly prepared: {
    readonly list: () => Promise<readonly PreparedOperation[]>;
    readonly remember: (operation: PreparedOperation) => Promise<void>;
    readonly rememberPatch: (operation: UserOperation, paymasterAndData: Hex) => Promise<void>;
  };
};

/**
 * Reads the owners of a Safe, and how each signs.
 *
 * @param safe - Its address, and the owner whose key Keystead has.
 * @returns undefined if that owner's signature is enough.
 * @throws {ServiceFailedError} If it is not an owner, the node does not respond, or its answer is impossible.
 */
async function readCoOwners(
  { address, owner }: { readonly address: Hex; readonly owner: Hex },
  threshold: bigint,
  node: NodeClient,
): Promise<CoOwners | undefined> {
  const answer = await node.ask('eth_call', [{ to: address, data: GET_OWNERS }, 'latest'], BytesStruct);
  const current = readOwners(address, answer, threshold);
  if (!isOwner(owner, current))
    throw new ServiceFailedError(
      "This account's own key is not one of its owners on this network, so Keystead cannot sign for it.",
    );
  if (current.threshold === 1) return undefined;
  const codes = await Promise.all(current.owners.map((each) => node.code(each)));
  return {
    owners: current.owners.map((each, index) => ownerWith(each, codes[index] ?? '0x')),
    threshold: current.threshold,
  };
}

/** Returns undefined for the given kinds of error, and rethrows any other. */
const unless =
  (...kinds: readonly (new (...parameters: never) => Error)[]) =>
  (error: unknown): undefined => {
    if (!kinds.some((kind) => error instanceof kind)) throw error;
  };

/** The error for an account that is no longer as it was when the user was asked. */
export const changedMeanwhile = (): ServiceFailedError =>
  new ServiceFailedError(
    'The account was used or changed on this network in the meantime (EIP-7702). Nothing was signed. Try again.',
  );

/**
 * The chain for one account: the configured services, and the entry point that the account accepts.
 *
 * @param prepared - The record of prepared operations and its caller: `metamask`, or the origin of a site.
 * @throws {ProviderError} 4901 if the network has no bundler.
 */
export function operationChain(
  configuration: ChainConfiguration,
  { address, kind, owner, delegate }: SmartAccount,
  { ledger, caller }: { readonly ledger: PreparedLedger; readonly caller: string },
): OperationChain {
  const { node, hints, paymaster, ...services } = servicesOf(configuration);
  const bundler = services.bundler();
  const chainId = chainIdOf(configuration.chainId);
  const version = kind.entryPointVersion;
  const entryPoint = kind.entryPoint ?? entryPointFor(configuration, version);
  const domain = { version, entryPoint, chainId, ...(delegate && { delegate }) };
  return {
    domain,
    bundlerUrl: bundlerUrlOf(configuration),
    senderState: async () => {
      const [, code, nonce, threshold] = await inOrder([
        node.assertChain(chainId),
        node.code(address),
        nextNonce(node, domain.entryPoint, address),
        owner === undefined ? Promise.resolve(0n) : node.storageAt(address, THRESHOLD_SLOT),
      ]);
      const isDeployed = code !== '0x';
      if (isDeployed && owner !== undefined) {
        const coOwners = await readCoOwners({ address, owner }, threshold, node);
        return { nonce, isDeployed, ...(coOwners && { coOwners }) };
      }
      if (delegate === undefined) return { nonce, isDeployed };
      if (code === '0x')
        return { nonce, isDeployed: false, authorizationNonce: await transactionCount(node, address, 'pending') };
      if (!isSameAddress(delegateIn(code) ?? '', delegate)) throw changedMeanwhile();
      return { nonce, isDeployed: true };
    },
    estimateGas: (operation) => bundler.estimateGas(operation, domain).catch(unless(ServiceSilentError)),
    fundsFor: (operation) => fundsFor(hints, operation, domain).catch(unless(ServiceFailedError, ServiceRefusedError)),
    ...(paymaster !== undefined && {
      sponsor: {
        stubData: (operation) => paymaster.stubData(operation, domain),
        data: (operation) => paymaster.data(operation, domain),
      },
    }),
    prepared: {
      list: () => ledger.of(caller, address, chainId),
      remember: (operation) => ledger.remember(caller, operation),
      rememberPatch: (operation, patch) => ledger.rememberPatch(caller, operation, chainId, patch),
    },
  };
}
