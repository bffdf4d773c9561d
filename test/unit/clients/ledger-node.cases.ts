import { latestState, ledgerSource } from '../../../src/clients/ledger-node';
import { NodeClient } from '../../../src/clients/node';
import { type Hex } from '../../../src/core/eth/bytes';
import { scan, type ScanProgress } from '../../../src/core/ledger/scan';
import { type LocalServer, reply, type RpcRequest, serveJsonRpc } from '../../support/json-rpc-server';

const ACCOUNT: Hex = `0x${'a1'.repeat(20)}`;
const BLOCK = { number: '0x9', hash: `0x${'01'.repeat(32)}`, timestamp: '0x1' };

describe('a node that an account’s events are read from', () => {
  const running: LocalServer[] = [];
  afterEach(async () => {
    for (const server of running.splice(0)) await server.stop();
  });

  /** A node that answers with results, refuses with errors, and otherwise hangs up. */
  async function nodeThat(answers: (request: RpcRequest) => object | undefined): Promise<NodeClient> {
    const server = await serveJsonRpc((request, response) => {
      const answer = answers(request);
      if (answer === undefined) response.destroy();
      else reply(response, { id: request.id, ...answer });
    });
    running.push(server);
    return new NodeClient({ url: server.url });
  }

  async function lastOf(node: NodeClient): Promise<ScanProgress | undefined> {
    let last: ScanProgress | undefined;
    for await (const progress of scan(ACCOUNT, ledgerSource(node))) last = progress;
    return last;
  }

  it('does not answer requests for logs: the scan ends with its words', async () => {
    const node = await nodeThat(({ method }) =>
      method === 'eth_getLogs' ? undefined : { result: method === 'eth_chainId' ? '0x1' : BLOCK },
    );
    const last = await lastOf(node);
    expect(last?.refusal).toMatch(/^The node at 127\.0\.0\.1:\d+ could not be reached\.$/u);
    expect(last?.state().searched).toEqual([]);
  });

  it('answers nothing after the first answer: the scan ends with its words', async () => {
    let answered = 0;
    const node = await nodeThat(() => (answered++ === 0 ? { result: BLOCK } : undefined));
    const last = await lastOf(node);
    expect(last?.refusal).toMatch(/^The node at 127\.0\.0\.1:\d+ could not be reached\.$/u);
  });

  it('places its newest block where no chain has one: nothing is searched', async () => {
    const node = await nodeThat(({ method }) => ({
      result: method === 'eth_getLogs' ? [] : { ...BLOCK, number: '0x1000000000000' },
    }));
    await expect(lastOf(node)).rejects.toThrow('returned a malformed result for eth_getBlockByNumber.');
  });

  it('places a log where no block has one: the range counts as refused', async () => {
    const log = {
      address: ACCOUNT,
      data: '0x',
      topics: [],
      blockNumber: '0x9',
      transactionHash: `0x${'cd'.repeat(32)}`,
      logIndex: '0x100000000',
    };
    const node = await nodeThat(({ method }) => ({ result: method === 'eth_getLogs' ? [log] : BLOCK }));
    const last = await lastOf(node);
    expect(last?.refusal).toContain('returned a malformed result for eth_getLogs.');
    expect(last?.state().searched).toEqual([]);
  });

  it('says that a call reverts, or only that it has too much to do', async () => {
    const errors = [
      { code: 3, message: 'execution reverted' },
      { code: -32015, message: 'VM execution error.' },
      { code: -32005, message: 'daily request count exceeded, request rate limited' },
      { code: -32603, message: 'Internal error' },
    ];
    let at = 0;
    const node = await nodeThat(({ method }) => {
      if (method === 'eth_getCode') return { result: '0x' };
      return method === 'eth_call' ? (at in errors ? { error: errors[at++] } : { result: '0x' }) : { result: BLOCK };
    });
    const { reverts } = await latestState(node);
    const said: unknown[] = [];
    for (let call = 0; call < 5; call++) said.push(await reverts(ACCOUNT, { to: ACCOUNT, data: '0x' }));
    expect(said).toEqual([true, true, undefined, undefined, false]);
  });
});
