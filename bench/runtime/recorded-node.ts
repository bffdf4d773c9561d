import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** A JSON-RPC request without its id. */
export type Asked = { readonly method: string; readonly params: readonly unknown[] };

/** What a node answered, by request. */
export type NodeRecord = Record<string, unknown>;

/** What is random in each simulation: the address of the program that reads, and the randomness of the block. */
const RANDOM = [/"(0x[0-9a-f]{40})":\{"code":"0x60203611/u, /"prevRandao":"(0x[0-9a-f]{64})"/u];

/** A request as text, without what is random in it. */
export function keyOf({ method, params }: Asked): string {
  const text = JSON.stringify([method, params]);
  return RANDOM.reduce((key, pattern) => {
    const [, random] = pattern.exec(key) ?? [];
    return random === undefined ? key : key.replaceAll(random, 'random');
  }, text);
}

export type ServedNode = {
  readonly url: string;
  /** The requests since the last call, in rounds: those that came while none before them was answered yet. */
  readonly takeRounds: () => Asked[][];
  readonly close: () => void;
};

/**
 * A node on loopback.
 *
 * @param answer - The result of a request.
 * @param delay - Milliseconds until each answer is sent.
 */
export async function serveNode(answer: (asked: Asked) => unknown, delay: number): Promise<ServedNode> {
  let rounds: Asked[][] = [];
  let isAnswered = true;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString()) as Asked & { readonly id: number };
      if (isAnswered) rounds.push([]);
      isAnswered = false;
      rounds.at(-1)?.push({ method, params });
      const send = async (): Promise<void> => {
        const result = await answer({ method, params });
        if (delay > 0) await setTimeout(delay);
        isAnswered = true;
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      };
      void send();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    takeRounds: () => {
      const taken = rounds;
      rounds = [];
      return taken;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
