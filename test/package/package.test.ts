import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { DEFAULT_NPM_REGISTRY, fetchSnap, NpmLocation } from '@metamask/snaps-controllers';
import { type SnapId } from '@metamask/snaps-sdk';
import { type SemVerRange } from '@metamask/utils';
import { buildSync } from 'esbuild';
import { parseEther } from 'viem';

import { problemsOf } from '../../scripts/release/checks';
import { serveSnap } from '../../src/devnet/snap-server';
import { nodeOf } from '../support/browser/devnet-node';
import { describeWithDevnet } from '../support/browser/world';
import { describeWithChromium, startChromium } from '../support/chromium';
import { providerExamples } from '../support/package/examples';
import { type Installed, installPacked, PACKAGE_NAMES, REPOSITORY, run } from '../support/package/installed';
import { openReadmeDapp } from '../support/package/readme-dapp';
import { type InstalledService, startInstalledService } from '../support/package/service';
import { describeFirstMinute } from './first-minute.suite';

const consumer = (name: string): string => join(__dirname, 'consumer', name);

let installed: Installed;
beforeAll(() => {
  installed = installPacked(['ethers', 'viem']);
}, 300_000);
afterAll(() => {
  installed.remove();
});

/** Whom the README's dapp pays. */
const PEOPLE = ['0x14dC79964da2C08b23698B3D3cc7Ca32193d9955', '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f'] as const;

/** Everything that a package may contain besides its manifest, README, changelog and licence. */
const CONTENTS = {
  keystead:
    /^(?:snap\.manifest\.json|bundle\.js|images\/icon\.svg|contract-metadata\/[\w-]+\.json|lib\/.*\.(?:js|d\.ts))$/u,
  'keystead-insights': /^(?:snap\.manifest\.json|bundle\.js|images\/icon\.svg|contract-metadata\/[\w-]+\.json)$/u,
  'keystead-service': /^(?:bin\/(?:keystead|ready)\.js|dist-service\/(?:cli\.js|chunks\/.*\.js|sample\/.*\.gz))$/u,
} as const;

/** Some of what is bundled in each. */
const BUNDLED = {
  keystead: ['viem', '@noble/secp256k1', '@metamask/superstruct'],
  'keystead-insights': ['viem', '@metamask/superstruct'],
  'keystead-service': ['ws', 'pino', 'multiformats', 'commander'],
} as const;

const COMMON = ['CHANGELOG.md', 'LICENSE', 'README.md', 'THIRD-PARTY-LICENSES', 'package.json'];

describe.each(PACKAGE_NAMES)('the package %s', (name) => {
  it('contains what it is for, and nothing else', () => {
    const { files } = installed.tarballs[name];
    expect(files).toEqual(expect.arrayContaining(COMMON));
    const others = files.filter((path) => !COMMON.includes(path));
    expect(others.length).toBeGreaterThan(4);
    expect(others.filter((path) => !CONTENTS[name].test(path))).toEqual([]);
  });

  it('contains the licences of the packages that are bundled in it', () => {
    const licences = readFileSync(join(installed.project, 'node_modules', name, 'THIRD-PARTY-LICENSES'), 'utf8');
    for (const bundled of BUNDLED[name])
      expect(licences).toMatch(
        new RegExp(`^${bundled} \\d+\\.\\d+\\.\\d+ \\(.+\\)\\n\\n.*(?:licen[cs]e|copyright)`, 'imu'),
      );
    expect(licences.match(/Permission is hereby granted|Permission to use/gu)?.length).toBeGreaterThan(1);
  });

  it('is told with its contents, size and checksum', () => {
    const { path, files } = installed.tarballs[name];
    const sum = createHash('sha256').update(readFileSync(path)).digest('hex');
    const told = installed.said.split('\n\n').find((part) => part.trim().startsWith(`${name}-0`))!;
    expect(told).toContain(`${readFileSync(path).length} bytes`);
    expect(told).toContain(`${files.length} files`);
    expect(told).toContain(`SHA-256 ${sum}`);
    expect(readFileSync(join(REPOSITORY, 'release/SHA256SUMS'), 'utf8')).toContain(`${sum}  ${basename(path)}\n`);
  });

  it('has the version of the repository, and names no path of it', () => {
    const folder = join(installed.project, 'node_modules', name);
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
    expect(version).toBe(
      (JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as { version: string }).version,
    );
    for (const path of installed.tarballs[name].files.filter((file) => !file.endsWith('.gz')))
      expect(readFileSync(join(folder, path), 'utf8')).not.toContain(REPOSITORY);
  });
});

