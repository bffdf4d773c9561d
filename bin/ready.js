// Checks the prerequisites before anything else loads: the Node version that package.json requires and, in a clone of
// the repository, installed packages.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('..', import.meta.url));
const { engines } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'));
const oldest = engines.node.replace('>=', '');
const { node } = process.versions;

function hasPackages() {
  try {
    createRequire(import.meta.url).resolve('tsx/esm/api');
    return true;
  } catch {
    return false;
  }
}

function refuse(why) {
  process.stderr.write(`error: ${why}\n`);
  process.exit(1);
}

if (node.localeCompare(oldest, 'en', { numeric: true }) < 0)
  refuse(`Node ${node} is too old: Keystead requires ${oldest} or newer`);
if (existsSync(`${folder}src`) && !hasPackages()) refuse(`dependencies are not installed: run npm ci in ${folder}`);
