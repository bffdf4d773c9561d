import { concat, type Hex, stringToHex } from 'viem';

import { type TypedData } from '../../../src/eth/typed-data';
import { ALICE, BOB, codesOf, explainTyped, saying, typedData, USDC, VIEW } from '../../helpers/explaining';
import { at, describeRows, NEVER, PERMIT, permit, type Row, SOON, WORD } from './typed-rows';

/** What the owner of a smart account signs in place of a message that the account is to verify (ERC-7739). */
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

const NOTE = 'Note(string text)';

const ROWS: readonly Row[] = [
  [
    'a permit inside a message for a smart account',
    nested(permit(5_500_000n, SOON), PERMIT),
    ['Have a smart account sign what is inside', `Account: ${ALICE}`, '5.5 USDC', `Spender: ${BOB}`],
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
    ['Have a smart account sign a message', `Account: ${ALICE}`],
    ['hash-message'],
  ],
  ['typed data in place of a message', personal(concat(['0x1901', WORD, WORD])), [], ['hash-message']],
];

describeRows(ROWS);

it('says that what is inside is not understood, and shows it', () => {
  const explanation = explainTyped(nested(typedData(NOTE, at(USDC), { text: 'hello' }), NOTE));
  expect(saying(explanation)).toContain('Meaning: not understood');
  expect(saying(explanation)).toContain('contents.text: hello');
  expect(codesOf(explanation)).toEqual([]);
});

it('reads what bundled descriptors know inside', () => {
  const wanted = explainTyped(nested(typedData(NOTE, at(USDC), { text: 'hello' }), NOTE)).open?.wanted;
  expect(wanted).toMatchObject([{ kind: 'shard', of: 'message' }]);
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
  ['no account', `TypedDataSign(Note contents,string name,uint256 chainId,bytes32 salt)${NOTE}`, { text: 'hello' }],
  [
    'a chain of another type',
    `TypedDataSign(Note contents,string name,_uint256 chainId,address verifyingContract,bytes32 salt)${NOTE}_uint256(string text)`,
    { text: 'hello' },
    { text: 'one' },
  ],
])('is not taken in by %s', (_what, type, contents, chainId = 1) => {
  const message = { contents, name: 'Account', chainId, verifyingContract: ALICE, salt: WORD };
  const explanation = explainTyped(typedData(type, at(USDC), message), VIEW);
  expect(saying(explanation)).not.toContain('Have a smart account sign');
  expect(saying(explanation)).toContain('Meaning: not understood');
});

it.each([
  [1, 1n, []],
  ['0x89', 1n, ['chain-mismatch']],
  [137, undefined, []],
])("holds the account's chain %s against that of the request, %s", (chainId, ofRequest, dangers) => {
  const data = nested(typedData(NOTE, at(USDC), { text: 'hello' }), NOTE, { chainId });
  expect(codesOf(explainTyped(data, ofRequest === undefined ? VIEW : { ...VIEW, chainId: ofRequest }))).toEqual(
    dangers,
  );
});
