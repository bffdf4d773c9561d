import { type ForDapps, installForDapps, type Sent } from '../../support/dapp';

const HELLO = '0x68656c6c6f';
const OTHER = 'https://other.example';

describe('a dialog that a test leaves open', () => {
  let keystead: ForDapps;
  let address: string;
  const left: Sent[] = [];
  beforeAll(async () => {
    keystead = await installForDapps();
    ({ address } = await keystead.create());
    await keystead.connect();
    await keystead.connect(OTHER);
  });

  it('is open at the end of a test, and that of another site waits for it', async () => {
    const [first, second] = [undefined, OTHER].map((origin) =>
      keystead.dapp('personal_sign', [HELLO, address], origin),
    ) as [Sent, Sent];
    left.push(first, second);
    expect((await first.getInterface()).type).toBe('confirmation');
  });

  it('was rejected with those that waited, so that the next test does not wait', async () => {
    const answers = await Promise.race([Promise.all(left), keystead.ask('eth_accounts')]);
    const codes = Array.isArray(answers) ? answers.map(({ response }) => response.error?.code) : 'still open';
    expect(codes).toEqual([4001, 4001]);
  });
});
