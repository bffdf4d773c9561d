import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

import { type Hex, lowerCase, toHex } from './bytes';

/** The part of a transaction that the wallet does not change until it is sent. */
export type TransactionCall = {
  readonly from: Hex;
  readonly to: Hex | null;
  /** wei. */
  readonly value: bigint;
  readonly data: Hex;
};

/** @returns A hash that is the same only for the same recipient, value and data. */
export const callHash = ({ to, value, data }: Omit<TransactionCall, 'from'>): Hex =>
  toHex(keccak256(utf8ToBytes(`${lowerCase(to ?? '0x')}/${value}/${lowerCase(data)}`)));

/** @returns What tells a transaction from others of the account, whatever its fees and nonce. */
export const transactionSubject = (transaction: Omit<TransactionCall, 'from'> & { readonly chainId: bigint }): string =>
  `${transaction.chainId}/${callHash(transaction)}`;
