import { privateKeyToAccount } from 'viem/accounts';

import { type Hex } from '../../../src/eth/bytes';
import { MESSAGES } from '../../helpers/hostile/messages';
import { KEY } from '../../helpers/hostile/people';
import { signatureInsight, startHostileSuite } from '../../helpers/hostile/suite';

const { run } = startHostileSuite();
const messageOf = (params: unknown): Hex => (params as readonly [Hex])[0];

describe('personal_sign, at both doors', () => {
  it.each(MESSAGES.map((each) => [each.name, each] as const))('%s', async (_name, each) => {
    await run(each, {
      method: 'personal_sign',
      expected: (params) => privateKeyToAccount(KEY).signMessage({ message: { raw: messageOf(params) } }),
      insight: (params) => signatureInsight('personal_sign', messageOf(params)),
    });
  });
});
