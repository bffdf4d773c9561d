import { encodeFunctionData, maxUint256, parseAbi } from 'viem';

import { type Hex } from '../../../../../src/core/eth/bytes';
import { type Explanation, type Found, type Viewpoint } from '../../../../../src/core/decode/explanation';
import { explainMessage } from '../../../../../src/core/decode/explain/message';
import { Library } from '../../../../../src/snap/explain/metadata/library';
import {
  ALICE,
  BOB,
  codesOf,
  explainCall,
  explainTyped,
  ME,
  saying,
  typedData,
  USDC,
  VIEW,
} from '../../../../support/explaining';
import { bundledFiles, bundledLibrary } from '../../../../support/contract-metadata';

const nothing = () => Promise.resolve({});
const AAVE_POOL = '0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2';
const UNI = '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984';
const repay = encodeFunctionData({
  abi: parseAbi(['function repay(address,uint256,uint256,address)']),
  args: [USDC, 5_500_000n, 2n, ME],
});
const approve = (amount: bigint) =>
  encodeFunctionData({ abi: parseAbi(['function approve(address,uint256)']), args: [BOB, amount] });
const inMulticall = (data: `0x${string}`) =>
  encodeFunctionData({ abi: parseAbi(['function multicall(bytes[])']), args: [[data]] });
const permit = typedData(
  'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)',
  { name: 'USD Coin', version: '2', chainId: 1, verifyingContract: USDC },
  { owner: ME, spender: BOB, value: '5500000', nonce: 0, deadline: '1767225660' },
);

