import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { bytesToBigInt, concatBytes, toRlp } from 'viem/utils';

import { type SignedAuthorization } from './authorization';
import { type Hex } from './bytes';
import { type RlpItem, rlpQuantity as quantity } from './rlp';
import { type Signature } from './secp256k1';

/** The addresses and 32-byte storage keys that a transaction plans to access (EIP-2930). */
export type AccessList = readonly { readonly address: Hex; readonly storageKeys: readonly Hex[] }[];

type Common = {
  readonly chainId: bigint;
  readonly nonce: bigint;
  /** gas */
  readonly gasLimit: bigint;
  /** null: create a contract */
  readonly to: Hex | null;
  /** wei */
  readonly value: bigint;
  readonly data: Hex;
};

/** An unsigned transaction: legacy with EIP-155, EIP-2930, EIP-1559 or EIP-7702. Prices are in wei per gas. */
export type Transaction =
  | (Common & { readonly type: 'legacy'; readonly gasPrice: bigint })
  | (Common & { readonly type: 'eip2930'; readonly gasPrice: bigint; readonly accessList: AccessList })
  | (Common & {
      readonly type: 'eip1559';
      readonly maxPriorityFeePerGas: bigint;
      readonly maxFeePerGas: bigint;
      readonly accessList: AccessList;
    })
  | (Omit<Common, 'to'> & {
      readonly type: 'eip7702';
      /** It cannot create a contract. */
      readonly to: Hex;
      readonly maxPriorityFeePerGas: bigint;
      readonly maxFeePerGas: bigint;
      readonly accessList: AccessList;
      /** At least one. */
      readonly authorizationList: readonly SignedAuthorization[];
    });

const accessListItem = (accessList: AccessList): RlpItem =>
  accessList.map(({ address, storageKeys }) => [address, storageKeys]);

const authorizationListItem = (list: readonly SignedAuthorization[]): RlpItem =>
  list.map(({ chainId, address, nonce, yParity, r, s }) => [
    quantity(chainId),
    address,
    quantity(nonce),
    quantity(BigInt(yParity)),
    quantity(r),
    quantity(s),
  ]);

/**
 * Encodes the fields of a transaction in order (EIP-155, EIP-2930, EIP-1559, EIP-7702), followed by `tail`. viem's
 * `serializeTransaction` takes the nonce and the chain id as numbers, which are not exact above 2^53.
 */
function payload(tx: Transaction, tail: readonly RlpItem[]): Uint8Array {
  const call = [quantity(tx.gasLimit), tx.to ?? '0x', quantity(tx.value), tx.data] as const;
  const [chainId, nonce] = [quantity(tx.chainId), quantity(tx.nonce)];
  switch (tx.type) {
    case 'legacy':
      return toRlp([nonce, quantity(tx.gasPrice), ...call, ...tail], 'bytes');
    case 'eip2930': {
      const fields = [chainId, nonce, quantity(tx.gasPrice), ...call, accessListItem(tx.accessList), ...tail];
      return concatBytes([Uint8Array.of(1), toRlp(fields, 'bytes')]);
    }
    case 'eip1559': {
      const prices = [quantity(tx.maxPriorityFeePerGas), quantity(tx.maxFeePerGas)];
      const fields = [chainId, nonce, ...prices, ...call, accessListItem(tx.accessList), ...tail];
      return concatBytes([Uint8Array.of(2), toRlp(fields, 'bytes')]);
    }
    case 'eip7702': {
      const prices = [quantity(tx.maxPriorityFeePerGas), quantity(tx.maxFeePerGas)];
      const lists = [accessListItem(tx.accessList), authorizationListItem(tx.authorizationList)];
      return concatBytes([Uint8Array.of(4), toRlp([chainId, nonce, ...prices, ...call, ...lists, ...tail], 'bytes')]);
    }
  }
}

/** The bytes whose hash the sender signs. */
const signingPayload = (tx: Transaction): Uint8Array =>
  payload(tx, tx.type === 'legacy' ? [quantity(tx.chainId), '0x', '0x'] : []);

/** @returns The 32-byte digest that the sender of a transaction signs. */
export const transactionDigest = (tx: Transaction): Uint8Array => keccak256(signingPayload(tx));

/**
 * @returns `v` of a signed transaction: the parity for typed ones, `2 * chainId + 35 + parity` for legacy (EIP-155).
 */
export const transactionV = (tx: Transaction, yParity: 0 | 1): bigint =>
  tx.type === 'legacy' ? 2n * tx.chainId + 35n + BigInt(yParity) : BigInt(yParity);

/** @returns The raw transaction for `eth_sendRawTransaction`. Its keccak256 hash is the transaction hash. */
export const signedTransaction = (tx: Transaction, { r, s, yParity }: Signature): Uint8Array =>
  payload(
    tx,
    [transactionV(tx, yParity), bytesToBigInt(r), bytesToBigInt(s)].map((part) => quantity(part)),
  );
