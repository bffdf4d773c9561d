import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';

import { ENTRY_POINTS } from '../../src/core/erc4337/entry-points';

/** Responses of a node and a bundler for an account that is not deployed yet. */
const RESULTS: Readonly<Record<string, unknown>> = {
  eth_chainId: '0x7a69',
  eth_getCode: '0x',
  eth_getBalance: '0xde0b6b3a7640000',
  eth_call: `0x${'00'.repeat(32)}`,
  eth_supportedEntryPoints: Object.values(ENTRY_POINTS),
  eth_estimateUserOperationGas: {
    callGasLimit: '0x10000',
    verificationGasLimit: '0x60000',
    preVerificationGas: '0xc000',
  },
};

/** A simulated node and bundler on loopback that answer at once, since the chain is not what is measured. */
export async function startChain(): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = createServer((request, response) => {
    const headers = {
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'content-type',
      // So that a browser sends only one preflight request.
      'access-control-max-age': '600',
      'content-type': 'application/json',
    };
    if (request.method === 'OPTIONS') {
      response.writeHead(204, headers).end();
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { id, method } = JSON.parse(Buffer.concat(chunks).toString()) as { id: number; method: string };
      response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: '2.0', id, result: RESULTS[method] }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
