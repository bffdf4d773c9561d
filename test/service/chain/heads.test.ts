import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { PlainHeads, readPlainHead } from '../../../src/service/chain/plain-request';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const PIECE = 64 << 10;
const KEPT = 512;

/** The head of a request as it is cut from a larger piece of received text. */
function headOf(i: number): string {
  const key = String(i).padStart(32, '0');
  const head = `POST /v3/${key} HTTP/1.1\r\nhost: ${'h'.repeat(20)}\r\ncontent-type: application/json\r\ncontent-length: 5`;
  return Buffer.from(head.padEnd(PIECE)).toString('latin1').slice(0, head.length);
}

test('cached heads do not retain the data they arrived with', () => {
  const heads = new PlainHeads();
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < KEPT; i++) expect(heads.read(headOf(i))).toEqual(readPlainHead(headOf(i)));
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan((KEPT * PIECE) / 4);
  expect(heads.read(headOf(KEPT - 1))).toMatchObject({ length: 5 });
});
