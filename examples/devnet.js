import { fileURLToPath } from 'node:url';

const DEVNET = process.env.KEYSTEAD_DEVNET ?? 'http://localhost:8000/';
const MODULE = 'virtual:devnet';

/**
 * A Vite plugin that gives a page the devnet of `npm start`: its network as `devnet` from `virtual:devnet`, its faucet
 * under `/faucet`, and the wallet that it simulates for browsers without MetaMask Flask. `keystead/provider` is the one
 * of this repository; a page elsewhere has it from its own dependencies.
 *
 * @returns {Promise<import('vite').Plugin>} The plugin.
 */
export async function devnet() {
  const answer = await fetch(new URL('devnet.json', DEVNET)).catch(() => undefined);
  if (answer === undefined)
    throw new Error(`The devnet does not answer at ${DEVNET}. Run "npm start" in the root of the repository first.`);
  const { snapId, snapUrl, chain } = await answer.json();
  return {
    name: 'keystead-devnet',
    config: () => ({
      // What the provider's sources import. Vite would find it only when it serves the page, and load the page again,
      // perhaps after somebody has pressed a button.
      optimizeDeps: { include: ['eventemitter3', '@metamask/superstruct', '@noble/hashes/utils.js'] },
      resolve: {
        alias: { 'keystead/provider': fileURLToPath(new URL('../src/provider/index.ts', import.meta.url)) },
      },
      server: {
        fs: { allow: [fileURLToPath(new URL('..', import.meta.url))] },
        proxy: {
          '/faucet': {
            target: DEVNET,
            changeOrigin: true,
            // The faucet refuses requests that another site's page sends; this one is sent by the server.
            configure: (proxy) => proxy.on('proxyReq', (request) => request.removeHeader('origin')),
          },
        },
      },
    }),
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
    load: (id) => (id === `\0${MODULE}` ? `export const devnet = ${JSON.stringify({ snapId, chain })};` : undefined),
    transformIndexHtml: () => [
      { tag: 'script', attrs: { type: 'module', src: new URL('wallet.js', snapUrl).href }, injectTo: 'head' },
    ],
  };
}
