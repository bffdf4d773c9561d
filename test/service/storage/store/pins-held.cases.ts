import { collect } from '../../../support/storage/content';
import { uncharged } from '../../../../src/service/admission/uncharged';
import { join } from 'node:path';
import fc from 'fast-check';
import { type CID } from 'multiformats/cid';
import { openSqlite } from '../../../../src/service/runtime/sqlite';
import { SqlitePins } from '../../../../src/service/storage/store/sqlite-pins';
import { makeFolder } from '../../../support/service/folder';
import { rawBlock } from './store.suite';

const cids = ['a', 'b', 'c', 'd'].map((text) => rawBlock(Buffer.from(text)).cid) as [CID, CID, CID, CID];
const [a, b, c, d] = cids;
const databaseIn = (directory: string) => openSqlite(join(directory, 'pins.sqlite'), '');

/** Adds a pin of one byte to learn what the pins of a tenant hold: the least limit with which that succeeds, less 1. */
async function heldOf(pins: SqlitePins, tenant: string, most: number): Promise<number> {
  const probe = rawBlock(Buffer.from('probe')).cid;
  for (let held = 0; held <= most; held++) {
    try {
      await pins.add(tenant, probe, 'recursive', '', { size: 1, most: held + 1 });
      await pins.remove(tenant, probe, true);
      return held;
    } catch {
      // Not enough yet.
    }
  }
  throw new Error(`more than ${most} bytes are held`);
}

type Change = { readonly tenant: string; readonly from: CID; readonly to: CID; readonly size: number };
const ofChange = {
  tenant: fc.constantFrom('t', 'u'),
  from: fc.constantFrom(...cids),
  to: fc.constantFrom(...cids),
  size: fc.nat(9),
};
type Act = (pins: SqlitePins, change: Change, most: number) => Promise<void>;
const ACTS: Record<string, Act> = {
  add: (pins, { tenant, from, size }, most) => pins.add(tenant, from, 'recursive', undefined, { size, most }),
  'add direct': (pins, { tenant, from, size }, most) => pins.add(tenant, from, 'direct', undefined, { size, most }),
  move: (pins, { tenant, from, to, size }, most) => pins.move(tenant, from, to, true, { size, most }),
  copy: (pins, { tenant, from, to, size }, most) => pins.move(tenant, from, to, false, { size, most }),
  remove: (pins, { tenant, from }) => pins.remove(tenant, from, true),
};

test('after any changes, the limit of a tenant is that of the pins that it lists', async () => {
  const step = fc.record({ act: fc.constantFrom(...Object.keys(ACTS)), ...ofChange });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.integer({ min: 5, max: 25 }), async (steps, most) => {
      const pins = new SqlitePins(makeFolder(), false);
      const sum = async (tenant: string) =>
        (await collect(pins.list(uncharged(), tenant))).reduce((bytes, { size }) => bytes + size, 0);
      for (const { act, ...change } of steps) {
        const before = await sum(change.tenant);
        const isDone = await ACTS[act]!(pins, change, most).then(
          () => true,
          () => false,
        );
        const after = await sum(change.tenant);
        // A refusal changes nothing, and what is not imported never exceeds the limit by being changed.
        if (!isDone) expect(after).toBe(before);
        else if (act !== 'import' && act !== 'remove') expect(after).toBeLessThanOrEqual(most);
      }
      for (const tenant of ['t', 'u']) expect(await heldOf(pins, tenant, 250)).toBe(await sum(tenant));
      await pins.close();
    }),
    { numRuns: 60, seed: 20261127 },
  );
});

