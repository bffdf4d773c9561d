import {
  recoverPersonalSignature,
  recoverTypedSignature,
  SignTypedDataVersion,
  type TypedDataV1,
} from '@metamask/eth-sig-util';
import { EthBaseUserOperationStruct, EthUserOperationPatchStruct } from '@metamask/keyring-api';
import { is } from '@metamask/superstruct';
import {
  recoverAddress,
  toBeHex,
  Transaction,
  type TransactionLike,
  type TypedDataDomain,
  type TypedDataField,
  verifyTypedData,
} from 'ethers';

import { summary, type Summary } from '../report/statistics';
import { type Alternated } from './alternate';
import { isFloor } from './names';
import { type SnapRequest } from './request';

/*
 * A snap's responses are verified with independent libraries before its time counts: a rejection is fast, and so is a
 * wrong signature.
 */

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isHex = (value: unknown): value is string => typeof value === 'string' && /^0x(?:[0-9a-f]{2})+$/iu.test(value);

/** @returns Whether a keyring only promises a response. */
export const isPending = (value: unknown): boolean => isObject(value) && value.pending === true;

/** @returns The requested result in a keyring's response: inside an envelope, or bare. */
export const resultOf = (value: unknown): unknown =>
  isObject(value) && 'pending' in value && 'result' in value ? value.result : value;

const isAccount = (value: unknown): boolean =>
  isObject(value) && typeof value.id === 'string' && typeof value.address === 'string';

/** Parameters of a signing request. */
type Parameters = readonly [first: unknown, second?: unknown];

/** @returns The address that a signature recovers to, by method. Each throws for an invalid signature. */
const SIGNER_OF: Readonly<Record<string, (params: Parameters, result: unknown) => string | null>> = {
  personal_sign: ([data], result) => recoverPersonalSignature({ data: data as string, signature: result as string }),
  eth_sign: ([, digest], result) => recoverAddress(digest as string, result as string),
  eth_signTypedData_v1: ([, data], result) =>
    recoverTypedSignature({
      data: data as TypedDataV1,
      signature: result as string,
      version: SignTypedDataVersion.V1,
    }),
  eth_signTypedData_v3: ([, data], result) => recoverTyped(data as TypedMessage, result),
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

/** Of 65 bytes in hex. */
const SIGNATURE_LENGTH = 132;

const WRONG_SHAPE = 'the response does not have the shape of the method';

/** @returns What is wrong with the response to a submitted request. */
function signatureFault({ params, signer }: SnapRequest, answer: unknown): string | undefined {
  const { request } = params as { request: { method: string; params: Parameters } };
  if (isPending(answer)) return 'it answers only once the request is approved on its page';
  const result = resultOf(answer);
  if (request.method === 'eth_prepareUserOperation')
    return is(result, EthBaseUserOperationStruct) ? undefined : WRONG_SHAPE;
  if (request.method === 'eth_patchUserOperation')
    return is(result, EthUserOperationPatchStruct) ? undefined : WRONG_SHAPE;
  // The contract of a smart account determines the form and length of its signatures.
  if (request.method !== 'eth_signTransaction' && !(isHex(result) && result.length >= SIGNATURE_LENGTH))
    return WRONG_SHAPE;
  const recover = SIGNER_OF[request.method];
  if (signer === undefined || recover === undefined) {
    const [operation] = request.params;
    return isObject(operation) && operation.signature === result ? 'it signed with the dummy signature' : undefined;
  }
  try {
    return recover(request.params, result)?.toLowerCase() === signer.toLowerCase()
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
    case 'keyring_getAccount':
    case 'keyring_createAccount':
      return isAccount(answer) ? undefined : WRONG_SHAPE;
    case 'keyring_submitRequest':
      return signatureFault(request, answer);
    default:
      return isHex(answer) ? undefined : WRONG_SHAPE;
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
