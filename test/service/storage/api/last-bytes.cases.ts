import { Socket } from 'node:net';
import { FORM, multipart } from '../../../support/storage/multipart';
import { rawRequest } from '../../../support/storage/raw-http';
import { post, send } from '../../../support/storage/requests';
import { startTestService } from '../../../support/storage/service';

type Chunks = readonly { readonly chunk: Buffer | string }[];

afterEach(() => {
  jest.restoreAllMocks();
});

test('the last object of a response, and its end, are sent together with everything from the same turn', async () => {
  const service = await startTestService();
  const writes: string[] = [];
  // Each write is a system call and a packet.
  const { _write: write, _writev: writev } = Socket.prototype;
  const note = (socket: Socket, text: string) => {
    if (socket.localPort === service.port) writes.push(text);
  };
  jest.spyOn(Socket.prototype, '_write').mockImplementation(function (this: Socket, chunk: Buffer, ...rest) {
    note(this, chunk.toString());
    write.call(this, chunk, ...rest);
  });
  jest.spyOn(Socket.prototype, '_writev' as never).mockImplementation(function (
    this: Socket,
    chunks: Chunks,
    done: (error?: Error | null) => void,
  ) {
    note(this, chunks.map(({ chunk }) => chunk.toString()).join(''));
    writev?.call(this, chunks as never, done);
  } as never);
  const body = multipart({ content: 'hello', filename: 'f' });
  await rawRequest(service.port, { path: '/api/v0/add', headers: FORM, body });
  expect(writes).toEqual([expect.stringMatching(/^HTTP\/1\.1 200 [^]*"Name":"f"[^]*\r\n0\r\n\r\n$/u)]);
  await service.discard();
});

test('the error at the end of a stream fits in a header field', async () => {
  const service = await startTestService();
  const put = await send(service, 'add?wrap-with-directory=true', { content: 'x', filename: 'f' });
  const { Hash } = JSON.parse(put.body.toString().trim().split('\n').at(-1) ?? '') as { Hash: string };
  const name = 'x'.repeat(9000);
  const { trailers } = await post(service, `ls?stream=true&arg=${Hash}&arg=${Hash}/${name}`);
  const told = trailers['X-Stream-Error'] ?? '';
  expect([told.slice(0, 20), told.length]).toEqual([`no link named "xxxxx`, 1024]);
  await service.discard();
});
