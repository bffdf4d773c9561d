import { fromHex, type Hex, quantityToBytes, toHex } from '../../../src/eth/bytes';

describe('fromHex', () => {
  it('reads every byte, in either case', () => {
    const every = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const hex = Buffer.from(every).toString('hex');
    expect(fromHex(`0x${hex}`)).toEqual(every);
    expect(fromHex(`0x${hex.toUpperCase()}`)).toEqual(every);
    expect(toHex(every)).toBe(`0x${hex}`);
  });

  it.each(['', '0', '12', '0x1', '0x123', '0xg0', '0x0g', '00x12', '0x12\n', ' 0x12', '0x12 ', '0x1２'])(
    'refuses %j',
    (hex) => {
      expect(() => fromHex(hex as Hex)).toThrow(RangeError);
    },
  );
});

describe('quantityToBytes', () => {
  it.each([
    [0n, []],
    [1n, [1]],
    [0xfn, [15]],
    [0x10n, [16]],
    [0x80n, [128]],
    [0xffn, [255]],
    [0x100n, [1, 0]],
    [0xfffn, [15, 255]],
    [0x10000n, [1, 0, 0]],
  ] as const)('gives the fewest bytes of %s', (quantity, bytes) => {
    expect([...quantityToBytes(quantity)]).toEqual(bytes);
  });
});
