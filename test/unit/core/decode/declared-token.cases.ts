import { encodeAbiParameters, type Hex, stringToHex, toHex } from 'viem';

import {
  declaredAsset,
  declaredCollection,
  declaredText,
  declaredToken,
} from '../../../../src/core/decode/metadata/declared-token';

const text = (value: string): Hex => encodeAbiParameters([{ type: 'string' }], [value]);
const number = (value: bigint): Hex => toHex(value, { size: 32 });

describe('what tokens say of themselves', () => {
  it.each<[string, Hex, string | undefined]>([
    ['a string', text('USDC'), 'USDC'],
    ['bytes32', stringToHex('MKR', { size: 32 }), 'MKR'],
    ['a string of 32 characters', text('a'.repeat(32)), `${'a'.repeat(20)}…`],
    ['spaces around', text('  USDC '), 'USDC'],
    ['an empty string', text(''), undefined],
    ['spaces only', text('   '), undefined],
    ['zero bytes', `0x${'00'.repeat(32)}`, undefined],
    ['nothing', '0x', undefined],
    ['a length beyond the data', `0x${'20'.padStart(64, '0')}${'ff'.padStart(64, '0')}`, undefined],
    ['an offset beyond the data', `0x${'ff'.repeat(32)}${'00'.repeat(32)}`, undefined],
    ['more than any name', text('a'.repeat(2_000)), undefined],
    ['hidden characters', text('US\u202eDC'), 'US\\u{202e}DC'],
    ['a letter that imitates another', text('USD\u0421'), 'USD\\u{421}'],
    ['line feeds', text('USDC\nYou receive 5 ETH'), 'USDC\\u{a}You receive 5 E…'],
    ['quotation marks', text('”USDC“'), '"USDC"'],
    ['characters of two code units', text('🪙'.repeat(30)), `${'🪙'.repeat(20)}…`],
    ['bytes that are no UTF-8', `0x${'ff'.repeat(4)}${'00'.repeat(28)}`, '\ufffd'.repeat(4)],
  ])('is text, bounded and safe to display: %s', (_name, answer, expected) => {
    expect(declaredText(answer, 20)).toBe(expected);
  });

  it.each<[string, Hex | undefined, Hex | undefined, object | undefined]>([
    ['both', text('USDC'), number(6n), { symbol: 'USDC', decimals: 6 }],
    ['36 decimals', text('USDC'), number(36n), { symbol: 'USDC', decimals: 36 }],
    ['37 decimals', text('USDC'), number(37n), undefined],
    ['a negative number of decimals', text('USDC'), number(2n ** 256n - 1n), undefined],
    ['no decimals', text('USDC'), undefined, undefined],
    ['empty decimals', text('USDC'), '0x', undefined],
    ['no symbol', undefined, number(6n), undefined],
  ])('is a symbol and decimals, or nothing: %s', (_name, symbol, decimals, expected) => {
    expect(declaredToken(symbol, decimals)).toEqual(expected);
  });

  it('is the name of a collection', () => {
    expect(declaredCollection(text('Bored Apes'))).toEqual({ name: 'Bored Apes' });
    expect(declaredCollection(text('a'.repeat(100)))).toEqual({ name: `${'a'.repeat(40)}…` });
    expect(declaredCollection(undefined)).toBeUndefined();
  });
});

describe('what the contract of an asset says it is', () => {
  const [yes, no] = [number(1n), number(0n)];

  it.each<[string, Parameters<typeof declaredAsset>[0], unknown]>([
    ['a collection', { symbol: text('NFTS'), decimals: undefined, supply: number(5n), isErc721: yes }, 'erc721'],
    [
      'a collection with no decimals',
      { symbol: text('NFTS'), decimals: no, supply: undefined, isErc721: yes },
      'erc721',
    ],
    [
      'a token that says it is a collection',
      { symbol: text('TOK'), decimals: number(18n), supply: number(5n), isErc721: yes },
      { symbol: 'TOK', decimals: 18, supply: 5n },
    ],
    [
      'a contract that answers everything with a large number',
      { symbol: text('TOK'), decimals: number(6n), supply: number(9n), isErc721: number(9n) },
      { symbol: 'TOK', decimals: 6, supply: 9n },
    ],
    [
      'a token',
      { symbol: text('TOK'), decimals: number(6n), supply: undefined, isErc721: no },
      { symbol: 'TOK', decimals: 6 },
    ],
    ['nothing', { symbol: undefined, decimals: undefined, supply: undefined, isErc721: undefined }, undefined],
  ])('%s', (_name, answers, expected) => {
    expect(declaredAsset(answers)).toEqual(expected);
  });
});
