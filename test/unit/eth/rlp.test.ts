import { encodeRlp as encodeByEthers } from 'ethers';

import { toHex } from '../../../src/eth/bytes';
import { encodeRlp, type RlpItem } from '../../../src/eth/rlp';

type Written = string | Written[];

const written = (item: RlpItem): Written => (item instanceof Uint8Array ? toHex(item) : item.map(written));

const filled = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => (index * 7 + 1) & 0xff);

function expectAsEthers(item: RlpItem): void {
  expect(toHex(encodeRlp(item))).toBe(encodeByEthers(written(item)));
}

describe('encodeRlp', () => {
  it('gives the examples of the Yellow Paper', () => {
    expect(toHex(encodeRlp(new Uint8Array(0)))).toBe('0x80');
    expect(toHex(encodeRlp([]))).toBe('0xc0');
    expect(toHex(encodeRlp(Uint8Array.of(0x7f)))).toBe('0x7f');
    expect(toHex(encodeRlp(Uint8Array.of(0x80)))).toBe('0x8180');
  });

  it('writes every single byte as ethers does', () => {
    for (let byte = 0; byte < 256; byte++) expectAsEthers(Uint8Array.of(byte));
  });

  it.each([2, 54, 55, 56, 57, 255, 256, 257, 65_535, 65_536])('writes %i bytes as ethers does', (length) => {
    expectAsEthers(filled(length));
  });

  it.each([0, 1, 53, 54, 55, 56, 253, 254, 255, 256])('writes lists around %i bytes as ethers does', (length) => {
    expectAsEthers([filled(length)]);
    expectAsEthers(Array.from({ length }, () => Uint8Array.of(5)));
    expectAsEthers([[filled(length), []], [new Uint8Array(0)], filled(1)]);
  });
});
