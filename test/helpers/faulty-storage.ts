import { createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

type Answer = (request: IncomingMessage, response: ServerResponse, pass: () => void) => unknown;

/** A simulator of what can go wrong between a snap and its storage service: passes requests on until told otherwise. */
export type FaultyStorage = {
  readonly url: string;
  /** The paths that were asked for. */
  readonly requests: readonly string[];
  /** From now on requests are answered like this; `pass` has the service answer. */
  readonly answer: (answer: Answer) => void;
  /** From now on the service answers again. */
  readonly heal: () => void;
  readonly stop: () => Promise<void>;
};

const passing: Answer = (_request, _response, pass) => {
  pass();
};

/** @param behind - The URL of the service. */
export async function serveFaultyStorage(behind: string): Promise<FaultyStorage> {
  const requests: string[] = [];
  let current = passing;
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    current(request, response, () => {
      const { method, headers, url } = request;
      const onward = send(new URL(url ?? '/', behind), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      onward.on('error', () => response.destroy());
      request.pipe(onward);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer: (answer) => {
      current = answer;
    },
    heal: () => {
      current = passing;
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}
