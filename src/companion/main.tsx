import { render } from 'preact';

import { App } from './app';
import { type Devnet } from './model/types';

/** @returns The devnet that `npm start` describes, or undefined if it does not serve this page. */
async function readDevnet(): Promise<Devnet | undefined> {
  const response = await fetch('devnet.json', { cache: 'no-cache' }).catch(() => undefined);
  return response?.ok === true ? ((await response.json()) as Devnet) : undefined;
}

const devnet = await readDevnet();
const root = document.getElementById('app');
if (root !== null) {
  root.replaceChildren();
  render(<App devnet={devnet} />, root);
}
