import { dataOf, typedDataSignature } from '../support/hostile/expected';
import { signatureInsight, startHostileSuite } from '../support/hostile/suite';
import { TYPED_DATA } from '../support/hostile/typed-data';

const { run } = startHostileSuite(TYPED_DATA);

describe('eth_signTypedData_v4, through both handlers', () => {
  it.each(TYPED_DATA.map((each) => [each.name, each] as const))('%s', async (_name, each) => {
    await run(each, {
      method: 'eth_signTypedData_v4',
      expected: typedDataSignature,
      insight: (params) => signatureInsight('eth_signTypedData_v4', dataOf(params)),
    });
  });
});
