import { type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import { listenOnLoopback, type LoopbackServer } from '../../../src/devnet/loopback';
import { CompanionPage } from '../../support/metamask/companion-page';
import { type Run } from '../../support/metamask/run';

const CHAIN_ID = 'eip155:4242';
const NAME = 'Moving network';
const ANSWERS: Readonly<Record<string, unknown>> = {
  eth_chainId: '0x1092',
  net_version: '4242',
  eth_blockNumber: '0x1',
};

type Asked = { readonly id: number; readonly method: string };
const answerTo = ({ id, method }: Asked): object => ({
  jsonrpc: '2.0',
  id,
  ...(method in ANSWERS ? { result: ANSWERS[method] } : { error: { code: -32601, message: `no ${method}` } }),
});

/** Answers pages of any site, which ask by CORS whether they may. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-allow-headers', '*');
  if (request.method === 'OPTIONS') {
    response.writeHead(204).end();
    return;
  }
  const asked = JSON.parse(await text(request)) as Asked | readonly Asked[];
  const answers = Array.isArray(asked) ? asked.map(answerTo) : answerTo(asked as Asked);
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers));
}

/** The page adds a network to MetaMask, whose node then moves: MetaMask keeps the old one. */
export function networkSteps(run: Run): void {
  describe('“Add to the wallet”', () => {
    const page = new CompanionPage(run);
    const nodes: LoopbackServer[] = [];
    /** A node of the network, which Keystead then uses. */
    const move = async (): Promise<string> => {
      const node = await listenOnLoopback(0, (request, response) => void answer(request, response));
      nodes.push(node);
      const rpcUrl = `http://127.0.0.1:${node.port}`;
      await run.site.snap('keystead_setChain', { chainId: CHAIN_ID, name: NAME, rpcUrl });
      return new URL(rpcUrl).host;
    };
    afterAll(async () => {
      await run.site.snap('keystead_removeChain', { chainId: CHAIN_ID });
      for (const node of nodes) await node.stop();
    });

    it('adds a network', async () => {
      await move();
      expect(await page.addToWallet(NAME)).toBe(`Added ${NAME} to the wallet.`);
    });

    it('says how to choose the new node of a network in MetaMask, which keeps the old one', async () => {
      const host = await move();
      await nodes.shift()!.stop();
      expect(await page.addToWallet(NAME)).toContain(`edit ${NAME} and choose ${host} as the default RPC URL`);
      await run.metamask.chooseNode(CHAIN_ID, host);
      expect(await page.addToWallet(NAME)).toBe(`Added ${NAME} to the wallet.`);
    });
  });
}
