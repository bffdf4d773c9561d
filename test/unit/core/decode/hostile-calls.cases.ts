import { encodeAbiParameters, encodeFunctionData, maxUint256, parseAbi } from 'viem';

import { type Hex } from '../../../../src/core/eth/bytes';
import { type Section } from '../../../../src/core/decode/explanation';
import { ALICE, BOB, codesOf, explainCall, ME, saying } from '../../../support/explaining';

const MULTICALL = parseAbi(['function multicall(bytes[])']);
const APPROVE = parseAbi(['function approve(address,uint256)']);
const UNLIMITED = encodeFunctionData({ abi: APPROVE, args: [BOB, maxUint256] });

const multicall = (...calls: Hex[]): Hex => encodeFunctionData({ abi: MULTICALL, args: [calls] });

const depthOf = ({ sections }: Section): number => 1 + Math.max(0, ...sections.map(depthOf));
const countOf = ({ sections }: Section): number => 1 + sections.reduce((sum, section) => sum + countOf(section), 0);

describe('calls built to be unreadable', () => {
  it('nested 50 deep: decoded to a limit, and the rest is flagged', () => {
    let data: Hex = UNLIMITED;
    for (let depth = 0; depth < 50; depth++) data = multicall(data);
    const explanation = explainCall(ALICE, data);
    expect(depthOf(explanation.sections[0]!)).toBeLessThan(12);
    expect(codesOf(explanation)).toEqual(['not-fully-read']);
    expect(saying(explanation)).toContain('Not decoded: 1 more call');
  });

  it('of the account itself, nested below the limit: the title does not say that nothing happens', () => {
    let data: Hex = UNLIMITED;
    for (let depth = 0; depth < 9; depth++) data = multicall(data);
    expect(explainCall(ME, data).title).toBe('Make 1 call that Keystead does not read');
  });

  it('nested down to the limit: the approval is found', () => {
    let data: Hex = UNLIMITED;
    for (let depth = 0; depth < 8; depth++) data = multicall(data);
    expect(codesOf(explainCall(ALICE, data))).toEqual(['unlimited-approval']);
  });

  it('ten thousand in a row: a hundred are decoded, the rest are counted and flagged', () => {
    const explanation = explainCall(ALICE, multicall(...Array.from({ length: 10_000 }, (): Hex => '0x12345678')));
    expect(countOf(explanation.sections[0]!)).toBeLessThanOrEqual(101);
    expect(codesOf(explanation)).toEqual(['not-fully-read']);
    expect(saying(explanation)).toContain('Not decoded: 9900 more calls');
  });

  it('a tree that doubles at each level: the number of sections is bounded', () => {
    let data: Hex = UNLIMITED;
    for (let depth = 0; depth < 10; depth++) data = multicall(data, data);
    const explanation = explainCall(ALICE, data);
    expect(countOf(explanation.sections[0]!)).toBeLessThanOrEqual(101);
    expect(codesOf(explanation)).toContain('not-fully-read');
  });

  it('a list whose entries are all the same bytes: the work is bounded, not the data', () => {
    // multicall(bytes[]) with 40,000 offsets that all point at one element.
    const word = (value: number) => value.toString(16).padStart(64, '0');
    const count = 40_000;
    const offsets = word(32 * count).repeat(count);
    const data: Hex = `0xac9650d8${word(32)}${word(count)}${offsets}${word(4)}${'12345678'.padEnd(64, '0')}`;
    expect(codesOf(explainCall(ALICE, data))).toEqual(['not-fully-read']);
  });

  const args = encodeAbiParameters([{ type: 'bytes[]' }], [['0x12345678']]).slice(2);
  const word = (value: bigint) => value.toString(16).padStart(64, '0');
  it.each<[string, Hex]>([
    ['no arguments at all', '0xa9059cbb'],
    ['half an argument', '0xa9059cbb0000'],
    ['an argument missing', `0x095ea7b3${'00'.repeat(32)}`],
    ['an address with dirty bits above it', `0x095ea7b3${'ff'.repeat(32)}${'ff'.repeat(32)}`],
    ['a boolean that is two', `0xa22cb465${word(1n)}${word(2n)}`],
    ['a small number that is too large', `0x87517c45${word(1n)}${word(1n)}${word(1n << 160n)}${word(1n)}`],
    ['an offset past the end', `0xac9650d8${word(1n << 20n)}`],
    ['an offset beyond all numbers', `0xac9650d8${'ff'.repeat(32)}`],
    ['a list longer than the data', `0xac9650d8${word(32n)}${word(1n << 30n)}`],
    ['a list of 2^255 entries', `0xac9650d8${word(32n)}${word(1n << 255n)}`],
    ['bytes longer than the data', `0xac9650d8${args.slice(0, 192)}${word(1n << 16n)}${args.slice(256)}`],
    ['a batch of an account, cut off', '0x34fcd5be'],
    ['an ERC-7579 call too short for its target', `0xe9ae5c53${word(0n)}${word(64n)}${word(2n)}${word(0n)}`],
  ])('%s: unknown, and flagged', (_name, data) => {
    const explanation = explainCall(ALICE, data);
    expect(codesOf(explanation)).toEqual(['malformed-call']);
    expect(saying(explanation)).toContain('Unknown call');
  });

  it('a megabyte of zeros: its length is shown, and the body is truncated', () => {
    const explanation = explainCall(ALICE, `0x${'00'.repeat(1_000_000)}`);
    expect(saying(explanation)).toContain('Not decoded: 1000000 bytes');
    expect(explanation.body!.text.length).toBeLessThan(25_000);
    expect(explanation.body!.text).toContain('more characters');
  });
});
