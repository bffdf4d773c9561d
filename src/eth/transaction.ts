import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';

import { concatBytes, fromHex, type Hex, quantityToBytes } from './bytes';
import { encodeRlp, type RlpItem } from './rlp';

/** EIP-2930: addresses and 32-byte storage keys the transaction plans to touch. */
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

/** An unsigned transaction: legacy with EIP-155, EIP-2930 or EIP-1559. Prices are wei per gas. */
export type Transaction =
  | (Common & { readonly type: 'legacy'; readonly gasPrice: bigint })
  | (Common & { readonly type: 'eip2930'; readonly gasPrice: bigint; readonly accessList: AccessList })
  | (Common & {
      readonly type: 'eip1559';
      readonly maxPriorityFeePerGas: bigint;
      readonly maxFeePerGas: bigint;
      readonly accessList: AccessList;
    });

const addressItem = (to: Hex | null): Uint8Array => (to === null ? new Uint8Array(0) : fromHex(to));

const accessListItem = (accessList: AccessList): RlpItem =>
  accessList.map(({ address, storageKeys }) => [fromHex(address), storageKeys.map(fromHex)]);

function envelope(type: number, fields: readonly RlpItem[]): Uint8Array {
  return concatBytes(Uint8Array.of(type), encodeRlp(fields));
}

/** The fields of a transaction in their order (EIP-155, EIP-2930, EIP-1559), and what comes behind them. */
function payload(tx: Transaction, tail: readonly RlpItem[]): Uint8Array {
  const chainId = quantityToBytes(tx.chainId);
  const nonce = quantityToBytes(tx.nonce);
  const call = [quantityToBytes(tx.gasLimit), addressItem(tx.to), quantityToBytes(tx.value), fromHex(tx.data)];
  switch (tx.type) {
    case 'legacy':
      return encodeRlp([nonce, quantityToBytes(tx.gasPrice), ...call, ...tail]);
    case 'eip2930':
      return envelope(1, [
        chainId,
        nonce,
        quantityToBytes(tx.gasPrice),
        ...call,
        accessListItem(tx.accessList),
        ...tail,
      ]);
    case 'eip1559':
      return envelope(2, [
        chainId,
        nonce,
        quantityToBytes(tx.maxPriorityFeePerGas),
        quantityToBytes(tx.maxFeePerGas),
        ...call,
        accessListItem(tx.accessList),
        ...tail,
      ]);
  }
}

/** The bytes whose hash is signed. */
const signingPayload = (tx: Transaction): Uint8Array =>
  payload(tx, tx.type === 'legacy' ? [quantityToBytes(tx.chainId), new Uint8Array(0), new Uint8Array(0)] : []);

/** @returns The 32 bytes that a transaction's sender signs. */
export const transactionDigest = (tx: Transaction): Uint8Array => keccak256(signingPayload(tx));

/** @returns `v` of a signed transaction: the parity for typed ones, `2 * chainId + 35 + parity` for legacy (EIP-155). */
export const transactionV = (tx: Transaction, yParity: 0 | 1): bigint =>
  tx.type === 'legacy' ? 2n * tx.chainId + 35n + BigInt(yParity) : BigInt(yParity);

/**
 * @param signature - As `eth_signTransaction` answers it: quantities in hex.
 * @returns The bytes that a node takes with `eth_sendRawTransaction`; their hash is the transaction's.
 */
export const signedTransaction = (tx: Transaction, { v, r, s }: Readonly<Record<'v' | 'r' | 's', Hex>>): Uint8Array =>
  payload(
    tx,
    [v, r, s].map((part) => quantityToBytes(BigInt(part))),
  );
