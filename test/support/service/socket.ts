import { once } from 'node:events';

import { WebSocket } from 'ws';

const open: WebSocket[] = [];

afterEach(() => {
  for (const socket of open.splice(0)) socket.terminate();
});

/** A WebSocket with its answers in a queue. */
export type TestSocket = {
  socket: WebSocket;
  send: (value: unknown) => void;
  /** The next answer. */
  next: () => Promise<Record<string, unknown>>;
  ask: (value: unknown) => Promise<Record<string, unknown>>;
  /** Code and reason the other side closes with. */
  closed: Promise<[code: number, reason: string]>;
};

/** Opens a connection; rejects if it is refused. */
export async function openSocket(
  url: string,
  options: ConstructorParameters<typeof WebSocket>[2] = {},
): Promise<TestSocket> {
  const socket = new WebSocket(url, options);
  open.push(socket);
  const answers: Record<string, unknown>[] = [];
  const waiting: ((answer: Record<string, unknown>) => void)[] = [];
  socket.on('message', (data) => {
    const answer = JSON.parse(String(data as Buffer)) as Record<string, unknown>;
    const take = waiting.shift();
    if (take) take(answer);
    else answers.push(answer);
  });
  const closed = new Promise<[number, string]>((resolve) => {
    socket.on('close', (code, reason) => {
      resolve([code, reason.toString()]);
    });
  });
  await once(socket, 'open');
  const test: TestSocket = {
    socket,
    send: (value) => {
      socket.send(typeof value === 'string' ? value : JSON.stringify(value));
    },
    next: () => {
      const answer = answers.shift();
      return answer ? Promise.resolve(answer) : new Promise((resolve) => waiting.push(resolve));
    },
    ask: (value) => {
      test.send(value);
      return test.next();
    },
    closed,
  };
  return test;
}

/** Tries to open a connection that must be refused; returns the HTTP answer. */
export async function refusedSocket(url: string): Promise<{ status: number | undefined; body: unknown }> {
  const socket = new WebSocket(url);
  open.push(socket);
  socket.on('error', () => undefined);
  const [, response] = (await once(socket, 'unexpected-response')) as [
    unknown,
    NodeJS.ReadableStream & { statusCode?: number },
  ];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) as unknown };
}
