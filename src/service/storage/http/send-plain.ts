import { type ServerResponse } from 'node:http';

/** A short plain-text response, as Kubo sends for everything but a command's result. */
export function sendPlain(response: ServerResponse, status: number, message: string): void {
  const body = `${message}\n`;
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Content-Length': String(Buffer.byteLength(body)),
    ...(response.req.complete ? {} : { Connection: 'close' }),
  });
  response.end(body);
}
