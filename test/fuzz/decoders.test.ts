import { uncharged } from '../../src/service/admission/uncharged';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import * as dagPb from '@ipld/dag-pb';
import fc from 'fast-check';
import { CID } from 'multiformats/cid';
import { sha256 as multihashOf } from 'multiformats/hashes/sha2';

import { parseCid as parseClientCid } from '../../src/clients/storage/cid';
import { StorageError } from '../../src/clients/storage/errors';
import { decodeNode } from '../../src/clients/storage/node';
import { linksOf } from '../../src/clients/storage/value';
import { ArchiveError, FormatError } from '../../src/service/chain/archive/errors';
import { readEra1, readEra1Claim } from '../../src/service/chain/archive/era1';
import { readExport } from '../../src/service/chain/archive/export';
import { loadKeccak, loadSha256 } from '../../src/service/chain/archive/hashing';
import { EMPTY_UNCLES_HASH, readHeader } from '../../src/service/chain/archive/header';
import { rlpList } from '../../src/service/chain/archive/rlp';
import { Unframer } from '../../src/service/chain/archive/snappy';
import { parseCid } from '../../src/service/storage/content/cids';
import { carHeader, readCar } from '../../src/service/storage/content/car';
import { CommandError, RequestError } from '../../src/service/storage/errors';
import { boundaryOf, readParts } from '../../src/service/storage/api/multipart';
import { decodePb, decodeUnixFs } from '../../src/service/storage/content/unixfs/node';
import { anyText, fuzzing, mutatedBytes } from '../support/fuzz';
import { exportFile, makeChain } from '../support/service/chain';
import { era1File, frame } from '../support/service/era1-writer';

type ErrorType = abstract new (...args: never[]) => Error;

/** For any input, it returns a result or throws its own kind of error. */
async function onlyThrows(kinds: readonly ErrorType[], decode: () => unknown): Promise<void> {
  try {
    await decode();
  } catch (error) {
    if (!kinds.some((kind) => error instanceof kind)) throw error;
  }
}

const holds = (
  seeds: readonly Uint8Array[],
  kinds: readonly ErrorType[],
  decode: (bytes: Uint8Array) => unknown,
  runs = 500,
) =>
  fc.assert(
    fc.asyncProperty(fc.oneof(mutatedBytes(seeds), fc.uint8Array({ maxLength: 200 })), (bytes) =>
      onlyThrows(kinds, () => decode(bytes)),
    ),
    fuzzing(runs),
  );

const chain = makeChain({ length: 6, start: 8192 });
const fromHexText = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));

describe('the archive reader', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keystead-fuzz-'));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  const fileOf = (bytes: Uint8Array): string => {
    const path = join(folder, 'file');
    writeFileSync(path, bytes);
    return path;
  };

  it('reads RLP or reports an error', () =>
    holds([exportFile(chain.slice(0, 1))], [FormatError], (bytes) => rlpList(bytes)));

  it('reads snappy frames or reports an error', () =>
    holds([frame(Buffer.from('abc'.repeat(500))), frame(Buffer.alloc(70_000, 1), true)], [FormatError], (bytes) =>
      new Unframer().unframe(bytes, 0, bytes.length, 1 << 20),
    ));

  it('reads headers or reports an error', () =>
    holds(
      chain.map((block) => exportFile([block]).subarray(3)),
      [FormatError],
      (bytes) => readHeader(bytes),
    ));

  it('reads era1 and export files or reports an error', async () => {
    const keccak = await loadKeccak();
    const sha256 = await loadSha256();
    const hashes = { keccak, sha256, emptyUnclesHash: fromHexText(EMPTY_UNCLES_HASH.slice(2)) };
    const options = { network: 'mainnet', hashes, onProgress: () => undefined };
    await holds(
      [era1File(chain)],
      [ArchiveError],
      (bytes) => {
        const path = fileOf(bytes);
        readEra1Claim(path);
        readEra1(path, options);
      },
      200,
    );
    await holds(
      [exportFile(chain)],
      [ArchiveError],
      async (bytes) => {
        for await (const segment of readExport(fileOf(bytes), false, options)) expect(segment).toBeDefined();
      },
      200,
    );
  });
});

