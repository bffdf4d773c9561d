import { baseFeeAfter } from '../../../../src/simulation/base-fee';

describe('the base fee of the next block', () => {
  const GWEI = 1_000_000_000;
  it.each([
    ['stays where half of the gas is used', { baseFeePerGas: GWEI, gasUsed: 15_000_000, gasLimit: 30_000_000 }, GWEI],
    [
      'rises by an eighth after a full block',
      { baseFeePerGas: GWEI, gasUsed: 30_000_000, gasLimit: 30_000_000 },
      1_125_000_000,
    ],
    ['falls by an eighth after an empty one', { baseFeePerGas: GWEI, gasUsed: 0, gasLimit: 30_000_000 }, 875_000_000],
    ['rises by 1 wei at least', { baseFeePerGas: 7, gasUsed: 15_000_001, gasLimit: 30_000_000 }, 8],
    ['can stay at zero', { baseFeePerGas: '0x0', gasUsed: 0, gasLimit: 30_000_000 }, 0],
    // Block 12,965,000 of Ethereum, the first with a base fee, and the one after it.
    [
      'is that of the chain',
      { baseFeePerGas: 1_000_000_000, gasUsed: 30_025_257, gasLimit: 30_029_122 },
      1_124_967_822,
    ],
  ] as const)('%s', (_what, block, next) => {
    expect(baseFeeAfter(block as never)).toBe(BigInt(next));
  });

  it('is none where the block has none', () => {
    expect(baseFeeAfter({ gasUsed: 0, gasLimit: 30_000_000 })).toBeUndefined();
    expect(baseFeeAfter({ baseFeePerGas: null, gasUsed: 0, gasLimit: 30_000_000 })).toBeUndefined();
    expect(baseFeeAfter({ baseFeePerGas: 5, gasUsed: 0, gasLimit: 0 })).toBe(5n);
  });
});
