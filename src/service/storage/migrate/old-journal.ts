import { readFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { errorCode } from '../../runtime/error-code';

/**
 * The values of a journal of version 0.2: lines of a CRC-32 in hexadecimal and JSON.
 *
 * @returns None if the file does not exist; those before the line that a crash has cut.
 * @throws Error if an earlier line is damaged.
 */
export async function readJournal(path: string): Promise<unknown[]> {
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
