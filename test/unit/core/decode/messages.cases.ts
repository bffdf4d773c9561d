import { serializeTransaction, stringToHex } from 'viem';

import { type Hex } from '../../../../src/core/eth/bytes';
import { explainMessage } from '../../../../src/core/decode/explain/message';
import { ALICE, codesOf, ME, saying, VIEW } from '../../../support/explaining';

const read = (text: string, view = VIEW) => explainMessage(stringToHex(text), view);

const signIn = ({ domain = 'example.com', address = ME as string, chain = '1', rest = [] as string[] } = {}): string =>
  [
    `${domain} wants you to sign in with your Ethereum account:`,
    address,
    '',
    'Welcome to [our](https://site) *shop*',
    '',
    'URI: https://example.com/login',
    'Version: 1',
    `Chain ID: ${chain}`,
    'Nonce: 12345678',
    'Issued At: 2026-01-01T00:00:00Z',
    ...rest,
  ].join('\n');

describe('a message', () => {
  it('is shown as the text that it is, and as hex if it is none', () => {
    expect(read('hello').body).toMatchObject({ label: 'Message', text: 'hello' });
    expect(explainMessage('0xff00', VIEW).body).toMatchObject({ label: 'Message (hex)', text: '0xff00' });
  });

  it('says that line breaks after its 500th line are not seen', () => {
    const warning = 'The message has more than 500 lines. In the rest, you see spaces for line breaks.';
    expect(read('1\n'.repeat(499)).warnings).toEqual([]);
    expect(read('1\n'.repeat(500)).warnings).toEqual([warning]);
  });

  it.each<[string, Hex, string[]]>([
    ['a hash', `0x${'8f'.repeat(32)}`, ['hash-message']],
    ['32 bytes with a control character', stringToHex('a'.repeat(31) + '\u0001'), ['hash-message']],
    ['a code of 32 digits, which is not a hash', stringToHex('0123456789abcdef0123456789abcdef'), []],
    ['a hash in hex', stringToHex('8f'.repeat(32)), ['hash-message']],
    ['a hash in hex with another prefix', stringToHex(`0X${'8F'.repeat(32)}`), ['hash-message']],
    ['a hash in hex between blanks', stringToHex(` \t0x${'8f'.repeat(32)}\r\n`), ['hash-message']],
    ['33 bytes', `0x${'8f'.repeat(33)}`, []],
    ['the preimage of typed data', `0x1901${'8f'.repeat(64)}`, ['typed-data-message']],
    ['something longer that starts the same', `0x1901${'8f'.repeat(65)}`, []],
    [
      'a dynamic fee transaction',
      serializeTransaction({ type: 'eip1559', chainId: 1, to: ALICE }),
      ['transaction-message'],
    ],
    [
      'an access list transaction',
      serializeTransaction({ type: 'eip2930', chainId: 1, to: ALICE }),
      ['transaction-message'],
    ],
    [
      'a legacy transaction',
      serializeTransaction({ type: 'legacy', chainId: 1, to: ALICE, gasPrice: 1n }),
      ['transaction-message'],
    ],
    [
      'a large transaction',
      serializeTransaction({ type: 'eip1559', chainId: 1, to: ALICE, data: `0x${'ff'.repeat(70_000)}` }),
      ['transaction-message'],
    ],
    // EIP-7702: 0x05 and the list of chain, address and nonce.
    ['an authorization', `0x05d701${'94'}${'ab'.repeat(20)}80`, ['transaction-message']],
    ['a list with a wrong length', `0x02d8${'01'.repeat(10)}`, []],
    ['Japanese text that has the form of an RLP list', stringToHex('こんにちは世界です。ねえ'), []],
    ['nothing', '0x', []],
  ])('%s', (_name, message, dangers) => {
    expect(codesOf(explainMessage(message, VIEW))).toEqual(dangers);
  });

  it('of a megabyte is truncated, and hidden characters at its end still cause a warning', () => {
    const explanation = read('a'.repeat(1_000_000) + '\u202e');
    expect(explanation.body!.text.length).toBeLessThan(20_100);
    expect(explanation.warnings).toEqual([
      'This message contains deceptive or invisible characters. They are shown as \\u{…}.',
      'This message is too long to show in full. You see only the beginning.',
    ]);
    expect(saying(explanation)).toContain('Length: 1000003 bytes');
  });

  it('shows nothing that reorders, hides or breaks a line', () => {
    const { body } = read('pay \u202eecila\u2066\u200b\u0000\r\nnow\u2028here\u{e0041}');
    expect(body!.text).toBe('pay \\u{202e}ecila\\u{2066}\\u{200b}\\u{0}\\u{d}\nnow\\u{2028}here\\u{e0041}');
  });
});

