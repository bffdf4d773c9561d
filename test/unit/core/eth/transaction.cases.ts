import {
  keccak256,
  parseGwei,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionSerializable,
} from 'viem';

import { authorizationDigest, signedAuthorization } from '../../../../src/core/eth/authorization';
import { fromHex, toHex } from '../../../../src/core/eth/bytes';
import { signDigest } from '../../../../src/core/eth/secp256k1';
import {
  signedTransaction,
  type Transaction,
  transactionDigest,
  transactionV,
} from '../../../../src/core/eth/transaction';
import { KEY, ME } from '../../../support/hostile/people';

const to = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045' as const;
const call = { chainId: 10n, nonce: 7n, gasLimit: 21_000n, to, value: 5n, data: '0x1234' } as const;
const accessList = [{ address: to, storageKeys: [`0x${'11'.repeat(32)}`] }] as const;
const fees = { maxFeePerGas: parseGwei('2'), maxPriorityFeePerGas: 0n };
const one = { chainId: 10n, address: to, nonce: 8n } as const;
const authorization = signedAuthorization(one, signDigest(authorizationDigest(one), fromHex(KEY)));

const TRANSACTIONS: readonly Transaction[] = [
  { ...call, type: 'legacy', gasPrice: 3n },
  { ...call, type: 'legacy', gasPrice: 0n, nonce: 0n, to: null },
  { ...call, type: 'eip2930', gasPrice: 3n, accessList },
  { ...call, type: 'eip1559', ...fees, accessList: [] },
  { ...call, type: 'eip1559', ...fees, accessList, to: null },
];

/** The transaction as viem names its fields. */
const serializable = ({ gasLimit, nonce, chainId, ...rest }: Transaction): TransactionSerializable =>
  ({ ...rest, gas: gasLimit, nonce: Number(nonce), chainId: Number(chainId) }) as TransactionSerializable;

describe('a transaction', () => {
  it.each(TRANSACTIONS)('is hashed and signed as viem does it: %o', async (tx) => {
    expect(toHex(transactionDigest(tx))).toBe(keccak256(serializeTransaction(serializable(tx))));
    const signature = signDigest(transactionDigest(tx), fromHex(KEY));
    const raw = toHex(signedTransaction(tx, signature)) as never;
    expect(await recoverTransactionAddress({ serializedTransaction: raw })).toBe(ME);
    const { r, s, yParity } = signature;
    const parts = { r: toHex(r), s: toHex(s), yParity, ...(tx.type === 'legacy' && { v: 27n + BigInt(yParity) }) };
    expect(raw).toBe(serializeTransaction(serializable(tx), parts));
  });

  it('with delegations (EIP-7702) is signed by its sender', async () => {
    const tx = { ...call, type: 'eip7702', ...fees, accessList, authorizationList: [authorization] } as const;
    const raw = toHex(signedTransaction(tx, signDigest(transactionDigest(tx), fromHex(KEY)))) as never;
    expect(await recoverTransactionAddress({ serializedTransaction: raw })).toBe(ME);
  });

  it('has a v of the parity, and in the oldest type one that names the chain (EIP-155)', () => {
    const [legacy, , typed] = TRANSACTIONS;
    expect([transactionV(legacy!, 0), transactionV(legacy!, 1)]).toEqual([55n, 56n]);
    expect([transactionV(typed!, 0), transactionV(typed!, 1)]).toEqual([0n, 1n]);
  });
});
