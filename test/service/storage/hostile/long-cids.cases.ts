import * as dagCbor from '@ipld/dag-cbor';
import { base10 } from 'multiformats/bases/base10';
import { base2 } from 'multiformats/bases/base2';
import { base256emoji } from 'multiformats/bases/base256emoji';
import { base32, base32pad } from 'multiformats/bases/base32';
import { base36, base36upper } from 'multiformats/bases/base36';
import { base58btc, base58flickr } from 'multiformats/bases/base58';
import { base64url } from 'multiformats/bases/base64';
import { base8 } from 'multiformats/bases/base8';
import { CID } from 'multiformats/cid';
import * as Digest from 'multiformats/hashes/digest';
import { FORM, multipart } from '../../../support/storage/multipart';
import { rawRequest } from '../../../support/storage/raw-http';
import { startTestService, type TestService } from '../../../support/storage/service';
import { SETTINGS } from '../gateway/kit';

const SLOW = [base36, base36upper, base58btc, base58flickr];

describe('CIDs of any length, in bases that take quadratic time', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ durable: false, gateway: SETTINGS });
  });
  afterAll(() => service.discard());

  const post = async (path: string, content?: string | Uint8Array): Promise<Record<string, unknown>> => {
    const body = content === undefined ? {} : { headers: FORM, body: multipart({ content }) };
    const answer = await rawRequest(service.port, { path: `/api/v0/${path}`, ...body });
    const told = JSON.parse(answer.body.toString()) as Record<string, unknown>;
    return { ...told, status: answer.status };
  };
  const identity = (length: number) => CID.createV1(0x55, Digest.create(0, new Uint8Array(length).fill(7)));

  test.each(SLOW.map((base) => [base.name, base] as const))('are rejected in %s', async (name, { prefix }) => {
    const text = `${prefix}${'2'.repeat(256)}`;
    const why = `invalid cid: longer than the limit of 256 characters for ${name}`;
    expect(await post(`dag/get?arg=/ipfs/${text}`)).toMatchObject({ Message: `invalid path "/ipfs/${text}": ${why}` });
    expect(await post('dag/put?input-codec=dag-json', JSON.stringify({ '/': text }))).toMatchObject({
      status: 400,
      Message: `the input is not dag-json: ${why}`,
    });
    const node = JSON.stringify({ Links: [{ Name: 'a', Hash: text, Size: 1 }] });
    expect(await post('object/put', node)).toMatchObject({ status: 500, Message: `Links.0.Hash: ${why}` });
  });

  test('the longest useful ones are read in all of them', async () => {
    const cid = identity(128);
    for (const base of [...SLOW, base32])
      expect(await post(`block/stat?arg=${cid.toString(base)}`)).toMatchObject({ status: 200, Size: 128 });
  });

  test('are rejected in base10, which is as slow', async () => {
    const text = identity(32).toString(base10);
    expect(await post(`block/stat?arg=${text}`)).toMatchObject({ status: 500 });
    expect(await post(`pin/ls?cid-base=base10`)).toMatchObject({ Message: 'unsupported multibase encoding: base10' });
  });

  test.each([base2, base8, base32pad, base256emoji])('are read and written in $name', async (base) => {
    const cid = identity(32);
    expect(await post(`block/stat?arg=${encodeURIComponent(cid.toString(base))}`)).toMatchObject({ Size: 32 });
    const { Hash } = await post(`files/stat?arg=/ipfs/${cid.toString()}&cid-base=${base.name}`);
    expect(Hash).toBe(cid.toString(base));
  });

  test('with a digest that no hash function makes, are of no block', async () => {
    const long = CID.createV1(0x55, Digest.create(0x13, new Uint8Array(160).fill(7)));
    expect(await post(`block/stat?arg=${long.toString()}`)).toMatchObject({
      status: 500,
      Message: `block was not found locally (offline): ipld: could not find ${long.toString()}`,
    });
    const answer = await fetch(`${service.gateway?.url ?? ''}/ipfs/${long.toString()}?format=raw`);
    expect([answer.status, await answer.text()]).toEqual([404, 'the block is not stored here\n']);
    expect(service.warnings).toEqual([]);
  });

  test('are written in base32', async () => {
    const [short, long] = [identity(128), identity(1000)];
    const { Key } = await post('block/put?cid-codec=dag-cbor', dagCbor.encode([short, long]));
    for (const { name, prefix, encoder } of [...SLOW, base64url]) {
      const answer = await rawRequest(service.port, {
        path: `/api/v0/object/links?arg=${String(Key)}&cid-base=${name}`,
      });
      const { Links } = JSON.parse(answer.body.toString()) as { Links: { Hash: string }[] };
      const written = Links.map(({ Hash }) => Hash);
      const isSlow = prefix !== base64url.prefix;
      expect(written).toEqual([short.toString(encoder), isSlow ? long.toString() : long.toString(encoder)]);
    }
  });
});

test('endless nesting inside an apparent link is reported as such', async () => {
  const service = await startTestService({ durable: false });
  const body = multipart({ content: '{"/":'.repeat(100_000) });
  const answer = await rawRequest(service.port, { path: '/api/v0/dag/put?input-codec=dag-json', headers: FORM, body });
  expect([answer.status, answer.body.toString()]).toEqual([400, expect.stringContaining('nested too deeply')]);
  await service.discard();
});
