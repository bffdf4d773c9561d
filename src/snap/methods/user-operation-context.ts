import { type FundsFacts } from '../../core/erc4337/failures';
import { type OperationPlace } from '../../core/erc4337/hash';
import { type Deployment, type SmartAccountKind } from '../../core/erc4337/kind';
import { type PreparedOperation } from '../../core/erc4337/prepared';
import { type GasLimits, type UserOperation } from '../../core/erc4337/user-operation';
import { type Hex } from '../../core/eth/bytes';
import { type SignDigest } from './define-method';

/** The smart account a request is for. */
export type SmartAccount = {
  readonly address: Hex;
  readonly kind: SmartAccountKind;
  readonly deployment: Deployment;
};

/** Gas limits as a bundler estimates them; gas. The last one only with a paymaster, from entry point 0.7 on. */
export type EstimatedGas = GasLimits<bigint> & { readonly paymasterVerificationGasLimit?: bigint };

/** A paymaster service (ERC-7677), as methods use it. */
export type Sponsor = {
  /** @throws {ServiceRefusedError} If it does not sponsor the operation. */
  readonly stubData: (operation: UserOperation) => Promise<{
    readonly paymasterAndData: Hex;
    readonly isFinal: boolean;
    readonly verificationGasOpen: boolean;
  }>;
  /** @throws {ServiceRefusedError} If it does not sponsor the operation. */
  readonly data: (operation: UserOperation) => Promise<Hex>;
};

/** The chain a request is for, and the services that were set up for it. */
export type OperationChain = {
  readonly place: OperationPlace;
  readonly bundlerUrl: string;
  /** @throws {ServiceFailedError} If the node does not tell: an account is never taken for undeployed on a failure. */
  readonly senderState: () => Promise<{ readonly nonce: bigint; readonly isDeployed: boolean }>;
  /**
   * @returns undefined if the bundler does not answer; the wallet estimates itself then.
   * @throws {ServiceRefusedError} If the bundler says that the operation would fail.
   */
  readonly estimateGas: (operation: UserOperation) => Promise<EstimatedGas | undefined>;
  /** What the account has to pay the operation with; undefined if the node does not tell. */
  readonly fundsFor: (operation: UserOperation) => Promise<FundsFacts | undefined>;
  /** Absent where no paymaster service is set up. */
  readonly sponsor?: Sponsor;
  /** The operations prepared lately for this account and chain. */
  readonly prepared: {
    readonly list: () => Promise<readonly PreparedOperation[]>;
    readonly remember: (operation: PreparedOperation) => Promise<void>;
    readonly rememberPatch: (operation: UserOperation, paymasterAndData: Hex) => Promise<void>;
  };
};

/** What a user-operation method works with. */
export type UserOperationContext = {
  readonly account: SmartAccount;
  /** Signs with the owner's key. */
  readonly signDigest: SignDigest;
  /** Seconds since 1970. */
  readonly now: bigint;
  /** @throws {InvalidParamsError} If the request is for no chain, or for one that is not set up. */
  readonly chain: () => Promise<OperationChain>;
};
