import { BundlerClient } from '../../../src/clients/bundler';
import { NodeClient } from '../../../src/clients/node';
import { operationFees } from '../../../src/clients/operation-fees';
import { type LocalServer, reply, serveJsonRpc } from '../../support/json-rpc-server';

describe('the fees of a user operation', () => {
  let server: LocalServer;
  let required: readonly [string, string];
  beforeAll(async () => {
    server = await serveJsonRpc(({ id, method }, response) => {
      const [maxFeePerGas, maxPriorityFeePerGas] = required;
      const fee = { maxFeePerGas, maxPriorityFeePerGas };
      if (method === 'eth_getBlockByNumber') reply(response, { id, result: { number: '0x1', baseFeePerGas: '0x64' } });
      else if (method === 'eth_maxPriorityFeePerGas') reply(response, { id, result: '0xa' });
      else if (method === 'pimlico_getUserOperationGasPrice')
        reply(response, { id, result: { slow: fee, standard: fee, fast: fee } });
      else reply(response, { id, error: { code: -32601, message: 'unknown method' } });
    });
  });
  afterAll(() => server.stop());
  const fees = async () =>
    (await operationFees(new NodeClient({ url: server.url }), new BundlerClient({ url: server.url }))).fees;

  it('are at most five times those of the node, however much the bundler requires', async () => {
    required = ['0x1', '0x1'];
    const least = await fees();
    required = ['0xffffffffffff', '0xffffffffffff'];
    expect(await fees()).toEqual({
      maxFeePerGas: 5n * least.maxFeePerGas,
      maxPriorityFeePerGas: 5n * least.maxPriorityFeePerGas,
    });
  });

  it('never have a tip above the whole fee', async () => {
    required = ['0x1', '0xffffffffffff'];
    const { maxFeePerGas, maxPriorityFeePerGas } = await fees();
    expect(maxPriorityFeePerGas <= maxFeePerGas).toBe(true);
  });
});
