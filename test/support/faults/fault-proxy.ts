import { type ServerResponse } from 'node:http';

import { type LocalServer, reply, type RpcRequest, serveJsonRpc } from '../json-rpc-server';
import { KNOWN, NONCE_USED, ORDINARY, UNDECIDED } from '../wordings';

/** The real service: executes a request, and gives its JSON-RPC answer without the id. */
export type Service = (request: RpcRequest) => Promise<{ readonly result?: unknown; readonly error?: object }>;

/** A generator of numbers in [0, 1) that depend only on the seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A JSON-RPC server in front of a real service, which misbehaves as services and the ways to them do. */
export type FaultProxy = LocalServer & {
  /** Whether it misbehaves. */
  isFaulty: boolean;
  /** Lets the requests arrive that were held up on the way. */
  readonly deliver: () => Promise<void>;
  /** How often each fault occurred. */
  readonly occurred: Map<string, number>;
};

const SENDS = ['eth_sendRawTransaction', 'eth_sendUserOperation'];

/** What a service or a cache in front of it may have forgotten, and what it answers then. */
const FORGETTABLE: Readonly<Record<string, unknown>> = {
  eth_getTransactionByHash: null,
  eth_getTransactionReceipt: null,
  eth_getLogs: [],
  eth_getUserOperationByHash: null,
  eth_getUserOperationReceipt: null,
};

export async function startFaultProxy(service: Service, random: () => number): Promise<FaultProxy> {
  const held: RpcRequest[] = [];
  const occurred = new Map<string, number>();
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const refuse = (response: ServerResponse, { id }: RpcRequest, words: typeof KNOWN) => {
    const [, message, , data] = one(words);
    reply(response, { id, error: { code: -32000, message, ...(data !== undefined && { data }) } });
  };
  const pass = async (response: ServerResponse, request: RpcRequest) => {
    reply(response, { id: request.id, ...(await service(request)) });
  };
  const hangUp = (response: ServerResponse) => {
    response.destroy();
  };

  type Fault = (response: ServerResponse, request: RpcRequest) => void | Promise<void>;
  const sendFaults: Readonly<Record<string, Fault>> = {
    'the answer is lost': async (response, request) => {
      await service(request);
      hangUp(response);
    },
    'the request is lost': hangUp,
    'the request is delayed': (response, request) => {
      held.push(request);
      hangUp(response);
    },
    'the request is repeated, and the answer to the repetition counts': async (response, request) => {
      await service(request);
      const again = await service(request);
      // The service's own words, or those of another.
      if (random() < 0.5 || again.error === undefined) reply(response, { id: request.id, ...again });
      else refuse(response, request, random() < 0.5 ? KNOWN : NONCE_USED);
    },
    'the request is executed and refused': async (response, request) => {
      await service(request);
      refuse(response, request, one([KNOWN, NONCE_USED, UNDECIDED]));
    },
    'the service gives up waiting': (response, request) => {
      held.push(request);
      refuse(response, request, UNDECIDED);
    },
    'the request is refused': (response, request) => {
      refuse(response, request, ORDINARY);
    },
    'another hash is answered': async (response, request) => {
      await service(request);
      reply(response, { id: request.id, result: `0x${'ab'.repeat(32)}` });
    },
  };
  const lookFaults: Readonly<Record<string, Fault>> = {
    'it is forgotten': (response, request) => {
      reply(response, { id: request.id, result: FORGETTABLE[request.method] });
    },
    'a look-up is not answered': hangUp,
    'a look-up is refused': (response, request) => {
      reply(response, { id: request.id, error: { code: -32005, message: 'query exceeds max block range 10' } });
    },
    'the bundler lies': async (response, request) => {
      const answer = await service(request);
      const { result } = answer;
      if (request.method !== 'eth_getUserOperationReceipt' || typeof result !== 'object' || result === null) {
        reply(response, { id: request.id, ...answer });
        return;
      }
      const { receipt, ...rest } = result as { readonly receipt: object };
      const lie = one([
        { ...rest, receipt, success: false },
        { ...rest, receipt, success: 'true' },
        { ...rest, receipt: { ...receipt, transactionHash: `0x${'ab'.repeat(32)}` } },
        rest,
      ]);
      reply(response, { id: request.id, result: lie });
    },
  };

  const proxy = { isFaulty: true };
  const faultFor = (method: string): readonly [string, Fault] | undefined => {
    if (!proxy.isFaulty) return undefined;
    if (SENDS.includes(method)) return random() < 0.6 ? one(Object.entries(sendFaults)) : undefined;
    return method in FORGETTABLE && random() < 0.4 ? one(Object.entries(lookFaults)) : undefined;
  };
  const server = await serveJsonRpc(async (request, response) => {
    const [name, fault] = faultFor(request.method) ?? ['none', pass];
    occurred.set(name, (occurred.get(name) ?? 0) + 1);
    await fault(response, request);
  });
  const deliver = async (): Promise<void> => {
    for (const request of held.splice(0)) await service(request);
  };
  return Object.assign(proxy, server, { deliver, occurred });
}
