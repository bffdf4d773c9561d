import { type Json } from '@metamask/snaps-sdk';

import { PreparedLedger } from '../../../../src/snap/networks/prepared-operations';
import { preparedOperation } from '../../../../src/core/erc4337/prepared';
import { OPERATION } from '../../../helpers/user-operation';

const WALLET = 'metamask';
const SITE = 'https://dapp.example';
const OTHER = 'https://other.example';
const STUB = `0x${'ee'.repeat(52)}` as const;
const FINAL = `0x${'ff'.repeat(52)}` as const;

const operation = { ...OPERATION, paymasterAndData: STUB };
const prepared = (nonce = operation.nonce) =>
  preparedOperation({ draft: { ...operation, nonce }, gasLimits: undefined, paymasterIsFinal: false }, 1n);

/** A ledger on a store that holds what it is given, and that a restart finds again. */
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

describe('what was prepared', () => {
  it('is there for the caller it was prepared for, and for no other', async () => {
    const { ledger, of, restarted } = start();
    await ledger.remember(WALLET, prepared());
    expect(await of(WALLET)).toEqual([prepared()]);
    expect(await of(SITE)).toEqual([]);
    await ledger.remember(SITE, prepared());
    expect(await restarted(SITE)).toEqual([prepared()]);
    expect(await restarted(WALLET)).toEqual([prepared()]);
  });

  it('is patched for its own caller only', async () => {
    const { ledger, of } = start();
    for (const caller of [WALLET, SITE]) await ledger.remember(caller, prepared());
    await ledger.rememberPatch(OTHER, operation, 1n, FINAL);
    await ledger.rememberPatch(SITE, operation, 1n, FINAL);
    expect(await of(WALLET)).toMatchObject([{ paymasterAndData: STUB }]);
    expect(await of(SITE)).toMatchObject([{ paymasterAndData: FINAL }]);
    expect(await of(OTHER)).toEqual([]);
  });

  it('is the latest once it was prepared again, and there once', async () => {
    const { ledger, of } = start();
    for (const nonce of [1n, 2n, 1n]) await ledger.remember(SITE, prepared(nonce));
    expect((await of(SITE)).map(({ nonce }) => nonce)).toEqual(['0x2', '0x1']);
  });

  it('is pushed out by nothing that another caller prepares', async () => {
    const { ledger, of } = start();
    for (const caller of [WALLET, OTHER]) await ledger.remember(caller, prepared());
    for (let nonce = 0n; nonce < 100n; nonce++) await ledger.remember(SITE, prepared(nonce));
    const kept = await of(SITE);
    expect(kept).toHaveLength(32);
    expect(kept.at(-1)).toEqual(prepared(99n));
    for (const caller of [WALLET, OTHER]) expect(await of(caller)).toEqual([prepared()]);
  });

  it('is bounded for all callers together, at the cost of the site that has the most', async () => {
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

describe('what was stored before entries had callers', () => {
  const old = (): Json =>
    Array.from({ length: 64 }, (_item, index) => ({
      at: Date.now(),
      operation: prepared(BigInt(index)),
    })) as unknown as Json;

  it('is read whole, by each caller, and kept when something is added', async () => {
    const { ledger, of, restarted } = start(old());
    expect(await of(SITE)).toHaveLength(64);
    await ledger.remember(SITE, prepared(99n));
    expect(await restarted(SITE)).toHaveLength(65);
    expect(await restarted(WALLET)).toHaveLength(64);
  });

  it('is patched for one caller without a change for the others', async () => {
    const { ledger, of } = start(old());
    for (let times = 0; times < 2; times++) await ledger.rememberPatch(SITE, operation, 1n, FINAL);
    const finals = async (caller: string) =>
      (await of(caller)).filter(({ paymasterAndData }) => paymasterAndData === FINAL);
    expect(await finals(SITE)).toHaveLength(1);
    expect(await finals(WALLET)).toEqual([]);
    expect(await of(WALLET)).toHaveLength(64);
  });
});
