import { encodeFunctionData, parseAbi } from 'viem';

import { signed } from './case';
import { execute, type OperationCase, power, refusedParams } from './operation';
import { OTHER } from './people';

const INTENT = { to: OTHER, value: '0x1', data: '0x' } as const;
const ZERO = `0x${'00'.repeat(20)}`;

const prepare = (
  name: string,
  params: unknown,
  field: string,
  rule: RegExp,
  version?: '0.6' | '0.7' | '0.8',
): OperationCase =>
  refusedParams(`preparing ${name}`, () => params, field, rule, {
    method: 'eth_prepareUserOperation',
    ...(version && { version }),
  });

const decode = (name: string, params: unknown, field: string, rule: RegExp): OperationCase =>
  refusedParams(`decoding ${name}`, () => params, field, rule, { method: 'eth_decodeUserOperationCallData' });

const patch = (
  name: string,
  change: object,
  field: string,
  rule: RegExp,
  mustOverRpc?: OperationCase['mustOverRpc'],
): OperationCase =>
  refusedParams(`patching ${name}`, ({ operation }) => [{ ...operation, ...change }], `userOperation.${field}`, rule, {
    method: 'eth_patchUserOperation',
    ...(mustOverRpc && { mustOverRpc }),
  });

const NO_LIST = { refuse: { field: 'params', rule: /is missing|must be a list/u } };
const NO_CREATION = /cannot create contracts/u;
const REFUSED: readonly OperationCase[] = [
  refusedParams('preparing nothing', () => undefined, 'intents', /is missing|must be a list/u, {
    method: 'eth_prepareUserOperation',
    mustOverRpc: NO_LIST,
  }),
  prepare('no intents', [], 'intents', /must/u),
  refusedParams('preparing an object', () => INTENT, 'intents', /must be a list/u, {
    method: 'eth_prepareUserOperation',
    mustOverRpc: NO_LIST,
  }),
  prepare('null', [null], 'intents[0]', /must be an object/u),
  prepare('an address', [OTHER], 'intents[0]', /must be an object/u),
  prepare('a list in the list', [[INTENT]], 'intents[0].value', /is missing/u),
  prepare('no value', [{ to: OTHER, data: '0x' }], 'intents[0].value', /is missing/u),
  prepare('no data', [{ to: OTHER, value: '0x0' }], 'intents[0].data', /is missing/u),
  ...['', '0x', 'x.eth', OTHER.slice(0, -1), 5, []].map((to) =>
    prepare(`the recipient ${JSON.stringify(to)}`, [{ ...INTENT, to }], 'intents[0].to', /must be an address/u),
  ),
  ...['', '0x', '0x01', '1', 1, null, '-0x1', power(256)].map((value) =>
    prepare(
      `the value ${JSON.stringify(value).slice(0, 20)}`,
      [INTENT, { ...INTENT, value }],
      'intents[1].value',
      /hex quantity/u,
    ),
  ),
  ...['', '0x1', 'hello', null, 5].map((data) =>
    prepare(`the data ${JSON.stringify(data)}`, [{ ...INTENT, data }], 'intents[0].data', /must be bytes/u),
  ),
  ...['gas', 'from', 'input', 'operation', 'delegatecall', 'nonce', 'maxFeePerGas'].map((name) =>
    prepare(`an intent with ${name}`, [{ ...INTENT, [name]: '0x1' }], `intents[0].${name}`, /not a known field/u),
  ),
  ...(['0.6', '0.7', '0.8'] as const).flatMap((version) => [
    prepare(
      `an intent without a recipient at ${version}`,
      [{ value: '0x0', data: '0x6000' }],
      'intents[0].to',
      NO_CREATION,
      version,
    ),
    prepare(
      `a contract creation at ${version}`,
      [INTENT, { to: null, value: '0x0', data: '0x6000' }],
      'intents[1].to',
      NO_CREATION,
      version,
    ),
    prepare(
      `MetaMask's form of one at ${version}`,
      [{ to: ZERO, value: '0x0', data: '0x6000' }],
      'intents[0].to',
      /must not be the zero address/u,
      version,
    ),
  ]),
  prepare(
    'value in a batch at 0.6',
    [{ ...INTENT, value: '0x0' }, INTENT],
    'intents[1].value',
    /cannot send value in a batch/u,
    '0.6',
  ),
  decode('nothing', [], 'callData', /is missing/u),
  decode('a number', [5], 'callData', /must be bytes/u),
  decode('no call', ['0x'], 'callData', /must be call data that eth_prepareUserOperation creates/u),
  decode('a foreign call', ['0xdeadbeef'], 'callData', /must be call data that eth_prepareUserOperation creates/u),
  decode(
    'half a call',
    [execute(OTHER, 1n, '0x').slice(0, 100)],
    'callData',
    /must be call data that eth_prepareUserOperation creates/u,
  ),
  decode(
    'a call with bytes behind it',
    [`${execute(OTHER, 1n, '0x')}00`],
    'callData',
    /must be call data that eth_prepareUserOperation creates/u,
  ),
  decode(
    'a batch that claims 2^255 calls',
    [`0x34fcd5be${'00'.repeat(31)}20${'7f'.padEnd(64, 'f')}`],
    'callData',
    /must be call data that eth_prepareUserOperation creates/u,
  ),
  patch('a foreign sender', { sender: OTHER }, 'sender', /must be the address of the account/u, {
    refuse: { field: 'origin', rule: /not connected/u, code: 4100 },
  }),
  patch('half an initCode', { initCode: '0x1234' }, 'initCode', /must be 0x, or start/u),
  patch('the marker of EIP-7702', { initCode: `0x7702${'00'.repeat(18)}` }, 'initCode', /EIP-7702/u),
  patch('gas of 2^120', { callGasLimit: power(120) }, 'callGasLimit', /at most 2\^120-1/u),
  patch('an unknown field', { factory: OTHER }, 'factory', /not a known field/u),
];

const batch07 = encodeFunctionData({
  abi: parseAbi(['function executeBatch(address[],uint256[],bytes[])']),
  args: [
    [OTHER, OTHER],
    [1n, 1n],
    ['0x', '0x'],
  ],
});

/** `eth_prepareUserOperation`, `eth_patchUserOperation` and `eth_decodeUserOperationCallData`. */
export const INTENT_CASES: readonly OperationCase[] = [
  ...REFUSED,
  signed(
    'decoding a call',
    { version: '0.6', make: () => [execute(OTHER, 1n, '0x')] },
    { method: 'eth_decodeUserOperationCallData' },
  ),
  signed('decoding a batch', { version: '0.7', make: () => [batch07] }, { method: 'eth_decodeUserOperationCallData' }),
  signed(
    'decoding a call in upper case',
    { version: '0.8', make: () => [`0x${execute(OTHER, 1n, '0x').slice(2).toUpperCase()}`] },
    { method: 'eth_decodeUserOperationCallData' },
  ),
  signed(
    'patching what was prepared',
    { version: '0.7', make: ({ operation }) => [operation] },
    { method: 'eth_patchUserOperation' },
  ),
];
