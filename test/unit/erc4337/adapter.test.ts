import { adaptRequest } from '../../../src/erc4337/adapter';
import { ENTRY_POINTS } from '../../../src/erc4337/entry-points';
import { type InvalidParamsError } from '../../../src/errors';

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
const request = (operation: object, entryPoint: string = ENTRY_POINTS['0.7'], method = 'eth_sendUserOperation') => ({
  jsonrpc: '2.0',
  id: 7,
  method,
  params: [operation, entryPoint],
});

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
    for (const method of ['eth_sendUserOperation', 'eth_estimateUserOperationGas'])
      expect(adaptRequest(request(packed, ENTRY_POINTS[version], method))).toEqual(
        request(expected, ENTRY_POINTS[version], method),
      );
  });

  it('leaves out what is not there', () => {
    const bare = { ...common, initCode: '0x', paymasterAndData: '0x' };
    expect(adaptRequest(request(bare))).toEqual(request(common));
  });

  it.each([
    request(packed, ENTRY_POINTS['0.6']),
    request(packed, ADDRESS),
    request(common),
    request(packed, ENTRY_POINTS['0.7'], 'eth_getUserOperationByHash'),
    { ...request(packed), params: { operation: packed } },
    { ...request(packed), params: [packed] },
    request({ ...packed, initCode: 'nonsense' }),
    { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] },
    null,
    'text',
    [],
  ])('passes everything else unchanged: %#', (other) => {
    expect(adaptRequest(other)).toBe(other);
  });

  it.each([
    [{ ...packed, initCode: '0x1234' }, 'userOperation.initCode'],
    [{ ...packed, paymasterAndData: PAYMASTER }, 'userOperation.paymasterAndData'],
  ])('refuses what cannot be taken apart, naming the field: %#', (operation, field) => {
    expect(() => adaptRequest(request(operation))).toThrow(expect.objectContaining({ field }) as InvalidParamsError);
  });
});
