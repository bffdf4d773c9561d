import { loadKeccak } from './archive/hashing';
import type { PartContext, RunningPart, ServicePart } from '../runtime/part';
import { RpcServer } from './server';

/** The chain service: JSON-RPC over HTTP and WebSocket. */
export const rpcPart: ServicePart = {
  name: 'rpc',
  async start(context: PartContext): Promise<RunningPart> {
    return RpcServer.start(context, await loadKeccak());
  },
};
