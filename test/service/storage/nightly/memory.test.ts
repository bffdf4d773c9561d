import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type Socket } from 'node:net';
import * as dagCbor from '@ipld/dag-cbor';
import * as dagPb from '@ipld/dag-pb';
import { CID } from 'multiformats/cid';
import { encodeFileNode } from '../../../../src/service/storage/content/unixfs/node';
import { digestOf } from '../../../support/storage/digest';
import { openClient } from '../../../support/service/offers';
import { startCli } from '../../../support/service/cli';
import { makeFolder, writeFile } from '../../../support/service/folder';
import { untilOutput } from '../../../support/service/until-output';
import { FORM, multipart } from '../../../support/storage/multipart';
import { rawRequest } from '../../../support/storage/raw-http';

type Started = {
  readonly key: string;
  readonly secret?: string;
  readonly addresses: readonly { readonly label: string; readonly url: string }[];
};

/** By how much one key, or one address at the gateway, may enlarge the process. */
const MOST_MIB = 256;
const REQUESTS = 100;

const canMeasure = process.platform === 'linux';
const rssMib = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/u.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? NaN) / 1024;

(canMeasure ? describe : describe.skip)(
  `one client takes little memory${canMeasure ? '' : ' (skipped: needs /proc)'}`,
  () => {
    let service: { readonly pid: number; readonly port: number; readonly gatewayPort: number };
    let authorization: string;
    let stop: () => Promise<unknown>;
    const dataDir = makeFolder();
    const config = writeFile(
      'config.json',
      JSON.stringify({ dataDir, rpc: { port: 0 }, storage: { port: 0, gateway: { port: 0 } } }),
    );
    /** The whole program with its defaults. Its first start shows its key. */
    const start = async () => {
      const child = startCli(dataDir, ['serve', '--config', config, '--json']);
      stop = () => {
        child.kill('SIGKILL');
        return once(child, 'exit');
      };
      const [line] = await untilOutput(child, /^\{.*\}\n/mu);
      const started = JSON.parse(line) as Started;
      const port = (label: string) =>
        Number(new URL(started.addresses.find((address) => address.label === label)?.url ?? '').port);
      service = { pid: child.pid ?? 0, port: port('Storage'), gatewayPort: port('Gateway') };
      if (started.secret !== undefined)
        authorization = `Basic ${Buffer.from(`${started.key}:${started.secret}`).toString('base64')}`;
    };
    // A process of its own for each, because memory that was used is not given back at once.
    beforeEach(start);

    const put = async (codec: number, bytes: Uint8Array): Promise<CID> => {
      const { status, body } = await rawRequest(service.port, {
        path: `/api/v0/block/put?cid-codec=0x${codec.toString(16)}&allow-big-block=true`,
        headers: { ...FORM, authorization },
        body: multipart({ content: bytes }),
      });
      if (status !== 200) throw new Error(body.toString());
      return CID.parse((JSON.parse(body.toString()) as { Key: string }).Key);
    };
    const roots = new Map<() => Promise<CID>, Promise<CID>>();
    const leaf = CID.createV1(0x55, digestOf(0, Buffer.from('x')));

    /** Each level has the one below and 20,000 leaves of one byte: what a walk has to remember of 40 levels. */
    async function tallFile(): Promise<CID> {
      let cid: CID = leaf;
      let size = 1;
      for (let level = 0; level < 40; level++) {
        const children = [{ cid, size }, ...Array.from({ length: 20_000 }, () => ({ cid: leaf, size: 1 }))];
        size += 20_000;
        const Data = encodeFileNode(
          size,
          children.map((child) => child.size),
        );
        cid = await put(
          0x70,
          dagPb.encode({ Data, Links: children.map((child) => ({ Hash: child.cid, Name: '', Tsize: 1 })) }),
        );
      }
      return cid;
    }
    /** A file of one byte a leaf, in leaves of 4 MiB that readers skip but for that byte. */
    async function paddedFile(): Promise<CID> {
      const padding = Buffer.alloc(4_000_000);
      const data = Buffer.concat([
        Buffer.from([0x08, 2, 0x12, 1, 0x78, 0x18, 1, 0x7a, 0x80, 0x92, 0xf4, 0x01]),
        padding,
      ]);
      const padded = await put(0x70, dagPb.encode({ Data: data, Links: [] }));
      const links = Array.from({ length: 1000 }, () => ({ Hash: padded, Name: '', Tsize: 1 }));
      return put(
        0x70,
        dagPb.encode({
          Data: encodeFileNode(
            1000,
            links.map(() => 1),
          ),
          Links: links,
        }),
      );
    }
    async function bigFile(): Promise<CID> {
      const blocks: CID[] = [];
      for (let i = 1; i <= 16; i++) blocks.push(await put(0x55, Buffer.alloc(4 << 20, i)));
      const links = blocks.map((Hash) => ({ Hash, Name: '', Tsize: 4 << 20 }));
      return put(
        0x70,
        dagPb.encode({
          Data: encodeFileNode(
            64 << 20,
            links.map(() => 4 << 20),
          ),
          Links: links,
        }),
      );
    }
    const numbers = () => put(0x71, dagCbor.encode(Array.from({ length: 1_000_000 }, (_, i) => i % 20)));
    const bytes = () => put(0x71, dagCbor.encode({ bytes: Buffer.alloc(4_000_000) }));

    const api = (command: string) => (cid: CID) =>
      [service.port, `POST /api/v0/${command}${cid.toString()} HTTP/1.1`] as const;
    const gateway = (query: string) => (cid: CID) =>
      [service.gatewayPort, `GET /ipfs/${cid.toString()}?${query} HTTP/1.1`] as const;

    test.each([
      ['cat of a tall file', tallFile, api('cat?arg=')],
      ['cat of a padded file', paddedFile, api('cat?arg=')],
      ['cat of a file with big blocks', bigFile, api('cat?arg=')],
      ['get of a tall file', tallFile, api('get?arg=')],
      ['get of a file with big blocks', bigFile, api('get?arg=')],
      ['dag/export of a file with big blocks', bigFile, api('dag/export?arg=')],
      ['pin/add of a tall file', tallFile, api('pin/add?arg=')],
      ['dag/get of numbers', numbers, api('dag/get?arg=')],
      ['dag/get of bytes', bytes, api('dag/get?arg=')],
      ['block/get of 4 MiB', bytes, api('block/get?arg=')],
      ['object/get of many links', tallFile, api('object/get?arg=')],
      ['a raw block of the gateway', bytes, gateway('format=raw')],
      ['a CAR file of a tall file', tallFile, gateway('format=car')],
      ['a CAR file with big blocks', bigFile, gateway('format=car')],
      ['a CAR file of a padded file, with duplicates', paddedFile, gateway('format=car&car-dups=y&dag-scope=entity')],
    ])(
      `%s, which nobody reads: at most ${MOST_MIB} MiB`,
      async (_name, make, requestFor) => {
        const made = roots.get(make) ?? make();
        roots.set(make, made);
        const cid = await made;
        // What was uploaded for the test is forgotten.
        await stop();
        await start();
        const [port, line] = requestFor(cid);
        const before = rssMib(service.pid);
        const sockets: Socket[] = [];
        for (let i = 0; i < REQUESTS; i++) {
          const { socket } = await openClient(port);
          socket.pause();
          socket.write(`${line}\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Length: 0\r\n\r\n`);
          sockets.push(socket);
        }
        let most = 0;
        for (const end = Date.now() + 8_000; Date.now() < end;) {
          most = Math.max(most, rssMib(service.pid) - before);
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        for (const socket of sockets) socket.resetAndDestroy();
        // The places of the client are free again.
        expect((await rawRequest(service.port, { path: '/api/v0/version', headers: { authorization } })).status).toBe(
          200,
        );
        expect(most).toBeLessThanOrEqual(MOST_MIB);
      },
      600_000,
    );
  },
);
