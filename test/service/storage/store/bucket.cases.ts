import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Bucket } from '../../../../src/service/storage/store/bucket';
import { collect } from '../../../support/storage/content';

/** Lets the object store answer requests in turn: each with a status and a body. */
async function withBucket<T>(
  answers: readonly (readonly [status: number, body: string, headers?: Record<string, string>])[],
  use: (bucket: Bucket, urls: readonly string[]) => Promise<T>,
  onConnections: (change: 1 | -1) => void = () => undefined,
): Promise<T> {
  const urls: string[] = [];
  const server = createServer((request, response: ServerResponse) => {
    const [status, body, headers] = answers[urls.push(request.url ?? '') - 1] ?? [500, ''];
    response.writeHead(status, { 'Content-Type': 'application/xml', ...headers }).end(body);
  });
  server.on('connection', (socket) => {
    onConnections(1);
    socket.once('close', () => {
      onConnections(-1);
    });
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
  ['one, whose name looks like a number', page(false, 'p/segments/001'), ['segments/001']],
  ['several', page(false, 'p/segments/a.car', 'p/segments/b.car'), ['segments/a.car', 'segments/b.car']],
  ['one with characters that XML escapes', page(false, 'p/segments/a&amp;b&lt;'), ['segments/a&b<']],
  ['none, in an empty element', '<ListBucketResult></ListBucketResult>', undefined],
  ['another answer', '<html><body>Sign in</body></html>', undefined],
  ['no XML', 'upstream timed out', undefined],
  ['a page that was cut behind an entry', page(false, 'p/segments/a').replace('</ListBucketResult>', ''), undefined],
  ['a page that was cut within an entry', page(false, 'p/segments/a').replace(/<Size>[^]*/u, ''), undefined],
  [
    'a page that does not say whether more follow',
    page(false).replace(/<IsTruncated>.*<\/IsTruncated>/u, ''),
    undefined,
  ],
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

test('a truncated list whose pages repeat is an error, not endless', async () => {
  const same = page(true, 'p/segments/a', 'p/segments/b');
  await expect(list(same, same)).rejects.toThrow('the same page of a list again');
});

test('the list of something else is an error, not an empty list', async () => {
  await expect(list(page(false, 'p/pins/a'))).rejects.toThrow('keys that do not begin with the prefix');
  await expect(list(page(false, 'q/segments/a'))).rejects.toThrow('keys that do not begin with the prefix');
});

test('a part that nobody asked for is an error', async () => {
  await withBucket([[206, 'a part']], async (bucket) => {
    await expect(bucket.get('a')).rejects.toThrow('answered GET with 206');
  });
});

test('size and time of an object, or that there is none', async () => {
  await withBucket(
    [
      [200, ''],
      [404, ''],
      [403, ''],
    ],
    async (bucket) => {
      expect(await bucket.head('a')).toEqual({ size: expect.any(Number) as number, modified: NaN });
      expect(await bucket.head('a')).toBeUndefined();
      await expect(bucket.head('a')).rejects.toThrow('answered HEAD with 403');
    },
  );
});

test('objects of a listing have a size and a time, if the service says so', async () => {
  const body = page(false, 'p/segments/a').replace('<Size>1</Size>', '');
  const dated = page(false, 'p/segments/b').replace(
    '<Size>',
    '<LastModified>2026-01-02T03:04:05.678Z</LastModified><Size>',
  );
  await withBucket(
    [
      [200, body],
      [200, dated],
    ],
    async (bucket) => {
      expect(await collect(bucket.pages('segments/'))).toEqual([[{ key: 'segments/a', size: NaN, modified: NaN }]]);
      expect(await collect(bucket.pages('segments/'))).toEqual([
        [{ key: 'segments/b', size: 1, modified: Date.UTC(2026, 0, 2, 3, 4, 5, 678) }],
      ]);
    },
  );
});

describe('the clock', () => {
  const stored = new Date('2031-02-03T04:05:06Z');
  const written = [200, ''] as const;
  const told = [200, '', { 'last-modified': stored.toUTCString() }] as const;

  test('is that of an object, whatever the date of an answer, and is read once', async () => {
    await withBucket([written, told], async (bucket, urls) => {
      const times = await Promise.all([bucket.now(), bucket.now()]);
      times.push(await bucket.now());
      for (const time of times) expect(Math.abs(time - stored.getTime())).toBeLessThan(60_000);
      expect(urls).toEqual(['/blocks/p/clock', '/blocks/p/clock']);
    });
  });

  test('is read again after a while, and when the machine has slept', async () => {
    await withBucket([written, told, written, told, written, told], async (bucket, urls) => {
      await bucket.now();
      const [uptime, wall] = [performance.now(), Date.now()];
      jest.spyOn(performance, 'now').mockReturnValue(uptime + 660_000);
      jest.spyOn(Date, 'now').mockReturnValue(wall + 660_000);
      await bucket.now();
      expect(urls).toHaveLength(4);
      jest.spyOn(Date, 'now').mockReturnValue(wall + 3_600_000);
      await bucket.now();
      expect(urls).toHaveLength(6);
    });
  });

  test('an object without a time is an error', async () => {
    await withBucket([written, [200, '']], async (bucket) => {
      await expect(bucket.now()).rejects.toThrow('the object store does not tell the time of an object');
    });
  });
});

test('an overloaded service is asked again for a while, and then reported as passing', async () => {
  const answer = [503, '<Error><Code>SlowDown</Code></Error>'] as const;
  await withBucket(Array<typeof answer>(100).fill(answer), async (bucket, urls) => {
    const failure = { message: 'the object store answered GET with 503 SlowDown', isPassing: true };
    await expect(bucket.probe()).rejects.toMatchObject(failure);
    expect(urls.length).toBeGreaterThan(2);
  });
});

test.each([
  [403, 'RequestTimeTooSkewed'],
  [501, 'NotImplemented'],
])('%s %s is reported at once', async (status, code) => {
  await withBucket([[status, `<Error><Code>${code}</Code></Error>`]], async (bucket, urls) => {
    const failure = { message: `the object store answered PUT with ${status} ${code}`, isPassing: false };
    await expect(bucket.put('a', Buffer.from('b'))).rejects.toMatchObject(failure);
    expect(urls).toHaveLength(1);
  });
});

test('the answer to an attempt that is repeated holds no connection', async () => {
  let connections = 0;
  const answers = [503, 503, 200].map((status) => [status, status === 200 ? 'b' : 'x'.repeat(1 << 20)] as const);
  await withBucket(
    answers,
    async (bucket) => {
      expect(String(await bucket.get('a'))).toBe('b');
      // Each refused answer was cancelled with its connection, so that only the last is open.
      while (connections > 1) await new Promise(setImmediate);
    },
    (change) => (connections += change),
  );
});

test('an answer that does not end is an error', async () => {
  await withBucket([[200, 'x'.repeat(1000)]], async (bucket) => {
    await expect(bucket.get('a', 999)).rejects.toThrow('the object store sent more than 999 bytes');
  });
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

test.each(['<Prefix>p/other/</Prefix>', '<Marker>p/segments/z</Marker>'])(
  'an empty list of something else is refused: %s',
  async (said) => {
    const body = page(false).replace('<IsTruncated>', `${said}<IsTruncated>`);
    await expect(list(body)).rejects.toThrow('listed keys that do not begin with the prefix');
    const own = page(false).replace('<IsTruncated>', '<Prefix>p/segments/</Prefix><Marker></Marker><IsTruncated>');
    expect((await list(own)).keys).toEqual([]);
  },
);

test('a page of a list that is too long to be one is not read to its end', async () => {
  await expect(list(page(false, `p/segments/${'x'.repeat(9 << 20)}`))).rejects.toThrow(
    'the object store sent more than 8388608 bytes',
  );
});
