import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const made: string[] = [];

afterAll(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Makes a folder that is removed after the test file. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'keystead-'));
  made.push(folder);
  return folder;
}

/** Writes a file into the given folder, or into a new one. */
export function writeFile(name: string, content: Uint8Array | string, folder = makeFolder()): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** Some machines have larger real data next to the repository. */
const SHARED = resolve(__dirname, '../../../../shared/data');

/** `test` if the file exists; otherwise a skipped test whose name says what is missing. */
export function testWithShared(file: string, name: string, run: (path: string) => Promise<void>): void {
  const path = [join(SHARED, file), join(process.env['KEYSTEAD_SHARED'] ?? SHARED, file)].find(existsSync);
  if (path === undefined)
    test.skip(`${name} (skipped: ../shared/data/${file} is not on this machine)`, () => undefined);
  else test(name, () => run(path));
}

export const dataFile = (name: string) => resolve(__dirname, '../../service/data', name);
