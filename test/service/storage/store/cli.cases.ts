import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as dagCbor from '@ipld/dag-cbor';
import { CID } from 'multiformats/cid';
import { StorageClient } from '../../../../src/clients/storage';
import { parseConfig } from '../../../../src/service/cli/config';
import { firstKey } from '../../../../src/service/cli/lost-keys';
import { openSqliteKeys } from '../../../../src/service/keys/sqlite';
import { type StorageCommand } from '../../../../src/service/storage/cli/command';
import { runGc } from '../../../../src/service/storage/cli/gc';
import { runPins } from '../../../../src/service/storage/cli/pins';
import { runStat } from '../../../../src/service/storage/cli/stat';
import { runUnpin } from '../../../../src/service/storage/cli/unpin';
import { runVerify } from '../../../../src/service/storage/cli/verify';
import { CommandError } from '../../../../src/service/storage/errors';
import { digestOf } from '../../../support/storage/digest';
import { DEFAULT_LIMITS } from '../../../../src/service/storage/content/limits';
import { openStorage } from '../../../../src/service/storage/server';
import { perRun } from '../../../support/nightly';
import { someBytes } from '../../../support/storage/content';
import { startTestService, temporaryDirectory } from '../../../support/storage/service';

async function run(command: StorageCommand, dataDir: string) {
  const lines: string[] = [];
  const steps: string[] = [];
  const code = await command({
    dataDir,
    json: true,
    output: (line) => lines.push(line),
    progress: (label, done, total) => steps.push(`${label} ${done}/${total}`),
  });
  return { code, last: JSON.parse(lines.at(-1)!) as Record<string, number>, lines, steps };
}