describe.each(['keystead', 'keystead-insights'] as const)('the snap in %s', (name) => {
  it('is what MetaMask fetches from the registry, unpacks and checks', async () => {
    const { path } = installed.tarballs[name];
    const { version } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as { version: string };
    const tarball = new URL(`${name}/-/${basename(path)}`, DEFAULT_NPM_REGISTRY).href;
    const asked: string[] = [];
    const registry = (url: string | URL | Request): Promise<Response> => {
      asked.push(String(url));
      if (String(url) === tarball)
        return Promise.resolve(new Response(readFileSync(path), { headers: { 'content-length': '1' } }));
      return Promise.resolve(Response.json({ versions: { [version]: { dist: { tarball } } } }));
    };
    const location = new NpmLocation(new URL(`npm:${name}`), {
      versionRange: version as SemVerRange,
      fetch: registry,
      resolveVersion: (range) => Promise.resolve(range),
    });
    const { manifest, sourceCode } = await fetchSnap(`npm:${name}` as SnapId, location);
    expect(manifest.result).toMatchObject({ version, source: { location: { npm: { packageName: name } } } });
    expect(sourceCode.toString('utf8')).toBe(
      readFileSync(join(REPOSITORY, name === 'keystead' ? 'dist' : 'dist-insights', 'bundle.js'), 'utf8'),
    );
    expect(asked.at(-1)).toBe(tarball);
  });
});

