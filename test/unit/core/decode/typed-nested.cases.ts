import { concat, type Hex, stringToHex } from 'viem';

import { type TypedData } from '../../../../src/core/eth/typed-data';
import { ALICE, BOB, codesOf, explainTyped, saying, typedData, USDC, VIEW } from '../../../support/explaining';
import { at, describeRows, NEVER, PERMIT, permit, type Row, SOON, WORD } from './typed-rows';

/** The wrapper that the owner of a smart account signs instead of a message (ERC-7739). */
const nested = (data: TypedData, type: string, fields: Readonly<Record<string, unknown>> = {}): TypedData =>
  typedData(
    `TypedDataSign(${type.slice(0, type.indexOf('('))} contents,string name,string version,uint256 chainId,address verifyingContract,bytes32 salt)${type}`,
    data.domain,
    {
      contents: data.message,
      name: 'Account',
      version: '1',
      chainId: 1,
      verifyingContract: ALICE,
      salt: WORD,
      ...fields,
    },
  );

const prefixed = (message: string): Hex => stringToHex(`\x19Ethereum Signed Message:\n${message.length}${message}`);
const personal = (bytes: Hex): TypedData =>
  typedData('PersonalSign(bytes prefixed)', at(ALICE, 'Account'), { prefixed: bytes });

/** A sign-in (ERC-4361), as {@link prefixed} takes it. */
const signIn = (address: Hex): string =>
  [
    'example.org wants you to sign in with your Ethereum account:',
    address,
    '',
    '',
    'URI: https://example.org/login',
    'Version: 1',
    'Chain ID: 1',
    'Nonce: 32891756',
    'Issued At: 2025-12-31T16:25:24Z',
  ].join('\n');

const NOTE = 'Note(string text)';

const ROWS: readonly Row[] = [
  [
    'a permit inside a message for a smart account',
    nested(permit(5_500_000n, SOON), PERMIT),
    ['Sign as a smart account', `Account: ${ALICE}`, '5.5 USDC', `Spender: ${BOB}`],
  ],
  [
    'a permit without limits inside',
    nested(permit(BigInt(NEVER), NEVER), PERMIT),
    [`Spender: ${BOB}`],
    ['never-expires', 'unlimited-approval'],
  ],
  [
    'a message',
    personal(prefixed('Log in')),
    ['Sign a message as a smart account', `Account: ${ALICE}`, 'Message: Log in'],
  ],
  ['a message that begins with digits', personal(prefixed('12 apples')), ['Message: 12 apples']],
  ['a message of two-digit length', personal(prefixed('1'.repeat(10))), [`Message: ${'1'.repeat(10)}`]],
  ['an empty message', personal(prefixed('')), ['This message is empty.']],
  [
    'a sign-in of the account',
    personal(prefixed(signIn(ALICE))),
    ['Sign a message as a smart account', 'Sign-in domain: example.org', 'Network: Ethereum'],
  ],
  ['a sign-in of another account', personal(prefixed(signIn(BOB))), ['Sign-in domain: example.org'], ['siwe-address']],
  ['a message of a hash', personal(prefixed('7f'.repeat(32))), [], ['hash-message']],
  ['bytes that are not text', personal(concat([prefixed(' ').slice(0, -2) as Hex, '0xff'])), ['not text']],
  ['a message of another length', personal(`${prefixed('Log in')}21`), [], ['hash-message']],
  ['a message without its prefix', personal(stringToHex('Log in')), [], ['hash-message']],
  ['typed data instead of a message', personal(concat(['0x1901', WORD, WORD])), [], ['hash-message']],
];

describeRows(ROWS);

it('says that the wrapped message is unknown, and shows its values', () => {
  const explanation = explainTyped(nested(typedData(NOTE, at(USDC), { text: 'hello' }), NOTE));
  expect(saying(explanation)).toContain('Meaning: unknown');
  expect(saying(explanation)).toContain('contents.text: hello');
  expect(codesOf(explanation)).toEqual([]);
});

it('decodes a wrapped message with bundled descriptors', () => {
  const lookups = explainTyped(nested(typedData(NOTE, at(USDC), { text: 'hello' }), NOTE)).unresolved?.lookups;
  expect(lookups).toContainEqual(expect.objectContaining({ kind: 'shard', of: 'message' }));
});

it.each<[string, string, unknown, unknown?]>([
  [
    'contents of a built-in type',
    'TypedDataSign(string contents,string name,uint256 chainId,address verifyingContract,bytes32 salt)',
    'hello',
  ],
  [
    'contents in a list',
    `TypedDataSign(Note[] contents,string name,uint256 chainId,address verifyingContract,bytes32 salt)${NOTE}`,
    [],
  ],
  [
    'fields in an order that ERC-7739 accounts reject',
    `TypedDataSign(string name,Note contents,uint256 chainId,address verifyingContract,bytes32 salt)${NOTE}`,
    { text: 'hello' },
  ],
  ['no account', `TypedDataSign(Note contents,string name,uint256 chainId,bytes32 salt)${NOTE}`, { text: 'hello' }],
  [
    'a chain of another type',
    `TypedDataSign(Note contents,string name,_uint256 chainId,address verifyingContract,bytes32 salt)${NOTE}_uint256(string text)`,
    { text: 'hello' },
    { text: 'one' },
  ],
])('is not fooled by %s', (_what, type, contents, chainId = 1) => {
  const message = { contents, name: 'Account', chainId, verifyingContract: ALICE, salt: WORD };
  const explanation = explainTyped(typedData(type, at(USDC), message), VIEW);
  expect(saying(explanation)).not.toContain('as a smart account');
  expect(saying(explanation)).toContain('Meaning: unknown');
});

it.each([
  [1, 1n, []],
  ['0x89', 1n, ['chain-mismatch']],
  [137, undefined, []],
])("compares the account's chain %s with that of the request, %s", (chainId, ofRequest, dangers) => {
  const data = nested(typedData(NOTE, at(USDC), { text: 'hello' }), NOTE, { chainId });
  expect(codesOf(explainTyped(data, ofRequest === undefined ? VIEW : { ...VIEW, chainId: ofRequest }))).toEqual(
    dangers,
  );
});

it('warns that a long wrapped message is truncated', () => {
  const warnings = (length: number) => explainTyped(personal(prefixed('a'.repeat(length)))).warnings;
  const cut = 'This message is too long to show in full. You see only the beginning.';
  expect(warnings(500)).not.toContain(cut);
  expect(warnings(501)).toContain(cut);
});