describe('keystead storage', () => {
  test('gc, verify and stat', async () => {
    const dataDir = await temporaryDirectory();
    const service = await startTestService({ dataDir });
    const client = new StorageClient({ url: service.url });
    await client.add('kept');
    await client.add('dropped', { pin: false });
    await expect(run(runStat, dataDir)).rejects.toThrow(/in use by process/);
    await service.stop();

    expect((await run(runStat, dataDir)).last).toMatchObject({ blocks: 2, pins: 1 });
    const gc = await run(runGc, dataDir);
    expect(gc.last).toMatchObject({ removedBlocks: 1, blocks: 1 });
    expect(gc.steps.length).toBeGreaterThan(0);
    expect(await run(runVerify, dataDir)).toMatchObject({ code: 0, last: { blocks: 1, problems: 0 } });

    const [block] = readdirSync(join(dataDir, 'blocks'), { recursive: true }).filter((name) =>
      String(name).endsWith('.data'),
    );
    writeFileSync(join(dataDir, 'blocks', String(block)), 'changed');
    const verify = await run(runVerify, dataDir);
    expect(verify.code).toBe(1);
    expect(verify.lines.join()).toMatch(/damaged block/);
  });

  test('pins and unpin: the pins of any key, listed with names that a terminal shows as they are, and removed', async () => {
    const dataDir = await temporaryDirectory();
    const { service, close } = await openStorage({ dataDir });
    const cids = ['a', 'b'].map((text) => CID.createV1(0x55, digestOf(0x12, Buffer.from(text))));
    for (const cid of cids) await service.pins.add('one', cid, 'recursive', '\u001b[31m\u202e\n', { size: 1 });
    await service.pins.add('two', cids[0]!, 'direct');
    await close();

    /** Pins come in no particular order. */
    const shown = async (command: StorageCommand, more: object) => {
      const lines: string[] = [];
      const output = (text: string) => void lines.push(...text.split('\n').map((line) => line.replaceAll(/ +/gu, ' ')));
      await command({ dataDir, json: false, output, progress: () => undefined, ...more });
      return lines.sort();
    };
    const [a, b] = cids.map(String);
    const name = '\\u001b[31m\\u202e\\n';
    expect(await shown(runPins, {})).toEqual(
      [
        'Key Mode CID Bytes Name',
        `one recursive ${a} 1 ${name}`,
        `one recursive ${b} 1 ${name}`,
        `two direct ${a} 0`,
        '3 pins',
      ].sort(),
    );
    expect(await shown(runPins, { tenant: 'two' })).toEqual(['1 pins', 'Key Mode CID Bytes Name', `two direct ${a} 0`]);
    expect(await shown(runUnpin, { tenant: 'one', cids: [b] })).toEqual(['1 pins removed']);
    await expect(shown(runUnpin, { tenant: 'one', cids: [b] })).rejects.toThrow('not pinned');
    // An error that is explained, and not printed with its stack.
    await expect(shown(runUnpin, { tenant: 'one', cids: ['x/y'] })).rejects.toThrow(
      new CommandError('x/y: invalid cid: selected encoding not supported'),
    );
    expect(await shown(runUnpin, { tenant: 'one', json: true })).toEqual(['{"removedPins":1}', `{"unpinned":"${a}"}`]);
    expect(await shown(runPins, { json: true })).toEqual([
      `{"tenant":"two","cid":"${a}","mode":"direct","name":"","size":0}`,
    ]);
  });

  test('gc reports the bytes that it freed', async () => {
    const dataDir = await temporaryDirectory();
    const { service, close } = await openStorage({ dataDir });
    const blocks = [1000, 20_000].map((length) => someBytes(length));
    for (const bytes of blocks) await service.store.put(digestOf(0x12, bytes).bytes, bytes);
    await service.pins.add('t', CID.createV1(0x55, digestOf(0x12, blocks[0]!)), 'recursive');
    await close();
    expect((await run(runGc, dataDir)).last).toMatchObject({ removedBlocks: 1, freedBytes: 20_000, blocks: 1 });
  });

  test('verify follows pins at any depth and breadth, and reports each lost block once', async () => {
    const dataDir = await temporaryDirectory();
    const { service, close } = await openStorage({ dataDir, durable: false });
    const put = async (value: unknown) => {
      const bytes = dagCbor.encode(value);
      const cid = CID.createV1(dagCbor.code, digestOf(0x12, bytes));
      await service.store.put(cid.multihash.bytes, bytes);
      return cid;
    };
    const leaf = await put('leaf');
    const bottom = await put([leaf]);
    const dagDepth = perRun(100, DEFAULT_LIMITS.dagDepth);
    const broad = Array.from({ length: 10 }, () => leaf);
    let root = bottom;
    for (let level = 0; level <= dagDepth; level++) root = await put([level, root, ...broad]);
    await service.pins.add('local', root, 'recursive');
    await service.pins.add('local', bottom, 'recursive');
    await close();
    const blocks = dagDepth + 3;
    expect(await run(runVerify, dataDir)).toMatchObject({ code: 0, last: { blocks, pins: 2, problems: 0 } });

    const again = await openStorage({ dataDir, durable: false });
    await again.service.store.delete(leaf.multihash.bytes);
    await again.close();
    const { code, last, lines } = await run(runVerify, dataDir);
    expect({ code, last }).toMatchObject({ code: 1, last: { blocks: blocks - 1, problems: 1 } });
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[0]!)).toEqual({
      problem: `missing or unreadable block below the pin ${root.toString()}`,
      cid: leaf.toString(),
    });
  });
});

test('a key store that comes back empty while the service starts gets no first key', async () => {
  const dataDir = await temporaryDirectory();
  const keys = openSqliteKeys(join(dataDir, 'keys.sqlite'));
  const config = parseConfig({ storage: { enabled: false } });
  try {
    writeFileSync(join(dataDir, 'held-stores.txt'), 'keys.sqlite\n');
    await expect(firstKey(config, dataDir, keys)).rejects.toThrow('holds no keys, but held some before');
    expect(await keys.list()).toEqual([]);
    rmSync(join(dataDir, 'held-stores.txt'));
    // Of two processes that start at the same moment, one makes it.
    const other = openSqliteKeys(join(dataDir, 'keys.sqlite'));
    const made = await Promise.all([keys, other].map((each) => firstKey(config, dataDir, each)));
    await other.close();
    const [created, ...more] = made.filter((each) => each !== undefined);
    expect(more).toEqual([]);
    expect(await keys.list()).toMatchObject([{ key: created?.key, name: 'first' }]);
    expect(await firstKey(config, dataDir, keys)).toBeUndefined();
  } finally {
    await keys.close();
  }
});
