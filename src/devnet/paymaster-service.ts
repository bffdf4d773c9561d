import { type IncomingMessage, type ServerResponse } from 'node:http';

import { type Address, concat, encodeAbiParameters, type Hex, keccak256, numberToHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

import { type AccountVersion, ENTRY_POINTS } from '../core/erc4337/entry-points';
import { DEVNET_CHAIN } from './chain/definition';
import { readBody, sendJson } from './http';
import { listenOnLoopback, type LoopbackServer } from './loopback';

/** The sponsor's key, which only this service has. It pays with test ether of a development chain. */
const SPONSOR = privateKeyToAccount(`0x${'5a'.repeat(32)}`);
export const SPONSOR_ADDRESS = SPONSOR.address;

/** Seconds since 1970, far in the future: the development chain's clock may be ahead of ours. */
const VALID_UNTIL = 0xffff_ffff;

/** Maximum bytes of a request. */
const MAX_REQUEST = 1024 * 1024;

/** The snap calls from its own origin, and so do pages. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'content-type',
  'access-control-allow-methods': 'POST',
};

/** The fields read from an operation, in either form. */
type OperationFields = {
  readonly sender: Address;
  readonly nonce: Hex;
  readonly callData: Hex;
  readonly initCode?: Hex;
  readonly factory?: Address;
  readonly factoryData?: Hex;
};
type Context = { readonly refuse?: boolean; readonly final?: boolean };
type Request = {
  readonly id: unknown;
  readonly method: string;
  /** Without a context, libraries leave it out or send null. */
  readonly params: [OperationFields, Address, Hex, (Context | null)?];
};
type Paymasters = Readonly<Partial<Record<AccountVersion, Address>>>;

const initCodeOf = ({ initCode, factory, factoryData }: OperationFields): Hex =>
  initCode ?? (factory === undefined ? '0x' : concat([factory, factoryData ?? '0x']));

/** Computes what the test paymaster's `approvalOf` computes. */
const approvalOf = (operation: OperationFields, paymaster: Address): Hex =>
  keccak256(
    encodeAbiParameters(
      [
        { type: 'address' },
        { type: 'uint256' },
        { type: 'bytes32' },
        { type: 'bytes32' },
        { type: 'uint48' },
        { type: 'uint256' },
        { type: 'address' },
      ],
      [
        operation.sender,
        BigInt(operation.nonce),
        keccak256(initCodeOf(operation)),
        keccak256(operation.callData),
        VALID_UNTIL,
        BigInt(DEVNET_CHAIN.id),
        paymaster,
      ],
    ),
  );

const withSignature = (signature: Hex): Hex => concat([numberToHex(VALID_UNTIL, { size: 6 }), signature]);

const STUB_SIGNATURE: Hex = `0x${'7a'.repeat(64)}1c`;

const failure = (code: number, message: string) => ({ error: { code, message } });

/** The `result` or `error` of the response. */
async function answerTo(paymasters: Paymasters, { method, params }: Request): Promise<object> {
  const isStub = method === 'pm_getPaymasterStubData';
  if (!isStub && method !== 'pm_getPaymasterData') return failure(-32601, 'the method does not exist');
  const [operation, entryPoint, , context] = params;
  if (context?.refuse === true) return failure(-32002, 'the budget of this policy is spent');
  const versions = Object.keys(paymasters) as AccountVersion[];
  const version = versions.find((name) => ENTRY_POINTS[name].toLowerCase() === entryPoint.toLowerCase());
  const paymaster = version && paymasters[version];
  if (paymaster === undefined) return failure(-32602, `no paymaster for the entry point ${entryPoint}`);
  const isFinal = context?.final === true;
  const signature =
    isStub && !isFinal ? STUB_SIGNATURE : await SPONSOR.sign({ hash: approvalOf(operation, paymaster) });
  const paymasterData = withSignature(signature);
  const fields =
    version === '0.6'
      ? { paymasterAndData: concat([paymaster, paymasterData]) }
      : { paymaster, paymasterData, ...(isStub && { paymasterPostOpGasLimit: '0x1' }) };
  return { result: { ...fields, ...(isStub && isFinal && { isFinal }) } };
}

/** Malformed parameters cause an error somewhere inside, which is reported as invalid parameters. */
async function answer(paymasters: Paymasters, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') {
    response.writeHead(request.method === 'OPTIONS' ? 204 : 405, CORS).end();
    return;
  }
  let id: unknown = null;
  let outcome: object;
  try {
    const operation = JSON.parse(await readBody(request, MAX_REQUEST)) as Request;
    ({ id } = operation);
    outcome = await answerTo(paymasters, operation);
  } catch {
    outcome = failure(
      -32602,
      'params: must be a user operation, an entry point, a chain id and, optionally, a context',
    );
  }
  sendJson(response, 200, { jsonrpc: '2.0', id, ...outcome }, CORS);
}

/**
 * A paymaster service (ERC-7677) for the test paymasters. It sponsors everything except requests with the context `{
 * refuse: true }`, signs at once with `{ final: true }`, and leaves the paymaster's verification gas to the bundler's
 * estimate.
 *
 * @param port - 0 picks a free one.
 */
export function startPaymasterService(paymasters: Paymasters, port = 0): Promise<LoopbackServer> {
  return listenOnLoopback(port, (request, response) => answer(paymasters, request, response));
}
