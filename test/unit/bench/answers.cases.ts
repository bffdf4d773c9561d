import { checkedTimes, faultOf } from '../../../bench/snap/answers';
import { type SnapRequest } from '../../../bench/snap/requests';

const LIST: SnapRequest = { handler: 'keyring', origin: 'metamask', method: 'keyring_listAccounts' };
const CREATE: SnapRequest = { ...LIST, method: 'keyring_createAccount' };
const SIGN: SnapRequest = { ...LIST, method: 'keyring_submitRequest', params: { request: { method: 'eth_other' } } };
const WRONG = 'the response does not have the shape of the method';

it.each([
  ['a', LIST, [], undefined],
  ['a', LIST, { error: 'no' }, WRONG],
  ['a', CREATE, { id: 'one', address: '0x00' }, undefined],
  ['a', CREATE, null, WRONG],
  ['a', SIGN, 'an error', WRONG],
  ['a', SIGN, `0x${'ab'.repeat(65)}`, 'the signature does not match the account'],
  ['empty snap', CREATE, [], undefined],
  ['empty snap, one call: state', CREATE, { id: 'one', address: '0x00' }, WRONG],
])('checks what %s answers to %j: %j', (name, request, answer, fault) => {
  expect(faultOf(name, request, answer)).toBe(fault);
});

it('gives times only to those whose every answer was right', () => {
  const { times, failed } = checkedTimes(
    {
      times: { right: [1, 2, 3], wrong: [0.1, 0.1, 0.1], 'empty snap': [1] },
      failed: { gone: 'it stopped' },
      answers: { right: ['[]', '[{}]'], wrong: ['[]', 'null'], 'empty snap': ['[]'] },
    },
    { right: LIST, wrong: LIST, 'empty snap': LIST, gone: LIST },
  );
  expect(times).toStrictEqual({
    right: { median: 2, low: 1, high: 3, count: 3 },
    'empty snap': { median: 1, low: 1, high: 1, count: 1 },
  });
  expect(failed).toStrictEqual({ gone: 'it stopped', wrong: WRONG });
});