describe('the library', () => {
  it('reads no file to look for dangers in what built-in rules cover', async () => {
    const { read, readFile } = bundledFiles();
    const library = new Library(readFile, nothing);
    for (const explanation of [
      explainMessage('0x68656c6c6f', { signer: ME, now: 0n }),
      explainCall(ALICE, '0x', { value: 1n }),
      explainCall(USDC, approve(5n)),
      explainTyped(permit),
    ]) {
      expect(await library.lookForDangers(explanation)).toBe(explanation);
    }
    expect(read).toEqual([]);
  });

  it('explains once with everything that was found besides', async () => {
    const library = bundledLibrary();
    const recipients = { used: [ALICE], own: {}, hasCode: {} };
    for (const first of [
      explainCall(UNI, approve(5n)),
      explainCall(ALICE, '0x', { value: 1n }),
      explainTyped(permit),
    ]) {
      const told = await library.complete(first, Promise.resolve({ recipients }));
      const later = (await library.complete(first)).unresolved?.explainWith({ recipients });
      expect(later && saying(later)).toBe(saying(told));
      expect(told.unresolved?.lookups).toEqual([]);
    }
  });

  it('gives the names to an explanation that was made without them, whatever was read for it', async () => {
    const names = { [BOB.toLowerCase()]: 'savings', [AAVE_POOL.toLowerCase()]: 'lender' };
    const recipients = Promise.resolve({ recipients: { used: [], own: names, hasCode: {} } });
    const unread = typedData('Note(address reader,string text)', { chainId: 1 }, { reader: BOB, text: 'a' });
    for (const explain of [
      (view: Viewpoint) => explainCall(UNI, approve(5n), { view }),
      (view: Viewpoint) => explainCall(AAVE_POOL, repay, { view }),
      (view: Viewpoint) => explainTyped(permit, view),
      (view: Viewpoint) => explainTyped(unread, view),
    ]) {
      const named = await bundledLibrary().complete(explain({ ...VIEW, names }), recipients, { names });
      const later = await bundledLibrary().complete(explain(VIEW), recipients, { names });
      expect(saying(later)).toBe(saying(named));
    }
    const told = await bundledLibrary().complete(explainTyped(permit), recipients, { names });
    expect(saying(told)).toContain('savings');
  });

  it('has the descriptions that it read for the next explanation, which says the same at once', async () => {
    const library = bundledLibrary();
    const first = await library.lookForDangers(explainCall(AAVE_POOL, repay));
    const view = { ...VIEW, contractMetadata: library.descriptions };
    const next = explainCall(AAVE_POOL, repay, { view });
    expect(saying(next)).toBe(saying(first));
    expect(await library.lookForDangers(next)).toBe(next);
  });

  it('reads only the file of a call, and only once', async () => {
    const { read, readFile } = bundledFiles();
    const library = new Library(readFile, nothing);
    const told = await library.complete(explainCall(AAVE_POOL, repay));
    expect(saying(await library.complete(explainCall(AAVE_POOL, repay)))).toEqual(saying(told));
    expect(told.unresolved?.lookups).toEqual([]);
    expect(read).toEqual(['contract-metadata/5.json', 'contract-metadata/tokens.json']);
    expect(saying(told)).toContain('Repay loan');
  });

  it('finds tokens that are not in the bundle', async () => {
    expect(saying(explainCall(UNI, approve(5n * 10n ** 17n)))).toContain('smallest unit');
    expect(saying(await bundledLibrary().complete(explainCall(UNI, approve(5n * 10n ** 17n))))).toContain('0.5 UNI');
  });

  it('decodes a call with the published metadata, unless its parts overlap to be copied many times', async () => {
    const facts = { functions: { aabbccdd: { name: 'take', inputs: [{ type: 'bytes[]' }] } } };
    const library = new Library(bundledFiles().readFile, () => Promise.resolve(facts));
    const word = (value: number) => value.toString(16).padStart(64, '0');
    const size = 200_000;
    const titles = async (count: number) => {
      const data: Hex = `0xaabbccdd${word(32)}${word(count)}${word(32 * count).repeat(count)}${word(size)}${'ab'.repeat(size)}`;
      return (await library.complete(explainCall(ALICE, data))).sections.map(({ title }) => title);
    };
    expect(await titles(2)).toEqual(["Call described by the contract's developer"]);
    expect(await titles(10)).toEqual(['Unknown call']);
  });

  it('distinguishes parameters with equal names, also inside a struct', async () => {
    const inputs = [
      { name: 'to', type: 'address' },
      { name: 'to', type: 'address' },
      {
        name: 'pair',
        type: 'tuple',
        components: [
          { name: 'amount', type: 'uint256' },
          { name: 'amount', type: 'uint256' },
          // Crafted to replace another one.
          { name: 'amount (1)', type: 'uint256' },
        ],
      },
    ];
    const library = new Library(bundledFiles().readFile, () =>
      Promise.resolve({ functions: { aabbccdd: { name: 'take', inputs } } }),
    );
    const data: Hex = `0xaabbccdd${[ALICE, BOB, 5n, 6n, 7n].map((value) => BigInt(value).toString(16).padStart(64, '0')).join('')}`;
    const said = saying(await library.complete(explainCall(USDC, data))).split('\n');
    for (const line of [
      `“to (0)”: ${ALICE}`,
      `“to (1)”: ${BOB}`,
      '“pair (2).amount (0)”: 5',
      '“pair (2).amount (1)”: 6',
      '“pair (2).amount (1) (2)”: 7',
    ])
      expect(said).toContain(line);
  });

  it('finds dangers without contacting a service or reading irrelevant files', async () => {
    const { read, readFile } = bundledFiles();
    const asked: string[] = [];
    const library = new Library(readFile, (_chain, address) => {
      asked.push(address);
      return Promise.resolve({});
    });
    // Aave's multicall is covered only by built-in rules; the Morpho bundler's calls are described.
    const call = encodeFunctionData({
      abi: parseAbi(['function multicall((address,bytes,uint256,bool,bytes32)[])']),
      args: [[[USDC, approve(maxUint256), 0n, false, `0x${'00'.repeat(32)}`]]],
    });
    const bundler = explainCall('0x6566194141eefa99Af43Bb5Aa71460Ca2Dc90245', call);
    expect(codesOf(bundler)).toEqual([]);
    expect(codesOf(await library.lookForDangers(bundler))).toEqual(['unlimited-approval']);
    await library.lookForDangers(explainCall(UNI, approve(5n)));
    await library.lookForDangers(
      explainTyped(typedData('Odd(uint256 a)', { chainId: 1, verifyingContract: BOB }, { a: 1 })),
    );
    await library.lookForDangers(explainCall(ALICE, inMulticall('0x11223344')));
    expect(asked).toEqual([]);
    // The second is for a message that no rule can read: a published description decides whether Keystead asks.
    expect(read).toEqual(['contract-metadata/3.json', 'contract-metadata/a.json', 'contract-metadata/1.json']);
  });

  it('returns the explanation unchanged if the wallet returns no file', async () => {
    const library = new Library(() => Promise.resolve(undefined), nothing);
    const told = await library.complete(explainCall(AAVE_POOL, repay));
    expect(saying(told)).toContain('Unknown call');
    expect(told.unresolved?.lookups).toEqual([]);
  });

  it('requests a file again that the wallet did not return', async () => {
    let isThere = false;
    const library = new Library(
      (path) => (isThere ? bundledFiles().readFile(path) : Promise.resolve(undefined)),
      nothing,
    );
    const call = explainCall(AAVE_POOL, repay);
    await library.lookForDangers(call);
    isThere = true;
    expect(saying(await library.complete(call))).not.toContain('Unknown call');
  });

  it('looks up only a few contracts per request', async () => {
    const asked: string[] = [];
    const library = bundledLibrary((_chain, address) => {
      asked.push(address);
      return Promise.resolve({});
    });
    const targets = Array.from(
      { length: 30 },
      (_, index) => `0x${(index + 100).toString(16).padStart(40, '0')}` as const,
    );
    const batch = encodeFunctionData({
      abi: parseAbi(['function aggregate((address,bytes)[])']),
      args: [targets.map((target) => [target, '0x0badc0de'] as const)],
    });
    const told = saying(await library.complete(explainCall(ALICE, batch)));
    expect(asked).toHaveLength(5);
    expect(told).toContain('this request calls too many contracts');
  });

  it('looks up what an outcome shows, however many look-ups came before', async () => {
    const asked: string[] = [];
    const library = new Library(bundledFiles().readFile, nothing, (_chain, address) => {
      asked.push(address);
      return Promise.resolve(null);
    });
    const wanting = (address: Hex, explainWith: (found: Found) => Explanation): Explanation =>
      ({
        unresolved: {
          known: { shards: {}, contracts: {} },
          lookups: [{ kind: 'token', chainId: '1', address }],
          explainWith,
        },
      }) as never;
    const endless: Explanation = wanting(ALICE, ({ outcome }) =>
      outcome === undefined ? endless : wanting(BOB, () => ({}) as Explanation),
    );
    await library.complete(endless, Promise.resolve({ outcome: { kind: 'unknown', why: 'it is a test' } }));
    expect(asked.filter((address) => address === BOB)).toEqual([BOB]);
  });
});
