import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FormPart, FORM, multipart } from '../../../support/storage/multipart';
import { rawRequest } from '../../../support/storage/raw-http';
import { startTestService, type TestService } from '../../../support/storage/service';

/** One exchange with a real Kubo 0.27, as recorded. */
type Transcript = {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly ct?: string;
    readonly bodyBytes?: number;
  };
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly bytes: number;
  readonly chunks?: readonly (number | string)[];
  readonly trailers?: Readonly<Record<string, string>>;
};

const TRANSCRIPTS = JSON.parse(
  readFileSync(join(__dirname, '../data', 'kubo-0.27-transcripts.json'), 'utf8'),
) as Readonly<Record<string, Transcript>>;

const HELLO = 'hello world\n';
const CHUNK = 256 << 10;
const MISSING_LEAF = 'QmQZ3JEYuakfmd8yqHWLUwUEZHG8tpRdDA3RrCfcv28rcC';

const hello: FormPart = { content: HELLO, filename: 'hw.txt' };
const directory = (filename: string): FormPart => ({ content: '', filename, type: 'application/x-directory' });
const car = Buffer.from((TRANSCRIPTS['dag/export']?.body ?? '').replace('base64:', ''), 'base64');
const corruptCar = Buffer.from(car);
corruptCar.set([0x0d], car.length - 1);

/** A node from a recorded response, with its data and links as JSON with base64. */
const bigNode = TRANSCRIPTS['object/get big']?.body ?? '';

/** The request bodies. The recordings have only their lengths, which are checked. */
const BODIES: Readonly<Record<string, Uint8Array>> = {
  'add progress': multipart(hello),
  'add quiet': multipart(hello),
  'add cid-version=1': multipart(hello),
  'add hash=blake2b-256': multipart(hello),
  'add hash=bogus': multipart(hello),
  'add cid-version=0&raw..sha512': multipart(hello),
  'add chunker=bogus': multipart(hello),
  'add chunker=size-0': multipart(hello),
  'add chunker=size-99999999': multipart(hello),
  'add inline': multipart({ content: 'tiny', filename: 's' }),
  'add wrap': multipart(hello),
  'add dir parts': multipart(
    directory('d'),
    { content: HELLO, filename: 'd%2Fa.txt' },
    { content: 'b', filename: 'd%2Fsub%2Fb.txt' },
  ),
  'add implicit dirs no dir part': multipart(
    { content: HELLO, filename: 'd2%2Fa.txt' },
    { content: 'b', filename: 'd2%2Fsub%2Fb.txt' },
  ),
  'add empty dir': multipart(directory('empty')),
  'add empty file': multipart({ content: '', filename: 'e' }),
  'add dup names wrap': multipart({ content: 'aa', filename: 'a' }, { content: 'bb', filename: 'a' }),
  'add traversal name': multipart({ content: 'x', filename: '..%2F..%2Fevil' }),
  'add no filename': multipart({ content: HELLO }),
  'add name other field': multipart({ content: HELLO, filename: 'x', field: 'anything' }),
  'add mode mtime hdr': multipart({ content: HELLO, filename: 'm', headers: ['mode: 1', 'mtime: 10'] }),
  'add mode query': multipart(hello),
  'add wrong ctype': Buffer.from(HELLO),
  'add no boundary': multipart(hello),
  'add truncated': multipart(hello).subarray(0, 124),
  'add int bad': multipart(hello),
  'add to-files': multipart(hello),
  'block/put two': multipart({ content: 'block1', filename: '' }, { content: 'block2', filename: '' }),
  'block/put 1.5MiB': multipart({ content: Buffer.alloc(1536 << 10), filename: '' }),
  'block/put mhtype sha2-512': multipart({ content: 'zz', filename: '' }),
  'block/put mhtype bogus': multipart({ content: 'hi', filename: '' }),
  'block/put pin': multipart({ content: 'pinned-block', filename: '' }),
  'object/put json': multipart({
    content:
      '{"Data":"another","Links":[{"Name":"some link","Hash":"QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o","Size":8}]}',
    filename: '',
  }),
  'dag/put pb': multipart({ content: '{"Data":{"/":{"bytes":"CAE"}},"Links":[]}', filename: '' }),
  'dag/put bad json': multipart({ content: '{nope', filename: '' }),
  'dag/import': multipart({ content: car, filename: 'c.car' }),
  'dag/import pin-roots=false': multipart({ content: car, filename: 'c.car' }),
  'dag/import truncated': multipart({ content: car.subarray(0, -5), filename: 'c.car' }),
  'dag/import corrupt': multipart({ content: corruptCar, filename: 'c.car' }),
};

