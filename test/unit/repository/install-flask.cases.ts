import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { describeNightly } from '../../support/nightly';

const SCRIPT = resolve(__dirname, '../../../scripts/install-flask.sh');
const NAME = 'metamask-flask-chrome-13.36.0-flask.0';
const URL_OF_ARCHIVE = `https://github.com/MetaMask/metamask-extension/releases/download/v13.36.0/${NAME}.zip`;

/** Answers for GitHub: the releases, and the archive by its address alone. */
const CURL = `#!/usr/bin/env bash
folder=$(dirname "$0")
case "$*" in
  *api.github.com/repos/MetaMask/metamask-extension/releases*) cp "$folder/releases.json" "\${@: -1}" ;;
  *'${URL_OF_ARCHIVE}'*) cp "$folder/served.zip" "\${@: -1}" ;;
  *) echo "unexpected: $*" >&2; exit 1 ;;
esac`;

/** Packs an extension with a version. @returns The digest of its archive. */
function pack(folder: string, file: string, version: string): string {
  const code = `import zipfile; zipfile.ZipFile(${JSON.stringify(join(folder, file))}, "w").writestr("manifest.json", ${JSON.stringify(JSON.stringify({ version }))})`;
  spawnSync('python3', ['-c', code], { stdio: 'inherit' });
  return createHash('sha256')
    .update(readFileSync(join(folder, file)))
    .digest('hex');
}

const hasPython = spawnSync('python3', ['--version']).status === 0;
const describeWithPython = hasPython
  ? describeNightly
  : (name: string, tests: () => void) => describe.skip(`${name} (skipped: python3 is not installed)`, tests);

describeWithPython('scripts/install-flask.sh', () => {
  let folder: string;
  let digest: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'keystead-flask-'));
    digest = pack(folder, 'served.zip', '13.36.0');
    writeFileSync(join(folder, 'curl'), CURL);
    chmodSync(join(folder, 'curl'), 0o755);
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const publish = (published: string | null): void => {
    const asset = (name: string) => ({ name, browser_download_url: URL_OF_ARCHIVE, digest: published });
    const others = ['metamask-chrome-13.36.0.zip', 'metamask-flask-firefox-13.36.0-flask.0.zip'].map(asset);
    writeFileSync(
      join(folder, 'releases.json'),
      JSON.stringify([{ assets: others }, { assets: [asset(`${NAME}.zip`)] }]),
    );
  };
  const install = (environment: Readonly<Record<string, string>> = {}) => {
    const PATH = `${folder}:${process.env['PATH'] ?? ''}`;
    const env = { ...process.env, PATH, FLASK_CACHE: join(folder, 'cache'), ...environment };
    const { status, stdout, stderr } = spawnSync('bash', [SCRIPT], { env, encoding: 'utf8' });
    return { status, stdout: stdout.trim(), stderr: stderr.trim() };
  };
  const unpacked = () => join(folder, 'cache', NAME);

  it('refuses an archive whose digest differs from the published one, and keeps nothing of it', () => {
    publish(`sha256:${digest}`);
    pack(folder, 'served.zip', '6.6.6');
    expect(install()).toEqual({
      status: 1,
      stdout: '',
      stderr: `${NAME}.zip does not have the SHA-256 digest ${digest}.`,
    });
    expect([`${unpacked()}.zip`, unpacked()].filter((path) => existsSync(path))).toEqual([]);
  });

  it('uses neither a stored archive nor an unpacked file that changed later', () => {
    publish(`sha256:${digest}`);
    expect(install()).toEqual({ status: 0, stdout: unpacked(), stderr: '' });
    for (const changed of [`${unpacked()}.zip`, join(unpacked(), 'manifest.json')]) {
      writeFileSync(changed, 'changed');
      expect(install()).toEqual({ status: 0, stdout: unpacked(), stderr: '' });
      expect(readFileSync(join(unpacked(), 'manifest.json'), 'utf8')).toBe('{"version":"13.36.0"}');
    }
  });

  it('refuses a release without a digest, unless the digest is given', () => {
    publish(null);
    expect(install()).toEqual({
      status: 1,
      stdout: '',
      stderr: `GitHub publishes no SHA-256 digest of ${NAME}.zip. Set FLASK_SHA256 to the digest that you trust.`,
    });
    expect(install({ FLASK_SHA256: 'ab'.repeat(32) })).toMatchObject({ status: 1, stdout: '' });
    expect(install({ FLASK_SHA256: digest })).toEqual({ status: 0, stdout: unpacked(), stderr: '' });
  });

  it('installs the version that is asked for, or says that there is none', () => {
    publish(`sha256:${digest}`);
    expect(install({ FLASK_VERSION: '13.36.0' })).toMatchObject({ status: 0, stdout: unpacked() });
    expect(install({ FLASK_VERSION: '12.0.0' })).toEqual({
      status: 1,
      stdout: '',
      stderr: 'None of the last 30 releases of MetaMask has this version of Flask for Chromium.',
    });
  });
});
