import { serializeTransaction, stringToHex } from 'viem';

import { type HostileCase, refused, signed, warned } from './case';
import { KEY, ME, MISSPELT, OTHER, SECOND } from './people';

const HI = '0x6869';
const NO_BYTES = /must be bytes/u;
const NO_ADDRESS = /must be an address/u;
const NOT_HIS = { refuse: { field: 'origin', rule: /not connected/u, code: 4100 } };

/** Parameters that are not a list of a message and an address. */
const SHAPES: readonly HostileCase<unknown>[] = [
  refused('no parameters', undefined, 'params', /is missing|must be a list/u),
  refused('an object', {}, 'params', /must be a list/u),
  refused('a list as an object', { 0: HI, 1: ME }, 'params', /must be a list/u),
  refused('parameters that cannot be printed', { toString: 5, valueOf: null }, 'params', /must be a list/u),
  refused('an own __proto__', JSON.parse(`{"__proto__":["${HI}","${ME}"]}`), 'params', /must be a list/u),
  refused('an empty list', [], 'message', /is missing/u, {
    mustOverRpc: { refuse: { field: 'message', rule: /is missing/u } },
  }),
  refused('a list in a list', [[HI, ME]], 'message', NO_BYTES),
  refused('no address', [HI], 'address', /is missing/u),
  signed('a password, as web3.js sends it', [HI, ME, 'password']),
  signed('no password, as web3.js sends it', [HI, ME, null]),
  refused('a third parameter that is not a string', [HI, ME, { toString: null }], 'password', /must be a string/u),
  refused('a fourth parameter', [HI, ME, 'password', null], 'params[3]', /not a known field/u),
  refused('swapped parameters', [ME, 'hello'], 'address', /the parameters are \[message, address\], in this order/u),
  refused('swapped bytes', [ME, HI], 'address', /the parameters are \[message, address\], in this order/u),
  refused(
    'swapped parameters that look like addresses',
    [ME, OTHER],
    'address',
    /must be the address of the account/u,
    {
      mustOverRpc: { refuse: { field: 'address', rule: /the parameters are \[message, address\], in this order/u } },
    },
  ),
  refused('plain text', ['hello', ME], 'message', /Write text as the hex of its UTF-8 bytes/u),
];

const TEXT: readonly (readonly [name: string, message: unknown])[] = [
  ['text that is not hex', 'hello'],
  ['the empty text', ''],
  ['digits that are not hex', '0x68zz'],
  ['no prefix', '6869'],
  ['a key with a digit missing', KEY.slice(0, -1)],
  ['a capital prefix', '0X6869'],
  ['two prefixes', '0x0x6869'],
  ['a letter O for the zero', 'Ox6869'],
  ['a minus', '-0x6869'],
  ['white space behind', '0x6869 '],
  ['white space in front', ' 0x6869'],
  ['white space between', '0x68 69'],
  ['a line feed at the end', '0x6869\n'],
  ['a zero byte at the end', '0x6869\0'],
  ['a zero width space', '\u200b0x6869'],
  ['a byte order mark', '\ufeff0x6869'],
  ['digits in full width', '0x\uff16\uff18'],
  ['Arabic digits', '0x\u0666\u0668'],
  ['half a surrogate pair', '0x68\ud800'],
  ['a message in a list', [HI]],
  ['a number', 5],
  ['an unsafe integer', 2 ** 53],
  ['true', true],
  ['null', null],
  ['bytes as an object', { 0: 104, 1: 105 }],
  ['bytes of Node', { type: 'Buffer', data: [104, 105] }],
  ['an object that cannot be printed', { toString: null }],
];

const ADDRESSES: readonly (readonly [name: string, address: unknown])[] = [
  ['a name', 'vitalik.eth'],
  ['a short address', ME.slice(0, -1)],
  ['a long address', `${ME}0`],
  ['an address of 32 bytes', `0x${'00'.repeat(12)}${ME.slice(2)}`],
  ['an address without prefix', ME.slice(2)],
  ['an address with a capital prefix', ME.replace('0x', '0X')],
  ['an address with white space', `${ME} `],
  ['an address by ICAP', 'XE499OG1EH8ZZI0KXC6N83EKGT1BM97P2O7'],
  ['an address by CAIP-10', `eip155:1:${ME}`],
  ['an address as a number', 5],
  ['an address in a list', [ME]],
  ['a null address', null],
  ['a look-alike of another alphabet', ME.replace('c', '\u0441')],
];

