import { isLoopbackOrigin, isWebOrigin, originCautions } from '../../../../src/core/schemas/origin';

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
