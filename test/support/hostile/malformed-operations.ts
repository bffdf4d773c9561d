import { entryPointOf, type OperationCase, power, refusedChange, refusedParams } from './operation';
import { OTHER } from './people';
import { without } from './transaction';

const ZERO = `0x${'00'.repeat(20)}`;
const MISSING = /is missing/u;
const QUANTITY = /hex quantity/u;
const FIELDS = [
  'sender',
  'nonce',
  'initCode',
  'callData',
  'callGasLimit',
  'verificationGasLimit',
  'preVerificationGas',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
  'paymasterAndData',
  'signature',
];
/** The gas and fee members. */
export const GAS = [
  'callGasLimit',
  'verificationGasLimit',
  'preVerificationGas',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
];

const SHAPES: readonly OperationCase[] = [
  refusedParams('no parameters', () => undefined, 'params', /is missing|must be a list/u),
  refusedParams('an operation without a list', ({ operation }) => operation, 'params', /must be a list/u),
  refusedParams('an empty list', () => [], 'userOperation', MISSING),
  refusedParams('null', () => [null], 'userOperation', /must be an object/u),
  refusedParams(
    'an operation as text',
    ({ operation }) => [JSON.stringify(operation)],
    'userOperation',
    /must be an object/u,
  ),
  refusedParams('an operation in a list', ({ operation }) => [[operation]], 'userOperation.sender', MISSING),
  refusedParams('two operations', ({ operation }) => [operation, operation], 'entryPoint', /must be an address/u),
  refusedParams(
    'three parameters',
    (given) => [given.operation, entryPointOf(given), {}],
    'params[2]',
    /not a known field/u,
  ),
  refusedParams(
    'an operation that is inherited',
    ({ operation }) => [JSON.parse(`{"__proto__":${JSON.stringify(operation)}}`)],
    'userOperation.sender',
    MISSING,
  ),
  refusedParams(
    'an own __proto__',
    ({ operation }) => [JSON.parse(`{"__proto__":{},${JSON.stringify(operation).slice(1)}`)],
    'userOperation.__proto__',
    /not a known field/u,
  ),
  ...FIELDS.map((field) =>
    refusedParams(`no ${field}`, ({ operation }) => [without(operation, field)], `userOperation.${field}`, MISSING),
  ),
  ...[
    ['factory', OTHER],
    ['factoryData', '0x'],
    ['paymaster', OTHER],
    ['paymasterData', '0x'],
    ['paymasterVerificationGasLimit', '0x1'],
    ['paymasterPostOpGasLimit', '0x1'],
    ['paymasterSignature', '0x'],
    ['accountGasLimits', `0x${'00'.repeat(32)}`],
    ['gasFees', `0x${'00'.repeat(32)}`],
    ['eip7702Auth', {}],
    ['authorizationList', []],
    ['aggregator', OTHER],
    ['chainId', '0x7a69'],
    ['userOpHash', `0x${'00'.repeat(32)}`],
    ['from', OTHER],
  ].map(([field, value]) =>
    refusedChange(`the field ${field as string}`, { [field as string]: value }, field as string, /not a known field/u),
  ),
];

const NONSENSE: readonly OperationCase[] = [
  ...['', '0x', '0x01', '1', '0X1', '-0x1', ' 0x1', '1e3', null, 1, true, [], { hex: '0x1' }].flatMap((value, index) =>
    [GAS[index % GAS.length] ?? '', 'nonce'].map((field) =>
      refusedChange(`${JSON.stringify(value)} for ${field}`, { [field]: value }, field, QUANTITY),
    ),
  ),
  ...['callData', 'signature'].flatMap((field) =>
    ['', '0xabc', '0xzz', '0X12', null, 5, []].map((value) =>
      refusedChange(`${JSON.stringify(value)} for ${field}`, { [field]: value }, field, /must be bytes/u),
    ),
  ),
  ...['initCode', 'paymasterAndData'].flatMap((field) =>
    // With the zero address as paymaster, entry points 0.6 and 0.7 make the account pay, and 0.8 reverts (AA98).
    ['', null, 5, '0x12', `0x${'ab'.repeat(19)}`, `0x${'ab'.repeat(20)}c`, ZERO, `${ZERO}${'ab'.repeat(40)}`].map(
      (value) =>
        refusedChange(
          `${JSON.stringify(value)} for ${field}`,
          { [field]: value },
          field,
          /must be 0x, or start with the 20-byte address/u,
        ),
    ),
  ),
];

const LIMITS: readonly OperationCase[] = [
  ...GAS.flatMap((field) =>
    [120, 128, 256].map((exponent) =>
      refusedChange(`2^${exponent} for ${field}`, { [field]: power(exponent) }, field, /at most 2\^120-1/u),
    ),
  ),
  refusedChange('a nonce of 2^256', { nonce: power(256) }, 'nonce', /at most 2\^256-1/u),
  refusedChange(
    'a priority fee above the maximum',
    { maxPriorityFeePerGas: power(100) },
    'maxPriorityFeePerGas',
    /must not be above maxFeePerGas/u,
  ),
];

/** Malformed user operations, and operations that no entry point accepts. */
export const MALFORMED_OPERATIONS: readonly OperationCase[] = [...SHAPES, ...NONSENSE, ...LIMITS];
