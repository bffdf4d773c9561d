import { blake2b } from '@noble/hashes/blake2.js';
import { blake3 } from '@noble/hashes/blake3.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { CID } from 'multiformats/cid';
import { type Charge } from '../../../../src/service/admission/charge';
import { uncharged } from '../../../../src/service/admission/uncharged';
import { carHeader, readCar, recordHead } from '../../../../src/service/storage/content/car';
import { digestOf as digestInPieces, matchesKey } from '../../../../src/service/storage/store/hashes';
import { digestOf } from '../../../support/storage/digest';
import { someBytes } from '../../../support/storage/content';

const PIECE = 64 << 10;

/** A charge that notes how large the steps are before which it is asked. */
function asked(): { readonly charge: Charge; readonly steps: number[] } {
  const steps: number[] = [];
  return { charge: { ...uncharged(), yield: (bytes = 0) => void steps.push(bytes) }, steps };
}

describe('others have their turn', () => {
  test.each([
    ['keccak-256', 0x1b, keccak_256],
    ['blake3', 0x1e, blake3],
    ['blake2b-256', 0xb220, (bytes: Uint8Array) => blake2b(bytes, { dkLen: 32 })],
  ] as const)('between two pieces of a block that is hashed with %s', async (_, code, whole) => {
    const bytes = someBytes(1 << 20);
    const { charge, steps } = asked();
    const digest = await digestInPieces(code, bytes, charge);
    expect(Buffer.from(digest.digest)).toEqual(Buffer.from(whole(bytes)));
    expect(steps).toEqual(Array.from({ length: 15 }, () => PIECE));
    steps.length = 0;
    expect(await matchesKey(digest.bytes, bytes, charge)).toBe(true);
    expect(steps).toHaveLength(15);
    bytes[500_000]! ^= 1;
    expect(await matchesKey(digest.bytes, bytes, charge)).toBe(false);
  });

  test('once the slice is over, for a function of the system', async () => {
    const bytes = someBytes(1 << 20);
    const { charge, steps } = asked();
    const digest = await digestInPieces(0x12, bytes, charge);
    expect(Buffer.from(digest.bytes)).toEqual(Buffer.from(digestOf(0x12, bytes).bytes));
    expect(steps).toEqual(Array.from({ length: 15 }, () => 0));
  });

  test('before each record of a CAR file, however many are in one piece', async () => {
    const RECORDS = 5000;
    const cid = CID.createV1(0x55, digestOf(0, Buffer.from('x')));
    const record = Buffer.concat([recordHead(cid, 1), Buffer.from('x')]);
    const { charge, steps } = asked();
    async function* file() {
      yield await Promise.resolve(Buffer.concat([carHeader([]), ...Array.from({ length: RECORDS }, () => record)]));
    }
    const limits = { blockBytes: 100, blocks: RECORDS, tooBig: () => new Error('too big'), charge };
    let count = 0;
    for await (const { bytes } of (await readCar(file(), limits)).blocks) count += bytes.length;
    expect(count).toBe(RECORDS);
    expect(steps.length).toBeGreaterThanOrEqual(RECORDS);
    expect(charge.memory.held).toBe(0);
  });
});
