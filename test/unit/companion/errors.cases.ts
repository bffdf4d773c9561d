import { BaseError, HttpRequestError } from 'viem';

import { isLocked, isRejection, messageOf } from '../../../src/companion/model/errors';
import { locked } from '../../../src/snap/handlers/middleware';

const wrapped = (cause: Error): Error => new BaseError('An error of viem.', { cause });
const coded = (code: number, message: string): Error => Object.assign(new Error(message), { code });

it('says that the person rejected, however deep that is', () => {
  const error = wrapped(wrapped(coded(4001, 'User rejected the request.')));
  expect(isRejection(error)).toBe(true);
  expect(messageOf(error)).toBe('You rejected the request.');
  expect(isRejection(wrapped(coded(4100, 'Not connected')))).toBe(false);
});

it("shows the wallet's or the node's own words rather than viem's", () => {
  expect(messageOf(wrapped(coded(-32602, 'Not on this network.')))).toBe('Not on this network.');
  expect(messageOf(wrapped(new BaseError('Deep.')))).toBe('An error of viem.');
});

it.each([
  ['options.privateKey: must be a private key', 'Private key: must be a private key'],
  ['params.bundlerUrl: must be https', 'Bundler URL: must be https'],
  ['params.secondRpcUrl: must be a node for chain 1', 'Second node URL: must be a node for chain 1'],
  ['chainId: must be set up', 'Network: must be set up'],
  ['calls[2].to: must be an address', 'Recipient: must be an address'],
  ['transaction.maxFeePerGas: must not be zero', 'Max fee per gas: must not be zero'],
  ['account.options.label: must be text', 'Name: must be text'],
  ['The bundler refused it: AA21', 'The bundler refused it: AA21'],
  ['nonce too low', 'nonce too low'],
  ['execution reverted: Insufficient balance', 'execution reverted: Insufficient balance'],
])('says %j in words: %j', (message, said) => {
  expect(messageOf(coded(-32602, message))).toBe(said);
});

it('names only the host of a node, because its path may hold a key', () => {
  const error = wrapped(new HttpRequestError({ url: 'https://node.example:8545/v3/secret' }));
  expect(messageOf(error)).toBe(
    'No response from node.example:8545. Check that it is running and allows requests from this page (CORS).',
  );
});

it.each([undefined, null, {}, { message: '' }])('has words for %j, too', (error) => {
  expect(messageOf(error)).toBe('Something went wrong, and no reason was given. Try again.');
});

it.each([
  ['NotAllowedError', 'Write permission denied.'],
  ['SecurityError', 'The operation is insecure.'],
])('blames no passkey for a %s: the clipboard and the storage have them, too', (name, message) => {
  expect(messageOf(wrapped(new DOMException(message, name)))).toBe(message);
});

it.each(['UnknownError', 'InvalidStateError', 'ConstraintError'])('refers nobody to a standard: %s', (name) => {
  const message = 'An error. See: https://www.w3.org/TR/webauthn-2/#sctn-privacy-considerations-client.';
  expect(messageOf(wrapped(new DOMException(message, name)))).toBe('An error.');
});

describe('a locked wallet', () => {
  const { message, rpcCode } = locked();

  it("is said to be locked, without the snap's words for developers", () => {
    for (const error of [coded(rpcCode, message), wrapped(wrapped(coded(rpcCode, message)))]) {
      expect(isLocked(error)).toBe(true);
      expect(messageOf(error)).toBe('Your wallet is locked. Unlock it, then try again.');
    }
  });

  it('is not what others say', () => {
    for (const error of [
      coded(4100, 'This page is not connected.'),
      coded(-32603, message),
      coded(4100, `They say: ${message}`),
    ])
      expect(isLocked(error)).toBe(false);
  });
});
