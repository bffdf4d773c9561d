import { ENTRY_POINTS } from '../../src/core/erc4337/entry-points';
import { type LocalServer, reply, type RpcRequest, serveJsonRpc } from './json-rpc-server';

type Answers = Record<string, (params: readonly unknown[]) => unknown>;

/** An error response of the node. */
export class NodeRefusal extends Error {
  constructor(
    message: string,
    readonly code: number,
    readonly data?: string,
  ) {
    super(message);
  }
}

/** The node receives the request and closes the connection without a response. */
export class NoAnswer extends Error {}

export type SimulatedNode = LocalServer & {
  readonly asked: RpcRequest[];
  /** The responses by method. A test may change them. */
  readonly answers: Answers;
};

/** A simulated node and bundler with configurable responses. It accepts every transaction. */
export async function startSimulatedNode(more: Answers = {}): Promise<SimulatedNode> {
  const asked: RpcRequest[] = [];
  const answers: Answers = {
    eth_chainId: () => '0x7a69',
    eth_supportedEntryPoints: () => Object.values(ENTRY_POINTS),
    eth_blockNumber: () => '0x10',
    eth_getTransactionCount: () => '0x5',
    eth_estimateGas: () => '0x5208',
    eth_getBlockByNumber: () => ({ number: '0x10', baseFeePerGas: '0x3b9aca00' }),
    eth_maxPriorityFeePerGas: () => '0x3b9aca00',
    eth_getTransactionReceipt: () => null,
    ...more,
  };
  const server = await serveJsonRpc(async (request, response) => {
    asked.push(request);
    const { id, method, params } = request;
    try {
      const answer = answers[method];
      if (answer === undefined) throw new NodeRefusal(`no ${method} here`, -32601);
      reply(response, { id, result: await answer(params) });
    } catch (error) {
      if (error instanceof NoAnswer) {
        response.destroy();
        return;
      }
      const { message, code, data } = error as NodeRefusal;
      reply(response, { id, error: { code, message, ...(data !== undefined && { data }) } });
    }
  });
  return { ...server, asked, answers };
}
