import { loadKeccak } from './archive/hashing';
import type { ChainServiceConfig } from './config';
import type { PartContext, RunningPart, ServicePart } from '../part';
import { RpcServer } from './server';

/** The chain service: JSON-RPC over HTTP and WebSocket. */
export const rpcPart: ServicePart<ChainServiceConfig> = {
  name: 'rpc',
  async start(context: PartContext<ChainServiceConfig>): Promise<RunningPart> {
    return RpcServer.start(context, await loadKeccak());
  },
};
