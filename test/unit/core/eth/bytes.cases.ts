import { fromHex, type Hex, toHex, writeHex } from '../../../../src/core/eth/bytes';

describe('fromHex', () => {
  it('decodes every byte, in either case', () => {
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

test('bytes are written where they belong, and nothing beside them', () => {
  const out = new Uint8Array(6).fill(0xee);
  writeHex('0x12Ab', out, 2);
  expect([...out]).toEqual([0xee, 0xee, 0x12, 0xab, 0xee, 0xee]);
  writeHex('0x', out, 0);
  expect(out[0]).toBe(0xee);
});
