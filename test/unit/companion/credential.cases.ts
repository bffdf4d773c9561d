import { generateKeyPairSync, sign as signBy } from 'node:crypto';

import { type Hex, hexToBytes, toHex } from 'viem';

import { askForPasskey, createCredential, signWithPasskey } from '../../../src/companion/model/credential';
import { drills, lastDrill, passkeyDrill } from '../../../src/companion/model/drills';
import { userIdOf } from '../../../src/core/safe/passkey/user-id';
import { type Assertion, passkeySignature } from '../../../src/core/safe/passkey/webauthn';
import { emptyBrowserStorage } from '../../support/companion/browser-storage';
import { clientFields, makePasskey, P256_ORDER, PASSKEY_ORIGIN } from '../../support/passkey';

const HASH: Hex = `0x${'5e'.repeat(32)}`;
const CHALLENGE = hexToBytes(HASH);
const ID = 'AQIDBA';
const SIGNER: Hex = `0x${'51'.repeat(20)}`;

describe('a passkey on a page', () => {
  const key = makePasskey();
  const owner = { credentialId: ID, signer: SIGNER, x: toHex(key.point.x), y: toHex(key.point.y) };
  const lastSeen = () => lastDrill(drills.read(), passkeyDrill(SIGNER));
  beforeEach(() => {
    emptyBrowserStorage();
  });
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

  type Browser = {
    /** How it signs a challenge. */
    readonly assert?: (challenge: Uint8Array) => Assertion;
    /** What the registration of a new passkey tells. */
    readonly response?: object;
    readonly userHandle?: Uint8Array;
    readonly top?: object;
    readonly fails?: Error;
  };

  /** A page whose browser answers like this. */
  function browse({ assert, response, userHandle, top, fails }: Browser): void {
    asked = [];
    const self = {};
    const rawId = new Uint8Array([1, 2, 3, 4]);
    const answer = (publicKey: unknown, of: object): Promise<object> => {
      asked.push(publicKey);
      return fails === undefined ? Promise.resolve({ rawId, response: of }) : Promise.reject(fails);
    };
    const parts: Readonly<Record<string, unknown>> = {
      window: { self, top: top ?? self },
      location: { origin: PASSKEY_ORIGIN, host: 'localhost:8000' },
      navigator: {
        credentials: {
          get: ({ publicKey }: { publicKey: { challenge: Uint8Array } }) =>
            answer(publicKey, { ...assert?.(publicKey.challenge), userHandle }),
          create: ({ publicKey }: { publicKey: unknown }) => answer(publicKey, response ?? {}),
        },
      },
    };
    for (const [name, value] of Object.entries(parts))
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  const sign = (assertion: Assertion): Promise<Hex> => {
    browse({ assert: () => assertion });
    return signWithPasskey(owner, HASH);
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

  it('does not count as seen to work with a signature of another key, nor with one of another text', async () => {
    await expect(sign(makePasskey().assert(CHALLENGE))).rejects.toThrow('signed with another key');
    await expect(sign(key.assert(new Uint8Array(32)))).rejects.toThrow('must be for the hash');
    expect(lastSeen()).toBeUndefined();
  });

  it('signs for the origin of the page, after its user was verified', async () => {
    const assertion = of(PASSKEY_ORIGIN);
    const before = Math.floor(Date.now() / 1000);
    expect(await sign(assertion)).toBe(passkeySignature(assertion, CHALLENGE, PASSKEY_ORIGIN));
    expect(lastSeen()).toBeGreaterThanOrEqual(before);
    expect(asked).toEqual([
      {
        challenge: CHALLENGE,
        allowCredentials: [{ type: 'public-key', id: new Uint8Array([1, 2, 3, 4]) }],
        userVerification: 'required',
      },
    ]);
  });

  const USER_ID = userIdOf({ chainId: 1n, safe: `0x${'ab'.repeat(20)}`, made: 1_764_288_000 }, new Uint8Array(16));
  const create = (browser: Browser) => {
    browse(browser);
    return createCredential('Safe 1', USER_ID);
  };
  const told = { getPublicKey: () => key.spki, getPublicKeyAlgorithm: () => -7 };

  it('is not asked for in a frame, where no person sees which page it is', async () => {
    browse({ top: {} });
    await expect(signWithPasskey(owner, HASH)).rejects.toThrow('in a tab of its own');
    await expect(createCredential('Safe 1', USER_ID)).rejects.toThrow('in a tab of its own');
    await expect(askForPasskey(HASH)).rejects.toThrow('in a tab of its own');
    expect(asked).toEqual([]);
  });

  it.each([
    ['NotAllowedError', /^The browser used no passkey: its dialog was closed/u],
    ['SecurityError', /^The browser allows no passkeys on localhost:8000\./u],
  ])(
    'is refused by the browser with %s, which the page says without the words of a specification',
    async (name, words) => {
      const fails = Object.assign(new Error('See: https://www.w3.org/TR/webauthn-2/'), { name });
      await expect(create({ fails })).rejects.toThrow(words);
      await expect(askForPasskey(HASH)).rejects.toThrow(words);
    },
  );

  const swapped = (challenge: Uint8Array): Assertion =>
    key.assertText(
      JSON.stringify({
        challenge: Buffer.from(challenge).toString('base64url'),
        type: 'webauthn.get',
        origin: PASSKEY_ORIGIN,
      }),
    );
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const byRsa = (challenge: Uint8Array): Assertion => {
    const made = key.assert(challenge);
    return { ...made, signature: new Uint8Array(signBy('sha256', made.clientDataJSON, rsa.privateKey)) };
  };
  const rsaSpki = new Uint8Array(rsa.publicKey.export({ type: 'spki', format: 'der' }));
  const bent = Uint8Array.from(key.spki);
  bent[90] = (bent[90] ?? 0) ^ 1;
  const KIND = /can never sign for an account: its key is of another kind .* Nothing was added/u;

  it.each<[string, Browser, RegExp]>([
    [
      'writes the challenge before the type',
      { response: told, assert: swapped },
      /can never sign for an account: it writes what it signs in another order .* Nothing was added/u,
    ],
    ['makes RSA keys', { response: { ...told, getPublicKeyAlgorithm: () => -257 }, assert: byRsa }, KIND],
    [
      'makes RSA keys and calls them ES256',
      { response: { ...told, getPublicKey: () => rsaSpki }, assert: byRsa },
      KIND,
    ],
    ['makes RSA keys and tells nothing', { assert: byRsa }, KIND],
    ['tells a key that is no point of P-256', { response: { getPublicKey: () => bent }, assert: key.assert }, KIND],
    [
      'tells another key than it signs with',
      { response: { getPublicKey: () => makePasskey().spki }, assert: key.assert },
      KIND,
    ],
    ['signs with another key each time', { assert: (challenge) => makePasskey().assert(challenge) }, KIND],
    [
      'does not verify its user',
      { response: told, assert: (challenge) => key.assert(challenge, { flags: 0x01 }) },
      /can never sign for an account: it does not check who you are/u,
    ],
    [
      'signs for another page',
      {
        response: told,
        assert: (challenge) => key.assert(challenge, { rest: clientFields('https://evil.example') }),
      },
      /must be of the origin of this page/u,
    ],
  ])('is not made by an authenticator that %s', async (_what, browser, sentence) => {
    await expect(create(browser)).rejects.toThrow(sentence);
  });

  it('is made with the key of the authenticator, which verifies its user and signs once', async () => {
    expect(await create({ response: told, assert: key.assert })).toEqual({ credentialId: ID, point: key.point });
    expect(asked).toMatchObject([
      {
        user: { id: USER_ID },
        pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      },
      { allowCredentials: [{ type: 'public-key', id: new Uint8Array([1, 2, 3, 4]) }] },
    ]);
  });

  it.each([
    ['lacks the function', {}],
    ['returns null', { getPublicKey: () => null }],
  ])('is made where the registration tells no key (it %s): two signatures do', async (_how, response) => {
    expect(await create({ response, assert: key.assert })).toEqual({ credentialId: ID, point: key.point });
    expect(asked).toHaveLength(3);
  });

  it('says what it was made for, when the person chooses it', async () => {
    browse({ assert: key.assert, userHandle: USER_ID });
    const shown = await askForPasskey(HASH);
    expect(shown).toMatchObject({
      credentialId: ID,
      home: { chainId: 1n, safe: `0x${'ab'.repeat(20)}`, made: 1_764_288_000 },
    });
    expect(shown.points).toContainEqual(key.point);
    expect(asked).toMatchObject([{ allowCredentials: [], userVerification: 'required' }]);
  });

  it.each([
    ['none', undefined],
    ['one of another page', new Uint8Array(32).fill(9)],
  ])('says nothing of an account with a user ID that is %s', async (_what, userHandle) => {
    browse({ assert: key.assert, ...(userHandle && { userHandle }) });
    expect((await askForPasskey(HASH)).home).toBeUndefined();
  });

  it('that signed for another page is not read', async () => {
    browse({ assert: () => of('https://evil.example'), userHandle: USER_ID });
    await expect(askForPasskey(HASH)).rejects.toThrow('must be of the origin of this page');
  });
});
