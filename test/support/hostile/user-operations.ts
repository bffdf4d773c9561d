import { encodeFunctionData, parseAbi, maxUint256 } from 'viem';

import { type Hex } from '../../../src/core/eth/bytes';
import { signed } from './case';
import { INTENT_CASES } from './intents';
import { GAS, MALFORMED_OPERATIONS } from './malformed-operations';
import { OTHER, ME } from './people';
import {
  execute,
  madeElsewhere,
  type OperationCase,
  refusedChange,
  refusedParams,
  signedOperation,
  warnedOperation,
} from './operation';

const AS_PREPARED = /must not change after the operation was prepared/u;
const OWN_INIT_CODE = /this account's own/u;

const NOT_HIS = { refuse: { field: 'origin', rule: /not connected/u, code: 4100 } };
const OWN = 'must be the address of the account';
const CALLERS: readonly OperationCase[] = [
  refusedChange('an unknown sender', { sender: OTHER }, 'sender', new RegExp(OWN, 'u'), { mustOverRpc: NOT_HIS }),
  refusedChange('another account of the wallet', ({ second }) => ({ sender: second }), 'sender', new RegExp(OWN, 'u'), {
    handlers: ['keyring'],
  }),
  refusedChange('the owner as sender', { sender: ME }, 'sender', new RegExp(OWN, 'u'), { mustOverRpc: NOT_HIS }),
  refusedChange('a short sender', { sender: '0x12' }, 'sender', /must be an address/u),
  refusedChange('a sender that is null', { sender: null }, 'sender', /must be an address/u),
  ...(['0.6', '0.7', '0.8'] as const).flatMap((version) =>
    [
      OTHER,
      '0x433709009B8330FDa32311DF1C2AFA402eD8D009',
      version === '0.6' ? '0x0000000071727De22E5E9d8BAf0edAc6f37da032' : '0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789',
    ].map((entryPoint) =>
      refusedParams(
        `the entry point ${entryPoint.slice(0, 6)} at ${version}`,
        ({ operation }) => [operation, entryPoint],
        'entryPoint',
        /of this account on this network/u,
        { version },
      ),
    ),
  ),
  ...['0x12', '', 5, {}].map((entryPoint) =>
    refusedParams(
      `the entry point ${JSON.stringify(entryPoint)}`,
      ({ operation }) => [operation, entryPoint],
      'entryPoint',
      /must be an address/u,
    ),
  ),
  refusedParams(
    'the scope of another chain',
    ({ operation }) => [operation],
    'scope',
    /must be one of the account's chains/u,
    { scope: 'eip155:1', handlers: ['keyring'] },
  ),
  refusedParams('the scope in hex', ({ operation }) => [operation], 'scope', /must be an EVM chain/u, {
    scope: 'eip155:0x7a69',
    handlers: ['keyring'],
  }),
  ...['solana:1', 'eip155:', 'eip155:1.5', 'null'].map((scope) =>
    refusedParams(`the scope ${scope}`, ({ operation }) => [operation], 'scope', /must be an EVM chain/u, {
      scope,
      handlers: ['keyring'],
    }),
  ),
  refusedParams(
    'a transaction of a smart account',
    ({ sender }) => [{ from: sender }],
    'request.method',
    /does not support/u,
    { method: 'eth_signTransaction', code: -32601 },
  ),
  refusedParams(
    'a message of an account that cannot verify signatures',
    ({ sender }) => ['0x00', sender],
    'request.method',
    /cannot verify message signatures/u,
    { method: 'personal_sign', code: -32601 },
  ),
  refusedParams(
    'typed data of an account that cannot verify signatures',
    ({ sender }) => [sender, {}],
    'request.method',
    /cannot verify message signatures/u,
    {
      method: 'eth_signTypedData_v4',
      code: -32601,
    },
  ),
];

