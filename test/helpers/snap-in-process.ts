import { createHmac, randomUUID } from 'node:crypto';

import { type Json, type JsonRpcRequest, SnapError } from '@metamask/snaps-sdk';

import { onKeyringRequest, onRpcRequest, onSignature, onTransaction } from '../../src';
import { flat } from './screen-text';
import { SimulatedWallet } from './simulated-wallet';

/** What came of a request: an answer or a refusal, and what the person was shown before it. */
export type Outcome = {
  readonly result?: Json;
  readonly error?: { readonly code: number; readonly message: string; readonly data: unknown };
  readonly screens: readonly string[];
};

type Call = { readonly method: string; readonly params?: Record<string, unknown> };

/**
 * The snap's own handlers, in this process, on a simulated wallet that keeps their state and derives keys. The
 * person at the wallet agrees to everything, and everything they are shown is kept.
 *
 * One to a test file: the snap reads its state once.
 */
export function startSnapInProcess() {
  const wallet = new SimulatedWallet();
  const screens: string[] = [];
  const answers: Record<string, (params: Record<string, unknown>) => unknown> = {
    snap_getState: ({ key }) => wallet.read(key as string),
    snap_setState: ({ key, value }) => {
      wallet.write(key as string, value as Json);
      return null;
    },
    snap_getEntropy: ({ salt }) =>
      `0x${createHmac('sha256', 'test')
        .update(salt as string)
        .digest('hex')}`,
    snap_manageAccounts: () => null,
    snap_getClientStatus: () => ({ locked: false, active: true }),
    // The files of descriptors are not there: what is told must not depend on them.
    snap_getFile: () => null,
    snap_dialog: ({ content }) => {
      screens.push(flat(content));
      return true;
    },
  };
  const platform = {
    request: ({ method, params = {} }: Call): Promise<unknown> => {
      const answer = answers[method];
      return answer === undefined
        ? Promise.reject(new Error(`the simulated wallet has no ${method}`))
        : Promise.resolve(answer(params));
    },
  };
  Object.assign(globalThis, { snap: platform });

  /** What crosses to a snap is JSON. */
  const onWire = (params: unknown): Json => JSON.parse(JSON.stringify(params ?? null)) as Json;

  async function send(
    handler: typeof onKeyringRequest | typeof onRpcRequest,
    origin: string,
    method: string,
    params: unknown,
  ): Promise<Outcome> {
    screens.length = 0;
    const request = { jsonrpc: '2.0', id: 1, method, ...(params !== undefined && { params: onWire(params) }) };
    try {
      const result = (await handler({ origin, originMetadata: null, request: request as JsonRpcRequest })) as Json;
      return { result, screens: [...screens] };
    } catch (error) {
      // The wallet stops a snap that throws anything else.
      if (!(error instanceof SnapError)) throw error;
      const { code, message, data } = error;
      return { error: { code, message, data }, screens: [...screens] };
    }
  }

  return {
    wallet,
    keyring: (method: string, params?: unknown) => send(onKeyringRequest, 'metamask', method, params),
    dapp: (origin: string, method: string, params?: unknown) => send(onRpcRequest, origin, method, params),
    /** `keyring_submitRequest`, as MetaMask sends it. */
    submit: async (account: string, method: string, params: unknown, scope = ''): Promise<Outcome> => {
      const request = { method, ...(params !== undefined && { params }) };
      const body = { id: randomUUID(), scope, account, origin: 'metamask', request };
      const { result, ...rest } = await send(onKeyringRequest, 'metamask', 'keyring_submitRequest', body);
      if (result === undefined) return rest;
      expect(result).toMatchObject({ pending: false });
      return { ...rest, result: (result as { result: Json }).result };
    },
    /** What MetaMask's own confirmation shows of a message or a transaction, as the snap explains it. */
    insight: async (kind: 'signature' | 'transaction', request: unknown): Promise<string> => {
      const insight = kind === 'signature' ? onSignature : (onTransaction as typeof onSignature);
      return flat((await insight(onWire(request))).content);
    },
  };
}
export type SnapInProcess = ReturnType<typeof startSnapInProcess>;
