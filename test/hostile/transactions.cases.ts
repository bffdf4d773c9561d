import { transactionOf, transactionSignature } from '../support/hostile/expected';
import { SITE } from '../support/hostile/people';
import { startHostileSuite } from '../support/hostile/suite';
import { TRANSACTIONS } from '../support/hostile/transactions';

const { run } = startHostileSuite(TRANSACTIONS);

describe('eth_signTransaction, through both handlers', () => {
  it.each(TRANSACTIONS.map((each) => [each.name, each] as const))('%s', async (_name, each) => {
    await run(each, {
      method: 'eth_signTransaction',
      expected: transactionSignature,
      insight: (params) => {
        const transaction = transactionOf(params);
        const chainId = `eip155:${BigInt(transaction.chainId!)}`;
        return ['onTransaction', { transaction, chainId, transactionOrigin: SITE }];
      },
    });
  });
});
