import { InvalidParamsError } from '../../src/core/errors';
import { type Case, describeRefusals, KEY, OTHER } from './keyring-handler';

const ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';

const creation = (what: string, options: unknown, names: RegExp): Case => [
  `options: ${what}`,
  'keyring_createAccount',
  () => ({ options }),
  InvalidParamsError,
  names,
];
const smart = (what: string, options: object, names: RegExp): Case =>
  creation(`a smart account with ${what}`, { type: 'eip155:erc4337', chainId: 'eip155:1', ...options }, names);

const CREATIONS: readonly Case[] = [
  ...['type', 'options', '__proto__', 'constructor', 'salt', 'address', 'PrivateKey'].map((name) =>
    creation(
      `an option called ${name}`,
      JSON.parse(`{"${name}": "x"}`),
      name === 'type' ? /^options\.type: must be/u : /^options\..*: is not a known field$/u,
    ),
  ),
  creation('a list', [], /^params\.options: /u),
  creation('null', null, /^params\.options: /u),
  creation('a text', 'eip155:eoa', /^params\.options: /u),
  creation('a type in capitals', { type: 'EIP155:EOA' }, /^options\.type: must be/u),
  creation('a type of another chain', { type: 'solana:data-account' }, /^options\.type: must be/u),
  creation('a type that is a list', { type: ['eip155:eoa'] }, /^options\.type: must be/u),
  creation('what MetaMask never sends', { metamask: { correlationId: 5 } }, /^options\.metamask\.correlationId: /u),
  creation('a key that is zero', { privateKey: `0x${'0'.repeat(64)}` }, /^options\.privateKey: must be a private key/u),
  creation('a key that is the order of the curve', { privateKey: `0x${ORDER}` }, /^options\.privateKey: must be/u),
  creation('a key above the order', { privateKey: `0x${'f'.repeat(64)}` }, /^options\.privateKey: must be/u),
  creation('a key with a capital prefix', { privateKey: KEY.replace('0x', '0X') }, /^options\.privateKey: must be/u),
  creation('a key without prefix', { privateKey: KEY.slice(2) }, /^options\.privateKey: must be/u),
  creation('a key one digit short', { privateKey: KEY.slice(0, -1) }, /^options\.privateKey: must be/u),
  creation('a key one digit long', { privateKey: `${KEY}0` }, /^options\.privateKey: must be/u),
  creation('a key and a line feed', { privateKey: `${KEY}\n` }, /^options\.privateKey: must be/u),
  creation('a key of other digits', { privateKey: `0x${'٣'.repeat(64)}` }, /^options\.privateKey: must be/u),
  creation('a key in a list', { privateKey: [KEY] }, /^options\.privateKey: must be/u),
  creation('a key as bytes', { privateKey: { 0: 1 } }, /^options\.privateKey: must be/u),
  creation('a recovery phrase', { privateKey: 'test '.repeat(12) }, /^options\.privateKey: must be/u),
  smart('no chain', { chainId: undefined }, /^options\.chainId: /u),
  smart('a chain that is not EVM', { chainId: 'solana:mainnet' }, /^options\.chainId: must be/u),
  smart('a chain of zero', { chainId: 'eip155:0' }, /^options\.chainId: must be/u),
  smart('a chain with leading zeros', { chainId: 'eip155:01' }, /^options\.chainId: must be/u),
  smart('a negative chain', { chainId: 'eip155:-1' }, /^options\.chainId: must be/u),
  smart('a chain of 2^256', { chainId: `eip155:${2n ** 256n}` }, /^options\.chainId: must be/u),
  smart('an entry point that has no accounts', { entryPointVersion: '0.5' }, /^options\.entryPointVersion: must be/u),
  smart('an entry point as a number', { entryPointVersion: 0.7 }, /^options\.entryPointVersion: must be/u),
  smart('an unknown kind', { kind: 'toString' }, /^options\.kind: must be/u),
  smart(
    'a kind of another entry point',
    { kind: 'safe-0.7', entryPointVersion: '0.8' },
    /^options\.entryPointVersion: must be 0\.7/u,
  ),
  smart('a negative index', { index: -1 }, /^options\.index: /u),
  smart('an index with a fraction', { index: 0.5 }, /^options\.index: /u),
  smart('an index that cannot be derived', { index: 2 ** 31 }, /^options\.index: /u),
  smart('an index that JSON does not keep', { index: 2 ** 60 }, /^options\.index: /u),
  smart('an index that is text', { index: '1' }, /^options\.index: /u),
  smart('an index and a key', { index: 1, privateKey: KEY }, /^options\.index: must be omitted if privateKey/u),
  smart('a salt of 2^256', { salt: `0x1${'0'.repeat(64)}` }, /^options\.salt: must be/u),
  smart('a salt with leading zeros', { salt: '0x01' }, /^options\.salt: must be/u),
  smart('a salt that is a number', { salt: 1 }, /^options\.salt: must be/u),
  smart('a factory of its own', { factory: OTHER }, /^options\.factory: is not a known field$/u),
  smart(
    "a sponsor's key",
    { customVerifyingPaymasterSK: KEY },
    /^options\.customVerifyingPaymasterSK: is not a known field$/u,
  ),
];

describeRefusals(CREATIONS);