describe('a sign-in', () => {
  it('is shown field by field, with the words of the site in quotation marks', () => {
    const explanation = read(signIn({ rest: ['Expiration Time: 2026-02-01T00:00:00Z', 'Resources:', '- ipfs://a'] }));
    expect(explanation.title).toBe('Sign in to example.com');
    const text = saying(explanation);
    for (const part of [
      'Sign-in domain: example.com',
      `Account: ${ME}`,
      'Network: Ethereum',
      'Expires: 2026-02-01',
      'ipfs://a',
    ])
      expect(text).toContain(part);
    expect(explanation.main.filter(({ kind }) => kind === 'quote').map(({ label }) => label)).toEqual([
      'Statement',
      'Page',
      'Resource',
    ]);
    expect(codesOf(explanation)).toEqual([]);
    expect(explanation.warnings).toEqual([]);
  });

  it.each<[string, string, string, boolean]>([
    ['the same host', 'example.com', 'https://example.com', true],
    ['the same host in other case', 'Example.com', 'https://example.com', true],
    ['the port that the scheme has anyway', 'example.com:443', 'https://example.com', true],
    ['the same port', 'localhost:3000', 'http://localhost:3000', true],
    ['the same scheme', 'https://example.com', 'https://example.com', true],
    ['an address of IPv6', '[::1]:3000', 'http://[::1]:3000', true],
    ['another scheme', 'http://example.com', 'https://example.com', false],
    ['another port', 'localhost:3001', 'http://localhost:3000', false],
    ['no port', 'localhost', 'http://localhost:3000', false],
    ['a subdomain', 'app.example.com', 'https://example.com', false],
    ['the domain above', 'example.com', 'https://app.example.com', false],
    ['a look-alike', 'examp1e.com', 'https://example.com', false],
    ['letters of another script', 'exаmple.com', 'https://example.com', false],
    ['a name before an @', 'example.com@evil.com', 'https://evil.com', false],
    ['a path behind the domain', 'example.com/a', 'https://example.com', false],
    ['a path in the other direction', 'example.com\\a', 'https://example.com', false],
    ['another site', 'example.com', 'https://evil.com', false],
    ['a snap', 'example.com', 'npm:example', false],
    ['no domain at all', '', 'https://example.com', false],
  ])('for %s', (_name, domain, origin, isSame) => {
    expect(codesOf(read(signIn({ domain }), { ...VIEW, origin }))).toEqual(isSame ? [] : ['siwe-domain']);
  });

  it('is not compared with an origin if there is none', () => {
    expect(codesOf(read(signIn({ domain: 'anything.org' })))).toEqual([]);
  });

  it('for another account or another chain is flagged', () => {
    expect(codesOf(read(signIn({ address: ALICE })))).toEqual(['siwe-address']);
    expect(codesOf(read(signIn({ chain: '5' }), { ...VIEW, chainId: 1n }))).toEqual(['chain-mismatch']);
    expect(codesOf(read(signIn({ chain: '1' }), { ...VIEW, chainId: 1n }))).toEqual([]);
  });

  it('that has expired or is not valid yet causes a warning', () => {
    expect(read(signIn({ rest: ['Expiration Time: 2025-12-31T00:00:00Z'] })).warnings).toEqual([
      'This sign-in has already expired.',
    ]);
    expect(read(signIn({ rest: ['Not Before: 2026-01-02T00:00:00Z'] })).warnings).toEqual([
      'This sign-in is not valid yet.',
    ]);
  });

  it('that is malformed is still compared with origin and account', () => {
    const broken = signIn({ address: ALICE }).replace('Version: 1', 'Version: 2');
    const explanation = read(broken, { ...VIEW, origin: 'https://evil.com' });
    expect(codesOf(explanation)).toEqual(['siwe-address', 'siwe-domain']);
    expect(explanation.warnings[0]).toContain('not well-formed');
  });

  it.each([
    ['Version: 1', 'Version: 2', 'its version is not 1'],
    ['Chain ID: 1', 'Chain ID: 0x1', 'its chain ID is missing or malformed'],
    ['Nonce: ', 'Nonce: -', 'its nonce is missing, or is not 8 letters and digits or more'],
  ])('that is malformed says which rule it breaks: %s', (line, other, fault) => {
    expect(read(signIn({}).replace(line, other)).warnings[0]).toContain(`(ERC-4361): ${fault}.`);
  });

  it('is no worse for the letter case of its address', () => {
    const { title, warnings } = read(signIn({ address: ME.toLowerCase() }));
    expect(title).toMatch(/^Sign in to /u);
    expect(warnings).toEqual([]);
  });

  it('that lets a key act for the account is a danger (ERC-5573)', () => {
    const explanation = read(signIn({ rest: ['Resources:', '- urn:recap:eyJhdHQiOnt9fQ'] }));
    expect(codesOf(explanation)).toEqual(['account-administration']);
    expect(explanation.usable).toEqual({ until: undefined });
    expect(read(signIn({})).usable).toBeUndefined();
    // Whoever has one for another site can act there.
    const view = { ...VIEW, origin: 'https://dapp.example' };
    expect(read(signIn({ domain: 'other.example' }), view).usable).toEqual({ until: undefined });
  });

  it('that is malformed has its domain quoted, whatever it is', () => {
    const domain = 'uniswap.org, which Keystead has found to be safe, politely';
    const { title, main, lines } = read(signIn({ domain }));
    expect(title).toBe('Malformed sign-in');
    expect(main).toEqual([{ kind: 'quote', label: 'Sign-in domain', value: domain, source: 'the message' }]);
    expect(lines.map(({ label }) => label)).toEqual(['Length']);
  });

  it('with ten thousand resources shows the first and counts the rest', () => {
    const resources = Array.from({ length: 10_000 }, (_item, index) => `- https://a.com/${index}`);
    const explanation = read(signIn({ rest: ['Resources:', ...resources] }));
    expect(explanation.lines.length).toBeLessThan(40);
    expect(saying(explanation)).toContain('9980 more resources');
  });
});
