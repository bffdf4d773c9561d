import { type InvalidParamsError } from '../../../../src/core/errors';
import { SendTransactionStruct, toDappTransaction } from '../../../../src/core/schemas/dapp-transaction';
import { parse } from '../../../../src/core/structs/struct';

const from = `0x${'ab'.repeat(20)}`;
const read = (transaction: object) =>
  parse(SendTransactionStruct, [{ from, ...transaction }], 'params', ['transaction']);

describe("a site's transaction", () => {
  it.each([
    {},
    { data: '0xab', input: '0xAB' },
    { data: '0xAB', input: '0xab' },
    { input: '0x12' },
    { gas: '0x1', gasLimit: '0x1' },
    { gas: '0xab', gasLimit: '0xAB' },
    { gasLimit: '0x1' },
    { gas: '0x1' },
    { gasPrice: '0x1' },
    { gasPrice: '0x1', type: '0x0' },
    { gasPrice: '0x1', type: '0x1', accessList: [] },
    { maxFeePerGas: '0x1' },
    { maxPriorityFeePerGas: '0x1', type: '0x2' },
    { type: '0x0' },
    { type: '0x2', accessList: [] },
    { accessList: [] },
    { to: null, value: '0x0', nonce: '0x0', chainId: '0x1' },
  ])('may be %j', (transaction) => {
    expect(read(transaction)).toEqual([{ from, ...transaction }]);
  });

  it.each([
    [{ data: '0xab', input: '0xac' }, 'input'],
    [{ gas: '0x1', gasLimit: '0x2' }, 'gasLimit'],
    [{ gasPrice: '0x1', maxFeePerGas: '0x1' }, 'gasPrice'],
    [{ gasPrice: '0x1', maxPriorityFeePerGas: '0x1' }, 'gasPrice'],
    [{ gasPrice: '0x1', type: '0x2' }, 'gasPrice'],
    [{ maxFeePerGas: '0x1', type: '0x0' }, 'type'],
    [{ maxFeePerGas: '0x1', type: '0x1' }, 'type'],
    [{ maxPriorityFeePerGas: '0x1', type: '0x0' }, 'type'],
    [{ maxPriorityFeePerGas: '0x1', type: '0x1' }, 'type'],
    [{ type: '0x3' }, 'type'],
    [{ accessList: [], type: '0x0' }, 'accessList'],
    [{ accessList: {} }, 'accessList'],
    [{ chainId: '0x0' }, 'chainId'],
    [{ from: undefined }, 'from'],
    [{ extra: 1 }, 'extra'],
  ])('may not be %j', (transaction, field) => {
    expect(() => read(transaction)).toThrow(
      expect.objectContaining({
        field: expect.stringMatching(new RegExp(`\\b${field}$`, 'u')) as string,
      }) as InvalidParamsError,
    );
  });

  it.each([
    ['nothing but the sender', {}, { to: null, value: 0n, data: '0x' }],
    ['data as input', { input: '0xAB' }, { data: '0xAB' }],
    ['gas', { gas: '0x5208' }, { gasLimit: 21_000n }],
    ['gasLimit', { gasLimit: '0x5208' }, { gasLimit: 21_000n }],
    ['a type without fees', { type: '0x1' }, { type: 'eip2930', gasPrice: undefined, accessList: undefined }],
    ['an empty access list', { accessList: [] }, { type: undefined, accessList: [] }],
    [
      'fees of zero',
      { maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0', type: '0x2' },
      { type: 'eip1559', maxFeePerGas: 0n, maxPriorityFeePerGas: 0n },
    ],
    [
      'terms of its own',
      { type: '0x0', chainId: '0x1', nonce: '0x0', gasPrice: '0x1', value: '0x2' },
      { type: 'legacy', chainId: 1n, nonce: 0n, gasPrice: 1n, value: 2n },
    ],
  ])('is decoded to typed values: %s', (_what, transaction, typed) => {
    expect(toDappTransaction(read(transaction)[0])).toMatchObject({ from, ...typed });
  });
});
