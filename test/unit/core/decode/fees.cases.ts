import { Findings } from '../../../../src/core/decode/effects/findings';
import { judgeOverhead, judgePrice } from '../../../../src/core/decode/effects/judge/fees';
import { Verdict } from '../../../../src/core/decode/effects/verdict';
import { VIEW } from '../../../support/explaining';

const scene = () => ({ view: VIEW, chainId: 1n, findings: new Findings() });
const GWEI = 10n ** 9n;

/** What a person is told: a danger, a warning, or nothing. */
function weightOf(judge: (verdict: Verdict) => void): string {
  const verdict = new Verdict();
  judge(verdict);
  if (verdict.dangers.length > 0) return verdict.dangers.map(({ code }) => code).join();
  return verdict.warnings.length > 0 ? 'a warning' : 'nothing';
}

describe('a price per gas, compared with what the node suggests,', () => {
  it.each([
    [100_000n, 'excessive-fee'],
    [100n, 'excessive-fee'],
    [99n, 'a warning'],
    [10n, 'a warning'],
    [9n, 'nothing'],
    [1n, 'nothing'],
  ])('of %s times as much: %s', (times, weight) => {
    const fee = { kind: 'fee', price: times * GWEI, suggested: GWEI } as const;
    expect(weightOf((verdict) => judgePrice(fee, scene(), verdict))).toBe(weight);
    // Only whole multiples are told.
    expect(weightOf((verdict) => judgePrice({ ...fee, price: fee.price + GWEI - 1n }, scene(), verdict))).toBe(weight);
  });

  it('is not compared where the node suggests that gas is free', () => {
    const fee = { kind: 'fee', price: 10n ** 18n, suggested: 0n } as const;
    expect(weightOf((verdict) => judgePrice(fee, scene(), verdict))).toBe('nothing');
  });
});

describe("gas for the bundler's own work", () => {
  const USUAL = 50_000n;
  const of = (gas: bigint, cost: bigint): string =>
    weightOf((verdict) => judgeOverhead({ kind: 'overhead', gas, usual: USUAL, price: cost / gas }, scene(), verdict));

  it.each([
    ['more than a block has, though it is cheap', 100_000_000n, 0n, 'excessive-fee'],
    ['a little less than a block has', 99_999_999n, 0n, 'a warning'],
    ['more than any operation needs, though it is cheap', 10_000_000n, 0n, 'a warning'],
    ['a little less than that, and cheap', 9_999_999n, 0n, 'nothing'],
    ['a hundred times the usual, for much', 100n * USUAL, 10n ** 17n, 'excessive-fee'],
    ['a hundred times the usual, for a little less than much', 100n * USUAL, 10n ** 17n - 100n * USUAL, 'a warning'],
    ['less than a hundred times the usual, for much', 80n * USUAL, 10n ** 17n, 'a warning'],
    ['ten times the usual, for something', 10n * USUAL, 10n ** 16n, 'a warning'],
    ['ten times the usual, for a little less', 10n * USUAL, 10n ** 16n - 10n * USUAL, 'nothing'],
    // A network on which gas is dear.
    ['less than ten times the usual, for much', 8n * USUAL, 10n ** 17n, 'nothing'],
    ['the usual, for very much', USUAL, 10n ** 19n, 'nothing'],
  ])('%s (%s units for %s wei): %s', (_what, gas, cost, weight) => {
    expect(of(gas, cost)).toBe(weight);
  });
});