const factoryOf = (initCode: unknown): string => (initCode as string).slice(0, 42);
const CHANGED: readonly OperationCase[] = [
  refusedChange(
    'another factory',
    ({ operation }) => ({ initCode: `${OTHER}${(operation.initCode as string).slice(42)}` }),
    'initCode',
    OWN_INIT_CODE,
  ),
  refusedChange(
    'only the factory',
    ({ operation }) => ({ initCode: factoryOf(operation.initCode) }),
    'initCode',
    OWN_INIT_CODE,
  ),
  refusedChange(
    'another owner',
    ({ operation }) => ({
      initCode: (operation.initCode as string).replace(ME.slice(2).toLowerCase(), OTHER.slice(2)),
    }),
    'initCode',
    OWN_INIT_CODE,
  ),
  refusedChange(
    'another salt',
    ({ operation }) => ({ initCode: (operation.initCode as string).replace(/.$/u, '7') }),
    'initCode',
    OWN_INIT_CODE,
  ),
  refusedChange(
    'extra bytes after the initCode',
    ({ operation }) => ({ initCode: `${operation.initCode as string}00` }),
    'initCode',
    OWN_INIT_CODE,
  ),
  refusedChange('the marker of EIP-7702', { initCode: `0x7702${'00'.repeat(18)}` }, 'initCode', OWN_INIT_CODE),
  refusedChange(
    'the marker of EIP-7702 and data',
    { initCode: `0x7702${'00'.repeat(18)}12345678` },
    'initCode',
    OWN_INIT_CODE,
  ),
  refusedChange('the short marker of EIP-7702', { initCode: '0x7702' }, 'initCode', /must be 0x, or start with/u),
  refusedChange('a removed initCode', { initCode: '0x' }, 'initCode', AS_PREPARED),
  refusedChange('other call data', { callData: '0xb61d27f6' }, 'callData', AS_PREPARED),
  refusedChange('an additional call', { callData: execute(OTHER, 2n, '0x') }, 'callData', AS_PREPARED),
  refusedChange('no call data', { callData: '0x' }, 'callData', AS_PREPARED),
  refusedChange('another nonce', { nonce: '0x63' }, 'nonce', AS_PREPARED),
  refusedChange('a nonce of another key', { nonce: `0x1${'0'.repeat(16)}` }, 'nonce', AS_PREPARED),
  ...GAS.slice(0, 3).map((field) => refusedChange(`another ${field}`, { [field]: '0xffffff' }, field, AS_PREPARED)),
  refusedChange(
    'a paymaster that was not prepared',
    { paymasterAndData: `0x${'ab'.repeat(20)}${'00'.repeat(40)}` },
    'paymasterAndData',
    AS_PREPARED,
  ),
  ...(['0.7', '0.8'] as const).flatMap((version) => [
    refusedChange(
      `a paymaster without its gas at ${version}`,
      { paymasterAndData: `0x${'ab'.repeat(51)}` },
      'paymasterAndData',
      /at least 52 bytes/u,
      { version },
    ),
    refusedChange(
      `a paymaster with gas of 2^128-1 at ${version}`,
      { paymasterAndData: `0x${'ff'.repeat(60)}` },
      'paymasterAndData',
      /gas limits of at most 2\^120-1/u,
      { version },
    ),
  ]),
];

const approval = encodeFunctionData({
  abi: parseAbi(['function approve(address,uint256)']),
  args: [OTHER, maxUint256],
});
const batch = (calls: readonly (readonly [Hex, Hex])[]): Hex =>
  encodeFunctionData({
    abi: parseAbi(['function executeBatch(address[],uint256[],bytes[])']),
    args: [calls.map(([to]) => to), calls.map(() => 0n), calls.map(([, data]) => data)],
  });
const PAYMASTER = `0x${'ab'.repeat(20)}`;
const PAYMASTER_GAS = `${'00'.repeat(15)}01`.repeat(2);
/** The end of paymaster data for entry point 0.9, with a two-byte signature. */
const SUFFIX = `beef000222e325a297439656`;