const CIDS = [
  'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG',
  'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi',
  'bafkqaaa',
  'zb2rhe5P4gXftAwvA4eXQ5HJwsER2owDyS9sKaQRRVQPn93bA',
];

const leaf = CID.parse(CIDS[1] as string);
const node = dagPb.encode(
  dagPb.prepare({ Data: Uint8Array.of(8, 2, 24, 6, 32, 3, 32, 3), Links: [{ Name: 'a', Hash: leaf, Tsize: 3 }] }),
);

describe('the storage service and its client', () => {
  it('read CIDs or report an error', async () => {
    const text = fc.oneof(
      mutatedBytes(CIDS.map((cid) => Buffer.from(cid))).map((bytes) => Buffer.from(bytes).toString('latin1')),
      anyText(80),
    );
    await fc.assert(
      fc.asyncProperty(text, async (cid) => {
        await onlyThrows([StorageError], () => parseClientCid(cid));
        try {
          expect(parseCid(cid).toString()).not.toBe('');
        } catch (error) {
          expect((error as Error).message).toMatch(/^invalid cid: /u);
        }
      }),
      fuzzing(500),
    );
  });

  it('agree on the CIDs that both accept', () => {
    fc.assert(
      fc.property(fc.constantFrom(...CIDS), (cid) => {
        expect(parseClientCid(cid).digest).toEqual(parseCid(cid).multihash.digest);
      }),
      fuzzing(20),
    );
  });

  it('read dag-pb nodes or report an error', async () => {
    await holds([node], [CommandError], (bytes) => decodePb(bytes));
    await holds([node], [RangeError], (bytes) => decodeUnixFs(bytes));
    await holds([node], [StorageError], (bytes) => decodeNode(bytes));
    const cid = parseClientCid(CIDS[1] as string);
    for (const codec of [0x70, 0x71, 0x0129])
      await holds([node], [StorageError], (bytes) => linksOf({ ...cid, codec }, bytes));
  });

  it('read CAR files within their limits or report an error', async () => {
    const block = Buffer.from('content');
    const cid = CID.createV1(0x55, await multihashOf.digest(block));
    const car = Buffer.concat([carHeader([cid]), Buffer.from([cid.bytes.length + block.length]), cid.bytes, block]);
    const limits = { blockBytes: 1 << 16, blocks: 10, tooBig: () => new CommandError('too big'), charge: uncharged() };
    await holds([car], [CommandError], async (bytes) => {
      const { blocks } = await readCar(Readable.from([Buffer.from(bytes)]), limits);
      for await (const each of blocks) expect(each.bytes.length).toBeLessThanOrEqual(limits.blockBytes);
    });
  });

  it('read multipart bodies in pieces of any size or report an error', async () => {
    const body = Buffer.from(
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a%2Fb"\r\nContent-Type: application/octet-stream\r\n\r\nabc\r\n' +
        '--x\r\nContent-Type: multipart/mixed; boundary="y"\r\n\r\n--y\r\n\r\ninner\r\n--y--\r\n--x--\r\n',
    );
    const cuts = fc.array(fc.nat(body.length), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.constant(body), mutatedBytes([body])), cuts, async (bytes, at) => {
        const edges = [0, ...at.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
        const pieces = edges.slice(1).map((end, i) => Buffer.from(bytes.subarray(edges[i], end)));
        const contents: string[] = [];
        await onlyThrows([CommandError, RequestError], async () => {
          for await (const part of readParts(Readable.from(pieces, { objectMode: true }), 'x')) {
            let content = '';
            for await (const piece of part.body) content += Buffer.from(piece).toString('latin1');
            contents.push(content);
          }
        });
        if (bytes === body) expect(contents).toEqual(['abc', 'inner']);
      }),
      fuzzing(500),
    );
  });

  it('read the boundary of a content type or report an error', async () => {
    await fc.assert(
      fc.asyncProperty(anyText(60), (tail) =>
        onlyThrows([RequestError], () => boundaryOf(`multipart/form-data${tail}`)),
      ),
      fuzzing(500),
    );
  });
});
