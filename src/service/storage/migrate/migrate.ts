import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { CID } from 'multiformats/cid';
import { errorCode } from '../../runtime/error-code';
import { replaceFile } from '../../runtime/replace-file';
import { type Progress } from '../store/block-store';
import { FileStore } from '../store/file-store';
import { type PinMode } from '../store/pin-store';
import { SqlitePins } from '../store/sqlite-pins';
import { readSegment } from './old-segment';

/** Why a store is not opened. */
export const MIGRATE = 'the files are those of version 0.2; run "keystead storage migrate" once';

/** What a migration has done. */
export type Migrated = {
  readonly blocks: number;
  readonly pins: number;
  /** Blocks that could not be read; the old files are kept in `keptIn` then. */
  readonly problems: readonly string[];
  readonly keptIn?: string;
};

const SEGMENT = /^(\d{8})\.car$/u;
const OLD_BLOCK_FILE = /^\d{8}\.(?:car|index)$|^removed\.journal/u;

const absentAs =
  <T>(value: T) =>
  (error: unknown): T => {
    if (errorCode(error) === 'ENOENT') return value;
    throw error;
  };

/**
 * The values of a journal of version 0.2: lines of a CRC-32 in hexadecimal and JSON.
 *
 * @returns None if the file does not exist; those before the line that a crash has cut.
 * @throws Error if an earlier line is damaged.
 */
async function readJournal(path: string): Promise<unknown[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return '';
    throw error;
  });
  const lines = text.split('\n');
  const isIntact = (line: string) => crc32(line.slice(9)).toString(16).padStart(8, '0') === line.slice(0, 8);
  const end = lines.findIndex((line) => !isIntact(line));
  if (lines.slice(end + 1).some((line) => line !== '' && isIntact(line))) {
    throw new Error(`${path} is damaged in line ${end + 1}: restore it from a backup`);
  }
  return lines.slice(0, end).map((line) => JSON.parse(line.slice(9)) as unknown);
}

/** The files of a store of version 0.2 in a data directory; empty if there is none. */
export async function oldFiles(directory: string): Promise<string[]> {
  const names = await readdir(join(directory, 'blocks')).catch(absentAs<string[]>([]));
  const journals = (await readdir(directory).catch(absentAs<string[]>([]))).filter((name) =>
    name.startsWith('pins.journal'),
  );
  return [...names.filter((name) => OLD_BLOCK_FILE.test(name)).map((name) => join('blocks', name)), ...journals];
}

/**
 * Reads the segments and journals of version 0.2 into plain files and SQLite. It may be stopped at any time and goes on
 * with the segment at which it was; the old files are removed once everything is written.
 */
export async function migrateStore(directory: string, progress?: Progress): Promise<Migrated | undefined> {
  const old = await oldFiles(directory);
  if (old.length === 0) return undefined;
  const blocks = join(directory, 'blocks');
  const ids = old.flatMap((path) => SEGMENT.exec(path.slice('blocks/'.length))?.[1] ?? []).sort();
  const removed = new Set((await readJournal(join(blocks, 'removed.journal'))).map((place) => String(place)));
  const doneFile = join(directory, 'migrated');
  const done = await readFile(doneFile, 'utf8').catch(absentAs(''));
  const problems = done
    .split('\n')
    .slice(1)
    .filter((line) => line !== '');
  const sizes = await Promise.all(ids.map(async (id) => (await stat(join(blocks, `${id}.car`))).size));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const store = await FileStore.open(blocks, { durable: true, hashOnRead: false });
  const pins = new SqlitePins(directory, true);
  try {
    let before = 0;
    for (const [at, id] of ids.entries()) {
      const size = sizes[at] ?? 0;
      if (id > done.slice(0, 8)) {
        const isLast = at === ids.length - 1;
        for await (const problem of migrateSegment(store, join(blocks, id), size, removed, isLast, (read) =>
          progress?.(before + read, total),
        )) {
          problems.push(`segment ${id}: ${problem}`);
        }
        await store.commit();
        await replaceFile(doneFile, [id, ...problems, ''].join('\n'));
      }
      before += size;
    }
    await migratePins(pins, join(directory, 'pins.journal'));
    const count = { blocks: (await store.stat()).blocks, pins: await pins.count(), problems };
    const keptIn = join(directory, 'before-migration');
    if (problems.length > 0) await mkdir(keptIn, { recursive: true, mode: 0o700 });
    for (const path of old) {
      if (problems.length > 0) await rename(join(directory, path), join(keptIn, path.replace('blocks/', '')));
      else await rm(join(directory, path));
    }
    await rm(doneFile, { force: true });
    return { ...count, ...(problems.length > 0 && { keptIn }) };
  } finally {
    await pins.close();
    await store.close();
  }
}

/** @yields What cannot be read. */
async function* migrateSegment(
  store: FileStore,
  path: string,
  size: number,
  removed: ReadonlySet<string>,
  isLast: boolean,
  onRead: (offset: number) => void,
): AsyncGenerator<string> {
  const handle = await open(`${path}.car`);
  try {
    const read = async (offset: number, length: number) => {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(Math.min(length, size - offset)), {
        position: offset,
      });
      return buffer.subarray(0, bytesRead);
    };
    const index = await readFile(`${path}.index`).catch(absentAs(undefined));
    const id = Number(path.slice(-8));
    for await (const found of readSegment({ size, read, index })) {
      if ('problem' in found) {
        // A crash may have cut what was written last; nobody was told that it is stored.
        if (!found.isTail || !isLast) yield found.problem;
        continue;
      }
      // The record of a removal is for this place, and for the same block in earlier ones.
      if (removed.has(`${id},${found.offset}`)) await store.delete(found.key);
      else await store.put(found.key, found.bytes);
      onRead(found.offset);
    }
  } finally {
    await handle.close();
  }
}

type Change = { readonly tenant: string; readonly cid: string; readonly mode?: PinMode; readonly name?: string };

async function migratePins(pins: SqlitePins, path: string): Promise<void> {
  const latest = new Map<string, Change>();
  for (const change of (await readJournal(path)) as Change[]) {
    latest.set(JSON.stringify([change.tenant, change.cid]), change);
  }
  const rows = [...latest.values()].flatMap(({ tenant, cid, mode, name = '' }) =>
    mode === undefined ? [] : [{ tenant, cid: CID.parse(cid), mode, name }],
  );
  await pins.import(rows);
}
