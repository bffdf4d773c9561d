import { generateKeyPairSync, sign } from 'node:crypto';

import { decodeAbiParameters, type Hex, hexToBytes } from 'viem';

import { type Assertion, passkeySignature, pointOfSpki, rsOfDer } from '../../../../src/core/safe/passkey/webauthn';
import { type InvalidParamsError } from '../../../../src/core/errors';
import { clientFields, makePasskey, PASSKEY_ORIGIN as ORIGIN } from '../../../support/passkey';

const CHALLENGE = new Uint8Array(32).fill(7);
const LONG =
  ',"crossOrigin":false,"other_keys_can_be_added_here":"do not compare clientDataJSON against a template. See https://goo.gl/yabPex"}';

const passkey = makePasskey();
const assertion = (rest = clientFields(), flags?: number, type?: string): Assertion =>
  passkey.assert(CHALLENGE, { rest, ...(flags !== undefined && { flags }), ...(type !== undefined && { type }) });

const refusal = (field: string, rule: RegExp) =>
  expect.objectContaining({ field, rule: expect.stringMatching(rule) as string }) as InvalidParamsError;

describe('what an authenticator returns', () => {
  it.each<[string, Assertion, string, RegExp]>([
    [
      'of another origin',
      assertion(clientFields('https://evil.example')),
      'passkey.clientDataJSON',
      /origin of this page/u,
    ],
    [
      'that names the origin twice',
      assertion(`"origin":"${ORIGIN}","origin":"https://evil.example"}`),
      'passkey.clientDataJSON',
      /origin of this page/u,
    ],
    ['for a new credential', assertion(clientFields(), 5, 'webauthn.create'), 'passkey.clientDataJSON', /hash/u],
    ['without its end', assertion('"origin":"x"'), 'passkey.clientDataJSON', /hash of this operation/u],
    ['without a verified user', assertion(clientFields(), 0x01), 'passkey.authenticatorData', /user was verified/u],
    [
      'with authenticator data cut short',
      { ...assertion(), authenticatorData: new Uint8Array(36).fill(4) },
      'passkey.authenticatorData',
      /at least 37 bytes/u,
    ],
  ])('is refused %s', (_what, made, field, rule) => {
    expect(() => passkeySignature(made, CHALLENGE, ORIGIN)).toThrow(refusal(field, rule));
  });

  it('is refused for another challenge', () => {
    const other = new Uint8Array(32).fill(8);
    expect(() => passkeySignature(assertion(), other, ORIGIN)).toThrow(
      refusal('passkey.clientDataJSON', /hash of this operation/u),
    );
  });

  it.each([
    ['the usual members', clientFields()],
    ['members that nobody expects', clientFields(ORIGIN, LONG)],
  ])('becomes the signature of its contract, with the text cut as it is: %s', (_what, rest) => {
    const made = assertion(rest);
    const [data, text, r, s] = decodeAbiParameters(
      [{ type: 'bytes' }, { type: 'string' }, { type: 'uint256' }, { type: 'uint256' }],
      passkeySignature(made, CHALLENGE, ORIGIN),
    );
    expect(hexToBytes(data)).toEqual(made.authenticatorData);
    expect(text).toBe(rest.slice(0, -1));
    expect({ r, s }).toEqual(rsOfDer(made.signature));
  });

  it('has 320 bytes for a page of localhost', () => {
    expect(passkeySignature(assertion(), CHALLENGE, ORIGIN)).toHaveLength(2 + 2 * 320);
  });
});

describe('a signature in DER', () => {
  const signingKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const bytes = (hex: string): Uint8Array => hexToBytes(`0x${hex}` as Hex);
  const order = 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551';

  it.each([
    ['empty', ''],
    ['raw r and s', '11'.repeat(64)],
    ['longer than it says', '3006020101020101ff'],
    ['shorter than it says', '3007020101020101'],
    ['with bytes after s', '3007020101020101' + '00'],
    ['with a zero', '3006020100020101'],
    ['with a negative number', '3006020181020101'],
    ['with a number padded without need', '300702020001020101'],
    ['with an empty number', '30050200020101'],
    ['with r equal to the order', `3026022100${order}020101`],
    ['with another type inside', '3006030101020101'],
    ['with a number that runs out', '30060201010220ff'],
  ])('is refused: %s', (_what, hex) => {
    expect(() => rsOfDer(bytes(hex))).toThrow(refusal('passkey.signature', /in DER/u));
  });

  it('may have a high s, which the contracts accept', () => {
    const s = `00${(BigInt(`0x${order}`) - 1n).toString(16)}`;
    expect(rsOfDer(bytes(`30260201010221${s}`)).s).toBe(BigInt(`0x${order}`) - 1n);
  });

  it('is read as node:crypto writes it', () => {
    for (let round = 0; round < 50; round++) {
      const message = Buffer.from(String(round));
      const der = sign('sha256', message, signingKey);
      const { r, s } = rsOfDer(new Uint8Array(der));
      expect(r.toString(16).length).toBeLessThanOrEqual(64);
      expect(s).toBeGreaterThan(0n);
    }
  });
});

