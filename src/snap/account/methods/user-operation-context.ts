import { type OperationChain, type SmartAccount } from '../../network/operation-chain';
import { type SignDigest } from './define-method';

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
