import { isLoopbackOrigin, isWebOrigin, originCautions, siteName } from '../../../../src/core/schemas/origin';

describe('isWebOrigin', () => {
  it.each([
    'https://dapp.example',
    'https://dapp.example:8443',
    'http://localhost:8000',
    'http://127.0.0.1:8000',
    'https://[2001:db8::1]',
    'https://xn--mtamask-9za.io',
    'https://a_b.example',
  ])('accepts %s', (origin) => {
    expect(isWebOrigin(origin)).toBe(true);
  });

  it.each([
    'null',
    'metamask',
    'npm:keystead',
    'local:http://localhost:8080',
    'ipfs://x',
    'https://dapp.example/',
    'https://dapp.example:443',
    'http://dapp.example:80',
    'https://DAPP.example',
    'https://dapp..example',
    'https://user@dapp.example',
    'https://dapp.example?x',
    'https://127.1',
    'https://0x7f000001',
    'https://dapp.example.',
    'http://localhost.',
    'https://dapp.example\n',
    'https://dapp.example:99999',
    `https://${'a.'.repeat(200)}example`,
  ])('rejects %j', (origin) => {
    expect(isWebOrigin(origin)).toBe(false);
  });
});

describe('originCautions', () => {
  it.each([
    'https://dapp.example',
    'https://app.dapp.example',
    'http://localhost:8000',
    'http://127.0.0.1:1',
    'metamask',
  ])('is empty for %s', (origin) => {
    expect(originCautions(origin)).toEqual([]);
  });

  it('names the domain at the end of a long name', () => {
    expect(originCautions('https://app.uniswap.org.claim.example')).toEqual([
      'This site belongs to claim.example, whatever its name begins with.',
    ]);
    expect(originCautions('https://app.uniswap.org.claim.co.uk')).toEqual([
      'This site belongs to claim.co.uk, whatever its name begins with.',
    ]);
  });
});

describe('isLoopbackOrigin', () => {
  it.each([
    ['http://localhost:8000', true],
    ['http://127.9.9.9', true],
    ['http://[::1]:5', true],
    ['http://app.localhost', true],
    ['https://localhost.example', false],
    ['https://127.0.0.1.example', false],
    ['https://10.0.0.1', false],
    ['https://localhost.', false],
    ['https://app.localhost.', false],
    ['https://.localhost', false],
    ['https://notlocalhost', false],
    ['https://LOCALHOST', false],
    ['HTTP://localhost', false],
    ['http://localhost:80', false],
    ['http://localhost/', false],
    ['http://localhost:8000.example', false],
    ['http://user@localhost', false],
    ['http://127.1', false],
    ['http://127.0.0.1.', false],
    ['http://127.0.0.256', false],
    ['http://127.000.000.001', false],
    ['http://0177.0.0.1', false],
    ['http://0x7f000001', false],
    ['http://0x7f.0.0.1', false],
    ['http://2130706433', false],
    ['http://[::ffff:127.0.0.1]', false],
    ['http://[::ffff:7f00:1]', false],
    ['http://[0:0:0:0:0:0:0:1]', false],
    ['http://[::1', false],
    ['ws://localhost', false],
    ['localhost', false],
  ])('%s: %s', (origin, expected) => {
    expect(isLoopbackOrigin(origin)).toBe(expected);
  });
});

describe('the name of a site', () => {
  it.each([
    ['https://dapp.example', 'dapp.example'],
    ['https://app.dapp.example:8443', 'dapp.example'],
    ['https://a.b.dapp.example', 'dapp.example'],
    ['https://app.claim.co.uk', 'claim.co.uk'],
    ['https://app.claim.com.example', 'claim.com.example'],
    ['https://app.four.wine.example', 'wine.example'],
    ['http://localhost:8000', 'localhost'],
    ['http://127.0.0.1:8000', '127.0.0.1'],
    ['https://[2001:db8::1]:8443', '[2001:db8::1]'],
  ])('of %s is %s', (origin, name) => {
    expect(siteName(origin)).toBe(name);
  });
});

describe('the length of an origin', () => {
  it('is at most 300 characters', () => {
    const [most, more] = [`https://${'a'.repeat(284)}.example`, `https://${'a'.repeat(285)}.example`];
    expect([most.length, more.length]).toEqual([300, 301]);
    expect([isWebOrigin(most), isWebOrigin(more)]).toEqual([true, false]);
  });
});

describe('a site without encryption or without a name', () => {
  const about = (origin: string) =>
    originCautions(origin).map((text) => /encrypted|number|belongs|alphabets/u.exec(text)?.[0]);

  it('is cautioned against unless it is on this machine', () => {
    expect(about('http://dapp.example')).toEqual(['encrypted']);
    expect(about('https://1.2.3.4')).toEqual(['number']);
    expect(about('http://1.2.3.4')).toEqual(['number', 'encrypted']);
    expect(about('https://[2001:db8::1]')).toEqual(['number']);
    expect(about('https://[::1]')).toEqual([]);
    expect(about('https://xn--mtamask-9za.io')).toEqual(['alphabets']);
    expect(about('https://app.xn--mtamask-9za.io')).toEqual(['alphabets']);
  });

  it('is said whose it is from five names on', () => {
    expect(about('https://a.b.c.example')).toEqual([]);
    expect(about('https://a.b.c.d.example')).toEqual(['belongs']);
    expect(originCautions('https://x.a.b.co.example')[0]).toContain('belongs to b.co.example,');
    expect(originCautions('https://x.a.b.com.example')[0]).toContain('belongs to b.com.example,');
    expect(originCautions('https://x.a.b.cook.example')[0]).toContain('belongs to cook.example,');
  });
});
