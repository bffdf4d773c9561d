import { type Hex } from '../eth/bytes';
import { type Method } from './define-method';
import { ethSignTransaction } from './eth-sign-transaction';
import { ethSignTypedDataV4 } from './eth-sign-typed-data-v4';
import { personalSign } from './personal-sign';

/** The account methods of externally owned accounts (specification 4.2). */
export type EoaMethod = 'personal_sign' | 'eth_signTransaction' | 'eth_signTypedData_v4';

/** What an account method answers: a signature, or the parts of a transaction's signature. */
export type MethodResult = Hex | { readonly v: Hex; readonly r: Hex; readonly s: Hex };

/** The table of account methods. A method without its handler does not compile. */
export const METHODS: { readonly [Name in EoaMethod]: Method<Name, MethodResult> } = {
  personal_sign: personalSign,
  eth_signTransaction: ethSignTransaction,
  eth_signTypedData_v4: ethSignTypedDataV4,
};

/** The names of the table, as an account advertises them. */
export const EOA_METHODS = Object.keys(METHODS) as EoaMethod[];

/** @returns Whether the table has this method; only own names count. */
export const isEoaMethod = (name: string): name is EoaMethod => Object.hasOwn(METHODS, name);