const CALLERS: readonly HostileCase<unknown>[] = [
  refused('an unknown address', [HI, OTHER], 'address', /must be the address of the account/u, {
    mustOverRpc: NOT_HIS,
  }),
  refused('the address of another account', [HI, SECOND], 'address', /must be the address of the account/u, {
    handlers: ['keyring'],
  }),
  ...[
    'eip155',
    'eip155:',
    'eip155:-1',
    'eip155:1.5',
    'eip155:01',
    'eip155:1 ',
    'EIP155:1',
    'eip155:0x1',
    'solana:1',
    '1',
    '0x1',
  ].map((scope) =>
    refused(`the scope "${scope}"`, [HI, ME], 'scope', /must be an EVM chain/u, { scope, handlers: ['keyring'] }),
  ),
  ...['eth_sign', 'personal_sign ', 'Personal_Sign', 'eth_signTypedData', 'eth_signTypedData_v3'].map((method) =>
    refused(`the method "${method}"`, [HI, ME], 'request.method', /does not support/u, {
      method,
      code: -32601,
      mustOverRpc: { refuse: { field: 'method', rule: /does not support/u, code: 4200 } },
    }),
  ),
  ...['__proto__', 'constructor', 'toString', ''].map((method) =>
    refused(`the method "${method}", which every object has`, [HI, ME], 'request.method', /does not support/u, {
      method,
      code: -32601,
      mustOverRpc: { refuse: { field: 'method', rule: /does not support/u, code: 4200 } },
    }),
  ),
];

const signIn = (lines: Readonly<Record<number, string>> = {}): string =>
  [
    'dapp.example wants you to sign in with your Ethereum account:',
    ME,
    '',
    'Welcome.',
    '',
    'URI: https://dapp.example/login',
    'Version: 1',
    'Chain ID: 1',
    'Nonce: 12345678',
    'Issued At: 2026-01-01T00:00:00Z',
  ]
    .map((line, index) => lines[index] ?? line)
    .join('\n');
const CLAIM = 'wants you to sign in with your Ethereum account:';

/** The first line of a sign-in, and how dapp.example's sign-in must be judged. */
const FOREIGN_SITES: readonly (readonly [name: string, domain: string])[] = [
  ['another site', 'other.example'],
  ['a site that the name of ours begins', 'dapp.example.evil.example'],
  ['a site below ours', 'login.dapp.example'],
  ['the name of ours as a user name', 'dapp.example@evil.example'],
  ['a user name in front of ours', 'evil.example@dapp.example'],
  ['another port', 'dapp.example:8443'],
  ['another scheme', 'http://dapp.example'],
  ['a look-alike of another alphabet', 'd\u0430pp.example'],
  ['a byte order mark in front', '\ufeffdapp.example'],
  ['a zero width space in it', 'dapp\u200b.example'],
  ['an escape in it', 'd%61pp.example'],
  ['letters in full width', '\uff44app.example'],
  ['a path behind it', 'dapp.example/evil.example'],
  ['an empty domain', ''],
];

const UNSEEN = { says: 'invisible characters' };
const NOT_WELL_FORMED = { says: 'not well-formed (ERC-4361)' };

