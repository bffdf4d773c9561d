import { Entry } from '../../../../src/service/admission/admission';
import { openRaw } from '../../../support/service/raw';
import { FORM, multipart } from '../../../support/storage/multipart';
import { rawRequest } from '../../../support/storage/raw-http';
import { startTestService, type TestService } from '../../../support/storage/service';
import { someBytes } from '../../../support/storage/content';

const MIB = 1 << 20;

describe('a get whose client leaves in the middle', () => {
  let service: TestService;
  let cid: string;
  beforeAll(async () => {
    service = await startTestService();
    const { body } = await rawRequest(service.port, {
      path: '/api/v0/add',
      headers: FORM,
      body: multipart({ content: someBytes(32 * MIB), filename: 'large' }),
    });
    cid = (JSON.parse(body.toString()) as { Hash: string }).Hash;
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  afterAll(() => service.discard());

  // What was still being read would give its memory back again, and the client could then use more than it may.
  test.each(['', '&archive=true', '&compress=true', '&compress=true&archive=true'])(
    'reads nothing any more when its memory is given back: get%s',
    async (query) => {
      const heldAtEnd = new Promise<number>((resolve) => {
        jest.spyOn(Entry.prototype, 'done').mockImplementation(function (this: Entry) {
          jest.restoreAllMocks();
          resolve(this.memory.held);
          this.done();
        });
      });
      const { socket, write, until } = await openRaw(`http://127.0.0.1:${service.port}`);
      write(`POST /api/v0/get?arg=${cid}${query} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`);
      await until(/^HTTP\/1\.1 200/u);
      socket.destroy();
      expect(await heldAtEnd).toBe(0);
    },
  );
});
