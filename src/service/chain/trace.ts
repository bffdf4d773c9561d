import { fieldsOfKey, keyId, type KeyIdentity } from '../keys';
import type { RpcError } from './errors';

/** What is known of a request, for the log. */
export type Trace = {
  /** The ID that the answer has in its header. */
  readonly request: string;
  /** In milliseconds, from `performance.now`. */
  readonly began: number;
  /** The key in the path, which nobody may have verified. It is a secret: it never gets into the log. */
  readonly key: string;
  network?: string | undefined;
  identity?: KeyIdentity | undefined;
};

/** @returns The fields of a line about a request that was refused. */
export function fieldsOf({ request, began, key, network, identity }: Trace): object {
  const whose = fieldsOfKey(identity ?? { id: keyId(key) });
  return { request, network, ...(key !== '' && whose), seconds: (performance.now() - began) / 1000 };
}

/** @returns What a line of the log says about a refusal. Other messages may repeat what the caller sent. */
export const lineOf = ({ status, message }: RpcError): string =>
  status === 429 || status >= 500 ? message : 'the request was refused';
