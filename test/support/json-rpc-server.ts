import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

/** A received JSON-RPC request. */
export type RpcRequest = {
  readonly jsonrpc: '2.0';
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
};

export type LocalServer = { readonly url: string; readonly stop: () => Promise<void> };

/** Responds to one request with anything, or never. */
export type Answerer = (request: RpcRequest, response: ServerResponse) => void | Promise<void>;

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Writes a JSON-RPC response. */
export function reply(response: ServerResponse, answer: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', ...answer }));
}

/** A JSON-RPC server on the loopback interface, on a free port. */
export async function serveJsonRpc(answer: Answerer): Promise<LocalServer> {
  const server = createServer((request, response) => {
    void bodyOf(request).then(
      (body) => answer(JSON.parse(body) as RpcRequest, response),
      // The client disconnected in the middle of the request.
      () => undefined,
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}
