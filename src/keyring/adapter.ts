import { type Keyring } from '@metamask/keyring-api';
import { handleKeyringRequest } from '@metamask/keyring-snap-sdk';
import { type Json, type JsonRpcRequest } from '@metamask/snaps-sdk';

import { InvalidParamsError, type KeysteadError, MethodNotSupportedError } from '../errors';

/** Wallets from platform version 12 on add it to a request; the structs of keyring-api 21 do not know it yet. */
function withoutOriginMetadata(request: JsonRpcRequest): JsonRpcRequest {
  const { params } = request;
  if (typeof params !== 'object' || Array.isArray(params) || !Object.hasOwn(params, 'originMetadata')) return request;
  const { originMetadata, ...rest } = params;
  return { ...request, params: rest };
}

/** Remembers what an operation threw, since `handleKeyringRequest` passes on only the message. */
function remembering(keyring: Keyring, remember: (error: unknown) => void): Keyring {
  return new Proxy(keyring, {
    get: (target, name) => {
      const operation: unknown = Reflect.get(target, name);
      if (typeof operation !== 'function') return operation;
      return async (...parameters: unknown[]): Promise<unknown> => {
        try {
          return (await Reflect.apply(operation, target, parameters)) as unknown;
        } catch (error) {
          remember(error);
          throw error;
        }
      };
    },
  });
}

/** What the structs of keyring-api said, as one of our errors, without the value that they quote. */
function refusalOf(error: unknown, method: string): KeysteadError {
  const message = error instanceof Error ? error.message : '';
  if (message.startsWith('Method not supported'))
    return new MethodNotSupportedError(`method: the keyring does not have "${method.slice(0, 64)}"`);
  const [, path, expected] = /^At path: (\S+) -- (?:Expected )?(.+?)(?:,? but received.*)?$/su.exec(message) ?? [];
  return new InvalidParamsError(
    path ?? 'request',
    `must be ${expected?.replaceAll('`', '').replace('a value of type never', 'left out') ?? 'a keyring request'}`,
  );
}

/**
 * The keyring API v1 on the wire: from a JSON-RPC request to the operation and back.
 *
 * @throws {KeysteadError} Of any kind.
 */
export async function dispatchKeyringRequest(keyring: Keyring, request: JsonRpcRequest): Promise<Json> {
  let thrown: unknown;
  const guarded = remembering(keyring, (error) => {
    thrown = error;
  });
  try {
    return ((await handleKeyringRequest(guarded, withoutOriginMetadata(request))) ?? null) as Json;
  } catch (error) {
    throw thrown ?? refusalOf(error, request.method);
  }
}
