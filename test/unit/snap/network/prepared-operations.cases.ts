import { type Json } from '@metamask/snaps-sdk';

import { PreparedLedger } from '../../../../src/snap/network/prepared-operations';
import { preparedOperation } from '../../../../src/core/erc4337/prepared';
import { OPERATION } from '../../../support/user-operation';

const WALLET = 'metamask';
const SITE = 'https://dapp.example';
const OTHER = 'https://other.example';
const STUB = `0x${'ee'.repeat(52)}` as const;
const FINAL = `0x${'ff'.repeat(52)}` as const;

const operation = { ...OPERATION, paymasterAndData: STUB };
const prepared = (nonce = operation.nonce) =>
  preparedOperation({ draft: { ...operation, nonce }, gasLimits: undefined, paymasterIsFinal: false }, 1n);

/** A ledger on a store that survives restarts. */
function start(stored: Json = null) {
  const state = { prepared: stored };
  const store = {
    read: () => Promise.resolve(state.prepared),
    write: (_key: string, value: Json) => {
      state.prepared = structuredClone(value);
      return Promise.resolve();
    },
  };
  const ledger = new PreparedLedger(store);
  const of = (caller: string) => ledger.of(caller, operation.sender, 1n);
  const restarted = (caller: string) => new PreparedLedger(store).of(caller, operation.sender, 1n);
  return { ledger, of, restarted };
}

describe('a prepared operation', () => {
  it('is visible only to the caller it was prepared for', async () => {
    const { ledger, of, restarted } = start();
    await ledger.remember(WALLET, prepared());
    expect(await of(WALLET)).toEqual([prepared()]);
    expect(await of(SITE)).toEqual([]);
    await ledger.remember(SITE, prepared());
    expect(await restarted(SITE)).toEqual([prepared()]);
    expect(await restarted(WALLET)).toEqual([prepared()]);
  });

  it('is patched only for its caller', async () => {
    const { ledger, of } = start();
    for (const caller of [WALLET, SITE]) await ledger.remember(caller, prepared());
    await ledger.rememberPatch(OTHER, operation, 1n, FINAL);
    await ledger.rememberPatch(SITE, operation, 1n, FINAL);
    expect(await of(WALLET)).toMatchObject([{ paymasterAndData: STUB }]);
    expect(await of(SITE)).toMatchObject([{ paymasterAndData: FINAL }]);
    expect(await of(OTHER)).toEqual([]);
  });

  it('becomes the most recent when prepared again, and is stored once', async () => {
    const { ledger, of } = start();
    for (const nonce of [1n, 2n, 1n]) await ledger.remember(SITE, prepared(nonce));
    expect((await of(SITE)).map(({ nonce }) => nonce)).toEqual(['0x2', '0x1']);
  });

  it('is not displaced by operations of other callers', async () => {
    const { ledger, of } = start();
    for (const caller of [WALLET, OTHER]) await ledger.remember(caller, prepared());
    for (let nonce = 0n; nonce < 100n; nonce++) await ledger.remember(SITE, prepared(nonce));
    const kept = await of(SITE);
    expect(kept).toHaveLength(32);
    expect(kept.at(-1)).toEqual(prepared(99n));
    for (const caller of [WALLET, OTHER]) expect(await of(caller)).toEqual([prepared()]);
  });

  it('is limited in total, at the expense of the site with the most operations', async () => {
    const { ledger, of } = start();
    for (let nonce = 0n; nonce < 32n; nonce++) await ledger.remember(WALLET, prepared(nonce));
    await ledger.remember(OTHER, prepared());
    const sites = Array.from({ length: 10 }, (_item, index) => `https://site-${index}.example`);
    for (const site of sites) for (let nonce = 0n; nonce < 20n; nonce++) await ledger.remember(site, prepared(nonce));
    expect(await of(WALLET)).toHaveLength(32);
    expect(await of(OTHER)).toEqual([prepared()]);
    const ofSites = await Promise.all(sites.map(of));
    expect(ofSites.flat()).toHaveLength(192 - 33);
    for (const kept of ofSites) expect(kept.length).toBeGreaterThanOrEqual(15);
  });
});

describe('entries stored without a caller', () => {
  const old = (): Json =>
    Array.from({ length: 64 }, (_item, index) => ({
      at: Date.now(),
      operation: prepared(BigInt(index)),
    })) as unknown as Json;

  it('are visible to every caller, and kept when something is added', async () => {
    const { ledger, of, restarted } = start(old());
    expect(await of(SITE)).toHaveLength(64);
    await ledger.remember(SITE, prepared(99n));
    expect(await restarted(SITE)).toHaveLength(65);
    expect(await restarted(WALLET)).toHaveLength(64);
  });

  it('are patched for one caller without affecting the others', async () => {
    const { ledger, of } = start(old());
    for (let times = 0; times < 2; times++) await ledger.rememberPatch(SITE, operation, 1n, FINAL);
    const finals = async (caller: string) =>
      (await of(caller)).filter(({ paymasterAndData }) => paymasterAndData === FINAL);
    expect(await finals(SITE)).toHaveLength(1);
    expect(await finals(WALLET)).toEqual([]);
    expect(await of(WALLET)).toHaveLength(64);
  });
});