/** Sends what makes this store hold the blocks of the recorded one. */
async function prepare(port: number): Promise<void> {
  const post = (path: string, ...parts: FormPart[]) =>
    rawRequest(port, { path: `/api/v0/${path}`, headers: FORM, body: multipart(...parts) });
  await post('add', hello);
  await post('add?wrap-with-directory=true', hello);
  await post('add', directory('empty'));
  await post('add', { content: HELLO, filename: 'd/a.txt' }, { content: 'b', filename: 'd/sub/b.txt' });
  await post('dag/put', { content: '{"foo":"bar","l":{"/":"QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o"}}' });
  const thirds = ['a', 'b', 'c'].map((letter) => letter.repeat(CHUNK)).join('');
  await post('add?pin=false', { content: thirds, filename: 'thirds' });
  await post('object/put?datafieldenc=base64', { content: bigNode });
}

/** Headers that carry meaning; the others name the server, the connection or the time. */
const HEADERS = [
  'Access-Control-Allow-Headers',
  'Access-Control-Allow-Methods',
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'Allow',
  'Content-Length',
  'Content-Type',
  'Location',
  'Trailer',
  'Transfer-Encoding',
  'X-Chunked-Output',
  'X-Content-Length',
  'X-Content-Type-Options',
  'X-Stream-Output',
];

type Expected = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** In latin1, so that bytes can be compared. */
  readonly body: string;
  readonly chunks: readonly number[] | undefined;
  readonly trailers: Readonly<Record<string, string>>;
};

const pickHeaders = (from: (name: string) => string | undefined): Record<string, string> =>
  Object.fromEntries(HEADERS.flatMap((name) => (from(name) === undefined ? [] : [[name, from(name) ?? '']])));

/** A recorded response in the form used for comparison. */
function recorded({ status, headers, body, chunks, trailers = {} }: Transcript): Expected {
  const bytes = body.startsWith('base64:') ? Buffer.from(body.slice(7), 'base64') : Buffer.from(body, 'utf8');
  const whole = chunks?.every((length) => typeof length === 'number') === true;
  return {
    status,
    headers: pickHeaders((name) => headers[name]),
    body: bytes.toString('latin1'),
    chunks: whole ? (chunks as number[]) : undefined,
    trailers,
  };
}

const plain = (status: number, text: string): Omit<Expected, 'trailers'> => ({
  status,
  headers: {
    'Content-Length': String(text.length + 1),
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
  },
  body: `${text}\n`,
  chunks: undefined,
});

const failure = (status: number, message: string, code: number, from: Expected): Expected => {
  const body = `${JSON.stringify({ Message: message, Code: code, Type: 'error' })}\n`;
  const headers = Object.fromEntries(
    Object.entries(from.headers).filter(([name]) => !/^X-(Chunked|Stream)/.test(name)),
  );
  return {
    status,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body,
    chunks: [body.length],
    trailers: {},
  };
};

const withBody = (from: Expected, body: string): Expected => ({ ...from, body, chunks: [body.length] });

/** Byte streams have chunk boundaries of our own: whole pieces instead of Kubo's tokens. */
const otherChunks = (from: Expected): Expected => ({ ...from, chunks: undefined });

const noIdentity = (from: Expected): Expected => withBody(from, from.body.replace('go1.21.13', ''));
const missingLeaf = `block was not found locally (offline): ipld: could not find ${MISSING_LEAF}`;

const notHere = (): Expected => ({ ...plain(404, '404 page not found'), trailers: {} });

