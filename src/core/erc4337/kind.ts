import { type Hex } from '../eth/bytes';
import { type AccountVersion } from './entry-points';
import { type OperationDomain } from './hash';
import { type Call, type Intent, type UserOperation } from './user-operation';

/** The parameters that determine the address of a smart account: its factory, owner and salt. */
export type Deployment = { readonly factory: Hex; readonly owner: Hex; readonly salt: bigint };

/**
 * Encodes the calls and signatures of an ERC-4337 account: a smart account, or an externally owned account that runs
 * the code of a delegate (EIP-7702).
 */
export type AccountKind = {
  /** The name shown to the user. */
  readonly title: string;
  readonly entryPointVersion: AccountVersion;
  /** The only entry point that the contract accepts, regardless of the network's configuration. */
  readonly entryPoint?: Hex;
  /** Has the length and form of a real signature, so gas estimates are accurate. It never verifies. */
  readonly dummySignature: Hex;
  /**
   * @param intents - At least one; several become one batch.
   * @returns The call data with which the entry point calls the account.
   * @throws {InvalidIntentError} If this kind cannot execute an intent; names the intent.
   */
  readonly encodeCalls: (intents: readonly Intent[]) => Hex;
  /** @returns The calls, or undefined if the data differs from what {@link encodeCalls} produces. */
  readonly decodeCalls: (callData: Hex) => readonly Call[] | undefined;
  /** @returns The 32 bytes that the owner signs for a user operation. */
  readonly signingDigest: (
    userOperationHash: Uint8Array,
    operation: UserOperation,
    domain: OperationDomain,
  ) => Uint8Array;
  /** @returns The operation's signature in the contract's format, from the owner's 65 bytes r, s, v. */
  readonly wrapSignature: (signature: Hex) => Hex;
  /** Whether an account of this kind can have several owners: a Safe (`safe/owners`). */
  readonly canHaveSeveralOwners?: true;
};

/** A kind of smart account. Each kind is one module, and only that module knows its contracts. */
export type SmartAccountKind = AccountKind & {
  /** The word for an account of this kind in its name; a number follows. */
  readonly accountName: string;
  /** The canonical factory. It gives the account the same address on every chain where it is deployed. */
  readonly factory: Hex;
  /**
   * Present only if the account's contract can verify message signatures (ERC-1271). Otherwise the account must not
   * offer to sign messages.
   *
   * @returns The 32 bytes that the owner signs so that the account's `isValidSignature` accepts the 65 bytes r, s, v
   * for the message hash. They are bound to this account and chain.
   */
  readonly messageDigest?: (messageHash: Uint8Array, account: Hex, chainId: bigint) => Uint8Array;
  /** @returns The factory address and call data that deploy the account with its first operation. */
  readonly initCode: (deployment: Deployment) => Hex;
  /** @returns The account's checksummed address (EIP-1014), computed without a node. */
  readonly address: (deployment: Deployment) => Hex;
};