describe('the public key of a passkey', () => {
  it('is a point of P-256', () => {
    const { x, y } = passkey.publicKey.export({ format: 'jwk' });
    expect(pointOfSpki(passkey.spki)).toEqual({
      x: BigInt(`0x${Buffer.from(x!, 'base64url').toString('hex')}`),
      y: BigInt(`0x${Buffer.from(y!, 'base64url').toString('hex')}`),
    });
  });

  it('is refused on another curve', () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey;
    const spki = other.export({ type: 'spki', format: 'der' });
    expect(() => pointOfSpki(new Uint8Array(spki))).toThrow(refusal('passkey.publicKey', /P-256/u));
  });
});

describe('the numbers of a signature in DER', () => {
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
  const integer = (digits: string): string => `02${(digits.length / 2).toString(16).padStart(2, '0')}${digits}`;
  const read = (r: string, s: string, head = '30') => {
    const body = `${integer(r)}${integer(s)}`;
    return rsOfDer(hexToBytes(`0x${head}${(body.length / 2).toString(16).padStart(2, '0')}${body}`));
  };

  it.each([
    ['01', 1n],
    ['7f', 0x7fn],
    ['0080', 0x80n],
    ['00ff', 0xffn],
    ['0100', 0x100n],
    [`00${(order - 1n).toString(16)}`, order - 1n],
    [`7f${'ff'.repeat(31)}`, (0x7fn << 248n) + (1n << 248n) - 1n],
  ])('can be %s, as the first and the second', (digits, number) => {
    expect(read(digits, '01')).toEqual({ r: number, s: 1n });
    expect(read('01', digits)).toEqual({ r: 1n, s: number });
    expect(read(digits, digits)).toEqual({ r: number, s: number });
  });

  it.each([
    '',
    '00',
    '0000',
    '007f',
    '80',
    'ff',
    `00${order.toString(16)}`,
    `00${(order + 1n).toString(16)}`,
    `01${'00'.repeat(33)}`,
  ])('cannot be %j', (digits) => {
    expect(() => read(digits, '01')).toThrow(refusal('passkey.signature', /in DER/u));
    expect(() => read('01', digits)).toThrow(refusal('passkey.signature', /in DER/u));
  });

  it('are in a sequence', () => {
    expect(() => read('01', '01', '31')).toThrow(refusal('passkey.signature', /in DER/u));
  });
});

describe('what surrounds a signature of a passkey', () => {
  it('is the key alone', () => {
    const { spki } = passkey;
    expect(() => pointOfSpki(new Uint8Array([...spki, 0]))).toThrow(refusal('passkey.publicKey', /P-256/u));
    expect(() => pointOfSpki(spki.slice(0, -1))).toThrow(refusal('passkey.publicKey', /P-256/u));
    expect(() => pointOfSpki(Uint8Array.from(spki, (byte, at) => (at === 20 ? byte ^ 1 : byte)))).toThrow(
      refusal('passkey.publicKey', /P-256/u),
    );
  });

  it('is authenticator data of at least 37 bytes, with a flag for the person', () => {
    const with37 = { ...assertion(), authenticatorData: new Uint8Array(37).fill(4) };
    expect(passkeySignature(with37, CHALLENGE, ORIGIN)).toMatch(/^0x/u);
    const unverified = { ...with37, authenticatorData: new Uint8Array(37).fill(0xfb) };
    expect(() => passkeySignature(unverified, CHALLENGE, ORIGIN)).toThrow(
      refusal('passkey.authenticatorData', /user was verified/u),
    );
  });

  it('is a text that begins as the contract writes it, and is one object', () => {
    const { clientDataJSON, ...rest } = assertion();
    const text = Buffer.from(clientDataJSON).toString();
    const signing = (changed: string) => () =>
      passkeySignature({ ...rest, clientDataJSON: new Uint8Array(Buffer.from(changed)) }, CHALLENGE, ORIGIN);
    expect(signing(text)()).toMatch(/^0x/u);
    for (const changed of [` ${text}`, `${text} `, text.replace('{', '{ ')])
      expect(signing(changed)).toThrow(refusal('passkey.clientDataJSON', /must begin with type and challenge/u));
    const { type, challenge, origin } = JSON.parse(text) as Record<string, string>;
    for (const other of [
      { type: 'webauthn.create', challenge, origin },
      { type, challenge: 'AAAA', origin },
    ])
      expect(signing(JSON.stringify(other))).toThrow(refusal('passkey.clientDataJSON', /hash of this operation/u));
    for (const none of ['', 'null', '5', '[]', '{'])
      expect(signing(none)).toThrow(refusal('passkey.clientDataJSON', /hash of this operation/u));
  });
});
