import { type Json } from '@metamask/snaps-sdk';
import { type Hex } from 'viem';

import { ShownInsightRepository } from '../../../../../src/snap/explain/recipients/shown-insights';

const ACCOUNT: Hex = `0x${'a1'.repeat(20)}`;
const REQUEST = 'request';
const LINES: Hex[] = [`0x${'11'.repeat(16)}`];

function start() {
  let stored: Json = null;
  const shown = new ShownInsightRepository({
    read: () => Promise.resolve(stored),
    write: (_key, value) => {
      stored = value;
      return Promise.resolve();
    },
  });
  const show = (compute: () => Promise<Hex[]>, at = 1) =>
    shown.show(ACCOUNT, REQUEST, at, compute, (lines: Hex[]) => lines);
  return { show, take: () => shown.take(ACCOUNT, REQUEST, 2) };
}

const pending = () => {
  let finish: () => void = () => undefined;
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return { finish, compute: () => done.then(() => LINES) };
};

describe('what MetaMask has shown of a request', () => {
  it('is what the insight says, once', async () => {
    const { show, take } = start();
    expect(await show(() => Promise.resolve(LINES))).toEqual(LINES);
    expect(await take()).toEqual(LINES);
    expect(await take()).toBeUndefined();
  });

  it('is nothing while the insight is computed, and nothing for the next request when it is', async () => {
    const { show, take } = start();
    const { compute, finish } = pending();
    const showing = show(compute);
    expect(await take()).toBeUndefined();
    finish();
    await showing;
    expect(await take()).toBeUndefined();
  });

  it('is not what an earlier request had, while the insight of the same one is computed again', async () => {
    const { show, take } = start();
    await show(() => Promise.resolve(LINES));
    const { compute, finish } = pending();
    const showing = show(compute);
    expect(await take()).toBeUndefined();
    finish();
    await showing;
    expect(await take()).toBeUndefined();
  });

  it('is not what an earlier request had, if the insight of the same one fails', async () => {
    const { show, take } = start();
    await show(() => Promise.resolve(LINES));
    await expect(show(() => Promise.reject(new Error('no explanation')))).rejects.toThrow('no explanation');
    expect(await take()).toBeUndefined();
  });
});
