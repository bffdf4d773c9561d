import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Page } from 'playwright-core';

import { AGREEING } from '../browser/agreeing';
import { devnetOf } from '../browser/devnet-node';
import { startWorld, type World } from '../browser/world';
import { startChromium } from '../chromium';
import { cleanUp } from '../devnet/npm-start';
import { untilOutput } from '../service/until-output';
import { REPOSITORY, run } from './installed';

/** The packages of others in the README's command. They are linked, because a test uses no network. */
const OTHERS = ['viem', 'esbuild'];

/** The usual ports of the devnet's page and of its snap server, which the README names. */
const PAGE_PORT = 8000;
const SNAP_PORT = 8080;

type Running = { readonly stop: () => Promise<void> };

/** @returns What the README prints for a dapp: its commands and its files, in order. */
function printed() {
  const readme = readFileSync(join(REPOSITORY, 'README.md'), 'utf8');
  const [, section = ''] = /^## Use it from a dapp$(.*?)^## /msu.exec(readme) ?? [];
  const blocks = [...section.matchAll(/^```(\w+)\n(.*?)^```$/gmsu)];
  expect(blocks.map(([, language]) => language)).toEqual(['sh', 'html', 'js', 'sh']);
  const [commands = '', html = '', js = '', start = ''] = blocks.map(([, , text]) => text);
  return { commands: commands.trim().split('\n'), html, js, start: start.trim() };
}

/**
 * Makes the README's dapp in an empty folder beside the repository, by its commands. The packages are packed already.
 */
async function startDapp(): Promise<Running & { readonly url: string }> {
  const { commands, html, js, start } = printed();
  const [pack, init, install] = commands as [string, string, string];
  expect(pack).toBe('(cd ../keystead && npm run release -- --dry-run)');
  const folder = mkdtempSync(join(tmpdir(), 'keystead-readme-'));
  const project = join(folder, 'dapp');
  mkdirSync(project);
  symlinkSync(REPOSITORY, join(folder, 'keystead'), 'junction');
  run('sh', ['-c', init], project);
  expect(install).toMatch(new RegExp(` ${OTHERS.join(' ')}$`, 'u'));
  run('sh', ['-c', install.replace(` ${OTHERS.join(' ')}`, ' --offline --no-audit')], project);
  for (const name of OTHERS)
    symlinkSync(join(REPOSITORY, 'node_modules', name), join(project, 'node_modules', name), 'junction');
  mkdirSync(join(project, 'node_modules/.bin'));
  symlinkSync('../esbuild/bin/esbuild', join(project, 'node_modules/.bin/esbuild'));
  writeFileSync(join(project, 'index.html'), html);
  writeFileSync(join(project, 'main.js'), js);
  const child = spawn('sh', ['-c', `${start} 2>&1`], { cwd: project, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  const stop = async (): Promise<void> => {
    await ended(child);
    rmSync(folder, { recursive: true });
  };
  try {
    const [, url = ''] = await untilOutput(child, /Local: +(http:\S+)/u);
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const closed = once(child, 'close');
  process.kill(-child.pid!, 'SIGTERM');
  await closed;
}

/**
 * Opens the README's dapp in a browser where the usual ports are those of the devnet, and whose person agrees to all.
 */
export async function openReadmeDapp(): Promise<Running & { readonly page: Page; readonly world: World }> {
  const running: Running[] = [];
  const stop = async (): Promise<void> => {
    for (const one of running.splice(0).reverse()) await one.stop();
    await cleanUp();
  };
  try {
    const world = await startWorld();
    running.push(world);
    const port = (url: string): string => new URL(url).port;
    const { snapId } = await devnetOf(world);
    const snapPort = port(snapId.replace('local:', ''));
    const rules = [
      `MAP localhost:${PAGE_PORT} localhost:${port(world.url)}`,
      // The wallet runs the snap in a page of another origin.
      ...['localhost', '127.0.0.1'].map((host) => `MAP ${host}:${SNAP_PORT} ${host}:${snapPort}`),
    ];
    const browser = await startChromium([`--host-resolver-rules=${rules.join(', ')}`]);
    running.push({ stop: () => browser.close() });
    const dapp = await startDapp();
    running.push(dapp);
    const page = await browser.newPage();
    await page.addInitScript({ content: AGREEING });
    await page.goto(dapp.url);
    return { page, world, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
