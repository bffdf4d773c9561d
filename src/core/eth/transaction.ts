import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { bytesToBigInt, concatBytes, toRlp } from 'viem/utils';

import { type SignedAuthorization } from './authorization';
import { type Hex } from './bytes';
import { type RlpItem, rlpQuantity as quantity } from './rlp';
import { type Signature } from './secp256k1';

/**
 * The addresses and 32-byte storage keys that a transaction plans to access (EIP-2930).
 *
 * @example
 * ```ts
 * const slot = `0x${'0'.repeat(63)}9` as const;
 * const accessList: AccessList = [{ address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', storageKeys: [slot] }];
 * ```
 */
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

/**
 * An unsigned transaction: legacy with EIP-155, EIP-2930, EIP-1559 or EIP-7702. Prices are in wei per gas.
 *
 * @example
 * ```ts
 * const tx: Transaction = { type: 'eip1559', chainId: 1n, nonce: 0n, accessList: [],
 *   gasLimit: 21_000n, maxFeePerGas: 30n * 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n,
 *   to: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', value: 10n ** 18n, data: '0x' };
 * transactionDigest(tx).length; // => 32
 * ```
 */
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

/**
 * @returns The 32-byte digest that the sender of a transaction signs.
 *
 * @example
 * ```ts
 * import { toHex } from './bytes';
 * const gas = { gasLimit: 21_000n, maxFeePerGas: 30n * 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n };
 * const call = { to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', value: 10n ** 18n, data: '0x' } as const;
 * const digest = transactionDigest({ type: 'eip1559', chainId: 1n, nonce: 0n, accessList: [], ...gas, ...call });
 * toHex(digest); // => '0x35935b24597e12cbf901abc4642df29eb2913fc093ac29bba3758ce11917d94a'
 * ```
 */
export const transactionDigest = (tx: Transaction): Uint8Array => keccak256(signingPayload(tx));

/**
 * @returns `v` of a signed transaction: the parity for typed ones, `2 * chainId + 35 + parity` for legacy (EIP-155).
 *
 * @example
 * ```ts
 * const gas = { gasPrice: 30n * 10n ** 9n, gasLimit: 21_000n };
 * const call = { to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', value: 10n ** 18n, data: '0x' } as const;
 * transactionV({ type: 'legacy', chainId: 1n, nonce: 0n, ...gas, ...call }, 0); // => 37n
 * transactionV({ type: 'eip2930', chainId: 1n, nonce: 0n, accessList: [], ...gas, ...call }, 0); // => 0n
 * ```
 */
export const transactionV = (tx: Transaction, yParity: 0 | 1): bigint =>
  tx.type === 'legacy' ? 2n * tx.chainId + 35n + BigInt(yParity) : BigInt(yParity);

/**
 * @returns The raw transaction for `eth_sendRawTransaction`. Its keccak256 hash is the transaction hash.
 *
 * @example
 * ```ts
 * import { signDigest } from './secp256k1';
 * const gas = { gasLimit: 21_000n, maxFeePerGas: 30n * 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n };
 * const call = { to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', value: 10n ** 18n, data: '0x' } as const;
 * const tx = { type: 'eip1559', chainId: 1n, nonce: 0n, accessList: [], ...gas, ...call } as const;
 * const signature = signDigest(transactionDigest(tx), new Uint8Array(32).fill(1));
 * signedTransaction(tx, signature)[0]; // => 2
 * ```
 */
export const signedTransaction = (tx: Transaction, { r, s, yParity }: Signature): Uint8Array =>
  payload(
    tx,
    [transactionV(tx, yParity), bytesToBigInt(r), bytesToBigInt(s)].map((part) => quantity(part)),
  );
