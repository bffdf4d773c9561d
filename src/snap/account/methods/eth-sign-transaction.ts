import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';

import { explainTransaction } from '../../../core/decode/explain/transaction';
import { pathText } from '../../../core/errors';
import { fromHex, quantityToHex, toHex } from '../../../core/eth/bytes';
import { signedTransaction, transactionDigest, transactionV } from '../../../core/eth/transaction';
import { TransactionSignatureStruct } from '../../../core/schemas/signature';
import { tuple } from '../../../core/structs/struct';
import { toTransaction, TransactionStruct } from '../../../core/schemas/transaction';
import { transactionSubject } from '../../../core/eth/transaction-call';
import { defineMethod } from './define-method';

/**
 * `eth_signTransaction` (specification 4.2, 2.1, 2.2): [transaction] -> { v, r, s }.
 *
 * Supports legacy transactions with EIP-155, EIP-2930, EIP-1559 and EIP-7702. The authorizations of the last are signed
 * already: no method signs one by itself. `v` is the value that MetaMask needs to rebuild the
 * transaction: the parity for typed transactions, `2 * chainId + 35 + parity` for legacy ones.
 */
export const ethSignTransaction = defineMethod({
  name: 'eth_signTransaction',
  paramNames: ['transaction'],
  params: tuple([TransactionStruct]),
  result: TransactionSignatureStruct,
  account: [0, 'from'],
  decode: ([json]) => toTransaction(json),
  chain: ({ chainId }) => ({ field: 'transaction.chainId', chainId }),
  delegates: (tx) =>
    tx.type === 'eip7702'
      ? tx.authorizationList.map(({ address }, index) => ({
          field: pathText('transaction', ['authorizationList', index, 'address']),
          address,
        }))
      : [],
  explain: (tx, view) => explainTransaction(tx, view),
  subject: transactionSubject,
  sign: (tx, signDigest) => signDigest(transactionDigest(tx)),
  encode: ({ r, s, yParity }, tx) => ({
    v: quantityToHex(transactionV(tx, yParity)),
    r: toHex(r),
    s: toHex(s),
  }),
  hash: ({ v, r, s }, tx) => {
    const yParity = BigInt(v) === transactionV(tx, 1) ? 1 : 0;
    return toHex(keccak256(signedTransaction(tx, { r: fromHex(r), s: fromHex(s), yParity })));
  },
});
