import { NodeAnswerError } from '../../../src/core/errors';

test('what a node answered carries its revert data beside a message, or neither of them', () => {
  expect(new NodeAnswerError('execution reverted', 3, '0x1234').data).toEqual({
    code: 'node-refused',
    message: 'execution reverted',
    data: '0x1234',
  });
  expect(new NodeAnswerError('busy', -32_000, undefined).data).toStrictEqual({ code: 'node-refused' });
});
