import { parseSignIn, type SignIn, type SignInFault, signInClaim } from '../../../../src/core/decode/words/siwe';
import { describeVectors } from '../../../support/vectors';

/** Sign-ins as objects. Sites check more than the grammar, so only some of the errors show in the text. */
type Fields = Record<string, unknown>;

const messageOf = ({ domain, address, statement, uri, version, chainId, nonce, issuedAt, ...rest }: Fields): string =>
  [
    `${String(domain)} wants you to sign in with your Ethereum account:`,
    String(address),
    '',
    String(statement),
    '',
    `URI: ${String(uri)}`,
    `Version: ${String(version)}`,
    `Chain ID: ${String(chainId)}`,
    `Nonce: ${String(nonce)}`,
    `Issued At: ${String(issuedAt)}`,
    ...(rest.expirationTime === undefined ? [] : [`Expiration Time: ${String(rest.expirationTime)}`]),
    ...(rest.notBefore === undefined ? [] : [`Not Before: ${String(rest.notBefore)}`]),
  ].join('\n');

const asVector = (signIn: SignIn | SignInFault) =>
  'fault' in signIn ? undefined : { ...signIn, chainId: Number(signIn.chainId) };

/** Programs write addresses in either case, so that is no fault here. */
const ONLY_CASE = 'siwe/negative/address not EIP-55';

describe('sign-in messages (ERC-4361)', () => {
  describeVectors('siwe-parse', ({ id, params: [input], expected, expectError }) => {
    if (typeof input === 'string') {
      const parsed = asVector(parseSignIn(input));
      if (id === ONLY_CASE) {
        expect(parsed).toMatchObject({ chainId: 1 });
        return;
      }
      const { scheme, ...fields } = (expected ?? {}) as Fields;
      const wanted = expected === undefined ? undefined : { ...fields, ...(typeof scheme === 'string' && { scheme }) };
      expect({ id, parsed }).toEqual({ id, parsed: wanted });
      return;
    }
    // The grammar rejects impossible dates. It does not cover signatures, nonces and clocks.
    const parsed = parseSignIn(messageOf(input as Fields));
    expect({ id, isRead: !('fault' in parsed) }).toEqual({ id, isRead: !/invalid/u.test(expectError ?? '') });
  });
});

const ADDRESS = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const message = (change: (lines: string[]) => string[] = (lines) => lines): string =>
  change([
    'example.com wants you to sign in with your Ethereum account:',
    ADDRESS,
    '',
    'Welcome',
    '',
    'URI: https://example.com/login',
    'Version: 1',
    'Chain ID: 1',
    'Nonce: 12345678',
    'Issued At: 2026-01-01T00:00:00Z',
  ]).join('\n');

describe('the parser', () => {
  it('accepts the message that the following ones deviate from', () => {
    expect(parseSignIn(message())).toMatchObject({ domain: 'example.com', statement: 'Welcome' });
  });

  it('accepts lines of 8,192 characters, and no longer ones', () => {
    const saying = (length: number) => parseSignIn(message((lines) => lines.with(3, 'a'.repeat(length))));
    expect(saying(8192)).toMatchObject({ domain: 'example.com' });
    expect(saying(8193)).toEqual({ fault: 'a line is too long' });
  });

  it('accepts the literals of RFC 3339 and RFC 3986 in either case, and those of ERC-4361 in theirs', () => {
    const at = (index: number, line: string) => parseSignIn(message((lines) => lines.with(index, line)));
    expect(at(9, 'Issued At: 2026-09-01t10:00:00z')).toMatchObject({ issuedAt: '2026-09-01t10:00:00z' });
    expect(at(5, 'URI: HTTPS://EXAMPLE.com/%aF')).toMatchObject({ uri: 'HTTPS://EXAMPLE.com/%aF' });
    expect(at(0, 'HTTPS://EXAMPLE.com wants you to sign in with your Ethereum account:')).toMatchObject({
      domain: 'EXAMPLE.com',
      scheme: 'HTTPS',
    });
    // %s in its grammar (RFC 7405).
    for (const [index, line] of [
      [5, 'uri: https://example.com/login'],
      [0, 'example.com wants you to sign in with your ethereum account:'],
    ] as const)
      expect(at(index, line)).toHaveProperty('fault');
  });

  it('finds the claim of a domain in any case, so that a site that is not strict cannot be imitated', () => {
    const claim = message((lines) => lines.with(0, 'evil.com Wants You To Sign In With Your ETHEREUM account:'));
    expect(signInClaim(claim)).toEqual({ domain: 'evil.com', address: ADDRESS });
  });

  const replaceLine = (index: number, line: string) => (lines: string[]) => lines.with(index, line);
  it.each<[string, (lines: string[]) => string[]]>([
    ['a space before the domain', replaceLine(0, ` example.com wants you to sign in with your Ethereum account:`)],
    ['a domain of other letters', replaceLine(0, 'exаmple.com wants you to sign in with your Ethereum account:')],
    ['two domains', replaceLine(0, 'a.com b.com wants you to sign in with your Ethereum account:')],
    ['a statement with a control character', replaceLine(3, 'Welcome\u202e')],
    ['a statement in other letters', replaceLine(3, 'Wëlcome')],
    ['a chain in hex', replaceLine(7, 'Chain ID: 0x1')],
    ['a chain of a thousand digits', replaceLine(7, `Chain ID: ${'1'.repeat(1000)}`)],
    ['a nonce with a sign', replaceLine(8, 'Nonce: 1234-5678')],
    ['a thirteenth month', replaceLine(9, 'Issued At: 2026-13-01T00:00:00Z')],
    ['a 29th of February in 2026', replaceLine(9, 'Issued At: 2026-02-29T00:00:00Z')],
    ['a time without zone', replaceLine(9, 'Issued At: 2026-01-01T00:00:00')],
    ['a line of a megabyte', replaceLine(3, 'a'.repeat(1_000_000))],
    ['a line after the end', (lines) => [...lines, '']],
    ['an unknown line after the end', (lines) => [...lines, 'Pay: all']],
    ['a carriage return', (lines) => lines.map((line) => `${line}\r`)],
    ['a request id with a space', (lines) => [...lines, 'Request ID: a b']],
    ['text after "Resources:"', (lines) => [...lines, 'Resources: https://a.com']],
    ['an invalid resource', (lines) => [...lines, 'Resources:', '- nothing']],
    [
      'a line without a dash among the resources',
      (lines) => [...lines, 'Resources:', '- https://a.com', 'https://b.com'],
    ],
  ])('rejects %s', (_name, change) => {
    expect(parseSignIn(message(change))).toEqual({
      fault: expect.stringMatching(/^(?:a|an|its|it|no|the) /u) as string,
    });
  });

  it('accepts an empty list of resources', () => {
    expect(parseSignIn(message((lines) => [...lines, 'Resources:']))).toMatchObject({ resources: [] });
  });
});
