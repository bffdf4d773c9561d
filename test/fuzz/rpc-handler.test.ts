import { type Json } from '@metamask/snaps-sdk';
import fc from 'fast-check';

import { answerRpcRequest } from '../../src/snap/handlers/rpc';
import { BatchRepository } from '../../src/snap/send/repository';
import { type RpcDeps } from '../../src/snap/handlers/site-methods';
import { SITE_READS } from '../../src/core/methods/node-reads';
import { SITE_METHODS } from '../../src/core/methods/sites';
import { type WalletLock } from '../../src/snap/handlers/middleware';
import { RequestQueue } from '../../src/snap/sites/request-queue';
import { TokenRepository } from '../../src/snap/network/tokens/repository';
import { KeysteadError, UserRejectedError } from '../../src/core/errors';
import { fuzzing, mutated, SECRET } from '../support/fuzz';
import { startKeyring } from '../support/wallet/keyring';
import { WalletDouble } from '../support/wallet/wallet-double';

const SITE = 'https://dapp.example';
const OTHER = 'https://other.example';
const TO = '0x5fbdb2315678afecb367f032d93f642f64180aa3';

/** The RPC handler on a simulated wallet. One site is connected to the only account, and every dialog is rejected. */
async function startRpcHandler(): Promise<{
  deps: RpcDeps & WalletLock;
  address: string;
  id: string;
  dialogs: () => number;
}> {
  const { deps: keyringDeps, keyring } = startKeyring({ wallet: new WalletDouble() });
  const { address, id } = await keyring.createAccount({});
  let asked = 0;
  const refuse = (): Promise<never> => {
    asked += 1;
    return Promise.reject(new UserRejectedError());
  };
  const store = new Map<string, Json>();
  const state = {
    read: (key: string) => Promise.resolve(store.get(key) ?? null),
    write: (key: string, value: Json) => Promise.resolve(void store.set(key, value)),
  };
  const deps = {
    ...keyringDeps,
    consent: refuse,
    consentAtOnce: refuse,
    ask: refuse,
    tell: refuse,
    batches: new BatchRepository(state),
    requests: new RequestQueue(),
    isLocked: () => Promise.resolve(false),
    unlock: () => Promise.resolve(),
    companions: [],
    scheduleLookUp: () => Promise.resolve(),
    tokens: new TokenRepository(state),
    readToken: () => Promise.resolve(null),
  };
  await deps.permissions.put(SITE, { accounts: [id] });
  return { deps, address, id, dialogs: () => asked };
}

const paramsOf = (from: string): Record<string, Json> => ({
  personal_sign: ['0x48656c6c6f', from],
  eth_signTransaction: [
    {
      ...{ type: '0x2', chainId: '0x1', nonce: '0x0', to: TO, value: '0x1', data: '0x', from },
      ...{ gasLimit: '0x5208', maxFeePerGas: '0x2', maxPriorityFeePerGas: '0x1', accessList: [] },
    },
  ],
  eth_sendTransaction: [{ from, to: TO, value: '0x1' }],
  eth_signTypedData_v4: [
    from,
    JSON.stringify({
      types: { EIP712Domain: [{ name: 'name', type: 'string' }], A: [{ name: 'b', type: 'uint256' }] },
      primaryType: 'A',
      domain: { name: 'x' },
      message: { b: '1' },
    }),
  ],
  wallet_sendCalls: [
    { version: '2.0.0', chainId: '0x1', from, atomicRequired: false, calls: [{ to: TO, value: '0x1' }] },
  ],
  wallet_getCallsStatus: ['0x00'],
  wallet_switchEthereumChain: [{ chainId: '0x1' }],
  wallet_requestPermissions: [{ eth_accounts: {} }],
  wallet_revokePermissions: [{ eth_accounts: {} }],
  wallet_getCapabilities: [from, ['0x1']],
  eth_call: [{ to: TO, data: '0x' }, 'latest'],
  keystead_setChain: { chainId: 'eip155:1', rpcUrl: 'https://node.example', bundlerUrl: 'https://bundler.example' },
  eth_prepareUserOperation: [{ to: TO, value: '0x0', data: '0x' }],
});

