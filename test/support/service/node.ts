import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type NodeCall = { method: string; params: unknown };
/** Returns the `result`, throws `{code, message}`, or writes the raw response itself and returns {@link TAKEN}. */
export type NodeAnswer = (call: NodeCall & { id: unknown; body: string }, response: ServerResponse) => unknown;

/** A node whose answers a test chooses, over real HTTP. */
export type TestNode = {
  url: string;
  calls: NodeCall[];
  /** The methods of each HTTP request, several of a batch; with those of checks. */
  trips: string[][];
  /** The number of connections made to it. */
  connections: () => number;
  headers: () => IncomingMessage['headers'] | undefined;
};

type Request = NodeCall & { id: unknown };

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** An answer to the request of this id. */
export const resultOf = (id: unknown, result: unknown): string => JSON.stringify({ jsonrpc: '2.0', id, result });

/** Says that the answer function has written the response itself. */
export const TAKEN = Symbol('taken');

/**
 * Answers with a long text. Its bytes are made once: those of a string would be counted and made for each answer.
 *
 * @returns Sends it as the result of a request.
 */
export function longResult(text: string): (id: unknown, response: ServerResponse) => typeof TAKEN {
  const end = Buffer.from(`${JSON.stringify(text)}}`);
  return (id, response) => {
    if (response.destroyed) return TAKEN;
    const start = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
    response.setHeader('content-length', start.length + end.length);
    response.write(start);
    response.end(end);
    return TAKEN;
  };
}

/**
 * Starts a node. It answers `eth_chainId`, which the service checks and never forwards, by itself, and does not list
 * these calls.
 */
export async function startNode(answer: NodeAnswer, chainId = 1): Promise<TestNode> {
  const calls: NodeCall[] = [];
  const trips: string[][] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let headers: IncomingMessage['headers'] | undefined;

  const answerTo = (
    { id, method, params }: Request,
    body: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): object | typeof TAKEN => {
    if (method === 'eth_chainId') return { jsonrpc: '2.0', id, result: `0x${chainId.toString(16)}` };
    headers = request.headers;
    calls.push({ method, params });
    try {
      const result = answer({ id, method, params, body }, response);
      return result === TAKEN ? TAKEN : { jsonrpc: '2.0', id, result };
    } catch (error) {
      return { jsonrpc: '2.0', id, error };
    }
  };

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const requests = JSON.parse(body) as Request | Request[];
    trips.push([requests].flat().map(({ method }) => method));
    const answers = [requests].flat().map((each) => answerTo(each, body, request, response));
    if (answers.includes(TAKEN)) return;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(Array.isArray(requests) ? answers : answers[0]));
  };

  const server = createServer((request, response) => void handle(request, response));
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  // The node never closes an idle connection, so it stays until the other side closes it.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, calls, trips, connections: () => connections, headers: () => headers };
}