describe('what stops a release', () => {
  const CHANGELOG = '# Changelog\n\n## [Unreleased]\n\n## [VERSION] - 2026-11-26\n\n### Added\n\n- Something.\n';
  const { version } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as { version: string };
  const changelog = CHANGELOG.replace('VERSION', version);
  const COMMITTED = { repository: { url: 'git+https://example.org/keystead.git' }, changes: '' };

  it.each([
    ['nothing', changelog, []],
    ['a version without a heading', '# Changelog\n\n## [Unreleased]\n', [`CHANGELOG.md has no entries for ${version}`]],
    [
      'a version without entries',
      changelog.replace('- Something.\n', ''),
      [`CHANGELOG.md has no entries for ${version}`],
    ],
    [
      'entries without a version',
      changelog.replace('[Unreleased]\n', '[Unreleased]\n\n- More.\n'),
      ['CHANGELOG.md has entries under Unreleased: give them a version'],
    ],
  ])('%s', (_name, text, problems) => {
    expect(problemsOf({ ...COMMITTED, changelog: text })).toEqual(problems);
  });

  it.each([
    [
      'a package that does not say where it comes from',
      { repository: undefined },
      'package.json names no repository, which npm requires for provenance',
    ],
    ['changes', { changes: ' M src/snap/index.ts\n' }, 'the clone has changes that are not committed'],
    ['a copy that is no clone', { changes: undefined }, 'this is no clone of the repository'],
  ])('%s', (_name, other, problem) => {
    expect(problemsOf({ changelog, ...COMMITTED, ...other })).toEqual([problem]);
  });

  it('an option that it does not have', () => {
    const { status, stderr } = spawnSync('npm', ['run', '--silent', 'release', '--', '--dry'], {
      cwd: REPOSITORY,
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stderr).toMatch(/unknown option '--dry'\n\nUsage: npm run release/u);
  });
});

describe('the installed program', () => {
  let service: InstalledService;
  beforeAll(async () => {
    service = await startInstalledService(installed);
  });
  afterAll(() => service.stop());

  it('lists its commands', () => {
    const help = run(process.execPath, [join(installed.service, 'bin/keystead.js'), '--help'], installed.project);
    for (const command of ['serve', 'keys', 'archive', 'storage'])
      expect(help).toMatch(new RegExp(`^ +${command} `, 'mu'));
  });

  it('serves the installed clients in plain Node', () => {
    copyFileSync(consumer('in-node.mjs'), join(installed.project, 'in-node.mjs'));
    const { rpc, storage, key, secret } = service;
    const printed = run(
      process.execPath,
      ['in-node.mjs', JSON.stringify({ rpc, storage, key, secret })],
      installed.project,
    );
    expect(JSON.parse(printed)).toEqual({
      chainId: '1',
      cid: 'QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o',
      text: 'hello world\n',
      node: expect.stringMatching(/^bafyrei/u) as string,
      wrongKey: 403,
      accounts: [],
      unconnected: 4100,
    });
  });
});

/** The compilers that projects have. The first is written in JavaScript, and takes ten times as long. */
type Compiler = 'typescript' | 'typescript-7';

describe('the types', () => {
  const compile = (
    files: readonly string[],
    moduleResolution: string,
    skipLibCheck: boolean,
    compiler: Compiler,
  ): string => {
    writeFileSync(join(installed.project, 'package.json'), '{ "type": "module" }');
    const compilerOptions = {
      target: 'es2022',
      lib: ['es2023', 'dom', 'dom.asynciterable'],
      module: moduleResolution === 'bundler' ? 'esnext' : 'node16',
      moduleResolution,
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      skipLibCheck,
    };
    writeFileSync(join(installed.project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    return run(process.execPath, [join(REPOSITORY, 'node_modules', compiler, 'bin/tsc')], installed.project);
  };
  const copied = (file: string): string[] => {
    copyFileSync(consumer(file), join(installed.project, file));
    return [file];
  };

  it.each(['node16', 'bundler'])(
    'are complete with module resolution %s',
    (moduleResolution) => {
      expect(compile(copied('typed.ts'), moduleResolution, false, 'typescript')).toBe('');
    },
    300_000,
  );

  it('are compatible with viem and ethers', () => {
    expect(compile(copied('with-libraries.ts'), 'bundler', true, 'typescript-7')).toBe('');
  }, 300_000);

  it('fit every example in the docstrings of the provider', () => {
    const examples = providerExamples();
    expect(examples.length).toBeGreaterThan(15);
    const files = examples.map((code, index) => {
      const file = `example-${index}.ts`;
      writeFileSync(join(installed.project, file), code);
      return file;
    });
    expect(compile(files, 'bundler', true, 'typescript-7')).toBe('');
  }, 300_000);
});

describe('bundled for a page', () => {
  const bundled = (code: string): { readonly text: string; readonly gzip: number } => {
    const { outputFiles, warnings } = buildSync({
      stdin: { contents: code, resolveDir: installed.project },
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      write: false,
    });
    expect(warnings).toEqual([]);
    const [file] = outputFiles;
    return { text: file!.text, gzip: gzipSync(file!.contents, { level: 9 }).length };
  };

  it('the provider is at most 8.75 kB', () => {
    const { gzip, text } = bundled("export * from 'keystead/provider'");
    expect(gzip).toBeLessThanOrEqual(8750);
    expect(text).toContain('wallet_invokeSnap');
  });

  it('the storage client alone is at most 5 kB, without the other clients', () => {
    const { gzip, text } = bundled("export { StorageClient } from 'keystead/clients'");
    expect(gzip).toBeLessThanOrEqual(5000);
    expect(text).toContain('/api/v0/');
    expect(text).not.toMatch(/eth_|dag\/export|superstruct/u);
  });

  it('no module has an import only for side effects, which makes bundlers warn', () => {
    const modules = installed.tarballs.keystead.files.filter((path) => /^lib\/.*\.js$/u.test(path));
    const texts = modules.map((path) => readFileSync(join(installed.folder, path), 'utf8'));
    expect(texts.filter((text) => /^import ?['"]/mu.test(text))).toEqual([]);
    expect(modules).toContain('lib/clients.js');
  });

  it('an unused import adds nothing', () => {
    expect(
      bundled("import { announceKeystead } from 'keystead/provider'; import { NodeClient } from 'keystead/clients';")
        .text,
    ).toBe('');
  });
});

describeWithChromium('in Chromium', () => {
  it('the modules store and read files, and announce a provider', async () => {
    copyFileSync(consumer('in-page.mjs'), join(installed.folder, 'lib/in-page.js'));
    const [service, pages, browser] = await Promise.all([
      startInstalledService(installed),
      serveSnap(join(installed.folder, 'lib'), 0),
      startChromium(),
    ]);
    try {
      const page = await browser.newPage();
      await page.goto(`${pages.url}/clients.js`);
      const { storage, key, secret } = service;
      const use = `import('/in-page.js').then(({ use }) => use(${JSON.stringify({ storage, key, secret })}))`;
      expect(await page.evaluate(use)).toEqual({
        isSame: true,
        wrongKey: 403,
        announced: 2,
        noWallet: 4900,
        icon: 64,
      });
    } finally {
      await browser.close();
      await pages.stop();
      await service.stop();
    }
  });
});

describeFirstMinute(() => installed.tarballs['keystead-service'].path);

describeWithDevnet('the dapp of the README', () => {
  it('runs as it is printed, in an empty project beside the clone', async () => {
    const { page, world, stop } = await openReadmeDapp();
    try {
      const node = await nodeOf(world);
      const balances = () => Promise.all(PEOPLE.map((address) => node.getBalance({ address })));
      const before = await balances();
      await page.getByRole('button', { name: 'Pay two people' }).click();
      const output = page.locator('output');
      await output.filter({ hasText: /\S/u }).waitFor({ timeout: 120_000 });
      expect(await output.innerText()).toMatch(/^0x[0-9a-fA-F]{40}: success in 0x[0-9a-f]{64}$/u);
      const paid = (await balances()).map((balance, index) => balance - before[index]!);
      expect(paid).toEqual([parseEther('0.1'), parseEther('0.2')]);
    } finally {
      await stop();
    }
  });
});
