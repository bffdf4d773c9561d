import { adaptParams } from '../../../../src/core/erc4337/adapter';
import { ENTRY_POINTS } from '../../../../src/core/erc4337/entry-points';
import { type InvalidParamsError } from '../../../../src/core/errors';

const ADDRESS = `0x${'ab'.repeat(20)}`;
const FACTORY = `0x${'fa'.repeat(20)}`;
const PAYMASTER = `0x${'ee'.repeat(20)}`;

const common = {
  sender: ADDRESS,
  nonce: '0x1',
  callData: '0x1234',
  callGasLimit: '0x0',
  verificationGasLimit: '0xF4240',
  preVerificationGas: '0x0',
  maxFeePerGas: '0x0',
  maxPriorityFeePerGas: '0x0',
  signature: '0x00',
};
const packed = {
  ...common,
  initCode: `${FACTORY}5fbfb9cf`,
  paymasterAndData: `${PAYMASTER}${'0'.repeat(28)}1234${'0'.repeat(31)}1beef`,
};
const SEND = 'eth_sendUserOperation';

describe('the adapter for MetaMask', () => {
  it.each(['0.7', '0.8', '0.9'] as const)('takes the packed fields apart for entry point %s', (version) => {
    const expected = {
      ...common,
      factory: FACTORY,
      factoryData: '0x5fbfb9cf',
      paymaster: PAYMASTER,
      paymasterVerificationGasLimit: '0x1234',
      paymasterPostOpGasLimit: '0x1',
      paymasterData: '0xbeef',
    };
    for (const method of [SEND, 'eth_estimateUserOperationGas'])
      expect(adaptParams(method, [packed, ENTRY_POINTS[version]])).toEqual([expected, ENTRY_POINTS[version]]);
  });

  it('omits absent fields', () => {
    const bare = { ...common, initCode: '0x', paymasterAndData: '0x' };
    expect(adaptParams(SEND, [bare, ENTRY_POINTS['0.7']])).toEqual([common, ENTRY_POINTS['0.7']]);
  });

  it('keeps parameters after the entry point', () => {
    const overrides = { [ADDRESS]: { balance: '0x1' } };
    expect(adaptParams('eth_estimateUserOperationGas', [packed, ENTRY_POINTS['0.7'], overrides])).toEqual([
      expect.objectContaining({ factory: FACTORY }),
      ENTRY_POINTS['0.7'],
      overrides,
    ]);
  });

  it('looks up the version of the entry point, which an operator may have configured', () => {
    const params = [packed, ADDRESS];
    expect(adaptParams(SEND, params, (entryPoint) => (entryPoint === ADDRESS ? '0.7' : undefined))).toEqual([
      expect.objectContaining({ factory: FACTORY }),
      ADDRESS,
    ]);
    expect(adaptParams(SEND, params, () => '0.6')).toBe(params);
  });

  it.each([
    [SEND, [packed, ENTRY_POINTS['0.6']]],
    [SEND, [packed, ADDRESS]],
    [SEND, [common, ENTRY_POINTS['0.7']]],
    ['eth_getUserOperationByHash', [packed, ENTRY_POINTS['0.7']]],
    [SEND, { operation: packed }],
    [SEND, [packed]],
    [SEND, [{ ...packed, initCode: 'nonsense' }, ENTRY_POINTS['0.7']]],
    ['eth_chainId', []],
    [SEND, undefined],
    [SEND, null],
  ])('passes everything else unchanged: %#', (method, params) => {
    expect(adaptParams(method, params)).toBe(params);
  });

  it.each([
    [[null, ENTRY_POINTS['0.7']]],
    [[[packed], ENTRY_POINTS['0.7']]],
    [['0x', ENTRY_POINTS['0.7']]],
    [[packed, [ENTRY_POINTS['0.7']]]],
    [[packed, null]],
    [[{ ...packed, initCode: ['0x'] }, ENTRY_POINTS['0.7']]],
    [[{ ...packed, paymasterAndData: ['0x'] }, ENTRY_POINTS['0.7']]],
  ])('passes what only looks like an operation and an entry point unchanged: %#', (params) => {
    expect(adaptParams(SEND, params, () => '0.7')).toBe(params);
  });

  it.each([
    [{ ...packed, initCode: '0x1234' }, 'userOperation.initCode'],
    [{ ...packed, paymasterAndData: PAYMASTER }, 'userOperation.paymasterAndData'],
  ])('refuses what cannot be taken apart, naming the field: %#', (operation, field) => {
    expect(() => adaptParams(SEND, [operation, ENTRY_POINTS['0.7']])).toThrow(
      expect.objectContaining({ field }) as InvalidParamsError,
    );
  });
});
