import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';

const LISTENING = '0A';

/** The inode of the socket that listens on a port (Linux: proc(5), net/tcp). */
async function listeningInode(port: number): Promise<string | undefined> {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const tables = await Promise.all(['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readFile(path, 'utf8')));
  for (const line of tables.join('\n').split('\n')) {
    const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/u);
    if (local.endsWith(ending) && state === LISTENING) return inode;
  }
  return undefined;
}

/** @returns Whether a process has a socket open; false for processes of other users, which cannot be inspected. */
async function hasSocket(pid: string, inode: string): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  const files = await readdir(folder).catch(() => []);
  const links = await Promise.all(files.map((file) => readlink(`${folder}/${file}`).catch(() => '')));
  return links.includes(`socket:[${inode}]`);
}

/**
 * The name of a process: its program, since some processes rename their threads; its own name if the program cannot be
 * read.
 */
async function nameOf(pid: string): Promise<string> {
  const program = await readlink(`/proc/${pid}/exe`).catch(() => undefined);
  return program === undefined ? (await readFile(`/proc/${pid}/comm`, 'utf8')).trim() : basename(program);
}

async function holderOnLinux(port: number): Promise<string | undefined> {
  const inode = await listeningInode(port);
  if (inode === undefined) return undefined;
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/u.test(name))) {
    if (!(await hasSocket(pid, inode))) continue;
    return `${await nameOf(pid)} (process ${pid})`;
  }
  return undefined;
}

async function holderByLsof(port: number): Promise<string | undefined> {
  const { stdout } = await promisify(execFile)('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc']);
  const [, pid] = /^p(\d+)$/mu.exec(stdout) ?? [];
  const [, name] = /^c(.+)$/mu.exec(stdout) ?? [];
  return pid === undefined ? undefined : `${name ?? 'a program'} (process ${pid})`;
}

/**
 * Finds the process that listens on a TCP port of this machine.
 *
 * @returns Name and process ID; undefined if it cannot be determined.
 */
export async function portHolder(port: number): Promise<string | undefined> {
  try {
    return await (process.platform === 'linux' ? holderOnLinux(port) : holderByLsof(port));
  } catch {
    return undefined;
  }
}
