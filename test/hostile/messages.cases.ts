import { messageOf, messageSignature } from '../support/hostile/expected';
import { MESSAGES } from '../support/hostile/messages';
import { signatureInsight, startHostileSuite } from '../support/hostile/suite';

const { run } = startHostileSuite(MESSAGES);

describe('personal_sign, through both handlers', () => {
  it.each(MESSAGES.map((each) => [each.name, each] as const))('%s', async (_name, each) => {
    await run(each, {
      method: 'personal_sign',
      expected: messageSignature,
      insight: (params) => signatureInsight('personal_sign', messageOf(params)),
    });
  });
});
