import { Findings } from '../../../../src/core/decode/effects/findings';
import { isKnownSymbol } from '../../../../src/core/decode/metadata/tokens';

const signer = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const scene = { chainId: 1n, view: { signer, now: 1_767_225_600n }, findings: new Findings() } as const;

describe('symbols that read like a known one', () => {
  it.each([
    'USDC',
    'usdc',
    'USDC.',
    'US DC',
    'US\u200bDC',
    String.raw`US\u{200b}DC`,
    'USD\u0421',
    String.raw`USD\u{421}`,
    'ＵＳＤＣ',
    'U\u0301SDC',
    'USD\u20ae',
    '\u0395TH',
  ])('%j is recognised', (symbol) => {
    expect(isKnownSymbol(symbol, scene)).toBe(true);
  });

  it.each(['TEST', 'USDC.e', 'aUSDC', '', '\u200b', '…'])('%j is not', (symbol) => {
    expect(isKnownSymbol(symbol, scene)).toBe(false);
  });
});
