import { isJsonRpcFailure, isJsonRpcSuccess } from '../../../../src/core/schemas/json-rpc';
import { simulatedBlockStruct } from '../../../../src/core/schemas/simulation';

describe('an answer of JSON-RPC', () => {
  const answer = { jsonrpc: '2.0', id: 1, result: 'yes' };
  const error = { code: -32_000, message: 'no' };
  const failure = { jsonrpc: '2.0', id: 1, error };

  it.each([
    [answer],
    [{ ...answer, result: null }],
    [{ ...answer, error: null }],
    [{ ...answer, id: 0 }],
    [{ ...answer, more: 5 }],
  ])('is a success: %j', (value) => {
    expect([isJsonRpcSuccess(value), isJsonRpcFailure(value)]).toEqual([true, false]);
  });

  it.each([
    [failure],
    [{ ...failure, id: null }],
    [{ jsonrpc: '2.0', error }],
    [{ ...failure, error: { ...error, data: '0x' } }],
    [{ ...failure, error: { code: 0, message: '' } }],
  ])('is a failure: %j', (value) => {
    expect([isJsonRpcSuccess(value), isJsonRpcFailure(value)]).toEqual([false, true]);
  });

  it.each([
    ...[null, undefined, 'yes', 5, [], {}, { jsonrpc: '2.0', id: 1 }],
    ...[
      { ...answer, jsonrpc: '1.0' },
      { ...answer, id: '1' },
      { ...answer, id: 1.5 },
      { ...answer, id: null },
    ],
    ...[
      { ...failure, jsonrpc: '1.0' },
      { ...failure, id: '1' },
      { ...failure, error: null },
      { ...failure, error: 'no' },
    ],
    ...[
      { ...error, code: '5' },
      { ...error, code: Number.NaN },
      { ...error, message: 5 },
    ].map((wrong) => ({
      ...failure,
      error: wrong,
    })),
  ])('is neither: %j', (value) => {
    expect([isJsonRpcSuccess(value), isJsonRpcFailure(value)]).toEqual([false, false]);
  });
});

test('the result of a simulation is one block with a result for each call', () => {
  const result = { status: '0x1', returnData: '0x', logs: [] };
  const blocks = (...counts: number[]) => counts.map((count) => ({ calls: Array<typeof result>(count).fill(result) }));
  const struct = simulatedBlockStruct(2);
  expect(struct.is(blocks(2))).toBe(true);
  for (const wrong of [[], blocks(1), blocks(3), blocks(2, 2), blocks(2, 0), blocks(0)])
    expect([wrong, struct.is(wrong)]).toEqual([wrong, false]);
});
