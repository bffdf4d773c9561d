import { readContent } from '../../../../../src/snap/account/backup/content';

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

const ADDRESS = '0x29C76e6aD8f28BB1004902578Fb108c507Be341b';
const read = (content: unknown) => readContent(JSON.stringify(content));
const EMPTY = { version: 2, createdAt: 0, accounts: [], chains: [] };
const reading = (content: unknown) => () => read(content);

describe('the content of a backup', () => {
  it.each([
    ['of a later version', { version: 3, createdAt: 0, accounts: [], chains: [] }],
    ['whose version is no number', { version: '2', createdAt: 0, accounts: [], chains: [] }],
    ['that gives version 1 a number', { version: 1, createdAt: 0, accounts: [], chains: [] }],
    ['without a time', { version: 2, accounts: [], chains: [] }],
    ['that is no object', [1]],
    ['that is null', null],
  ])('%s is refused as a whole', (_what, content) => {
    expect(reading(content)).toThrow('Update Keystead, then restore again. Nothing was changed.');
    expect(reading(content)).toThrow(expect.objectContaining({ fault: 'version' }) as Error);
  });

  it('of the first version is read, without contacts and tokens', () => {
    expect(read({ createdAt: 7, accounts: [], chains: [] })).toEqual({
      ...{ createdAt: 7, accounts: [], chains: [], contacts: [], tokens: [], signed: [] },
      unread: [],
    });
  });

  it('with parts of a later release is read, and the parts are named', () => {
    const contacts = [{ name: 'Bob', address: ADDRESS }];
    const content = { ...EMPTY, contacts, tokens: 'all', 'guard\u202eians': [], __proto__: [] };
    const { unread, ...known } = read(content);
    expect(known).toEqual({ createdAt: 0, accounts: [], chains: [], contacts, tokens: [], signed: [] });
    expect(unread).toEqual(
      ['tokens', 'guard\\u{202e}ians'].map((what) => ({
        what,
        reason: 'this version of Keystead cannot read this part',
      })),
    );
  });

  it.each([
    ['contacts', { name: '0x742d…f44e', address: ADDRESS }],
    ['contacts', { name: 'Bob\u202e', address: ADDRESS }],
    ['contacts', { name: 'Bob', address: '0x1234' }],
    ['signed', { account: ADDRESS, origin: 'https://dapp.example', at: 0, hash: '0x12', title: 'Let Bob spend all' }],
    ['tokens', { chainId: 'eip155:1', address: ADDRESS, symbol: 'TST', decimals: 256 }],
    ['chains', { chainId: 'eip155:1', rpcUrl: 'http://node.example' }],
    ['chains', { chainId: 'eip155:1', rpcUrl: 'https://node.example', name: 'Ether\u202eum' }],
  ])('skips an entry of %s that breaks a rule: %j', (part, entry) => {
    const content = read({ ...EMPTY, [part]: [entry] });
    expect(content[part as 'contacts']).toEqual([]);
    expect(content.unread).toMatchObject([{ what: `${part}[0]` }]);
  });
});
