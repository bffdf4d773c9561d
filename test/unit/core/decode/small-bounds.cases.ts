import { maxUint256, zeroAddress } from 'viem';

import { ADVICE, type DangerCode } from '../../../../src/core/decode/effects/dangers';
import { Verdict } from '../../../../src/core/decode/effects/verdict';
import { refund } from '../../../../src/core/decode/rules/calls/safe';
import { mayBeTime } from '../../../../src/core/decode/words/time';
import { BOB, ME } from '../../../support/explaining';

describe('the refund of a transaction of a Safe', () => {
  const gas = { gasPrice: 7n as bigint, gasToken: zeroAddress, refundReceiver: BOB };
  const amountOf = (safeTxGas: bigint, baseGas: bigint, gasPrice = gas.gasPrice) =>
    refund({ ...gas, gasPrice, safeTxGas, baseGas }, ME).effects.map((effect) =>
      effect.kind === 'move' ? effect.amount : undefined,
    );

  it('is that of both parts of the gas, and never more than there can be', () => {
    expect(amountOf(0n, 5n)).toEqual([35n]);
    expect(amountOf(5n, 0n)).toEqual([35n]);
    expect(amountOf(2n, 3n)).toEqual([35n]);
    // Without limits, it is a price for gas that nobody counts here.
    expect(amountOf(0n, 0n)).toEqual([7n]);
    expect(amountOf(1n, 1n, 0n)).toEqual([]);
    expect(amountOf(maxUint256, 1n)).toEqual([maxUint256]);
  });

  it('goes to whoever submits the transaction if nobody is named', () => {
    const to = (refundReceiver: typeof BOB) =>
      refund({ ...gas, refundReceiver, safeTxGas: 1n, baseGas: 1n }, ME).effects.map((effect) =>
        effect.kind === 'move' ? effect.to : undefined,
      );
    expect(to(BOB)).toEqual([BOB]);
    expect(to(zeroAddress)).toEqual([undefined]);
  });
});

describe('a danger with several sentences', () => {
  const CODE: DangerCode = 'delegatecall';
  const textOf = (count: number): string => {
    const verdict = new Verdict();
    for (let at = 1; at <= count; at++) verdict.danger(CODE, () => `Sentence ${at}.`);
    return verdict.dangers.map(({ text }) => text).join();
  };

  it('has three, and says if there are more', () => {
    expect(textOf(3)).toBe(`Sentence 1. Sentence 2. Sentence 3. ${ADVICE[CODE]}`);
    expect(textOf(4)).toMatch(/^Sentence 1\. Sentence 2\. Sentence 3\. (?!Sentence)\S/u);
    expect(textOf(4)).not.toBe(textOf(3));
    expect(textOf(9)).toBe(textOf(4));
  });
});

describe('a number that may be a time', () => {
  it.each([
    [1_499_999_999n, false],
    [1_500_000_000n, true],
    [2_499_999_999n, true],
    [2_500_000_000n, false],
  ])('%s: %s', (number, isOne) => {
    expect(mayBeTime(number)).toBe(isOne);
  });
});
