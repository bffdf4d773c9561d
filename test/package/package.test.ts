import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { buildSync } from 'esbuild';

import { serveSnap } from '../../src/devnet/snap-server';
import { describeWithChromium, startChromium } from '../helpers/chromium';
import { providerExamples } from './support/examples';
import { type Installed, installPacked, REPOSITORY, run } from './support/installed';
import { type InstalledService, startInstalledService } from './support/service';

const consumer = (name: string): string => join(__dirname, 'consumer', name);

let installed: Installed;
beforeAll(() => {
  installed = installPacked(['ethers']);
}, 300_000);
afterAll(() => {
  installed.remove();
});

describe('the package', () => {
  it('contains its exports, both editions of the snap and the program, and nothing else', () => {
    const folders = new Set(installed.files.map((path) => path.split('/')[0]));
    for (const name of ['bin', 'dist-lib', 'dist-service', 'images', 'package.json', 'README.md', 'LICENSE'])
      expect(folders).toContain(name);
    const snaps = ['dist', 'dist-insights'].flatMap((folder) =>
      ['snap.manifest.json', 'bundle.js', 'package.json', 'images/icon.svg', 'contract-metadata/tokens.json'].map(
        (file) => `${folder}/${file}`,
      ),
    );
    for (const path of [...snaps, 'dist-service/cli.js', 'dist-lib/provider.d.ts'])
      expect(installed.files).toContain(path);
    const allowed =
      /^(?:(?:bin|dist|dist-insights|dist-lib|dist-service|images)\/|[A-Z]+\.md$|LICENSE$|package\.json$)/u;
    expect(installed.files.filter((path) => !allowed.test(path) || /\/\./u.test(path))).toEqual([]);
  });
});

describe('the installed program', () => {
  let service: InstalledService;
  beforeAll(async () => {
    service = await startInstalledService(installed);
  });
  afterAll(() => service.stop());

  it('lists its commands', () => {
    const help = run(process.execPath, [join(installed.folder, 'bin/keystead.js'), '--help'], installed.project);
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

describe('the types', () => {
  const compile = (files: readonly string[], moduleResolution: string, skipLibCheck: boolean): string => {
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
    return run(process.execPath, [join(REPOSITORY, 'node_modules/typescript/bin/tsc')], installed.project);
  };
  const compileConsumer = (file: string, moduleResolution: string, skipLibCheck: boolean): string => {
    copyFileSync(consumer(file), join(installed.project, file));
    return compile([file], moduleResolution, skipLibCheck);
  };

  it.each(['node16', 'bundler'])(
    'are complete with module resolution %s',
    (moduleResolution) => {
      expect(compileConsumer('typed.ts', moduleResolution, false)).toBe('');
    },
    300_000,
  );

  it('are compatible with viem and ethers', () => {
    expect(compileConsumer('with-libraries.ts', 'bundler', true)).toBe('');
  }, 300_000);

  it('fit every example in the docstrings of the provider', () => {
    const examples = providerExamples();
    expect(examples.length).toBeGreaterThan(15);
    const files = examples.map((code, index) => {
      const file = `example-${index}.ts`;
      writeFileSync(join(installed.project, file), code);
      return file;
    });
    expect(compile(files, 'bundler', true)).toBe('');
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

  it('the provider is at most 8.6 kB', () => {
    const { gzip, text } = bundled("export * from 'keystead/provider'");
    expect(gzip).toBeLessThanOrEqual(8600);
    expect(text).toContain('wallet_invokeSnap');
  });

  it('the storage client alone is at most 5 kB, without the other clients', () => {
    const { gzip, text } = bundled("export { StorageClient } from 'keystead/clients'");
    expect(gzip).toBeLessThanOrEqual(5000);
    expect(text).toContain('/api/v0/');
    expect(text).not.toMatch(/eth_|dag\/export|superstruct/u);
  });

  it('no module has an import only for side effects, which makes bundlers warn', () => {
    const modules = installed.files.filter((path) => /^dist-lib\/.*\.js$/u.test(path));
    const texts = modules.map((path) => readFileSync(join(installed.folder, path), 'utf8'));
    expect(texts.filter((text) => /^import ?['"]/mu.test(text))).toEqual([]);
    expect(modules).toContain('dist-lib/clients.js');
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
    copyFileSync(consumer('in-page.mjs'), join(installed.folder, 'dist-lib/in-page.js'));
    const [service, pages, browser] = await Promise.all([
      startInstalledService(installed),
      serveSnap(join(installed.folder, 'dist-lib'), 0),
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