const SIGNED: readonly OperationCase[] = [
  ...(['0.6', '0.7', '0.8'] as const).map((version) =>
    signedOperation(`what was prepared, at ${version}`, {}, { version }),
  ),
  ...(['0.6', '0.7', '0.8'] as const).map((version) =>
    signedOperation(`with other fees, at ${version}`, { maxFeePerGas: '0x77359400', signature: '0x' }, { version }),
  ),
  signedOperation('a sender in lower case', ({ sender }) => ({ sender: sender.toLowerCase() })),
  signedOperation('initCode in upper case', ({ operation }) => ({
    initCode: `0x${(operation.initCode as string).slice(2).toUpperCase()}`,
  })),
  signedOperation('call data in upper case', ({ operation }) => ({
    callData: `0x${(operation.callData as string).slice(2).toUpperCase()}`,
  })),
  signedOperation('without fees', { maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' }),
  signedOperation('the highest fees', {
    maxFeePerGas: `0x${'f'.repeat(30)}`,
    maxPriorityFeePerGas: `0x${'f'.repeat(30)}`,
  }),
  signed('an entry point of null, which counts as absent', {
    version: '0.7',
    make: ({ operation }) => [operation, null],
  }),
  signedOperation('without a scope', {}, { scope: '', handlers: ['keyring'] }),
];

const WARNED: readonly OperationCase[] = [
  ...(['0.6', '0.7', '0.8'] as const).map((version) =>
    warnedOperation(
      `made elsewhere, at ${version}`,
      madeElsewhere(),
      { says: 'did not prepare this operation' },
      { version },
    ),
  ),
  ...(['0.6', '0.7', '0.8'] as const).map((version) =>
    warnedOperation(
      `with a paymaster of its own, at ${version}`,
      { ...madeElsewhere(), paymasterAndData: `${PAYMASTER}${PAYMASTER_GAS}` },
      'unknown-paymaster',
      { version },
    ),
  ),
  ...(['0.7', '0.8'] as const).map((version) =>
    warnedOperation(
      `with the paymaster's suffix of 0.9, at ${version}`,
      { ...madeElsewhere(), paymasterAndData: `${PAYMASTER}${PAYMASTER_GAS}${SUFFIX}` },
      'unknown-paymaster',
      { version },
    ),
  ),
  warnedOperation(
    'a nonce of another key, created elsewhere',
    { ...madeElsewhere(), nonce: `0x1${'0'.repeat(17)}` },
    { says: 'did not prepare' },
  ),
  warnedOperation(
    'the highest nonce',
    { ...madeElsewhere(), nonce: `0x${'f'.repeat(64)}` },
    { says: 'did not prepare' },
  ),
  warnedOperation(
    'no initCode for an account that is not deployed',
    { ...madeElsewhere(), initCode: '0x' },
    { says: 'did not prepare' },
  ),
  warnedOperation(
    'an account that cannot pay',
    { ...madeElsewhere(), maxFeePerGas: `0x${'f'.repeat(30)}` },
    { says: 'cannot pay for this operation' },
  ),
  warnedOperation('call data of a foreign kind', madeElsewhere('0xdeadbeef'), {
    says: 'cannot decode the calls of this operation',
  }),
  warnedOperation('no call data at all', madeElsewhere('0x'), { says: 'cannot decode the calls of this operation' }),
  warnedOperation('call data with bytes behind it', madeElsewhere(`${execute(OTHER, 1n, '0x')}00`), {
    says: 'cannot decode the calls of this operation',
  }),
  warnedOperation(
    'a batch in the form of another version',
    madeElsewhere(batch([[OTHER, '0x']])),
    { says: 'cannot decode the calls of this operation' },
    { version: '0.8' },
  ),
  warnedOperation('a call of the account itself', ({ sender }) => madeElsewhere(execute(sender, 0n, '0x4d44560d')), {
    says: 'is to the account itself',
  }),
  warnedOperation(
    'value to the zero address',
    madeElsewhere(execute(`0x${'00'.repeat(20)}`, 1n, '0x')),
    'burn-address',
  ),
  warnedOperation('an approval without limit', madeElsewhere(execute(OTHER, 0n, approval)), 'unlimited-approval'),
  warnedOperation(
    'the same in a batch',
    madeElsewhere(
      batch([
        [OTHER, '0x'],
        [OTHER, approval],
      ]),
    ),
    'unlimited-approval',
    { version: '0.7' },
  ),
  warnedOperation(
    'a new owner',
    ({ sender }) =>
      madeElsewhere(
        execute(
          sender,
          0n,
          encodeFunctionData({ abi: parseAbi(['function transferOwnership(address)']), args: [OTHER] }),
        ),
      ),
    'account-administration',
  ),
  warnedOperation(
    'a call to the account without execute',
    madeElsewhere(
      encodeFunctionData({ abi: parseAbi(['function withdrawDepositTo(address,uint256)']), args: [OTHER, 1n] }),
    ),
    'account-administration',
  ),
  warnedOperation(
    'a thousand calls',
    madeElsewhere(batch(Array.from({ length: 1000 }, () => [OTHER, '0x'] as const))),
    'not-fully-read',
    { version: '0.7' },
  ),
];

/** The method is `eth_signUserOperation` unless a case names another. */
export const USER_OPERATIONS: readonly OperationCase[] = [
  ...MALFORMED_OPERATIONS,
  ...CALLERS,
  ...CHANGED,
  ...SIGNED,
  ...WARNED,
  ...INTENT_CASES,
];