/** Deliberate deviations, each explained in docs/kubo.md under "Deviations". */
const DEVIATIONS: Readonly<Record<string, (from: Expected) => Expected>> = {
  version: noIdentity,
  'version Origin localhost': noIdentity,
  'version UA Electron': noIdentity,
  'version unknown opt': noIdentity,
  'version OPTIONS preflight localhost': (from) => ({
    ...from,
    headers: {
      ...from.headers,
      'Access-Control-Allow-Headers': 'authorization, content-type, x-requested-with, accept, origin',
    },
  }),
  'version encoding=xml': () => ({ ...plain(400, 'invalid encoding: xml'), trailers: {} }),
  'object/get encoding=xml': () => ({ ...plain(400, 'invalid encoding: xml'), trailers: {} }),
  'version timeout=bogus': () => ({ ...plain(400, 'time: invalid duration "bogus"'), trailers: {} }),
  'object (group)': notHere,
  'object/patch add-link': notHere,
  'object/patch rm-link': notHere,
  'dag/stat progress=false': notHere,
  'midstream dag/stat': notHere,
  'repo/version': notHere,
  'pin/ls text quiet': () => ({ ...plain(400, 'invalid encoding: text'), trailers: {} }),
  'add truncated': (from) => failure(400, 'multipart: NextPart: EOF', 1, from),
  'add to-files': (from) =>
    failure(500, 'to-files is not offered by this service: it has no mutable file system', 0, from),
  'object/get dir': (from) => withBody(from, from.body.replace('\\u0008\\u0001', 'CAE=')),
  'object/get big text': (from) => withBody(from, bigNode),
  'block/put two': (from) => ({
    ...from,
    body: '{"Key":"QmYjAtdUccFkeMmCxHZZYkB8b8QPiFy6HEpieQnDtojap9","Size":6}\n{"Key":"QmVgJuQpp8Fp5hi6BDjuvm8Jo2UTKUX9y4CDR2n12sK9TL","Size":6}\n',
    chunks: [66, 66],
  }),
  // As Kubo 0.40 takes it.
  'block/put 1.5MiB': (from) => ({
    ...withBody(from, '{"Key":"QmPSoRWSKKsPrcMYL8TnTv3VaGSsd9Nd3EhjTiBuqEJWnt","Size":1572864}\n'),
    status: 200,
    headers: { ...from.headers, 'X-Chunked-Output': '1' },
  }),
  'block/put pin': (from) => withBody(from, '{"Key":"QmRPAWwx1JfA9wEGNHQ8y88HVUqkte3nLRhE3ULcPpoHNb","Size":12}\n'),
  'dag/put bad json': (from) => failure(400, '', 1, from),
  'dag/get': otherChunks,
  'dag/get path': otherChunks,
  'dag/export': otherChunks,
  // UnixFS 1.5 keeps what the recorded version ignores.
  'add mode query': (from) =>
    withBody(
      from,
      '{"Name":"hw.txt","Hash":"QmSWLNSbZnYzsn9TFopDmyeR2iqJyqUzJyv2Ti3Hx3pRCV","Size":"28","Mode":"0755","Mtime":1234}\n',
    ),
  // As Kubo 0.43 takes it.
  'cat via ipfs uri': (from) => ({
    ...from,
    status: 200,
    headers: {
      ...from.headers,
      'Content-Type': 'text/plain',
      'X-Content-Length': '12',
      'X-Stream-Output': '1',
    },
    body: 'hello world\n',
    chunks: [12],
  }),
  'midstream dag/export': (from) => ({ ...from, trailers: { 'X-Stream-Error': missingLeaf } }),
  'midstream get': (from) => ({ ...from, chunks: undefined, trailers: { 'X-Stream-Error': missingLeaf } }),
};

/** Recorded bodies that contain the time of the recording, or that were cut. */
const COMPARED: Readonly<Record<string, (body: string, recordedBody: string) => [string, string]>> = {
  get: (body, from) => [withoutTime(body, from), withoutTime(from, from)],
  'get archive': (body, from) => [withoutTime(body, from), withoutTime(from, from)],
  'midstream get': (body) => [body.slice(512, 516), 'aaaa'],
  'midstream dag/export': (body, from) => [body.slice(0, 400), from.slice(0, 400)],
  id: (body) => [Object.keys(JSON.parse(body) as object).join(), 'ID,PublicKey,Addresses,AgentVersion,Protocols'],
  'id format': (body) => [
    Object.keys(JSON.parse(body) as object).join(),
    'ID,PublicKey,Addresses,AgentVersion,Protocols',
  ],
  'dag/put bad json': (body) => [body.slice(0, 39), '{"Message":"the input is not dag-json: '],
};

/**
 * The recorded part of a tar file, without the time of its first entry and its checksum, and with numbers instead of
 * their digits, which may be padded in several ways.
 */
const withoutTime = (tar: string, from: string): string =>
  JSON.stringify([
    tar.slice(0, 100),
    [100, 108, 116, 124, 329, 337].map((at) => parseInt(tar.slice(at, at + 8), 8)),
    tar.slice(156, 329),
    tar.slice(345, from.length),
  ]);

describe('responses recorded from Kubo 0.27', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({ origins: ['http://localhost:15101'] });
    await prepare(service.port);
  });

  afterAll(() => service.discard());

  test.each(Object.keys(TRANSCRIPTS))('%s', async (name) => {
    const transcript = TRANSCRIPTS[name]!;
    const { request } = transcript;
    const body = BODIES[name];
    expect(body?.length).toBe(request.bodyBytes);
    if (name === 'pin/rm again') {
      await rawRequest(service.port, { path: request.path });
    }
    const answer = await rawRequest(service.port, {
      method: request.method,
      path: request.path,
      headers: { ...request.headers, ...(request.ct === undefined ? {} : { 'Content-Type': request.ct }) },
      ...(body === undefined ? {} : { body }),
    });
    const expected = (DEVIATIONS[name] ?? ((same) => same))(recorded(transcript));
    const compare = COMPARED[name];
    const [actualBody, expectedBody] = compare?.(answer.body.toString('latin1'), expected.body) ?? [
      answer.body.toString('latin1'),
      expected.body,
    ];
    expect({
      status: answer.status,
      headers: pickHeaders((header) => answer.headers.get(header.toLowerCase())),
      body: actualBody,
      chunks: expected.chunks === undefined || compare !== undefined ? expected.chunks : answer.chunks,
      trailers: answer.trailers,
    }).toEqual({ ...expected, body: expectedBody });
  });
});