/** Some of these stay unchanged, because mutated requests rarely reach a dialog. */
const SIGNING = ['personal_sign', 'eth_signTypedData_v4', 'eth_signTransaction'];

/** A result of a signing method: 65 bytes, or their parts. */
const SIGNATURE = /0x[0-9a-f]{130}|"[rs]":/u;

const request = (from: string) =>
  fc
    .oneof(
      fc.constantFrom(...Object.keys(SITE_METHODS), ...SITE_READS).map((method) => ({ method, isChanged: true })),
      fc.record({ method: fc.constantFrom(...SIGNING), isChanged: fc.boolean() }),
    )
    .chain(({ method, isChanged }) => {
      const sound = fc.constant<unknown>(paramsOf(from)[method] ?? []);
      return (isChanged ? mutated(sound) : sound).map((params) => ({ method, params: params as Json }));
    });

describe('mutated requests of sites', () => {
  it.each([
    ['connected', SITE],
    ['not connected', OTHER],
  ])('a site that is %s: answered, or refused in words', async (_, origin) => {
    const { address, id } = await startRpcHandler();
    let asked = 0;
    await fc.assert(
      fc.asyncProperty(request(address), async ({ method, params }) => {
        const { deps, dialogs } = await startRpcHandler();
        let told: string;
        try {
          told = JSON.stringify(
            await answerRpcRequest(origin, { jsonrpc: '2.0', id: 1, method, params } as never, deps),
          );
        } catch (error) {
          expect(error).toBeInstanceOf(KeysteadError);
          const { message, data } = error as KeysteadError;
          expect(message).not.toMatch(/undefined|\[object|is not a function|Cannot read/u);
          told = message + JSON.stringify(data);
        }
        expect(told).not.toContain(SECRET);
        // Every dialog is rejected, so nothing is signed, and only a connected site learns of the account.
        expect(told).not.toMatch(SIGNATURE);
        if (SIGNING.includes(method)) asked += dialogs();
        if (origin === OTHER) {
          expect(told.toLowerCase()).not.toContain(address.toLowerCase());
          expect(told).not.toContain(id);
        }
      }),
      fuzzing(300),
    );
    // Only a connected site reaches a signature dialog.
    if (origin === SITE) expect(asked).toBeGreaterThan(0);
    else expect(asked).toBe(0);
  });

  it.each(SIGNING)('an unchanged one shows a dialog, and fails when the user rejects it: %s', async (method) => {
    const { deps, address, dialogs } = await startRpcHandler();
    const params = paramsOf(address)[method];
    await expect(answerRpcRequest(SITE, { jsonrpc: '2.0', id: 1, method, params } as never, deps)).rejects.toThrow(
      UserRejectedError,
    );
    expect(dialogs()).toBe(1);
  });
});

describe('parameters nested more deeply than any method needs', () => {
  const nested = (levels: number): Json => Array.from({ length: levels }).reduce<Json>((inner) => [inner], 'latest');

  it.each([65, 100_000])('are rejected at %i levels by every method that forwards them', async (levels) => {
    const { deps } = await startRpcHandler();
    const asking = (method: string, params: Json) =>
      answerRpcRequest(SITE, { jsonrpc: '2.0', id: 1, method, params } as never, deps);
    for (const method of SITE_READS)
      await expect(asking(method, nested(levels))).rejects.toMatchObject({
        rpcCode: -32602,
        data: { field: 'params', rule: 'must be at most 64 levels deep' },
      });
    // Parameters within the limit fail later, because no chain is set up.
    await expect(asking('eth_call', nested(64))).rejects.toMatchObject({ rpcCode: 4900 });
  });
});
