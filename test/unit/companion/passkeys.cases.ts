import { type Hex, hexToBytes } from 'viem';

import { createCredential, signWithPasskey } from '../../../src/companion/model/passkeys';
import { type Assertion, passkeySignature } from '../../../src/core/erc4337/safe/passkey/webauthn';
import { clientFields, makePasskey, P256_ORDER, PASSKEY_ORIGIN } from '../../support/passkey';

const HASH: Hex = `0x${'5e'.repeat(32)}`;
const CHALLENGE = hexToBytes(HASH);
const ID = 'AQIDBA';

describe('a passkey on a page', () => {
  const key = makePasskey();
  /** What the browser was asked. */
  let asked: unknown[];
  const kept = ['window', 'location', 'navigator'].map(
    (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  );
  afterEach(() => {
    for (const [name, descriptor] of kept) {
      Reflect.deleteProperty(globalThis, name);
      if (descriptor !== undefined) Object.defineProperty(globalThis, name, descriptor);
    }
  });

  /** A page whose browser returns these. */
  function browse({ assertion, spki, top }: { assertion?: Assertion; spki?: Uint8Array; top?: object }): void {
    asked = [];
    const self = {};
    const parts: Readonly<Record<string, unknown>> = {
      window: { self, top: top ?? self },
      location: { origin: PASSKEY_ORIGIN },
      navigator: {
        credentials: {
          get: ({ publicKey }: { publicKey: unknown }) => {
            asked.push(publicKey);
            return Promise.resolve({ response: assertion });
          },
          create: ({ publicKey }: { publicKey: unknown }) => {
            asked.push(publicKey);
            return Promise.resolve({ rawId: new Uint8Array([1, 2, 3, 4]), response: { getPublicKey: () => spki } });
          },
        },
      },
    };
    for (const [name, value] of Object.entries(parts))
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  const sign = (assertion: Assertion): Promise<Hex> => {
    browse({ assertion });
    return signWithPasskey({ credentialId: ID }, HASH);
  };
  const of = (origin: string): Assertion => key.assert(CHALLENGE, { rest: clientFields(origin) });

  // The authenticator signed each of these, and the contracts would accept it: they do not know the page's origin.
  it.each([
    'https://evil.example',
    'http://localhost:8001',
    'https://localhost:8000',
    'http://localhost',
    'http://evil.localhost:8000',
    `${PASSKEY_ORIGIN}/`,
    '',
  ])('signs nothing with an authenticator that says it was asked by the origin "%s"', async (origin) => {
    expect(passkeySignature(of(origin), CHALLENGE, origin)).toMatch(/^0x/u);
    await expect(sign(of(origin))).rejects.toThrow('passkey.clientDataJSON: must be of the origin of this page');
  });

  it.each<[string, Assertion, string]>([
    ['another hash', key.assert(new Uint8Array(32)), 'must be for the hash of this operation'],
    ['a new credential', key.assert(CHALLENGE, { type: 'webauthn.create' }), 'must be for the hash of this operation'],
    ['a user who was not verified', key.assert(CHALLENGE, { flags: 0x01 }), 'must say that the user was verified'],
    ['raw r and s', { ...of(PASSKEY_ORIGIN), signature: new Uint8Array(64).fill(1) }, 'in DER'],
    [
      'an s of the order',
      {
        ...of(PASSKEY_ORIGIN),
        signature: hexToBytes(`0x3026020101022100${P256_ORDER.toString(16)}`),
      },
      'must be two positive integers below the order of P-256',
    ],
  ])('signs nothing with an authenticator that returns a signature of %s', async (_what, assertion, rule) => {
    await expect(sign(assertion)).rejects.toThrow(rule);
  });

  it('signs for the origin of the page, after its user was verified', async () => {
    const assertion = of(PASSKEY_ORIGIN);
    expect(await sign(assertion)).toBe(passkeySignature(assertion, CHALLENGE, PASSKEY_ORIGIN));
    expect(asked).toEqual([
      {
        challenge: CHALLENGE,
        allowCredentials: [{ type: 'public-key', id: new Uint8Array([1, 2, 3, 4]) }],
        userVerification: 'required',
      },
    ]);
  });

  it('is not asked for in a frame, where no person sees which page it is', async () => {
    browse({ assertion: of(PASSKEY_ORIGIN), top: {} });
    await expect(signWithPasskey({ credentialId: ID }, HASH)).rejects.toThrow('in a tab of its own');
    await expect(createCredential('Safe 1')).rejects.toThrow('in a tab of its own');
    expect(asked).toEqual([]);
  });

  it('is not made with a key that is no point of P-256', async () => {
    const spki = Uint8Array.from(key.spki);
    spki[90] = (spki[90] ?? 0) ^ 1;
    browse({ spki });
    await expect(createCredential('Safe 1')).rejects.toThrow();
    browse({});
    await expect(createCredential('Safe 1')).rejects.toThrow('no passkey that can sign for an account');
  });

  it('is made with the key of the authenticator, which verifies its user', async () => {
    browse({ spki: key.spki });
    expect(await createCredential('Safe 1')).toEqual({ credentialId: ID, point: key.point });
    expect(asked).toMatchObject([
      {
        pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      },
    ]);
  });
});
