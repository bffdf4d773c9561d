import { openRaw } from '../../../support/service/raw';
import { startTestService, type TestService } from '../../../support/storage/service';
import { FORM_LINE, head } from '../../../support/storage/requests';

describe('heads, paths and connections', () => {
  let service: TestService;
  const logged: { fields: object; text: string }[] = [];
  beforeAll(async () => {
    const log = (fields: object, text: string) => logged.push({ fields, text });
    service = await startTestService({
      authenticate: (key, secret) =>
        Promise.resolve(key === 'the-key' && secret === 'the-secret' ? { id: 'tenant' } : undefined),
      limits: { connections: 50, keyRequests: 50 },
      logger: { info: log, warn: log, error: log },
    });
  });
  afterAll(() => service.discard());
  const AUTHORIZATION = `Authorization: Basic ${Buffer.from('the-key:the-secret').toString('base64')}`;
  const UPLOAD = [AUTHORIZATION, FORM_LINE, 'Content-Length: 1000', 'Expect: 100-continue'];
  const raw = async (target: string, headers: readonly string[] = []) => {
    const { write, closed } = await openRaw(service.url);
    const lines = [`POST ${target} HTTP/1.1`, 'Host: x', AUTHORIZATION, 'Connection: close', ...headers, '', ''];
    write(Buffer.from(lines.join('\r\n'), 'latin1'));
    return closed;
  };

  test.each<[string, string[], number]>([
    ['a header of 20 kB', [`X: ${'a'.repeat(20_000)}`], 431],
    ['ten thousand headers', Array.from({ length: 10_000 }, (_, i) => `a${i}: 1`), 431],
    ['a length and chunks', ['Content-Length: 5', 'Transfer-Encoding: chunked'], 400],
    ['two lengths', ['Content-Length: 5', 'Content-Length: 6'], 400],
    ['a header name with a space', ['A b: c'], 400],
    ['an expectation nobody can meet', ['Expect: everything'], 417],
    ['a length of petabytes', ['Content-Length: 9007199254740991'], 400],
  ])('%s', async (_name, headers, status) => {
    expect(await raw('/api/v0/version', headers)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `, 'u'));
  });

  test.each([
    '//',
    '//other.example/api/v0/version',
    'http://[',
    'http://user:the-secret@',
    '/api/v0/../v0/version',
    '/x/../api/v0/version',
    '/api/v0/%2e%2e/v0/version',
    '/api//v0/version',
    '/api/v0//version',
    '/api/v0/version/',
    '/API/v0/version',
    '/api/v0/repo%2fgc',
    '/api/v0/%72epo/gc',
    '/api/v0\\version',
    '*',
    '/api/v0/__proto__',
    '/api/v0/toString',
    '/api/v0/\u009bversion',
  ])('%s is not a command', async (target) => {
    expect(await raw(target)).toMatch(/^HTTP\/1\.1 40[04] /u);
  });

  test('a command by its absolute URL is accepted', async () => {
    expect(await raw('http://storage.example/api/v0/version?number=true')).toMatch(/^HTTP\/1\.1 200 /u);
  });

  test('options repeated thousands of times, and unknown names', async () => {
    expect(await raw(`/api/v0/version?${'x=1&'.repeat(3000)}`)).toMatch(/^HTTP\/1\.1 200 /u);
    expect(await raw(`/api/v0/version?${'__proto__=1&constructor=2&'.repeat(300)}`)).toMatch(/^HTTP\/1\.1 200 /u);
    expect(await raw(`/api/v0/cat?${'arg=x&'.repeat(2000)}`)).toMatch(/^HTTP\/1\.1 400 /u);
    expect(await raw(`/api/v0/cat?${'offset=1&'.repeat(1500)}arg=x`)).toMatch(/^HTTP\/1\.1 400 /u);
  });

  test('a page whose own name resolves here (DNS rebinding) is rejected, and can read nothing', async () => {
    const page = async (host: string, headers: readonly string[]) => {
      const { write, closed } = await openRaw(service.url);
      write(head('version', [AUTHORIZATION, 'Connection: close', ...headers]).replace('Host: x', `Host: ${host}`));
      return closed;
    };
    const { port } = service;
    for (const host of ['evil.example', `evil.example:${port}`, `127.0.0.1.evil.example:${port}`]) {
      for (const headers of [
        [`Origin: http://${host}`],
        [`Referer: http://${host}/page`],
        ['User-Agent: Mozilla/5.0'],
        ['Origin: null'],
        [`Origin: http://localhost:${port}.evil.example`],
        [`Origin: http://localhost:${port + 1}`],
        ['Origin: '],
      ]) {
        const answer = await page(host, headers);
        expect(answer).toMatch(/^HTTP\/1\.1 403 /u);
        expect(answer).not.toMatch(/access-control-allow-origin/iu);
      }
    }
    expect(await page(`localhost:${port}`, [`Origin: http://localhost:${port}`])).toMatch(/^HTTP\/1\.1 200 /u);
  });

  test('the response does not reveal which half of the credentials was wrong', async () => {
    const answers = new Set<string>();
    for (const text of [
      'the-key:wrong',
      'wrong:the-secret',
      'wrong:wrong',
      'the-key:',
      ':the-secret',
      ':',
      'the-key',
      '',
    ]) {
      const { write, closed } = await openRaw(service.url);
      const encoded = Buffer.from(text).toString('base64');
      write(head('version', [`Authorization: Basic ${encoded}`, 'Connection: close']));
      answers.add((await closed).replace(/^(?:Date|X-Request-Id): .*$/gimu, ''));
    }
    expect(answers.size).toBe(1);
    expect([...answers][0]).toMatch(/^HTTP\/1\.1 403 /u);
  });

  test('no client-supplied text is logged', async () => {
    await raw('/api/v0/cat/%0d%0aforged');
    await raw('/v3/the-key/forged');
    await raw('http://the-key:the-secret@host/forged');
    await raw('/api/v0/\u009b31mforged', ['User-Agent: forged', 'Referer: http://forged/', 'Origin: http://forged']);
    await raw('/api/v0/add/forged?arg=forged', [FORM_LINE]);
    const all = JSON.stringify(logged);
    // Of each status, ten lines a second.
    expect(logged.length).toBeGreaterThan(20);
    expect(all).toContain('"command":"version"');
    expect(all).not.toMatch(/forged|the-key|the-secret|\\u00/u);
  });

  test('a connection beyond the limit takes the place of the one that has been idle the longest', async () => {
    const idle = await Promise.all(Array.from({ length: 50 }, () => openRaw(service.url)));
    const [first, second, third] = idle;
    first?.write(head('version', [AUTHORIZATION, 'Content-Length: 0']));
    await first?.until(/^HTTP\/1\.1 200 /u);
    // An upload is a request in progress as soon as it is told to continue.
    third?.write(head('add', UPLOAD));
    await third?.until(/^HTTP\/1\.1 100 /u);
    expect(await raw('/api/v0/version')).toMatch(/^HTTP\/1\.1 200 /u);
    expect(await second?.closed).toBe('');
    expect([first?.socket.destroyed, third?.socket.destroyed]).toEqual([false, false]);
    for (const { socket } of idle) socket.destroy();
  });

  test('if every connection has a request in progress, a further one is closed', async () => {
    const busy = await Promise.all(Array.from({ length: 50 }, () => openRaw(service.url)));
    for (const { write, until } of busy) {
      write(head('add', UPLOAD));
      await until(/^HTTP\/1\.1 100 /u);
    }
    expect(await (await openRaw(service.url)).closed).toBe('');
    for (const { socket } of busy) socket.destroy();
    let answer = '';
    for (let left = 1000; answer === '' && left > 0; left--) answer = await raw('/api/v0/version');
    expect(answer).toMatch(/^HTTP\/1\.1 200 /u);
  });
});
