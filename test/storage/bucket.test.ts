import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Bucket } from '../../src/service/storage/s3/bucket';
import { collect } from './kit/content';

/** Lets the object store answer requests in turn: each with a status and a body. */
async function withBucket<T>(
  answers: readonly (readonly [status: number, body: string])[],
  use: (bucket: Bucket, urls: readonly string[]) => Promise<T>,
): Promise<T> {
  const urls: string[] = [];
  const server = createServer((request, response: ServerResponse) => {
    const [status, body] = answers[urls.push(request.url ?? '') - 1] ?? [500, ''];
    response.writeHead(status, { 'Content-Type': 'application/xml' }).end(body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const options = {
    endpoint,
    region: 'us-east-1',
    bucket: 'blocks',
    prefix: 'p/',
    accessKeyId: 'a',
    secretAccessKey: 's',
  };
  try {
    return await use(new Bucket(options), urls);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const page = (isTruncated: boolean, ...keys: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>blocks</Name><IsTruncated>${isTruncated}</IsTruncated>
${keys.map((key) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`).join('\n')}</ListBucketResult>`;

const list = (...pages: string[]) =>
  withBucket(
    pages.map((body) => [200, body]),
    async (bucket, urls) => ({ keys: await collect(bucket.list('segments/')), urls }),
  );

test.each([
  ['none', page(false), []],
  ['one, which looks like a number', page(false, 'p/001'), ['001']],
  ['several', page(false, 'p/segments/a.car', 'p/segments/b.car'), ['segments/a.car', 'segments/b.car']],
  ['one with characters that XML escapes', page(false, 'p/a&amp;b&lt;'), ['a&b<']],
  ['none, in an empty element', '<ListBucketResult></ListBucketResult>', undefined],
  ['another answer', '<html><body>Sign in</body></html>', undefined],
  ['no XML', 'upstream timed out', undefined],
])('keys of a page: %s', async (_name, body, expected) => {
  const listed = list(body).then(({ keys }) => keys);
  if (expected === undefined) await expect(listed).rejects.toThrow('answered a listing with something else');
  else expect(await listed).toEqual(expected);
});

test('a listing goes on behind its last key', async () => {
  const { keys, urls } = await list(page(true, 'p/segments/a', 'p/segments/b'), page(false, 'p/segments/c'));
  expect(keys).toEqual(['segments/a', 'segments/b', 'segments/c']);
  expect(urls.map((url) => url.split('?')[1])).toEqual([
    'prefix=p%2Fsegments%2F',
    'prefix=p%2Fsegments%2F&marker=p%2Fsegments%2Fb',
  ]);
});

test('a truncated page without keys is an error, not the end', async () => {
  await expect(list(page(true))).rejects.toThrow('an empty page of a truncated list');
});

test.each([
  ['an object that does not exist', 404, '<Error><Code>NoSuchKey</Code><Message>x</Message></Error>', undefined],
  [
    'a bucket that does not exist',
    404,
    '<Error><Code>NoSuchBucket</Code></Error>',
    'answered GET with 404 NoSuchBucket',
  ],
  ['a refusal in another form', 403, 'denied', 'answered GET with 403'],
])('%s', async (_name, status, body, message) => {
  const read = withBucket([[status, body]], (bucket) => bucket.get('segments/a'));
  if (message === undefined) expect(await read).toBeUndefined();
  else await expect(read).rejects.toThrow(message);
});
