import { checkChain } from '../../../../src/snap/network/check-chain';
import { ENTRY_POINTS } from '../../../../src/core/erc4337/entry-points';
import { reply, type RpcRequest, serveJsonRpc } from '../../../support/json-rpc-server';

/** A server that responds on demand. */
function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), opened };
}

/** A node and a bundler of another chain. One responds only after the other. */
async function refusalWith(later: 'node' | 'bundler'): Promise<unknown> {
  const { open, opened } = gate();
  const serve = (isLate: boolean) => {
    let asked = 0;
    const expected = later === 'node' ? 2 : 1;
    return serveJsonRpc(async ({ id, method }: RpcRequest, response) => {
      if (isLate) await opened;
      else response.on('close', () => (++asked === expected ? open() : undefined));
      reply(response, { id, result: method === 'eth_chainId' ? '0xa' : Object.values(ENTRY_POINTS) });
    });
  };
  const [node, bundler] = await Promise.all([serve(later === 'node'), serve(later === 'bundler')]);
  const services = { rpcUrl: node.url, bundlerUrl: bundler.url, entryPoint: ENTRY_POINTS['0.7'] };
  try {
    await checkChain({ chainId: 'eip155:5', entryPointVersion: '0.7', ...services }, 'params');
    return undefined;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await Promise.all([node.stop(), bundler.stop()]);
  }
}

describe('a chain whose node and bundler both serve another chain', () => {
  it.each(['node', 'bundler'] as const)('is rejected for its node, even if the %s responds later', async (later) => {
    expect(await refusalWith(later)).toMatch(
      /^rpcUrl: must be a node for chain 5, but the node at .* serves chain 10\.$/u,
    );
  });
});
