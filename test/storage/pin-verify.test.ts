import { CID } from 'multiformats/cid';
import { openStorage } from '../../src/service/storage/server';
import { type FormPart, FORM, multipart } from './kit/multipart';
import { rawRequest } from './kit/raw-http';
import { startTestService, type TestService } from './kit/service';

describe('pin/verify', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.discard());

  /** Deletes blocks while the service is stopped. */
  const lose = async (...cids: string[]) => {
    const { dataDir } = service;
    await service.stop();
    const opened = await openStorage({ dataDir });
    for (const cid of cids) await opened.service.store.delete(CID.parse(cid).multihash.bytes);
    await opened.close();
    service = await startTestService({ dataDir });
  };
  const request = (path: string, ...parts: FormPart[]) =>
    rawRequest(service.port, {
      path: `/api/v0/${path}`,
      ...(parts.length === 0 ? {} : { headers: FORM, body: multipart(...parts) }),
    });
  const add = async (query: string, files: Readonly<Record<string, string>>) => {
    const parts = Object.entries(files).map(([filename, content]) => ({ filename, content }));
    const lines = (await request(`add?${query}`, ...parts)).body.toString().trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line) as { Name: string; Hash: string });
  };

  test('reports incomplete pins, and with verbose the others', async () => {
    const whole = (await add('', { 'one/a': 'shared', 'one/b': 'whole' })).at(-1)?.Hash ?? '';
    const broken = await add('pin=false', { 'two/a': 'shared', 'two/sub/b': 'missing', 'two/sub/c': 'missing, too' });
    const root = broken.at(-1)?.Hash ?? '';
    await request(`pin/add?arg=${root}`);
    expect((await request('pin/verify')).body.toString()).toBe('');

    const missing = broken.filter(({ Name }) => /sub\/[bc]$/.test(Name)).map(({ Hash }) => Hash);
    await lose(...missing);
    const BadNodes = missing.map((Cid) => ({
      Cid,
      Err: `block was not found locally (offline): ipld: could not find ${Cid}`,
    }));
    const answer = await request('pin/verify');
    expect([answer.status, answer.headers.get('x-chunked-output')]).toEqual([200, '1']);
    expect(answer.body.toString()).toBe(`${JSON.stringify({ Cid: root, BadNodes })}\n`);
    expect((await request('pin/verify?quiet=true')).body.toString()).toBe(`{"Cid":"${root}"}\n`);
    const all = (await request('pin/verify?verbose=true')).body.toString().trimEnd().split('\n');
    expect(all.sort()).toEqual([`{"Cid":"${whole}","Ok":true}`, JSON.stringify({ Cid: root, BadNodes })].sort());

    const shown = (await request('pin/verify?verbose=true&encoding=text')).body.toString();
    expect(shown).toContain(`${whole} ok\n`);
    expect(shown).toContain(`${root} broken\n  ${missing[0]}: block was not found`);
    expect((await request('pin/verify?quiet=true&encoding=text')).body.toString()).toBe(`${root}\n`);
    const both = await request('pin/verify?quiet=true&verbose=true');
    expect(both.body.toString()).toContain('"the --verbose and --quiet options can not be used at the same time"');
  });
});