test('a limit is held to the byte: what a change releases counts, what it adds to counts too', async () => {
  const pins = new SqlitePins(makeFolder(), false);
  const most = 10;
  const refusal = 'would hold more than the allowed 10 bytes';
  await pins.add('t', a, 'recursive', '', { size: 6, most });
  await expect(pins.add('t', b, 'recursive', '', { size: 5, most })).rejects.toThrow(refusal);
  await pins.add('t', b, 'direct', '', { size: 1, most });
  // Pinned again with another size: the old one counts no longer.
  await expect(pins.add('t', b, 'recursive', '', { size: 5, most })).rejects.toThrow(refusal);
  await pins.add('t', b, 'recursive', '', { size: 4, most });
  // A move onto an existing pin releases both; one that keeps its source releases the target only.
  await expect(pins.move('t', a, b, false, { size: 5, most })).rejects.toThrow(refusal);
  await expect(pins.move('t', a, b, true, { size: 11, most })).rejects.toThrow(refusal);
  await pins.move('t', a, b, true, { size: 10, most });
  // A move onto itself releases nothing but its old size.
  await expect(pins.move('t', b, b, true, { size: 11, most })).rejects.toThrow(refusal);
  await pins.move('t', b, b, true, { size: 3, most });
  await pins.add('u', a, 'recursive', '', { size: 10, most });
  await pins.add('t', c, 'recursive', '', { size: 7, most });
  await expect(pins.add('t', d, 'recursive', '', { size: 1, most })).rejects.toThrow(refusal);
  await pins.close();
});

describe('pins of an earlier build', () => {
  const SIZED = ', size INTEGER NOT NULL';
  const schemaOf = (size: string) => `CREATE TABLE pins (
    tenant TEXT NOT NULL, cid TEXT NOT NULL, mode TEXT NOT NULL, name TEXT NOT NULL${size}, PRIMARY KEY (tenant, cid)
  ) WITHOUT ROWID`;

  test.each([
    ['with sizes', SIZED, 7],
    ['without sizes, which count as nothing', '', 0],
  ])('%s', async (_, size, held) => {
    const directory = makeFolder();
    const earlier = openSqlite(join(directory, 'pins.sqlite'), schemaOf(size));
    for (const [cid, bytes] of [
      [a, 3],
      [b, 4],
    ] as const) {
      const values = ['t', cid.toString(), 'recursive', '', ...(size === '' ? [] : [bytes])];
      earlier.prepare(`INSERT INTO pins VALUES (${values.map(() => '?').join(', ')})`).run(...values);
    }
    earlier.close();

    let pins = new SqlitePins(directory, false);
    expect(await heldOf(pins, 't', 20)).toBe(held);
    await pins.add('t', a, 'recursive', '', { size: 10 });
    await pins.close();
    // Opened again, by this build and by two processes at once, nothing is counted twice.
    pins = new SqlitePins(directory, false);
    const other = new SqlitePins(directory, false);
    await other.add('t', c, 'recursive', '', { size: 1 });
    await pins.remove('t', b, true);
    expect(await heldOf(pins, 't', 20)).toBe(11);
    expect(await heldOf(other, 't', 20)).toBe(11);
    await pins.close();
    await other.close();
  });

  test('an earlier build that goes on with the database, as it writes, keeps what is held right', async () => {
    const directory = makeFolder();
    await new SqlitePins(directory, false).close();
    const earlier = databaseIn(directory);
    const set = earlier.prepare('INSERT OR REPLACE INTO pins (tenant, cid, mode, name, size) VALUES (?, ?, ?, ?, ?)');
    set.run('t', a.toString(), 'recursive', '', 5);
    set.run('t', a.toString(), 'recursive', '', 2);
    set.run('t', b.toString(), 'recursive', '', 1);
    earlier.prepare('DELETE FROM pins WHERE tenant = ? AND cid = ?').run('t', b.toString());
    earlier.close();
    const pins = new SqlitePins(directory, false);
    expect(await heldOf(pins, 't', 20)).toBe(2);
    await pins.close();
  });
});

test('no change reads the other pins of its tenant, of which there may be millions', async () => {
  const directory = makeFolder();
  const pins = new SqlitePins(directory, false);
  for (const cid of [a, b]) await pins.add('t', cid, 'recursive', '', { size: 1 });
  // The others change unseen: whoever reads them finds more than the limit.
  const unseen = databaseIn(directory);
  unseen.exec('UPDATE pins SET size = 1000');
  unseen.close();
  await pins.add('t', c, 'recursive', '', { size: 1, most: 3 });
  await pins.move('t', c, d, true, { size: 1, most: 3 });
  await expect(pins.add('t', c, 'recursive', '', { size: 1, most: 3 })).rejects.toThrow(
    'more than the allowed 3 bytes',
  );
  await pins.close();
});
