import { ownTraits } from '../../../../src/core/methods/own';

test('only methods of its own are known, not what every object has', () => {
  expect(ownTraits('keystead_setChain')).toBeDefined();
  for (const name of ['toString', '__proto__', 'constructor', 'keystead_unknown', ''])
    expect(ownTraits(name)).toBeUndefined();
});
