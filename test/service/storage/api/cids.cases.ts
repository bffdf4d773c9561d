import { execFileSync } from 'node:child_process';
import { createCipheriv, createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { importer } from 'ipfs-unixfs-importer';
import { StorageClient } from '../../../../src/clients/storage';
import { onlyNightly, perRun, testNightly } from '../../../support/nightly';
import { message, send } from '../../../support/storage/requests';
import { startTestService, temporaryDirectory, type TestService } from '../../../support/storage/service';

const CHUNK = 256 << 10;
const V1_2025 = { cidVersion: 1, chunkSize: 1 << 20 } as const;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz01234567890-_';

/** The content of IPIP-499's vectors: a ChaCha20 key stream whose key is the SHA2-256 of the seed. */
const keyStream = (seed: string, length: number): Buffer =>
  createCipheriv('chacha20', createHash('sha256').update(seed).digest(), Buffer.alloc(16)).update(Buffer.alloc(length));

let oracle: string | undefined;
try {
  execFileSync('ipfs_cid', [__filename], { stdio: 'ignore' });
  oracle = 'ipfs_cid';
} catch {
  oracle = undefined;
}

describe('CIDs', () => {
  let service: TestService;
  let client: StorageClient;
  beforeAll(async () => {
    service = await startTestService({ durable: false });
    client = new StorageClient({ url: service.url });
  });
  afterAll(() => service.discard());

  const SIZES = [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, ...perRun([], [174 * CHUNK + 1])];

  // The client computes each CID itself, and fails if the service's differs.
  test.each(SIZES)('a file of %d bytes: service, client and importer agree', async (size) => {
    const content = keyStream(`size ${size}`, size);
    for (const [options, profile] of [
      [{}, { cidVersion: 0, rawLeaves: false }],
      [{ cidVersion: 1 }, { cidVersion: 1, rawLeaves: true }],
    ] as const) {
      const { cid } = await client.add(content, { ...options, onlyHash: true });
      const blocks = { put: (key: unknown) => Promise.resolve(key) } as unknown as Parameters<typeof importer>[1];
      const [file] = await all(importer([{ content }], blocks, { profile: 'unixfs-v0-2015', ...profile }));
      expect(cid).toBe(file?.cid.toString());
    }
  });

  /** Vectors of IPIP-499, as Kubo's test/cli/cid_profiles_test.go has them. */
  test.each<readonly [string, number, Partial<typeof V1_2025>, string]>([
    ...onlyNightly(['v0-seed', 174 * CHUNK, {}, 'QmUbBALi174SnogsUzLpYbD4xPiBSFANF4iztWCsHbMKh2']),
    ['v0-seed', 175 * CHUNK, {}, 'QmepeWtdmS1hHXx1oZXsPUv6bMrfRRKfZcoPPU4eEfjnbf'],
    ['chunk-v1-seed', 1 << 20, V1_2025, 'bafkreiacndfy443ter6qr2tmbbdhadvxxheowwf75s6zehscklu6ezxmta'],
    ['chunk-v1-seed', (1 << 20) + 1, V1_2025, 'bafybeigmix7t42i6jacydtquhet7srwvgpizfg7gjbq7627d35mjomtu64'],
  ])('IPIP-499: %s, %d bytes', async (seed, size, options, expected) => {
    expect((await client.add(keyStream(seed, size), { ...options, onlyHash: true })).cid).toBe(expected);
  });

  const byDefault: readonly (readonly [string, number, number, string])[] = [
    ['at the threshold, flat', 4096, 30, 'QmX5GtRk3TSSEHtdrykgqm4eqMEn3n2XhfkFAis5fjyZmN'],
    ['one byte over it, sharded', 4033, 31, 'QmeMiJzmhpJAUgynAcxTQYek5PPKgdv3qEvFsdV3XpVnvP'],
  ];
  for (const [name, count, length, expected] of byDefault)
    testNightly(`IPIP-499: a directory ${name}`, async () => {
      const stream = keyStream('hamt-unixfs-v0-2015', 1 << 20);
      const files = Array.from({ length: count }, (_, index) => {
        const name = Array.from(stream.subarray(index * length, (index + 1) * length), (byte) => ALPHABET[byte % 39]);
        return { path: `root/${name.join('')}`, content: 'x' };
      });
      expect((await client.addAll(files)).at(-1)).toMatchObject({ path: 'root', cid: expected });
    });

  test.each([
    ['hello world', 'unixfs-v0-2015', 'Qmf412jQZiuVUtdgnB36FXFX7xg5V6KEbSJ4dpQuhkLyfD'],
    ['hello world', 'unixfs-v1-2025', 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e'],
    [keyStream('chunk-v0-seed', CHUNK), 'unixfs-v0-2015', 'QmWmRj3dFDZdb6ABvbmKhEL6TmPbAfBZ1t5BxsEyJrcZhE'],
    [keyStream('chunk-v0-seed', CHUNK + 1), 'unixfs-v0-2015', 'QmYyLxtzZyW22zpoVAtKANLRHpDjZtNeDjQdJrcQNWoRkJ'],
    [
      keyStream('chunk-v1-seed', 1 << 20),
      'unixfs-v1-2025',
      'bafkreiacndfy443ter6qr2tmbbdhadvxxheowwf75s6zehscklu6ezxmta',
    ],
    [
      keyStream('chunk-v1-seed', (1 << 20) + 1),
      'unixfs-v1-2025',
      'bafybeigmix7t42i6jacydtquhet7srwvgpizfg7gjbq7627d35mjomtu64',
    ],
  ])('IPIP-499: %.20s by cid-profile=%s', async (content, profile, expected) => {
    const answer = await send(service, `add?only-hash=true&cid-profile=${profile}`, { content, filename: 'f' });
    expect(JSON.parse(answer.body.toString())).toMatchObject({ Hash: expected });
  });

  test.each<readonly [string, number, string]>([
    ...onlyNightly(['at the threshold, flat', 21, 'bafybeic3h7rwruealwxkacabdy45jivq2crwz6bufb5ljwupn36gicplx4']),
    ['one byte over it, sharded', 22, 'bafybeiegvuterwurhdtkikfhbxcldohmxp566vpjdofhzmnhv6o4freidu'],
  ])('IPIP-499: a directory %s, by cid-profile=unixfs-v1-2025', async (_name, lastLength, expected) => {
    const stream = keyStream('hamt-unixfs-v1-2025', 1 << 20);
    const [count, length] = [4766, 11];
    const parts = Array.from({ length: count }, (_, index) => {
      const end = index * length + (index === count - 1 ? lastLength : length);
      const name = Array.from(stream.subarray(index * length, end), (byte) => ALPHABET[byte % 39]);
      return { filename: `root/${name.join('')}`, content: 'x' };
    });
    const answer = await send(service, 'add?cid-profile=unixfs-v1-2025&pin=false', ...parts);
    expect(JSON.parse(answer.body.toString().trim().split('\n').at(-1) ?? '')).toMatchObject({
      Name: 'root',
      Hash: expected,
    });
  });

  test.each([
    ['cid-profile=unixfs-v9', /unknown cid-profile "unixfs-v9": use one of unixfs-v0-2015, unixfs-v1-2025/u],
    ['max-file-links=1', /max-file-links must be from 2 to 8192/u],
    ['max-directory-links=5', /max-directory-links is not offered/u],
    ['max-hamt-fanout=1024', /max-hamt-fanout is not offered/u],
  ])('add with %s is refused', async (query, reason) => {
    expect(message(await send(service, `add?${query}`, { content: 'x', filename: 'f' }))).toMatch(reason);
  });

  // Of a file of one block, the importer wraps the block where it means its data.
  test('a file with permissions and a time: service and importer agree', async () => {
    const content = keyStream('attributes', CHUNK + 1);
    const answer = await send(service, 'add?mode=0755&mtime=1234&mtime-nsecs=5', { content, filename: 'f' });
    const blocks = { put: (key: unknown) => Promise.resolve(key) } as unknown as Parameters<typeof importer>[1];
    const file = { path: 'f', content, mode: 0o755, mtime: { secs: 1234n, nsecs: 5 } };
    const [imported] = await all(importer([file], blocks, { profile: 'unixfs-v0-2015' }));
    expect(JSON.parse(answer.body.toString())).toMatchObject({ Hash: imported?.cid.toString() });
  });

  test('max-file-links and chunker go before those of the profile', async () => {
    const content = keyStream('v0-seed', 175 * CHUNK);
    const like = async (query: string) =>
      (
        JSON.parse(
          (await send(service, `add?only-hash=true&${query}`, { content, filename: 'f' })).body.toString(),
        ) as { Hash: string }
      ).Hash;
    expect(
      await like('cid-profile=unixfs-v1-2025&chunker=size-262144&max-file-links=174&cid-version=0&raw-leaves=false'),
    ).toBe('QmepeWtdmS1hHXx1oZXsPUv6bMrfRRKfZcoPPU4eEfjnbf');
  });

  (oracle === undefined ? test.skip : test)(
    `ipfs_cid agrees${oracle === undefined ? ' (skipped: apt-get install ipfs-cid)' : ''}`,
    async () => {
      const path = join(await temporaryDirectory(), 'file');
      for (const size of SIZES) {
        const content = keyStream(`oracle ${size}`, size);
        await writeFile(path, content);
        const printed = execFileSync('ipfs_cid', [path]).toString();
        expect(printed).toContain((await client.add(content, { onlyHash: true })).cid);
      }
    },
  );

  test('a sharded directory is the one the importer builds', async () => {
    // Long names: a directory of more than 256 KiB is sharded.
    const files = Array.from({ length: 1200 }, (_, index) => ({
      path: `file-${index}-${'x'.repeat(200)}.txt`,
      content: `${index % 7}`,
    }));
    const added = await client.addAll(files, { wrap: true });
    const blocks = { put: (key: unknown) => Promise.resolve(key) } as unknown as Parameters<typeof importer>[1];
    const candidates = files.map(({ path, content }) => ({ path, content: Buffer.from(content) }));
    const options = { profile: 'unixfs-v0-2015', wrapWithDirectory: true } as const;
    const root = (await all(importer(candidates, blocks, options))).at(-1);
    expect(added.at(-1)).toMatchObject({ cid: root?.cid.toString(), size: Number(root?.size) });
  });
});

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const value of values) found.push(value);
  return found;
}
