import { explainReplacement } from '../../../../src/core/decode/explain/replacement';
import { type Explanation } from '../../../../src/core/decode/explanation';
import { replacementFees } from '../../../../src/core/calls/replacement';

const fees = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint) => ({ maxFeePerGas, maxPriorityFeePerGas });

it.each([
  ['a tenth more, rounded up', fees(101n, 11n), fees(1n, 1n), fees(112n, 13n)],
  ['what the network takes now', fees(100n, 10n), fees(300n, 50n), fees(300n, 50n)],
  ['the larger of each', fees(100n, 10n), fees(50n, 50n), fees(110n, 50n)],
  ['never a tip above the fee', fees(100n, 100n), fees(50n, 500n), fees(500n, 500n)],
  // Nodes count a tip of nothing as raised by nothing.
  ['nothing of nothing', fees(0n, 0n), fees(0n, 0n), fees(0n, 0n)],
])('fees that replace: %s', (_what, before, now, after) => {
  expect(replacementFees(before, now)).toEqual(after);
});

it('says what is replaced, also once more is found out', () => {
  const plain: Explanation = {
    title: 'Send 1 ETH',
    changes: [],
    main: [],
    lines: [],
    sections: [],
    warnings: [],
    dangers: [],
  };
  const unresolved = {
    counterparties: [],
    explainWith: () => ({ ...plain, title: 'Send 1 ETH to Ann' }),
  } as unknown as NonNullable<Explanation['unresolved']>;
  const replaced = {
    how: 'speed-up',
    hash: `0x${'12'.repeat(32)}`,
    noun: 'transaction',
    nonce: 5n,
    fees: fees(2_000_000_000n, 1n),
  } as const;
  const explained = explainReplacement({ ...plain, unresolved }, replaced);
  const again = explained.unresolved!.explainWith({});
  for (const [{ title, main }, what] of [
    [explained, 'Send 1 ETH'],
    [again, 'Send 1 ETH to Ann'],
  ] as const) {
    expect(title).toBe(`Speed up: ${what}`);
    expect(JSON.stringify(main)).toMatch(/the transaction 0x1212.*"5".*up to 2 gwei per gas/su);
  }
  expect(explainReplacement(plain, { ...replaced, how: 'cancel' }).title).toBe('Cancel a pending transaction');
});
