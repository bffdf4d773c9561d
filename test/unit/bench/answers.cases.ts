import { checkedTimes, faultOf } from '../../../bench/runtime/answers';
import { type SnapRequest } from '../../../bench/runtime/request';

const LIST: SnapRequest = { handler: 'keyring', origin: 'metamask', method: 'keyring_listAccounts' };
const GET: SnapRequest = { ...LIST, method: 'keyring_getAccount' };
const PUBLIC_KEY: SnapRequest = { ...LIST, handler: 'rpc', method: 'getPublicKey' };
const WRONG = 'the response does not have the shape of the method';

it.each([
  ['a', LIST, [], undefined],
  ['a', LIST, { error: 'no' }, WRONG],
  ['a', GET, { id: 'one', address: '0x00' }, undefined],
  ['a', GET, null, WRONG],
  ['a', PUBLIC_KEY, '0x04ab', undefined],
  ['a', PUBLIC_KEY, 'an error', WRONG],
  ['empty snap', GET, [], undefined],
  ['empty snap, one call: state', GET, { id: 'one', address: '0x00' }, WRONG],
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
