import { isSnapError, SnapError as TheirSnapError } from '@metamask/snaps-sdk';

import {
  InvalidParamsError,
  type KeysteadError,
  NodeAnswerError,
  NotFoundError,
  ProviderError,
  ServiceRefusedError,
} from '../../../src/errors';
import { SnapError, withSnapErrors } from '../../../src/platform/boundary';

const caught = async (error: unknown): Promise<SnapError> => {
  const refused = await withSnapErrors(() => Promise.reject(error as Error)).catch((thrown: unknown) => thrown);
  expect(refused).toBeInstanceOf(SnapError);
  return refused as SnapError;
};

/** As it goes to the wallet, but for the places in the code. */
const onWire = (error: { serialize: () => unknown }): unknown =>
  JSON.parse(JSON.stringify(error.serialize(), (name, value: unknown) => (name === 'stack' ? typeof value : value)));

describe('a failure on its way to the wallet', () => {
  it.each<KeysteadError>([
    new InvalidParamsError('params.id', 'must be a UUID of version 4'),
    new NotFoundError('account: no account of Keystead has this id'),
    new ProviderError('chain-unknown', 'chain: is not set up'),
    new ServiceRefusedError('The node refused.', { code: 3, message: '"x"' }),
    new NodeAnswerError('execution reverted', 3, '0x08c379a0'),
    new NodeAnswerError('execution reverted', -32000, undefined),
  ])("has the form of the sdk's own: $message", async (error) => {
    const ours = await caught(error);
    const theirs = new TheirSnapError({ code: error.rpcCode, message: error.message }, error.data);
    expect(onWire(ours)).toStrictEqual(onWire(theirs));
    expect(isSnapError(ours)).toBe(true);
    expect([ours.name, ours.code, ours.message, ours.data]).toStrictEqual([
      theirs.name,
      theirs.code,
      theirs.message,
      theirs.data,
    ]);
  });

  it.each([new TypeError('a secret'), 'a secret', undefined, null, { message: 'a secret', rpcCode: 1 }])(
    'says nothing that Keystead did not write: %p',
    async (error) => {
      const ours = await caught(error);
      expect(ours.message).toBe('Keystead failed in a way it should not. Please report what you did.');
      expect(JSON.stringify(ours.serialize())).not.toContain('a secret');
      expect(isSnapError(ours)).toBe(true);
    },
  );

  it('without a stack is one that the wallet knows', async () => {
    const ours = await caught(new NotFoundError('account: no account of Keystead has this id'));
    Object.defineProperty(ours, 'stack', { value: undefined });
    expect(isSnapError(ours)).toBe(true);
    expect(ours.serialize()).toMatchObject({ data: { cause: { stack: null } } });
  });
});
