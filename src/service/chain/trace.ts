import { keyId, type KeyIdentity } from '../keys';
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

/** Digits of a key's ID in the log: enough to find the key among all. */
const DIGITS = 8;

/** @returns The fields of a line about a request of a key that was verified. */
export const fieldsOfKey = ({ id, name }: KeyIdentity): { key: string; keyId: string } => ({
  key: name,
  keyId: id.slice(0, DIGITS),
});

/** @returns The fields of a line about a request that was refused. */
export function fieldsOf({ request, began, key, network, identity }: Trace): object {
  const whose = identity ? fieldsOfKey(identity) : { keyId: keyId(key).slice(0, DIGITS) };
  return { request, network, ...(key !== '' && whose), seconds: (performance.now() - began) / 1000 };
}

/** @returns What a line of the log says about a refusal. Other messages may repeat what the caller sent. */
export const lineOf = ({ status, message }: RpcError): string =>
  status === 429 || status >= 500 ? message : 'the request was refused';
