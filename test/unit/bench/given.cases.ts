import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { DEFAULT_NPM_REGISTRY } from '@metamask/snaps-controllers';

import { givenSnaps } from '../../../bench/snap/given';
import { bundleSize, checksumOf, dialectOf, manifestOf } from '../../../bench/snap/manifest';

const BUNDLE = 'module.exports.onKeyringRequest = async () => [];';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'keystead-given-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const manifest = (packageName: string, more: object = {}) => ({
  version: '1.1.6',
  description: 'A keyring.',
  proposedName: 'Keyring',
  source: {
    shasum: `${'A'.repeat(43)}=`,
    location: {
      npm: {
        filePath: 'dist/bundle.js',
        iconPath: 'images/icon.svg',
        packageName,
        registry: DEFAULT_NPM_REGISTRY.origin,
      },
    },
  },
  initialPermissions: { 'endowment:keyring': { allowedOrigins: ['https://metamask.github.io'] }, snap_manageState: {} },
  manifestVersion: '0.1',
  ...more,
});

/** Writes a snap as its package is laid out, with the right checksum. @returns Its folder. */
async function snap(folder: string, packageName: string): Promise<string> {
  write(`${folder}/dist/bundle.js`, BUNDLE);
  write(`${folder}/images/icon.svg`, '<svg xmlns="http://www.w3.org/2000/svg"/>');
  const written = manifest(packageName);
  const shasum = await checksumOf(join(root, folder), written);
  write(`${folder}/snap.manifest.json`, JSON.stringify({ ...written, source: { ...written.source, shasum } }));
  return join(root, folder);
}

describe('the folders of --snap', () => {
  it('are those of packages, of repositories and of the dist within', async () => {
    const simple = await snap('simple/packages/snap', '@metamask/snap-simple-keyring-snap');
    const smart = await snap('smart/packages/snap', '@metamask/snap-account-abstraction-keyring');
    await expect(givenSnaps([simple, join(root, 'smart')])).resolves.toStrictEqual({
      folders: { 'snap-simple-keyring-snap': simple, 'snap-account-abstraction-keyring': smart },
      notes: [],
    });
    await expect(givenSnaps([join(simple, 'dist')])).resolves.toMatchObject({
      folders: { 'snap-simple-keyring-snap': simple },
    });
  });

  it('lose none of two that have the same name, or ours', async () => {
    const [one, two, ours] = [await snap('one', '@a/snap'), await snap('two', '@b/snap'), await snap('k', 'keystead')];
    await expect(givenSnaps([one, two, ours])).resolves.toMatchObject({
      folders: { snap: one, 'snap-2': two, 'keystead-2': ours },
    });
  });

  it('have a size: of the bundle as it is and compressed, and of the further files', async () => {
    const folder = await snap('sized', 'sized');
    write('sized/dist/bundle.js', BUNDLE.repeat(100));
    write('sized/texts.json', '["a text"]');
    const written = manifest('sized');
    write(
      'sized/snap.manifest.json',
      JSON.stringify({ ...written, source: { ...written.source, files: ['texts.json'] } }),
    );
    const { raw, gzip, files } = bundleSize(folder);
    expect([raw, files]).toStrictEqual([BUNDLE.length * 100, 10]);
    expect(gzip).toBeLessThan(raw / 10);
  });

  it('are measured from a copy where the checksum is not that of the files, which is said', async () => {
    const folder = await snap('changed', 'changed');
    write('changed/dist/bundle.js', `${BUNDLE}\n`);
    rmSync(join(root, 'changed/images'), { recursive: true });
    const before = readFileSync(join(folder, 'snap.manifest.json'), 'utf8');
    const { folders, notes } = await givenSnaps([folder]);
    const copy = folders.changed ?? '';
    expect(copy).not.toBe(folder);
    expect(readFileSync(join(copy, 'dist/bundle.js'), 'utf8')).toBe(`${BUNDLE}\n`);
    const { iconPath } = manifestOf(copy).source.location.npm;
    expect(iconPath).toBeUndefined();
    expect(manifestOf(copy).source.shasum).toBe(await checksumOf(copy, manifestOf(copy)));
    expect(bundleSize(copy).raw).toBe(BUNDLE.length + 1);
    expect(notes).toStrictEqual([expect.stringContaining('changed: the checksum in its manifest')]);
    expect(readFileSync(join(folder, 'snap.manifest.json'), 'utf8')).toBe(before);
    rmSync(copy, { recursive: true });
  });

  it.each([
    ['nowhere', () => undefined, 'is not a folder'],
    ['empty', () => mkdirSync(join(root, 'empty')), 'with its snap.manifest.json'],
    [
      'text',
      () => {
        write('text/snap.manifest.json', '{');
      },
      'snap.manifest.json must be JSON',
    ],
    [
      'bare',
      () => {
        write('bare/snap.manifest.json', '{}');
      },
      'source.location.npm.filePath',
    ],
    [
      'other',
      () => {
        write('other/snap.manifest.json', JSON.stringify(manifest('other', { initialPermissions: {} })));
      },
      'must be a keyring, with endowment:keyring in its manifest',
    ],
    [
      'unbuilt',
      () => {
        write('unbuilt/snap.manifest.json', JSON.stringify(manifest('unbuilt')));
      },
      'dist/bundle.js must be there',
    ],
  ])('are refused by name: %s', async (folder, prepare, reason) => {
    prepare();
    const path = join(root, folder);
    await expect(givenSnaps([path])).rejects.toThrow(`--snap ${path}: `);
    await expect(givenSnaps([path])).rejects.toThrow(reason);
  });

  it('are refused where the manifest is none that a wallet would read', async () => {
    const folder = await snap('odd', 'odd');
    cpSync(join(folder, 'snap.manifest.json'), join(folder, 'before.json'));
    write('odd/snap.manifest.json', JSON.stringify({ ...manifest('odd'), version: 'one' }));
    await expect(givenSnaps([folder])).rejects.toThrow(/^--snap .*odd: .*version/u);
  });
});

describe('the dialect of a keyring', () => {
  const dialect = (more: object) => {
    write('snap.manifest.json', JSON.stringify(manifest('any', more)));
    return dialectOf(root);
  };

  it('asks as the wallet, the pages of the manifest and those of the samples', () => {
    expect(
      dialect({
        initialPermissions: {
          'endowment:keyring': { allowedOrigins: ['https://a.example', 'https://*.b.example'] },
          'endowment:rpc': { allowedOrigins: ['https://c.example'] },
        },
        initialConnections: { 'https://d.example': {} },
      }).managers,
    ).toStrictEqual([
      'metamask',
      'https://a.example',
      'https://d.example',
      'https://c.example',
      'https://metamask.github.io',
      'http://localhost:8000',
    ]);
  });

  it.each([
    [{}, false],
    [{ platformVersion: '6.24.0' }, false],
    [{ platformVersion: '7.0.0' }, true],
    [{ platformVersion: '12.0.0' }, true],
  ])('names the origin of a request from platform version 7 on: %j', (more, hasOrigin) => {
    expect(dialect(more).hasOrigin).toBe(hasOrigin);
  });
});
