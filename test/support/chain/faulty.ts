import { type LocalServer, reply, type RpcRequest, serveJsonRpc } from '../json-rpc-server';
import { type ServerResponse } from 'node:http';

/** Misbehaves on one request; false leaves it to the real service. */
export type Fault = (request: RpcRequest, response: ServerResponse) => boolean;

/** A real service, with a fault in front of it. */
export type FaultyService = LocalServer & { fault: Fault; readonly asked: string[] };

const none: Fault = () => false;

/** Puts a server in front of a real one that passes everything on, but for the fault that is set. */
export async function startFaultyService(realUrl: string): Promise<FaultyService> {
  const service = { fault: none, asked: [] as string[] };
  const server = await serveJsonRpc(async (request, response) => {
    service.asked.push(request.method);
    if (service.fault(request, response)) return;
    const real = await fetch(realUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
    reply(response, (await real.json()) as object);
  });
  return Object.assign(service, server);
}

/** On one method only. */
export const on =
  (method: string, fault: (request: RpcRequest, response: ServerResponse) => void): Fault =>
  (request, response) => {
    if (request.method !== method) return false;
    fault(request, response);
    return true;
  };

export const answersHtml = (_request: RpcRequest, response: ServerResponse): void => {
  response.writeHead(503, { 'content-type': 'text/html' }).end('<html>try again later</html>');
};
export const answersTooMuch = ({ id }: RpcRequest, response: ServerResponse): void => {
  reply(response, { id, result: `0x${'00'.repeat(2_000_000)}` });
};
export const answersAnotherId = ({ id }: RpcRequest, response: ServerResponse): void => {
  reply(response, { id: id + 1, result: '0x7a69' });
};
export const answers =
  (result: unknown) =>
  ({ id }: RpcRequest, response: ServerResponse): void => {
    reply(response, { id, result });
  };
export const refuses =
  (code: number, message: string) =>
  ({ id }: RpcRequest, response: ServerResponse): void => {
    reply(response, { id, error: { code, message } });
  };
export const hangsUp = (_request: RpcRequest, response: ServerResponse): void => {
  response.destroy();
};
export const neverAnswers = (): void => undefined;
