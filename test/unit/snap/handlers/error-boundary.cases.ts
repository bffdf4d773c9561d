import { isSnapError, SnapError } from '@metamask/snaps-sdk';

import {
  InvalidParamsError,
  type KeysteadError,
  NodeAnswerError,
  NotFoundError,
  ProviderError,
  ServiceRefusedError,
} from '../../../../src/core/errors';
import { withSnapErrors } from '../../../../src/snap/handlers/error-boundary';

const caught = async (error: unknown): Promise<SnapError> => {
  const refused = await withSnapErrors(() => Promise.reject(error as Error)).catch((thrown: unknown) => thrown);
  expect(refused).toBeInstanceOf(SnapError);
  return refused as SnapError;
};

describe('the error boundary', () => {
  it.each<KeysteadError>([
    new InvalidParamsError('params.id', 'must be a version 4 UUID'),
    new NotFoundError('account: no Keystead account has this id'),
    new ProviderError('chain-unknown', 'chain: is not set up'),
    new ServiceRefusedError('The node refused.', { code: 3, message: '"x"' }),
    new NodeAnswerError('execution reverted', 3, '0x08c379a0'),
    new NodeAnswerError('execution reverted', -32000, undefined),
  ])('keeps its code, sentence and data: $message', async (error) => {
    const thrown = await caught(error);
    expect(isSnapError(thrown)).toBe(true);
    expect([thrown.code, thrown.message, thrown.data]).toStrictEqual([error.rpcCode, error.message, error.data]);
    expect(thrown.serialize()).toMatchObject({
      code: -31002,
      message: 'Snap Error',
      data: { cause: { code: error.rpcCode, message: error.message, data: error.data } },
    });
  });

  it.each([new TypeError('a secret'), 'a secret', undefined, null, { message: 'a secret', rpcCode: 1 }])(
    'replaces messages that Keystead did not write: %p',
    async (error) => {
      const ours = await caught(error);
      expect(ours.message).toBe('Keystead failed unexpectedly. Please report what you did.');
      expect(JSON.stringify(ours.serialize())).not.toContain('a secret');
      expect(isSnapError(ours)).toBe(true);
    },
  );
});
