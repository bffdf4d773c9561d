import { whoPays } from '../../../../src/core/networks/who-pays';

it.each([
  ['operation', true, 1, 'paymaster'],
  ['operation', false, 1, 'account'],
  // A sponsorship would expire before everyone has signed.
  ['operation', true, 2, 'account'],
  ['either', true, 1, 'unsure'],
  ['either', false, 1, 'account'],
  ['transaction', true, 1, 'account'],
] as const)('a fee of an %s, with a paymaster %s and %d signatures: %s', (sending, hasPaymaster, signatures, payer) => {
  expect(whoPays({ sending, hasPaymaster, signatures })).toBe(payer);
});
