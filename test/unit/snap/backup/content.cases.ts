import { readContent } from '../../../../src/snap/backup/content';

const imported = (privateKey: string) => ({
  address: '0x29C76e6aD8f28BB1004902578Fb108c507Be341b',
  key: { source: 'imported', privateKey },
});

describe('an account in a backup', () => {
  it.each(['00', 'ff'])('with a key of 32 bytes %s is skipped, and does not affect the others', (byte) => {
    const sound = imported(`0x${'42'.repeat(32)}`);
    const accounts = [imported(`0x${byte.repeat(32)}`), sound];
    const content = readContent(JSON.stringify({ createdAt: 0, accounts, chains: [] }));
    expect(content.accounts).toEqual([sound]);
    expect(content.unread).toMatchObject([{ what: 'accounts[0]' }]);
  });
});
