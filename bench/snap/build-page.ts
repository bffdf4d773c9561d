import { resolve } from 'node:path';

import { build, type Plugin } from 'esbuild';

const root = resolve(import.meta.dirname, '../..');

/** The simulation imports Node's services and modules, but uses none of them in a page. */
const withoutNode: Plugin = {
  name: 'without-node',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@metamask\/snaps-controllers\/node$/ }, () => ({ path: 'controllers', namespace: 'shim' }));
    onResolve(
      { filter: /^(?:node:)?(?:crypto|fs|fs\/promises|path|worker_threads|child_process|url|module)$/ },
      () => ({
        path: 'nothing',
        namespace: 'shim',
      }),
    );
    onResolve({ filter: /^(?:node:)?stream$/ }, () => ({
      path: resolve(root, 'node_modules/readable-stream/readable-browser.js'),
    }));
    // Its ES module has no default export, which the simulation's own ES modules ask for.
    onResolve({ filter: /^@reduxjs\/toolkit$/ }, () => ({
      path: resolve(root, 'node_modules/@reduxjs/toolkit/dist/redux-toolkit.cjs.production.min.js'),
    }));
    onLoad({ filter: /^controllers$/, namespace: 'shim' }, () => ({
      contents: `export * from '@metamask/snaps-controllers'; export class NodeThreadExecutionService {}`,
      resolveDir: root,
    }));
    onLoad({ filter: /^nothing$/, namespace: 'shim' }, () => ({ contents: 'module.exports = {}' }));
  },
};

/** @returns The page's code: the simulated wallet and the measuring code, in one script. */
export async function buildPage(): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [resolve(import.meta.dirname, 'page.mjs')],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    define: { global: 'globalThis', 'process.env.NODE_ENV': '"production"' },
    inject: [resolve(import.meta.dirname, 'globals.mjs')],
    plugins: [withoutNode],
    nodePaths: [resolve(root, 'node_modules')],
    logLevel: 'error',
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}
