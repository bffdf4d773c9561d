import { getEventListeners } from 'node:events';
import { JsonRpcClient } from '../../../src/clients/json-rpc';
import {
  InvalidParamsError,
  ServiceFailedError,
  ServiceRefusedError,
  ServiceSilentError,
} from '../../../src/core/errors';
import { type Answerer, type LocalServer, reply, serveJsonRpc } from '../../support/json-rpc-server';
import { string } from '../../../src/core/structs/struct';

describe('the JSON-RPC client', () => {
  const running: LocalServer[] = [];
  afterEach(async () => {
    for (const server of running.splice(0)) await server.stop();
  });

  async function clientOf(answer: Answerer, options: { timeout?: number; maxBytes?: number } = {}) {
    const server = await serveJsonRpc(answer);
    running.push(server);
    return new JsonRpcClient('bundler', { url: server.url, ...options });
  }
  const failureOf = async (request: Promise<unknown>): Promise<Error> => {
    const error: unknown = await request.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ServiceFailedError);
    return error as Error;
  };

  it('returns a valid result, and numbers its requests', async () => {
    const ids: number[] = [];
    const client = await clientOf(({ id, method, params }, response) => {
      ids.push(id);
      reply(response, { id, result: `${method} ${JSON.stringify(params)}` });
    });
    expect(await client.request('eth_a', [1], string())).toBe('eth_a [1]');
    expect(await client.request('eth_b', [], string())).toBe('eth_b []');
    expect(ids).toEqual([1, 2]);
  });

  it.each<[string, Answerer, RegExp]>([
    [
      'another id',
      ({ id }, response) => {
        reply(response, { id: id + 1, result: 'x' });
      },
      /returned a response to another request than eth_a \(the id differs\)/u,
    ],
    [
      'an object that cannot be printed',
      ({ id }, response) => {
        reply(response, { id, result: { toString: null, valueOf: 1 } });
      },
      /returned a malformed result for eth_a/u,
    ],
    [
      'no id',
      (_request, response) => {
        reply(response, { result: 'x' });
      },
      /did not return a JSON-RPC 2\.0 response/u,
    ],
    [
      'another version',
      ({ id }, response) => {
        reply(response, { jsonrpc: '1.0', id, result: 'x' });
      },
      /did not return a JSON-RPC 2\.0 response/u,
    ],
    [
      'a malformed result',
      ({ id }, response) => {
        reply(response, { id, result: 7 });
      },
      /a malformed result for eth_a/u,
    ],
    [
      'neither result nor error',
      ({ id }, response) => {
        reply(response, { id });
      },
      /did not return a JSON-RPC 2\.0 response/u,
    ],
    [
      'a malformed error',
      ({ id }, response) => {
        reply(response, { id, error: 'no' });
      },
      /did not return a JSON-RPC 2\.0 response/u,
    ],
    [
      'HTML',
      (_request, response) => {
        response.writeHead(502, { 'content-type': 'text/html' }).end('<html><body>Bad gateway</body></html>');
      },
      /did not return JSON \(HTTP 502, text\/html\)/u,
    ],
    [
      'nothing',
      (_request, response) => {
        response.writeHead(200).end();
      },
      /did not return JSON \(HTTP 200, no content type\)/u,
    ],
    [
      'half a response',
      (_request, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{"jsonrpc"');
        response.destroy();
      },
      /could not be reached/u,
    ],
    [
      'a redirect',
      (_request, response) => {
        response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
      },
      /did not return JSON \(HTTP 307, no content type\)/u,
    ],
    [
      'a redirect with a result',
      ({ id }, response) => {
        response
          .writeHead(302, { location: 'http://127.0.0.1:1/' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, result: 'x' }));
      },
      /did not return JSON \(HTTP 302, no content type\)/u,
    ],
    ...[400, 403, 404, 429, 500, 502, 503].map((status): [string, Answerer, RegExp] => [
      `a result with the status ${status}`,
      ({ id }, response) => {
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, result: 'x' }));
      },
      new RegExp(`did not return JSON \\(HTTP ${status}, application/json\\)`, 'u'),
    ]),
  ])('fails on %s', async (_name, answer, sentence) => {
    const client = await clientOf(answer);
    expect((await failureOf(client.request('eth_a', [], string()))).message).toMatch(sentence);
  });

  it('reads no more than its limit, and closes the connection of an endless response', async () => {
    let hungUp: Promise<unknown> | undefined;
    const client = await clientOf(
      (_request, response) => {
        response.on('error', () => undefined);
        hungUp = new Promise((resolve) => {
          response.once('close', resolve);
        });
        const more = (): void => {
          while (response.write('x'.repeat(65_536)));
          response.once('drain', more);
        };
        more();
      },
      { maxBytes: 100_000 },
    );
    expect((await failureOf(client.request('eth_a', [], string()))).message).toContain('more than 100000 bytes');
    // How much the server could send until then depends on system buffers.
    await hungUp;
  });

  it('fails after its timeout', async () => {
    const client = await clientOf(() => undefined, { timeout: 50 });
    expect((await failureOf(client.request('eth_a', [], string()))).message).toContain('did not respond within 0.05 s');
  });

  it('fails after its timeout in the middle of a response, too', async () => {
    const client = await clientOf(
      (_request, response) => {
        response.writeHead(200).write('{"jsonrpc":"2.0",');
      },
      { timeout: 50 },
    );
    expect((await failureOf(client.request('eth_a', [], string()))).message).toContain('did not respond within 0.05 s');
  });

  it('can be cancelled before and during a request', async () => {
    const controller = new AbortController();
    const client = await clientOf(() => {
      controller.abort();
    });
    expect((await failureOf(client.request('eth_a', [], string(), controller.signal))).message).toContain('cancelled');
    expect((await failureOf(client.request('eth_a', [], string(), controller.signal))).message).toContain('cancelled');
  });

  it('removes its listener from the signal after a request', async () => {
    const { signal } = new AbortController();
    const client = await clientOf(({ id }, response) => {
      reply(response, { id, result: 'a' });
    });
    expect(await client.request('eth_a', [], string(), signal)).toBe('a');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('fails if the service is down, and names the host but not the key in the path', async () => {
    const server = await serveJsonRpc(() => undefined);
    await server.stop();
    const client = new JsonRpcClient('bundler', { url: `${server.url}/v2/secret-key?apikey=secret` });
    const { message } = await failureOf(client.request('eth_a', [], string()));
    expect(message).toBe(`The bundler at ${new URL(server.url).host} could not be reached.`);
  });

  it('distinguishes a service that does not respond from one that responds wrongly', async () => {
    const late = await clientOf(() => undefined, { timeout: 50 });
    expect(await failureOf(late.request('eth_a', [], string()))).toBeInstanceOf(ServiceSilentError);
    const gone = await clientOf((_request, response) => {
      response.destroy();
    });
    expect(await failureOf(gone.request('eth_a', [], string()))).toBeInstanceOf(ServiceSilentError);
    const wrong = await clientOf(({ id }, response) => {
      reply(response, { id, result: 7 });
    });
    expect(await failureOf(wrong.request('eth_a', [], string()))).not.toBeInstanceOf(ServiceSilentError);
  });

  it.each([200, 400, 401, 402, 429, 500])('passes on an error with HTTP status %i', async (status) => {
    const client = await clientOf(({ id }, response) => {
      response.writeHead(status).end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message: 'no' } }));
    });
    await expect(client.request('eth_a', [], string())).rejects.toThrow(
      /^The bundler at 127\.0\.0\.1:\d+ rejected eth_a: no \(-32000\)$/u,
    );
  });

  it('passes on an error message on one line, cut to a limit', async () => {
    const client = await clientOf(({ id }, response) => {
      reply(response, {
        id,
        error: { code: -32500, message: `AA21 didn't pay\n\u202e${'x'.repeat(1000)}`, data: { a: 1 } },
      });
    });
    const error: unknown = await client.request('eth_a', [], string()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ServiceRefusedError);
    const refused = error as ServiceRefusedError;
    expect(refused.error).toMatchObject({ code: -32500, data: { a: 1 } });
    expect(refused.message).toMatch(/rejected eth_a: AA21 didn't pay x{50,290}… \(-32500\)$/u);
  });

  it.each(['http://bundler.example', 'ftp://localhost', 'https://user:pass@bundler.example', 'bundler.example', ''])(
    'takes no URL "%s"',
    (url) => {
      expect(() => new JsonRpcClient('bundler', { url })).toThrow(InvalidParamsError);
    },
  );
});
