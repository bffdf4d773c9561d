import * as dagPb from '@ipld/dag-pb';
import { CID } from 'multiformats/cid';
import { decodeBlock, decodeInput, encodeValue, linksOf } from '../../../../src/service/storage/content/codecs';
import { digestOf } from '../../../support/storage/digest';

const DAG_CBOR = 0x71;

/** Decodes a block, and writes its value again. */
function again(hex: string): string {
  const bytes = Buffer.from(hex, 'hex');
  const value = decodeBlock(CID.createV1(DAG_CBOR, digestOf(0x12, bytes)), bytes);
  return Buffer.from(encodeValue('dag-cbor', value).bytes).toString('hex');
}

describe('DAG-CBOR that could not be written again as it is', () => {
  test.each([
    ['text that is not UTF-8', '61ff'],
    ['the same, behind a long head', '7801ff'],
    ['longer text that is not UTF-8', `6c${'ff'.repeat(12)}`],
    ['a cut character', '62c3c3'],
    ['half of a surrogate pair', '63eda080'],
    ['an overlong character', '62c080'],
    ['the name of a field', 'a161ff01'],
  ])('%s is refused', (_, hex) => {
    expect(() => again(hex)).toThrow('text is not UTF-8');
    expect(() => decodeInput('dag-cbor', Buffer.from(hex, 'hex'))).toThrow('text is not UTF-8');
  });

  test.each(['3b8000000000000000', '3bffffffffffffffff'])('an integer below -2^63 is refused: %s', (hex) => {
    expect(() => again(hex)).toThrow('an integer is below -2^63');
  });

  test('the links of a block are followed all the same, so that what is pinned can be collected around', () => {
    const link = CID.createV1(0x55, digestOf(0x12, Buffer.from('x')));
    // ["\\xff", link]
    const bytes = Buffer.concat([Buffer.from('8261ffd82a5825', 'hex'), Buffer.from([0]), link.bytes]);
    const cid = CID.createV1(DAG_CBOR, digestOf(0x12, bytes));
    expect(linksOf(cid, bytes).map((each) => each.cid.toString())).toEqual([link.toString()]);
    expect(() => decodeBlock(cid, bytes)).toThrow('text is not UTF-8');
  });

  test('a name of dag-pb that is not UTF-8 is refused in an upload, and one with the same letter is not', () => {
    const node = (name: string) =>
      dagPb.encode(
        dagPb.prepare({ Links: [{ Hash: CID.createV1(0x55, digestOf(0, Buffer.from('x'))), Name: name, Tsize: 1 }] }),
      );
    const right = node('\ufffd');
    expect(decodeInput('dag-pb', right)).toMatchObject({ Links: [{ Name: '\ufffd' }] });
    const wrong = Buffer.from(node('abc'));
    wrong[wrong.indexOf('abc')] = 0xff;
    expect(() => decodeInput('dag-pb', wrong)).toThrow('a name is not UTF-8');
  });

  test('half of a surrogate pair in JSON is refused', () => {
    const value = decodeInput('dag-json', Buffer.from('{"a":"\\ud800"}'));
    expect(() => encodeValue('dag-cbor', value)).toThrow('half of a surrogate pair');
  });

  test.each([
    '60',
    '6161',
    '62c3a9',
    '64f09f9880',
    `7818${'61'.repeat(24)}`,
    '3b7fffffffffffffff',
    '1bffffffffffffffff',
  ])('what is right stays as it is: %s', (hex) => {
    expect(again(hex)).toBe(hex);
  });
});
