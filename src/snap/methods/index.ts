import { type Json } from '@metamask/snaps-sdk';

import { MethodNotSupportedError, quoted } from '../../core/errors';
import { type Hex } from '../../core/eth/bytes';
import { type AccountPath } from './account-path';
import { type Method, type SigningRequest } from './define-method';
import { type UserOperationMethod, type UserOperationRequest } from './define-user-operation-method';
import { ethDecodeUserOperationCallData } from './eth-decode-user-operation-call-data';
import { ethPatchUserOperation } from './eth-patch-user-operation';
import { ethPrepareUserOperation } from './eth-prepare-user-operation';
import { ethSignTransaction } from './eth-sign-transaction';
import { ethSignTypedDataV4 } from './eth-sign-typed-data-v4';
import { ethSignUserOperation } from './eth-sign-user-operation';
import { personalSign } from './personal-sign';

/** The account methods of externally owned accounts (specification 4.2). */
export type EoaMethod = 'personal_sign' | 'eth_signTransaction' | 'eth_signTypedData_v4';

/** The result of an account method: a signature, or the parts of a transaction's signature. */
export type MethodResult = Hex | { readonly v: Hex; readonly r: Hex; readonly s: Hex };

/** The methods of externally owned accounts. A name without a handler does not compile. */
export const METHODS: { readonly [Name in EoaMethod]: Method<Name, never, unknown, MethodResult> } = {
  personal_sign: personalSign,
  eth_signTransaction: ethSignTransaction,
  eth_signTypedData_v4: ethSignTypedDataV4,
};

/** The method names that an externally owned account advertises. */
export const EOA_METHODS = Object.keys(METHODS) as EoaMethod[];

/** @returns Whether the table has this method. Only own properties count. */
export const isEoaMethod = (name: string): name is EoaMethod => Object.hasOwn(METHODS, name);

/** The account methods of smart accounts (specification 4.2; the last one is from MetaMask's keyring API). */
export type UserOperationMethodName =
  | 'eth_prepareUserOperation'
  | 'eth_patchUserOperation'
  | 'eth_signUserOperation'
  | 'eth_decodeUserOperationCallData';

/** The user operation methods. A name without a handler does not compile. */
export const USER_OPERATION_METHODS: {
  readonly [Name in UserOperationMethodName]: UserOperationMethod<Name, Json>;
} = {
  eth_prepareUserOperation: ethPrepareUserOperation,
  eth_patchUserOperation: ethPatchUserOperation,
  eth_signUserOperation: ethSignUserOperation,
  eth_decodeUserOperationCallData: ethDecodeUserOperationCallData,
};

/** A validated request for an account method: either a signature or a user operation method. */
export type AccountRequest = { readonly method: EoaMethod | UserOperationMethodName } & (
  | { readonly signing: SigningRequest<MethodResult>; readonly operation?: undefined }
  | { readonly operation: UserOperationRequest<Json>; readonly signing?: undefined }
);

/**
 * Decodes the parameters of an account method.
 *
 * @throws {MethodNotSupportedError} If the method does not exist.
 * @throws {InvalidParamsError} If the parameters are invalid; names the field and the rule.
 */
export function decodeAccountRequest(method: string, params: unknown): AccountRequest {
  if (isEoaMethod(method)) return { method, signing: METHODS[method].decode(params) };
  if (isUserOperationMethod(method)) return { method, operation: USER_OPERATION_METHODS[method].decode(params) };
  throw new MethodNotSupportedError(`request.method: unknown method ${quoted(method)}`);
}

/** @returns Whether it is a method that accounts run. */
export const isAccountMethod = (method: string): method is EoaMethod | UserOperationMethodName =>
  isEoaMethod(method) || isUserOperationMethod(method);

/** @returns Where a method's parameters name the account, or undefined if they do not. */
export const accountPathOf = (method: EoaMethod | UserOperationMethodName): AccountPath | undefined =>
  isEoaMethod(method) ? METHODS[method].account : USER_OPERATION_METHODS[method].account;

/** The methods that a smart account advertises. MetaMask's structs allow no other method of the table. */
export const SMART_ACCOUNT_METHODS = [
  'eth_prepareUserOperation',
  'eth_patchUserOperation',
  'eth_signUserOperation',
] as const satisfies UserOperationMethodName[];

/** The additional methods of a smart account whose contract verifies message signatures (ERC-1271). */
export const MESSAGE_METHODS = ['personal_sign', 'eth_signTypedData_v4'] as const satisfies EoaMethod[];

/** @returns Whether a method signs a message. */
export const isMessageMethod = (name: string): name is (typeof MESSAGE_METHODS)[number] =>
  (MESSAGE_METHODS as readonly string[]).includes(name);

/** @returns Whether the table has this method. Only own properties count. */
export const isUserOperationMethod = (name: string): name is UserOperationMethodName =>
  Object.hasOwn(USER_OPERATION_METHODS, name);
