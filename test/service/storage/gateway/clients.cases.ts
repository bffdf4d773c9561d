import { uncharged } from '../../../../src/service/admission/uncharged';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CID } from 'multiformats/cid';
import { StorageClient } from '../../../../src/clients/storage';
import { matches } from '../../../../src/service/storage/store/hashes';
import { someBytes } from '../../../support/storage/content';
import { type GatewayService, shardedDirectory, startTestGateway, storeBlocks } from './kit';

const PEERS = join(__dirname, 'peers');
const installed = existsSync(join(PEERS, 'node_modules', '@helia', 'verified-fetch'));
const maybe = installed ? describe : describe.skip;
const run = promisify(execFile);

type Fetched = { readonly status?: number; readonly type?: string; readonly sha256?: string; readonly error?: string };

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** What `@helia/verified-fetch` gets by way of a gateway. */
async function fetchVerified(gateway: string, ...urls: readonly string[]): Promise<Fetched[]> {
  const { stdout } = await run(process.execPath, ['run-verified-fetch.mjs', gateway, ...urls], { cwd: PEERS });
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Fetched[];
}

/** A gateway that changes a byte in every answer. */
async function startLiar(gateway: string): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    void (async () => {
      const answer = await fetch(new URL(request.url ?? '/', gateway), {
        headers: { Accept: request.headers.accept ?? '*/*' },
      });
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (bytes.length > 0) bytes[bytes.length >> 1]! ^= 1;
      response.writeHead(answer.status, { 'Content-Type': answer.headers.get('content-type') ?? '' }).end(bytes);
    })();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

let service: GatewayService;
let client: StorageClient;
beforeAll(async () => {
  service = await startTestGateway();
  client = new StorageClient({ url: service.url });
});
afterAll(() => service.discard());

const NAME = '@helia/verified-fetch';
maybe(`${NAME}${installed ? '' : ' (skipped: run scripts/install-storage-peers.sh)'}`, () => {
  test('reads files, paths, sharded directories and raw blocks', async () => {
    const content = someBytes(700_000);
    const small = someBytes(100);
    const { cid: file } = await client.add(content, { cidVersion: 1 });
    const { cid: version0 } = await client.add(content);
    const { cid: block } = await client.add(small, { cidVersion: 1 });
    const added = await client.addAll([{ path: 'd/sub/a name', content: small }], { cidVersion: 1 });
    const directory = added.at(-1)?.cid ?? '';
    const sharded = await shardedDirectory(Array.from({ length: 400 }, (_, index) => `file ${index}`));
    await storeBlocks(service, sharded.blocks);
    const [whole, old, inDirectory, inShard, raw, missing] = await fetchVerified(
      service.at.url,
      `ipfs://${file}`,
      `ipfs://${version0}`,
      `ipfs://${directory}/sub/a%20name`,
      `ipfs://${sharded.root.toString()}/file%20123`,
      JSON.stringify([`ipfs://${block}`, { Accept: 'application/vnd.ipld.raw' }]),
      `ipfs://${directory}/none`,
    );
    expect(whole).toMatchObject({ status: 200, sha256: sha256(content) });
    expect(old).toMatchObject({ status: 200, sha256: sha256(content) });
    expect(inDirectory).toMatchObject({ status: 200, sha256: sha256(small) });
    expect(inShard).toMatchObject({ status: 200, sha256: sha256(Buffer.from('content of file 123')) });
    expect(raw).toMatchObject({ status: 200, type: 'application/vnd.ipld.raw', sha256: sha256(small) });
    expect(missing).toMatchObject({ status: 404 });
  });

  test('does not take what a lying gateway sends', async () => {
    const { cid } = await client.add(someBytes(5000), { cidVersion: 1 });
    const [honest] = await fetchVerified(service.at.url, `ipfs://${cid}`);
    expect(honest).toMatchObject({ status: 200 });
    const { server, url } = await startLiar(service.at.url);
    try {
      const [lied] = await fetchVerified(url, `ipfs://${cid}`);
      expect(lied?.sha256 === undefined || (lied.status ?? 0) >= 400).toBe(true);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

test('a changed block does not match the CID that a client asked for', async () => {
  const { cid } = await client.add(someBytes(5000), { cidVersion: 1 });
  const { server, url } = await startLiar(service.at.url);
  const { multihash } = CID.parse(cid);
  const ask = async (gateway: string) =>
    new Uint8Array(await (await fetch(`${gateway}/ipfs/${cid}?format=raw`)).arrayBuffer());
  expect(await matches(multihash, await ask(service.at.url), uncharged())).toBe(true);
  expect(await matches(multihash, await ask(url), uncharged())).toBe(false);
  server.closeAllConnections();
  server.close();
});
