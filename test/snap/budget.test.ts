import { statSync } from 'node:fs';
import { join } from 'node:path';

import { type KeyringAccount } from '@metamask/keyring-api';
import { type Json } from '@metamask/snaps-sdk';

import { ENTRY_POINTS } from '../../src/erc4337/entry-points';
import { installKeystead } from '../helpers/installed-snap';
import { type LocalServer, reply, type RpcRequest, serveJsonRpc } from '../helpers/json-rpc-server';
import { SimulatedWallet } from '../helpers/simulated-wallet';
import budget from './budget.json';

type Budget = Readonly<Record<string, { readonly first: readonly string[]; readonly warm: readonly string[] }>>;
const CALLS: Budget = budget.calls;

const KEY = `0x${'42'.repeat(32)}`;
const CHAIN = 'eip155:31337';
const HELLO = '0x48656c6c6f';
const NOBODY = '0x1111111254eeb25477b68fb85ed929f73a960582';
const WORD = `0x${'00'.repeat(32)}`;

/** What was called outside the snap, in order. */
const trace: string[] = [];

/** What the snap has stored. */
const kept = new SimulatedWallet();

/** The wallet's part of the trace: which entry of the state is read or written is told without the account's id. */
function noteWallet(method: string, params: unknown): void {
  const { key, value } = (params ?? {}) as { key?: string; value?: Json };
  if (method === 'snap_setState' && key !== undefined && value !== undefined) kept.write(key, value);
  trace.push(key === undefined ? method : `${method} ${key.replace(/^accounts\..*/u, 'account')}`);
}

let node: LocalServer;

function answerRpc({ id, method, params }: RpcRequest): object {
  trace.push(method);
  const results: Record<string, Json> = {
    eth_chainId: '0x7a69',
    eth_getCode: '0x',
    eth_getBalance: '0xde0b6b3a7640000',
    eth_call: WORD,
    eth_supportedEntryPoints: Object.values(ENTRY_POINTS),
    eth_estimateUserOperationGas: {
      callGasLimit: '0x10000',
      verificationGasLimit: '0x60000',
      preVerificationGas: '0xc000',
    },
  };
  const result = results[method];
  return result === undefined
    ? { id, error: { code: -32601, message: `${method} is not simulated: ${JSON.stringify(params)}` } }
    : { id, result };
}

beforeAll(async () => {
  node = await serveJsonRpc((request, response) => {
    reply(response, answerRpc(request));
  });
});

afterAll(() => node.stop());

const start = (state?: Record<string, Json>) =>
  installKeystead(
    {
      answer: ({ method, params }) => {
        noteWallet(method, params);
        return method === 'snap_dialog' ? true : undefined;
      },
    },
    state,
  );

const typedData = {
  types: { EIP712Domain: [{ name: 'chainId', type: 'uint256' }], Note: [{ name: 'text', type: 'string' }] },
  primaryType: 'Note',
  domain: { chainId: 31337 },
  message: { text: 'hello' },
};

const transaction = (from: string) => ({
  type: '0x2',
  nonce: '0x0',
  maxFeePerGas: '0x59682f00',
  maxPriorityFeePerGas: '0x59682f00',
  gasLimit: '0x5208',
  to: NOBODY,
  value: '0x1',
  data: '0x',
  chainId: '0x7a69',
  from,
});

/** A snap with accounts of each sort and a chain, its state, and the requests of the budget. */
async function prepareRequests() {
  const { call, create, sign } = await start();
  const derived = await create();
  const imported = (await call<KeyringAccount>('keyring_createAccount', { options: { privateKey: KEY } })).result!;
  const options = { type: 'eip155:erc4337', chainId: CHAIN };
  const smart = (await call<KeyringAccount>('keyring_createAccount', { options })).result!;
  const brought = { ...options, privateKey: KEY };
  const importedSmart = (await call<KeyringAccount>('keyring_createAccount', { options: brought })).result!;
  await call('keystead_setChain', { chainId: CHAIN, rpcUrl: node.url, bundlerUrl: node.url });
  const intents = [{ to: NOBODY, value: '0x1', data: '0x' }];
  const { result } = await sign(smart.id, 'eth_prepareUserOperation', intents, CHAIN);
  const prepared = result!.result as Record<string, Json>;
  const operation = {
    sender: smart.address,
    nonce: prepared.nonce!,
    initCode: prepared.initCode!,
    callData: prepared.callData!,
    ...(prepared.gasLimits as Record<string, Json>),
    maxFeePerGas: '0x59682f00',
    maxPriorityFeePerGas: '0x59682f00',
    paymasterAndData: prepared.dummyPaymasterAndData!,
    signature: prepared.dummySignature!,
  };
  const requests: Record<string, [account: string, method: string, params: Json]> = {
    'personal_sign, derived': [derived.id, 'personal_sign', [HELLO, derived.address]],
    'personal_sign, imported': [imported.id, 'personal_sign', [HELLO, imported.address]],
    'eth_signTypedData_v4, derived': [derived.id, 'eth_signTypedData_v4', [derived.address, typedData]],
    'eth_signTransaction, derived': [derived.id, 'eth_signTransaction', [transaction(derived.address)]],
    eth_prepareUserOperation: [smart.id, 'eth_prepareUserOperation', intents],
    eth_patchUserOperation: [smart.id, 'eth_patchUserOperation', [operation]],
    'eth_patchUserOperation, imported': [
      importedSmart.id,
      'eth_patchUserOperation',
      [{ ...operation, sender: importedSmart.address }],
    ],
    eth_signUserOperation: [smart.id, 'eth_signUserOperation', [operation]],
  };
  return { requests, state: structuredClone(kept.state) };
}

/** Requests that are sent together arrive in any order. */
const sorted = (calls: readonly string[]): readonly string[] => [...calls].sort();

it('the bundle is within its budget of bytes', () => {
  expect(statSync(join(__dirname, '../../dist/bundle.js')).size).toBeLessThanOrEqual(budget.bundleBytes);
});

it('each request calls the wallet, the node and the bundler no more often than it must', async () => {
  const { requests, state } = await prepareRequests();
  const measured: Record<string, { first: readonly string[]; warm: readonly string[] }> = {};
  for (const name of Object.keys(CALLS)) {
    const { call, sign } = await start(state);
    const ask = async (): Promise<readonly string[]> => {
      trace.length = 0;
      const request = requests[name];
      const { error } =
        request === undefined
          ? await call(name)
          : await sign(request[0], request[1], request[2], request[1].endsWith('UserOperation') ? CHAIN : '');
      expect(error).toBeUndefined();
      return sorted(trace);
    };
    measured[name] = { first: await ask(), warm: await ask() };
  }
  const allowed = Object.entries(CALLS).map(([name, { first, warm }]) => [
    name,
    { first: sorted(first), warm: sorted(warm) },
  ]);
  expect(measured).toEqual(Object.fromEntries(allowed));
});
