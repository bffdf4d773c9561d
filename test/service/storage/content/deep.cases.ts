import * as dagPb from '@ipld/dag-pb';
import { CID } from 'multiformats/cid';
import * as Digest from 'multiformats/hashes/digest';
import { createHash } from 'node:crypto';
import { perRun } from '../../../support/nightly';
import { FORM, multipart } from '../../../support/storage/multipart';
import { rawRequest } from '../../../support/storage/raw-http';
import { startTestService, type TestService } from '../../../support/storage/service';

/** The nightly run has the maximum that an operator can allow. Recursion would overflow the stack before that. */
const LEVELS = perRun(512, 4096);
const DIRECTORY = Uint8Array.of(8, 1);

/** Nested directories, innermost first, with `levels` levels below the outermost. */
function nested(levels: number, name: string): { cid: CID; bytes: Uint8Array }[] {
  const made: { cid: CID; bytes: Uint8Array }[] = [];
  for (let level = 0; level <= levels; level++) {
    const below = made.at(-1);
    const Links = below === undefined ? [] : [{ Name: level === 1 ? name : 'd', Hash: below.cid, Tsize: 1 }];
    const bytes = dagPb.encode({ Data: DIRECTORY, Links });
    made.push({ cid: CID.createV0(Digest.create(0x12, createHash('sha256').update(bytes).digest())), bytes });
  }
  return made;
}

describe(`directories nested ${LEVELS} deep`, () => {
  let service: TestService;
  const post = (path: string, body?: Buffer) =>
    rawRequest(service.port, { path: `/api/v0/${path}`, ...(body && { headers: FORM, body }) });
  const store = async (levels: number, name: string): Promise<CID> => {
    const blocks = nested(levels, name);
    const answer = await post('block/put?format=v0', multipart(...blocks.map(({ bytes }) => ({ content: bytes }))));
    expect(answer.status).toBe(200);
    return blocks.at(-1)?.cid as CID;
  };
  beforeAll(async () => {
    service = await startTestService({ limits: { dagDepth: LEVELS }, durable: false });
  });
  afterAll(() => service.discard());

  test('are returned as an archive; one level more is rejected', async () => {
    const whole = await post(`get?arg=${(await store(LEVELS, 'd')).toString()}`);
    expect([whole.status, whole.trailers['X-Stream-Error']]).toEqual([200, undefined]);
    expect(whole.body.subarray(-1024).equals(Buffer.alloc(1024))).toBe(true);
    const deepest = Buffer.from(`${'/d'.repeat(LEVELS)}\n`);
    expect(whole.body.includes(deepest)).toBe(true);
    const more = await post(`get?arg=${(await store(LEVELS + 1, 'd')).toString()}`);
    expect(more.trailers['X-Stream-Error']).toBe(`the DAG is deeper than the allowed ${LEVELS} levels`);
  });
});
