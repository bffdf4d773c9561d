import { type Hex } from '../eth/bytes';
import { type AccountVersion } from './entry-points';
import { type OperationPlace } from './hash';
import { type Call, type Intent, type UserOperation } from './user-operation';

/** What determines the address of a smart account: which factory deploys it, for whom, with which salt. */
export type Deployment = { readonly factory: Hex; readonly owner: Hex; readonly salt: bigint };

/** What a kind of smart account knows about itself. One module a kind; nothing else knows its contracts. */
export type SmartAccountKind = {
  /** What a person is told. */
  readonly title: string;
  /** What the wallet is offered as a name, before the number. */
  readonly walletName: string;
  readonly entryPointVersion: AccountVersion;
  /** The only entry point that the contract obeys, whatever a chain's configuration names for the version. */
  readonly entryPoint?: Hex;
  /** The factory at its canonical address: where it is deployed, the account has the same address on every chain. */
  readonly factory: Hex;
  /** Of the length and form of a real one, so that gas estimates hold; it never verifies. */
  readonly dummySignature: Hex;
  /**
   * @param intents - At least one; several become one batch.
   * @returns What the entry point calls the account with.
   * @throws {InvalidParamsError} Naming the intent that this kind cannot carry out.
   */
  readonly encodeCalls: (intents: readonly Intent[]) => Hex;
  /** @returns The calls, or undefined unless the data is exactly what {@link encodeCalls} makes. */
  readonly decodeCalls: (callData: Hex) => readonly Call[] | undefined;
  /** @returns The 32 bytes that the owner signs for a user operation, whose hash is told too. */
  readonly signingDigest: (
    userOperationHash: Uint8Array,
    operation: UserOperation,
    place: OperationPlace,
  ) => Uint8Array;
  /** @returns What the contract takes as the operation's signature, from the owner's 65 bytes r, s, v. */
  readonly wrapSignature: (signature: Hex) => Hex;
  /**
   * Only where the account's contract can verify messages (ERC-1271). Where it cannot, it must not offer to sign any.
   *
   * @returns The 32 bytes that the owner signs, so that `isValidSignature` of the account accepts 65 bytes r, s,
   * v for the hash of the message: bound to this account and chain.
   */
  readonly messageDigest?: (messageHash: Uint8Array, account: Hex, chainId: bigint) => Uint8Array;
  /** @returns Factory address and call: what deploys the account as part of its first operation. */
  readonly initCode: (deployment: Deployment) => Hex;
  /** @returns The account's address (EIP-1014), told without a node; with checksum. */
  readonly address: (deployment: Deployment) => Hex;
};
