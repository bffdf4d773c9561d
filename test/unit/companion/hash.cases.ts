import { partsOf } from '../../../src/companion/model/route';

describe('partsOf', () => {
  it('splits and decodes the hash', () => {
    expect(partsOf('#/explorer/block/a%2Fb%20c')).toEqual(['explorer', 'block', 'a/b c']);
    expect(partsOf('')).toEqual([]);
  });

  it('keeps parts with malformed percent-encoding as they are', () => {
    expect(partsOf('#/explorer/%zz/%E0%A4%A')).toEqual(['explorer', '%zz', '%E0%A4%A']);
  });
});
