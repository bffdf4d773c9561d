import { type Json } from '@metamask/snaps-sdk';

import { type Hex } from '../../../core/eth/bytes';
import { type Method, type SigningRequest } from './define-method';
import {
  type OperationSigningRequest,
  type UnsignedRequest,
  type UserOperationMethod,
} from './define-user-operation-method';
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

/** The account methods for user operations that sign nothing (the last one is from MetaMask's keyring API). */
export type UnsignedMethodName =
  | 'eth_prepareUserOperation'
  | 'eth_patchUserOperation'
  | 'eth_decodeUserOperationCallData';

/** The account methods of smart accounts (specification 4.2). */
export type UserOperationMethodName = UnsignedMethodName | 'eth_signUserOperation';

/** The account methods. */
export type AccountMethodName = EoaMethod | UserOperationMethodName;

/** The account methods that sign. */
export type SigningMethodName = EoaMethod | 'eth_signUserOperation';

/** The user operation methods. A name without a handler does not compile. */
export const USER_OPERATION_METHODS: {
  readonly [Name in UnsignedMethodName]: UserOperationMethod<Name, UnsignedRequest<Json>>;
} & {
  readonly eth_signUserOperation: UserOperationMethod<'eth_signUserOperation', OperationSigningRequest<Json>>;
} = {
  eth_prepareUserOperation: ethPrepareUserOperation,
  eth_patchUserOperation: ethPatchUserOperation,
  eth_signUserOperation: ethSignUserOperation,
  eth_decodeUserOperationCallData: ethDecodeUserOperationCallData,
};

/** The methods that accounts run. */
export const ACCOUNT_METHODS = { ...METHODS, ...USER_OPERATION_METHODS };

/** @returns Whether it is a method that accounts run. Only own properties count. */
export const isAccountMethod = (name: string): name is AccountMethodName => Object.hasOwn(ACCOUNT_METHODS, name);

/** A validated request for a signature: of a message, typed data or a transaction, or of a user operation. */
export type SignatureRequest = SigningRequest<MethodResult> | OperationSigningRequest<Json>;

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
