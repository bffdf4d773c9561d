import { partsOf } from '../../../src/companion/model/hash';

describe('the address of a view', () => {
  it('is read part by part', () => {
    expect(partsOf('#/explorer/block/a%2Fb%20c')).toEqual(['explorer', 'block', 'a/b c']);
    expect(partsOf('')).toEqual([]);
  });

  it('is read as it stands where it is written badly', () => {
    expect(partsOf('#/explorer/%zz/%E0%A4%A')).toEqual(['explorer', '%zz', '%E0%A4%A']);
  });
});
