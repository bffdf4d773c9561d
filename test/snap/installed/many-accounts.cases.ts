import { expect } from '@jest/globals';
import { type Json } from '@metamask/snaps-sdk';

import { newEoa, type StoredEoa } from '../../../src/snap/account/account';
import { type Hex } from '../../../src/core/eth/bytes';
import { type DappScreen, type ForDapps, installForDapps } from '../../support/dapp';
import { textOf } from '../../support/screen-text';

/** Accounts in stored form. Their keys are not needed here. */
const ACCOUNTS = Array.from({ length: 120 }, (_account, index): StoredEoa => {
  const address: Hex = `0x${(index + 1).toString(16).padStart(40, '0')}`;
  return { ...newEoa(address, { source: 'derived', index }), announced: true };
});
/** Connected sites, one fewer than the limit. Each may use the first 30 accounts. */
const SITES = Array.from({ length: 199 }, (_site, index) => `https://site-${index}.example`);

let keystead: ForDapps;
beforeAll(async () => {
  const accounts = ACCOUNTS.slice(0, 30).map(({ account }) => account.id);
  const state = {
    version: 1,
    accounts: Object.fromEntries(ACCOUNTS.map((entry) => [entry.account.id, entry])),
    grants: Object.fromEntries(SITES.map((origin) => [origin, { accounts }])),
  };
  keystead = await installForDapps({ state: state as unknown as Record<string, Json> });
});

describe('the snap with 120 accounts and 199 connected sites', () => {
  it('offers a new site every account, a few at a time, and keeps the choice', async () => {
    const request = keystead.dapp('eth_requestAccounts');
    // One more box offers to create an account.
    const boxes = (screen: DappScreen): number => JSON.stringify(screen.content).split('"Checkbox"').length - 2;
    let screen = await request.getInterface();
    expect(boxes(screen)).toBe(50);
    expect(textOf(screen.content)).toContain('of 120 shown');
    await screen.clickElement('more');
    screen = await request.getInterface();
    expect(boxes(screen)).toBe(100);
    await screen.clickElement('more');
    screen = await request.getInterface();
    expect(boxes(screen)).toBe(120);
    expect(textOf(screen.content)).not.toContain('Show more');
    await screen.clickElement(ACCOUNTS[119]!.account.id);
    await screen.ok();
    expect((await request).response.result).toEqual([ACCOUNTS[0]!.account.address, ACCOUNTS[119]!.account.address]);
  });

  it('has a disconnect button for every site, however many there are and whatever they may use', async () => {
    const { ask, snap } = keystead;
    const page = (await snap.onHomePage()).getInterface();
    for (const origin of SITES) expect(JSON.stringify(page.content)).toContain(`"disconnect:${origin}"`);
    expect(textOf(page.content).split('and 10 more')).toHaveLength(SITES.length + 1);
    expect(await ask('eth_accounts', [], SITES[198])).toMatchObject({ result: { length: 30 } });
    await page.clickElement(`disconnect:${SITES[198]!}`);
    expect(await ask('eth_accounts', [], SITES[198])).toEqual({ result: [] });
  });
});
