import { type FundsFacts } from '../../../core/erc4337/failures';
import { type OperationPlace } from '../../../core/erc4337/hash';
import { type AccountKind } from '../../../core/erc4337/kind';
import { type PreparedOperation } from '../../../core/erc4337/prepared';
import { type Owner } from '../../../core/erc4337/safe/owners/owners';
import { type GasLimits, type UserOperation } from '../../../core/erc4337/user-operation';
import { type Hex } from '../../../core/eth/bytes';
import { type SignDigest } from './define-method';

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
  readonly place: OperationPlace;
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

/** The context of a user operation method that signs nothing. */
export type UserOperationContext = {
  readonly account: SmartAccount;
  /** @throws {InvalidParamsError} If the request names no chain, or one that is not set up. */
  readonly chain: () => Promise<OperationChain>;
};

/** The context in which a user operation is signed. */
export type OperationSigningContext = {
  readonly account: SmartAccount;
  readonly chain: OperationChain;
  /** Signs with the owner's key. */
  readonly signDigest: SignDigest;
};