/** Odd but valid requests. */
const SOUND: readonly HostileCase<unknown>[] = [
  signed('text', [stringToHex('Hello, world!'), ME]),
  signed('an address in lower case', [HI, ME.toLowerCase()]),
  signed('an address in upper case', [HI, `0x${ME.slice(2).toUpperCase()}`]),
  signed('an address with a wrong checksum', [HI, MISSPELT]),
  signed('hex in upper case', ['0x4A4B', ME]),
  signed('text of many lines', [stringToHex('Log in\nto the shop\n\nNonce: 8f3a'), ME]),
  signed('text in other scripts, and emoji', [stringToHex('こんにちは, мир 🦊'), ME]),
  signed('text that is the hex of text', [stringToHex('0x6869'), ME]),
  signed('text of 32 plain characters', [stringToHex('0123456789abcdef0123456789abcdef'), ME]),
  signed('text in the form of JSON', [stringToHex('{"method":"eth_sendTransaction"}'), ME]),
  signed('a sign-in', [stringToHex(signIn()), ME]),
  signed('a sign-in with an account in lower case', [stringToHex(signIn({ 1: ME.toLowerCase() })), ME]),
  signed('the scope without a chain', [HI, ME], { scope: 'eip155:0' }),
];
/** Messages that are signed, with the warning that must be shown first. */
const SUSPICIOUS: readonly HostileCase<unknown>[] = [
  warned('the empty message', ['0x', ME], { says: 'This message is empty.' }),
  warned('a hash', [`0x${'8f'.repeat(32)}`, ME], 'hash-message'),
  warned('32 zero bytes', [`0x${'00'.repeat(32)}`, ME], 'hash-message'),
  warned('a hash in hex', [stringToHex(`0x${'8f'.repeat(32)}`), ME], 'hash-message'),
  warned('a hash in hex, without prefix', [stringToHex('8F'.repeat(32)), ME], 'hash-message'),
  warned('the preimage of typed data', [`0x1901${'8f'.repeat(64)}`, ME], 'typed-data-message'),
  warned(
    'a legacy transaction',
    [serializeTransaction({ type: 'legacy', chainId: 1, to: OTHER, gasPrice: 1n }), ME],
    'transaction-message',
  ),
  warned(
    'an EIP-2930 transaction',
    [serializeTransaction({ type: 'eip2930', chainId: 1, to: OTHER }), ME],
    'transaction-message',
  ),
  warned(
    'an EIP-1559 transaction',
    [serializeTransaction({ type: 'eip1559', chainId: 1, to: OTHER }), ME],
    'transaction-message',
  ),
  warned('an authorization of EIP-7702', [`0x05d70194${'ab'.repeat(20)}80`, ME], 'transaction-message'),
  warned('bytes that are not text', ['0xff00ff', ME], { says: 'not text' }),
  warned('a zero byte', ['0x00', ME], UNSEEN),
  warned('text that reverses its direction', [stringToHex('send \u202e001 to me'), ME], UNSEEN),
  warned('text with isolates', [stringToHex('a \u2066b\u2069 c'), ME], UNSEEN),
  warned('text with a zero width joiner', [stringToHex('pay\u200dpal'), ME], UNSEEN),
  warned('text with tags', [stringToHex('hello\u{e0041}'), ME], UNSEEN),
  warned('text with terminal escapes', [stringToHex('\u001b[2Jhello'), ME], UNSEEN),
  warned(
    'text that begins with the prefix of messages',
    [stringToHex('\x19Ethereum Signed Message:\n2hi'), ME],
    UNSEEN,
  ),
  warned('text with stacked combining marks', [stringToHex(`a${'\u0301'.repeat(60)}`), ME], UNSEEN),
  warned('text with a gap of 500 lines', [stringToHex(`Log in${'\n'.repeat(500)}and pay`), ME], {
    says: 'long gaps',
  }),
  warned('text of a megabyte', [stringToHex('a'.repeat(1_000_000)), ME], { says: 'too long to show in full' }),
  warned('a megabyte of bytes', [`0x${'ff'.repeat(1_000_000)}`, ME], { says: 'too long to show in full' }),
  ...FOREIGN_SITES.map(([name, domain]) =>
    warned(`a sign-in for ${name}`, [stringToHex(signIn({ 0: `${domain} ${CLAIM}` })), ME], 'siwe-domain'),
  ),
  warned('a sign-in with another account', [stringToHex(signIn({ 1: SECOND })), ME], 'siwe-address'),
  warned('a sign-in for another chain', [stringToHex(signIn({ 7: 'Chain ID: 10' })), ME], 'chain-mismatch', {
    scope: 'eip155:1',
  }),
  warned('an expired sign-in', [stringToHex(`${signIn()}\nExpiration Time: 2001-01-02T00:00:00Z`), ME], {
    says: 'has already expired',
  }),
  warned('a sign-in that is not valid yet', [stringToHex(`${signIn()}\nNot Before: 2999-01-01T00:00:00Z`), ME], {
    says: 'is not valid yet',
  }),
  warned(
    'a sign-in with a second page in its statement',
    [stringToHex(signIn({ 3: 'Welcome.\nURI: https://evil.example' })), ME],
    NOT_WELL_FORMED,
  ),
  warned('a sign-in of version 2', [stringToHex(signIn({ 6: 'Version: 2' })), ME], NOT_WELL_FORMED),
  warned('a sign-in with a short nonce', [stringToHex(signIn({ 8: 'Nonce: 1' })), ME], NOT_WELL_FORMED),
  warned('a sign-in with a chain in hex', [stringToHex(signIn({ 7: 'Chain ID: 0x1' })), ME], NOT_WELL_FORMED),
  warned('a sign-in with Windows line breaks', [stringToHex(signIn().replaceAll('\n', '\r\n')), ME], NOT_WELL_FORMED),
  warned(
    'a sign-in on an impossible date',
    [stringToHex(signIn({ 9: 'Issued At: 2026-02-30T00:00:00Z' })), ME],
    NOT_WELL_FORMED,
  ),
];

export const MESSAGES: readonly HostileCase<unknown>[] = [
  ...SHAPES,
  ...TEXT.map(([name, message]) => refused(`a message that is ${name}`, [message, ME], 'message', NO_BYTES)),
  ...ADDRESSES.map(([name, address]) => refused(name, [HI, address], 'address', NO_ADDRESS)),
  ...CALLERS,
  ...SOUND,
  ...SUSPICIOUS,
];
