import { mediaParameter } from '../../../../src/service/storage/http/media-type';
import { FORM } from '../../../support/storage/multipart';
import { rawRequest } from '../../../support/storage/raw-http';
import { startTestService } from '../../../support/storage/service';

test.each([
  [`form-data; name="file"; filename*=UTF-8''%e2%82%ac%20rates`, '€ rates'],
  [`form-data; filename*=iso-8859-1'en'%A3%20rates`, undefined],
  [`form-data; filename*=us-ascii''a%20b`, 'a b'],
  [`form-data; filename="x"; filename*=UTF-8''y`, 'y'],
  [`form-data; filename*=UTF-8''y; filename="x"`, 'y'],
  [`form-data; filename="x"; filename*=latin1''y`, 'x'],
  // Pieces of one name (RFC 2231, section 3) are for mail: no client of this API sends them.
  ['form-data; filename*0="a"; filename*1="b"', undefined],
  [`form-data; filename*=UTF-8''%zz`, undefined],
  ['form-data; filename*=nothing', undefined],
  [`form-data; filename*=utf-8'en'a%2Fb`, 'a/b'],
  [`form-data; filename*="UTF-8''a%20b"`, 'a b'],
  ['form-data; filename=a b', undefined],
  ['form-data; filename=a', 'a'],
  [String.raw`form-data; filename="a\"b\\c"`, String.raw`a"b\c`],
  [String.raw`form-data; filename="C:\dev\go\foo.txt"`, String.raw`C:\dev\go\foo.txt`],
  ['form-data; filename="a"; filename="b"', undefined],
  ['form-data; filename="a"; FILENAME="a"', 'a'],
  ['form-data; filename=', undefined],
  ['form-data; filename=""', ''],
  ['form-data; filename="é"', 'é'],
  ['form-data; filename=é', undefined],
  ['form-data; filename="a" ; name=b;', 'a'],
  ['form-data filename="a"', undefined],
  ['form-data; filename = "a"', 'a'],
  ['form-data; filename="a;b"', 'a;b'],
  ['form-data; filename="a', undefined],
  ['; filename="a"', undefined],
  ['', undefined],
  ['attachment; filename="=?utf-8?q?x?="', '=?utf-8?q?x?='],
])('%s', (value, expected) => {
  expect(mediaParameter(value, 'filename')).toBe(expected);
});

test('an unterminated value is rejected at once', () => {
  expect(mediaParameter(`form-data; filename="${'\\;'.repeat(8000)}`, 'filename')).toBeUndefined();
});

test('an upload has the name its extended parameter gives', async () => {
  const service = await startTestService();
  const part = (disposition: string) =>
    Buffer.from(`--XbX\r\nContent-Disposition: form-data; name="file"; ${disposition}\r\n\r\nx\r\n--XbX--\r\n`);
  const nameOf = async (disposition: string) => {
    const answer = await rawRequest(service.port, { path: '/api/v0/add', headers: FORM, body: part(disposition) });
    return (JSON.parse(answer.body.toString().trimEnd().split('\n').at(-1) ?? '') as { Name: string }).Name;
  };
  expect(await nameOf(`filename="plain"; filename*=UTF-8''na%C3%AFve%20caf%C3%A9`)).toBe('naïve café');
  expect(await nameOf(`filename*=UTF-8''d%252Ff`)).toBe('d');
  expect(await nameOf('filename="a"; filename="b"')).toMatch(/^Qm/);
  await service.discard();
});
