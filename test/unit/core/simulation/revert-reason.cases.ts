import { encodeErrorResult, type Hex, parseAbi, toFunctionSelector } from 'viem';

import { KNOWN_ERRORS, revertReason } from '../../../../src/core/simulation/revert-reason';

const ABI = parseAbi([
  'error Error(string reason)',
  'error Panic(uint256 code)',
  'error ExecuteError(uint256 index, bytes inner)',
  'error FailedOpWithRevert(uint256 index, string reason, bytes inner)',
]);
const words = (reason: string): Hex => encodeErrorResult({ abi: ABI, errorName: 'Error', args: [reason] });
const at = (index: bigint, error: Hex): Hex =>
  encodeErrorResult({ abi: ABI, errorName: 'ExecuteError', args: [index, error] });

describe('why a call fails', () => {
  it.each(Object.entries(KNOWN_ERRORS))('knows the error %s by the hash of its signature', (selector, [signature]) => {
    expect(toFunctionSelector(signature)).toBe(`0x${selector}`);
  });

  it.each<[string, unknown, string, string]>([
    [
      'words of the contract',
      words('ERC20: transfer amount exceeds balance'),
      '',
      '“ERC20: transfer amount exceeds balance”',
    ],
    ['data in an object', { data: words('not yours') }, '', '“not yours”'],
    ['words without any', words(' '), '', 'no reason given'],
    ['hidden characters', words('pay\u200bpal\nnow'), '', '“pay\\u{200b}pal\\u{a}now”'],
    ['quotation marks', words('“quoted”'), '', '“"quoted"”'],
    [
      'a panic',
      encodeErrorResult({ abi: ABI, errorName: 'Panic', args: [0x11n] }),
      '',
      'a number in the contract would overflow',
    ],
    ['an unknown panic', encodeErrorResult({ abi: ABI, errorName: 'Panic', args: [0x77n] }), '', 'panic 0x77'],
    ['a panic without a code', '0x4e487b71', '', 'error 0x4e487b71'],
    ['an error at a step', at(1n, words('too late')), '', 'call 2: “too late”'],
    ['an unknown error', '0xdeadbeef00', '', 'error 0xdeadbeef'],
    ['words that do not match their selector', '0x08c379a0ffff', '', 'error 0x08c379a0'],
    ['less than a selector', '0x123456', '', 'no reason given'],
    ['nothing', '0x', '', 'no reason given'],
    ['nothing but the words of the node', undefined, 'execution reverted: too late', '“too late”'],
    [
      'other words of the node',
      undefined,
      'VM Exception while processing transaction: revert too late',
      '“revert too late”',
    ],
    ['the node saying only that it failed', '0x', 'execution reverted', 'no reason given'],
    ['anvil saying only that it failed', '0x', 'execution failed', 'no reason given'],
    ['running out of gas', '0x', 'out of gas', '“out of gas”'],
    ['no text at all', { data: { data: 7 } }, '', 'no reason given'],
  ])('says so for %s', (_name, data, message, reason) => {
    expect(revertReason(data, message)).toBe(reason);
  });

  it('truncates long words', () => {
    expect(revertReason(words('a'.repeat(5_000)))).toBe(`“${'a'.repeat(200)}… (4800 more characters)”`);
    expect(revertReason(undefined, 'b'.repeat(5_000)).length).toBeLessThan(250);
  });

  it('stops where errors nest without end', () => {
    let nested = words('inside');
    for (let depth = 0; depth < 100; depth++) nested = at(0n, nested);
    expect(revertReason(nested)).toBe(`${'call 1: '.repeat(4)}error 0x5a154675`);
  });
});
