import { readAddress, readCall, readData, readQuantity } from '../../../src/companion/model/read-fields';
import { ALICE } from '../../support/companion/samples';

describe('readAddress', () => {
  it.each([ALICE, ALICE.toLowerCase(), `0x${ALICE.slice(2).toUpperCase()}`])('reads %s with its checksum', (text) => {
    expect(readAddress(text, 'To')).toBe(ALICE);
  });

  it('refuses a wrong checksum, which a mistyped digit has', () => {
    expect(() => readAddress(ALICE.replace('0x7', '0x8'), 'To')).toThrow(
      'To: must be an address with the right checksum',
    );
  });

  it.each([undefined, '', '0x12', ALICE.slice(2), `${ALICE}0`, 'alice.eth'])('refuses %s', (text) => {
    expect(() => readAddress(text, 'Address')).toThrow('Address: must be an address: 0x followed by 40 hex digits');
  });
});

describe('readData and readCall', () => {
  it('reads bytes; none for an empty field', () => {
    expect(readData(undefined, 'Data')).toBe('0x');
    expect(readData('', 'Data')).toBe('0x');
    expect(readData('0xA0b1', 'Data')).toBe('0xA0b1');
    expect(() => readData('0x123', 'Data')).toThrow('Data: must be hex bytes');
    expect(() => readData('12', 'Data')).toThrow('Data: must be hex bytes');
  });

  it('reads a call and names the field that is wrong', () => {
    expect(readCall({ to: ALICE, value: '0.5', data: '' })).toEqual({
      to: ALICE,
      value: '0x6f05b59d3b20000',
      data: '0x',
    });
    expect(() => readCall({ to: ALICE, value: 'much' }, ' (call 2)')).toThrow('Amount (call 2): must be an amount');
    expect(() => readCall({ value: '1' }, ' (call 2)')).toThrow('To (call 2): must be an address');
  });
});

describe('readQuantity', () => {
  it('reads decimal and hex digits', () => {
    expect(readQuantity('668', 'Block')).toBe('0x29c');
    expect(readQuantity('0x29C', 'Block')).toBe('0x29c');
  });

  it.each([undefined, '', '-1', '1.5', '0x', 'latest'])('refuses %s', (text) => {
    expect(() => readQuantity(text, 'Index')).toThrow('Index: must be a number');
  });
});
