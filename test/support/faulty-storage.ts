import { createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

type Answer = (request: IncomingMessage, response: ServerResponse, pass: () => void) => unknown;

/** A proxy in front of a storage service that can simulate failures. By default it forwards requests. */
export type FaultyStorage = {
  readonly url: string;
  /** The requested paths. */
  readonly requests: readonly string[];
  /** Sets the response to later requests; `pass` forwards a request to the service. */
  readonly answer: (answer: Answer) => void;
  /** Forwards later requests again. */
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
