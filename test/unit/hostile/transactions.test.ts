import { SigningKey, Transaction, type TransactionLike } from 'ethers';
import { keccak256, serializeTransaction } from 'viem';

import { type Hex } from '../../../src/eth/bytes';
import { KEY, SITE } from '../../helpers/hostile/people';
import { startHostileSuite } from '../../helpers/hostile/suite';
import { TRANSACTIONS } from '../../helpers/hostile/transactions';

const { run } = startHostileSuite();

type Wire = Readonly<Record<string, Hex>>;
const transactionOf = (params: unknown): Wire => (params as readonly [Wire])[0];

const QUANTITY = /^(?:nonce|value|gasLimit|gasPrice|chainId|max.*)$/u;
/** ethers keeps nonces as numbers, and takes minutes for long access lists. */
const isBeyondEthers = ({ nonce, accessList }: Wire): boolean =>
  !Number.isSafeInteger(Number(nonce)) || JSON.stringify(accessList ?? []).length > 100_000;

/** What is to be signed, by ethers or viem. Addresses are not spelt as they were: libraries refuse some. */
function digestOf({ from: _from, v: _v, r: _r, s: _s, ...tx }: Wire): string {
  const to = tx.to?.toLowerCase() ?? null;
  if (!isBeyondEthers(tx))
    return Transaction.from({ ...tx, to, type: Number(tx.type), nonce: Number(tx.nonce) } as TransactionLike)
      .unsignedHash;
  const quantities = Object.entries(tx).filter(([name]) => QUANTITY.test(name));
  const type = { '0x0': 'legacy', '0x1': 'eip2930', '0x2': 'eip1559' }[tx.type as string];
  const asNumbers = Object.fromEntries(quantities.map(([name, value]) => [name, BigInt(value)]));
  return keccak256(serializeTransaction({ ...tx, ...asNumbers, to, type, gas: asNumbers.gasLimit } as never));
}

function signatureOf(params: unknown) {
  const tx = transactionOf(params);
  const { r, s, yParity } = new SigningKey(KEY).sign(digestOf(tx));
  const v = tx.type === '0x0' ? 2n * BigInt(tx.chainId!) + 35n + BigInt(yParity) : BigInt(yParity);
  return { r, s, v: `0x${v.toString(16)}` };
}

describe('eth_signTransaction, at both doors', () => {
  it.each(TRANSACTIONS.map((each) => [each.name, each] as const))('%s', async (_name, each) => {
    await run(each, {
      method: 'eth_signTransaction',
      expected: signatureOf,
      insight: (params) => {
        const transaction = transactionOf(params);
        const chainId = `eip155:${BigInt(transaction.chainId!)}`;
        return ['transaction', { transaction, chainId, transactionOrigin: SITE }];
      },
    });
  });
});
