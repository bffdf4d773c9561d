import { recoverPersonalSignature } from '@metamask/eth-sig-util';
import {
  toBeHex,
  Transaction,
  type TransactionLike,
  type TypedDataDomain,
  type TypedDataField,
  verifyTypedData,
} from 'ethers';

import { summary, type Summary } from '../statistics';
import { type Alternated } from './alternate';
import { isFloor } from './names';
import { type SnapRequest } from './requests';

/*
 * A snap's responses are verified with independent libraries before its time counts: a rejection is fast, and so is a
 * wrong signature.
 */

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @returns Whether a keyring only promises a response. */
export const isPending = (value: unknown): boolean => isObject(value) && value.pending === true;

/** @returns The requested result in a keyring's response: inside an envelope, or bare. */
const resultOf = (value: unknown): unknown =>
  isObject(value) && 'pending' in value && 'result' in value ? value.result : value;

const isAccount = (value: unknown): boolean =>
  isObject(value) && typeof value.id === 'string' && typeof value.address === 'string';

/** Parameters of a signing request. */
type Parameters = readonly [first: unknown, second?: unknown];

/** @returns The address that a signature recovers to, by method. Each throws for an invalid signature. */
const SIGNER_OF: Readonly<Record<string, (params: Parameters, result: unknown) => string | null>> = {
  personal_sign: ([data], result) => recoverPersonalSignature({ data: data as string, signature: result as string }),
  eth_signTypedData_v4: ([, data], result) => recoverTyped(data as TypedMessage, result),
  eth_signTransaction: ([transaction], result) => {
    const { r, s, v } = result as Readonly<Record<'r' | 's' | 'v', string>>;
    const { type, from: _from, ...fields } = transaction as TransactionLike & { type: string };
    return Transaction.from({
      ...fields,
      type: Number(type),
      signature: { r: toBeHex(r, 32), s: toBeHex(s, 32), v },
    }).from;
  },
};

type TypedMessage = {
  readonly types: Record<string, TypedDataField[]>;
  readonly domain: TypedDataDomain;
  readonly message: Record<string, unknown>;
};

function recoverTyped({ types, domain, message }: TypedMessage, signature: unknown): string {
  const { EIP712Domain: _domain, ...own } = types;
  return verifyTypedData(domain, own, message, signature as string);
}

const WRONG_SHAPE = 'the response does not have the shape of the method';

/** 65 bytes in hex. */
const SIGNATURE = /^0x[0-9a-f]{130}$/iu;

/** @returns What is wrong with the response to a submitted request. */
function signatureFault({ params, signer = '' }: SnapRequest, answer: unknown): string | undefined {
  const { request } = params as { request: { method: string; params: Parameters } };
  if (isPending(answer)) return 'it answers only once the request is approved on its page';
  const result = resultOf(answer);
  if (request.method !== 'eth_signTransaction' && !(typeof result === 'string' && SIGNATURE.test(result)))
    return WRONG_SHAPE;
  try {
    return SIGNER_OF[request.method]?.(request.params, result)?.toLowerCase() === signer.toLowerCase()
      ? undefined
      : 'the signature does not match the account';
  } catch {
    return WRONG_SHAPE;
  }
}

/** @returns What is wrong with a snap's response, or undefined if it is correct. @param name - Of the snap. */
export function faultOf(name: string, request: SnapRequest, answer: unknown): string | undefined {
  if (isFloor(name)) return Array.isArray(answer) && answer.length === 0 ? undefined : WRONG_SHAPE;
  switch (request.method) {
    case 'keyring_listAccounts':
      return Array.isArray(answer) ? undefined : WRONG_SHAPE;
    case 'keyring_createAccount':
      return isAccount(answer) ? undefined : WRONG_SHAPE;
    default:
      return signatureFault(request, answer);
  }
}

/** @returns The times of the snaps that gave only correct responses, and why the others have none. */
export function checkedTimes(
  { times, failed, answers }: Alternated,
  requests: Readonly<Record<string, SnapRequest>>,
): { readonly times: Record<string, Summary>; readonly failed: Record<string, string> } {
  const checked: { times: Record<string, Summary>; failed: Record<string, string> } = {
    times: {},
    failed: { ...failed },
  };
  for (const [name, values] of Object.entries(times)) {
    const fault = (answers[name] ?? [])
      .map((answer) => faultOf(name, requests[name] as SnapRequest, JSON.parse(answer)))
      .find((each) => each !== undefined);
    if (fault === undefined) checked.times[name] = summary(values);
    else checked.failed[name] = fault;
  }
  return checked;
}
