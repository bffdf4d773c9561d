import { openRaw } from '../../../support/service/raw';
import { someBytes } from '../../../support/storage/content';
import { FORM, multipart } from '../../../support/storage/multipart';
import { rawRequest } from '../../../support/storage/raw-http';
import { startTestService } from '../../../support/storage/service';

const head = (path: string) => `POST /api/v0/${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

test('a stop lets clients receive their responses to the last byte', async () => {
  // One block larger than all buffers between the service and a client that does not read. It is sent in one piece.
  const bytes = someBytes(24 << 20);
  const service = await startTestService({ limits: { blockBytes: bytes.length } });
  const put = await rawRequest(service.port, {
    path: '/api/v0/block/put?allow-big-block=true',
    headers: FORM,
    body: multipart({ filename: 'f', content: bytes }),
  });
  const { Key } = JSON.parse(put.body.toString()) as { Key: string };
  const { socket, write, until, closed } = await openRaw(service.url);
  write(head(`block/get?arg=${Key}`));
  await until(/^HTTP\/1\.1 200 /u);
  socket.pause();
  const stopped = service.stop();
  socket.resume();
  const answer = await closed;
  await stopped;
  expect(answer.endsWith('\r\n0\r\n\r\n')).toBe(true);
  expect(answer.length).toBeGreaterThan(bytes.length);
  await service.discard();
});

test('a stop does not wait for an idle connection', async () => {
  const service = await startTestService();
  const { write, until, closed } = await openRaw(service.url);
  write(head('version'));
  await until(/Version/u);
  await service.stop();
  await closed;
  await service.discard();
});
