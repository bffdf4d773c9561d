import { quantityToHex, toHex } from '../../core/eth/bytes';
import { transactionDigest, transactionV } from '../../core/eth/transaction';
import { explainTransaction } from '../../core/decode/transaction';
import { TransactionSignatureStruct } from '../../core/schemas/signature';
import { toTransaction, TransactionStruct } from '../../core/schemas/transaction';
import { defineMethod } from './define-method';
import { tuple } from '../../core/schemas/struct';

/**
 * `eth_signTransaction` (specification 4.2, 2.1, 2.2): [transaction] -> { v, r, s }.
 *
 * Legacy transactions with EIP-155, EIP-2930 and EIP-1559. `v` is what MetaMask rebuilds the transaction
 * with: the parity for typed ones, `2 * chainId + 35 + parity` for legacy.
 */
export const ethSignTransaction = defineMethod({
  name: 'eth_signTransaction',
  paramNames: ['transaction'],
  params: tuple([TransactionStruct]),
  result: TransactionSignatureStruct,
  read: ([json]) => ({ from: json.from, tx: toTransaction(json) }),
  subject: ({ from, tx }) => ({
    addresses: [{ field: 'transaction.from', address: from }],
    chain: { field: 'transaction.chainId', chainId: tx.chainId },
  }),
  explain: ({ tx }, view) => explainTransaction(tx, view),
  run: async ({ signDigest }, { tx }) => {
    const { r, s, yParity } = await signDigest(transactionDigest(tx));
    return { v: quantityToHex(transactionV(tx, yParity)), r: toHex(r), s: toHex(s) };
  },
});
