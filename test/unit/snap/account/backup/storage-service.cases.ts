import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';

import { StorageService } from '../../../../../src/snap/account/backup/storage-service';
import { ServiceFailedError } from '../../../../../src/core/errors';

const CID = 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku';

describe('a slow storage service', () => {
  let server: Server;
  beforeAll(
    () =>
      new Promise<void>((resolve) => {
        server = createServer((request, response) => {
          // Sends a first byte and then nothing, so the response never ends.
          if (request.url?.includes('block/get') === true) response.writeHead(200).write('a');
        });
        server.listen(0, '127.0.0.1', resolve);
      }),
  );
  afterAll(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  );

  it.each(['check', 'add', 'read'] as const)('is given up in %s, in words', async (operation) => {
    const { port } = server.address() as AddressInfo;
    const service = new StorageService({ url: `http://127.0.0.1:${port}`, key: 'key', secret: 'the secret' }, 50);
    const work = {
      check: () => service.check(),
      add: () => service.add(new Uint8Array(5)),
      read: () => service.read(CID),
    };
    const failure = await work[operation]().then(
      () => undefined,
      (error: unknown) => error as Error,
    );
    expect(failure).toBeInstanceOf(ServiceFailedError);
    expect(failure?.message).toBe(`The storage service at 127.0.0.1:${port} did not respond within 0.05 s.`);
  });
});
