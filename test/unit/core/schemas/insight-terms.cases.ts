import { readTerms } from '../../../../src/core/schemas/insight';

const ADDRESS = `0x${'a1'.repeat(20)}`;
const KEY = `0x${'11'.repeat(32)}`;

describe('the terms of a transaction that a site describes wrongly', () => {
  it.each([
    ['a limit', { gas: 'plenty' }],
    ['a legacy price', { gasPrice: 5 }],
    ['a highest price', { maxFeePerGas: '0xzz' }],
    ['a tip without a highest price', { maxPriorityFeePerGas: '0x5' }],
    ['a number', { nonce: '-0x1' }],
    ['an access list', { accessList: [{ address: ADDRESS, storageKeys: ['0x1'] }] }],
    ['nothing at all', {}],
  ])('leave out %s', (_what, transaction) => {
    expect(readTerms(transaction)).toStrictEqual({ gas: {} });
  });

  it('keep what is right beside it', () => {
    expect(readTerms({ gas: '0x5208', gasPrice: 'cheap', nonce: '0x7' })).toStrictEqual({
      gas: { limit: 21_000n },
      nonce: 7n,
    });
  });

  it('have a tip only with a highest price, and never a legacy price beside it', () => {
    const dynamic = { gasPrice: '0x1', maxFeePerGas: '0x2' };
    expect(readTerms(dynamic)).toStrictEqual({ gas: { maxFeePerGas: 2n } });
    expect(readTerms({ ...dynamic, maxPriorityFeePerGas: '0x3' })).toStrictEqual({
      gas: { maxFeePerGas: 2n, maxPriorityFeePerGas: 3n },
    });
    expect(readTerms({ gasPrice: '0x1', maxPriorityFeePerGas: '0x3' })).toStrictEqual({ gas: { gasPrice: 1n } });
  });

  it('have zero where it says zero', () => {
    const zero = { gas: '0x0', maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0', nonce: '0x0', accessList: [] };
    expect(readTerms(zero)).toStrictEqual({
      gas: { limit: 0n, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n },
      nonce: 0n,
      accessList: [],
    });
    expect(readTerms({ gasPrice: '0x0' })).toStrictEqual({ gas: { gasPrice: 0n } });
  });

  it('are the limit under either of its names, and the access list as it is', () => {
    const accessList = [{ address: ADDRESS, storageKeys: [KEY] }];
    expect(readTerms({ gasLimit: '0x1', accessList })).toStrictEqual({ gas: { limit: 1n }, accessList });
    expect(readTerms({ gas: '0x2', gasLimit: '0x1' })).toStrictEqual({ gas: { limit: 2n } });
  });
});
