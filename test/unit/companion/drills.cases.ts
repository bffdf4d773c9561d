import { privateKeyToAccount } from 'viem/accounts';
import { createClient, custom, type Hex } from 'viem';

import {
  drills,
  guardianDrill,
  keepDrill,
  keepPractised,
  lastDrill,
  phraseDrills,
  type Practised,
  practisedParts,
  readPractised,
} from '../../../src/companion/model/drills';
import { type NodeClient } from '../../../src/companion/model/node';
import { practiceMessage } from '../../../src/companion/model/practice';
import { MODULE, party, SAFE } from '../../support/recovery-node';

const KEYS = ['1', '2'].map((digit) => privateKeyToAccount(`0x${digit.repeat(64)}`));
const [BEN, CLEO] = KEYS as [(typeof KEYS)[0], (typeof KEYS)[0]];
const NOW = 1_800_000_000n;
const PRACTICE = { chainId: 10n, safe: SAFE, module: MODULE.address, at: NOW } as const;

const practised = async (change: Partial<Practised> = {}, by = BEN): Promise<Practised> => {
  const signature = await by.signMessage({ message: practiceMessage(PRACTICE) });
  return { ...PRACTICE, guardian: BEN.address, signature, ...change };
};

/** A node without contracts, or with one that answers. */
const node = (answer?: Hex): NodeClient =>
  createClient({
    transport: custom({
      request: ({ method }: { method: string }) =>
        Promise.resolve(method === 'eth_getCode' ? (answer === undefined ? '0x' : '0x01') : (answer ?? '0x')),
    }),
  }) as unknown as NodeClient;

const keep = (one: Practised, guardians: readonly Hex[] = [BEN.address], answer?: Hex) =>
  keepPractised(one, guardians, node(answer), NOW);
const last = () => lastDrill(drills.read(), guardianDrill(10n, SAFE, BEN.address));

beforeEach(() => {
  const kept = new Map<string, string>();
  Object.assign(globalThis, {
    localStorage: {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
    },
  });
});
afterEach(() => {
  Reflect.deleteProperty(globalThis, 'localStorage');
});

it.each<[string, Partial<Practised>, readonly Hex[], string]>([
  ['of somebody who is no guardian', {}, [CLEO.address], 'guardian: must be a guardian of the account'],
  ['for another account', { safe: party('6') }, [BEN.address], 'signature: must be the guardian’s own'],
  ['on another network', { chainId: 1n }, [BEN.address], 'signature: must be the guardian’s own'],
  ['of another day', { at: NOW - 1n }, [BEN.address], 'signature: must be the guardian’s own'],
  ['of another guardian', { guardian: CLEO.address }, [CLEO.address], 'signature: must be the guardian’s own'],
  ['from the future', { at: NOW + 601n }, [BEN.address], 'time: must not be in the future'],
  [
    'that is no signature',
    { signature: `0x${'00'.repeat(65)}` },
    [BEN.address],
    'signature: must be the guardian’s own',
  ],
])('does not remember a practice run %s', async (_what, change, guardians, rule) => {
  await expect(keep(await practised(change), guardians)).rejects.toThrow(rule);
  expect(last()).toBeUndefined();
});

it('remembers a practice run, and no earlier one in its place', async () => {
  await keep(readPractised(practisedParts(await practised()).slice(1)));
  expect(last()).toBe(Number(NOW));
  const at = NOW - 86_400n;
  const signature = await BEN.signMessage({ message: practiceMessage({ ...PRACTICE, at }) });
  await keep(await practised({ at, signature }));
  expect(last()).toBe(Number(NOW));
});

it('asks a guardian that is a contract', async () => {
  const other = await practised({}, CLEO);
  await keep(other, undefined, `0x1626ba7e${'0'.repeat(56)}`);
  expect(last()).toBe(Number(NOW));
});

it('does not believe a contract that denies it', async () => {
  await expect(keep(await practised({}, CLEO), undefined, `0x${'f'.repeat(64)}`)).rejects.toThrow('signature: must be');
});

it('signs words that do nothing, and none of the link’s', () => {
  const message = practiceMessage(PRACTICE);
  expect(message).toContain('This signature confirms no recovery and moves nothing.');
  expect(message).toContain(SAFE);
  expect(message.split('\n')).toHaveLength(8);
});

it.each<[string, readonly string[], string]>([
  ['half a signature', ['10', SAFE, MODULE.address, '1', BEN.address, '0x12'], 'signature: must be hex bytes'],
  ['no time', ['10', SAFE, MODULE.address, 'now', BEN.address, `0x${'00'.repeat(65)}`], 'time: must be a whole number'],
])('is refused with %s', (_what, parts, rule) => {
  expect(() => readPractised(parts)).toThrow(rule);
});

it('of a phrase says nothing of another phrase, also if it controls the same account now', () => {
  const ofKey = (owner: string, entropy?: object) =>
    ({ address: SAFE, type: 'eip155:erc4337', options: { owner, ...(entropy && { entropy }) } }) as never;
  for (const what of phraseDrills([ofKey(BEN.address)])) keepDrill(what, Number(NOW));
  expect(lastDrill(drills.read(), ...phraseDrills([ofKey(CLEO.address)]))).toBeUndefined();
  expect(lastDrill(drills.read(), ...phraseDrills([ofKey(CLEO.address), ofKey(BEN.address)]))).toBe(Number(NOW));
  expect(phraseDrills([ofKey(BEN.address, { type: 'private-key' })])).toEqual([]);
});
