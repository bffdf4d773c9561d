import { encodeAbiParameters, encodeFunctionResult, type Hex, pad, parseAbi, toHex } from 'viem';

import { nodeOf } from '../../../src/companion/model/node';
import { adviceFor } from '../../../src/companion/model/owner-change';
import { hasKnownSingleton, readSafe, readSafeOwners, versionOf } from '../../../src/companion/model/safe';
import { SINGLETON } from '../../../src/core/safe/contracts';
import { GET_OWNERS, THRESHOLD_SLOT } from '../../../src/core/safe/owners/owners';
import { type SimulatedNode, startSimulatedNode } from '../../support/simulated-node';
import { DEVNET, SAFE } from '../../support/companion/samples';

const ABI = parseAbi([
  'function VERSION() view returns (string)',
  'function getModulesPaginated(address start, uint256 pageSize) view returns (address[] modules, address next)',
]);
const ADDRESS = SAFE.address as Hex;
const OWN: Hex = `0x${'11'.repeat(20)}`;
const OTHER: Hex = `0x${'22'.repeat(20)}`;
const FIRST: Hex = `0x${'0'.repeat(39)}1`;
const list = (addresses: readonly Hex[]): Hex => encodeAbiParameters([{ type: 'address[]' }], [addresses]);

describe('what a network says about a Safe', () => {
  let node: SimulatedNode;
  /** What the node says. */
  let owners: Hex;
  let threshold: bigint;
  let singleton: Hex;
  let version: string;
  beforeEach(async () => {
    [owners, threshold, singleton, version] = [list([OWN, OTHER]), 2n, SINGLETON, '1.4.1'];
    const modules = encodeFunctionResult({ abi: ABI, functionName: 'getModulesPaginated', result: [[], FIRST] });
    node = await startSimulatedNode({
      eth_getCode: ([address]) => ((address as string).toLowerCase() === ADDRESS.toLowerCase() ? '0x60' : '0x'),
      eth_getStorageAt: ([, slot]) =>
        slot === THRESHOLD_SLOT ? pad(toHex(threshold)) : BigInt(slot as Hex) === 0n ? pad(singleton) : pad('0x0'),
      eth_call: ([call]) => {
        const { data } = call as { readonly data: Hex };
        if (data === GET_OWNERS) return owners;
        if (data.length > 10) return modules;
        return encodeFunctionResult({ abi: ABI, functionName: 'VERSION', result: version });
      },
    });
  });
  afterEach(() => node.stop());
  const client = () => nodeOf({ ...DEVNET, rpcUrl: node.url });

  it.each<[string, () => void, RegExp]>([
    ['that no owner must sign', () => (threshold = 0n), /the threshold must be from 1 to 2/u],
    ['that more must sign than there are', () => (threshold = 3n), /the threshold must be from 1 to 2/u],
    ['that one owner counts twice', () => (owners = list([OWN, OWN])), /must not contain an address twice/u],
    ['that the account owns itself', () => (owners = list([OWN, ADDRESS])), /or the account itself/u],
    ['that nobody owns it', () => (owners = list([])), /1 to 200 addresses/u],
    ['nothing', () => (owners = '0x'), /must be a list of addresses/u],
  ])('is refused if no Safe could be so: %s', async (_what, lie, rule) => {
    lie();
    await expect(readSafeOwners(client(), ADDRESS)).rejects.toThrow(rule);
    await expect(readSafe(client(), ADDRESS)).rejects.toThrow(rule);
  });

  it('counts only if it runs code that Keystead knows, whatever that code says', async () => {
    const real = await readSafe(client(), ADDRESS);
    expect(real).toMatchObject({ threshold: 2, owners: [OWN, OTHER], version: '1.4.1' });
    expect(hasKnownSingleton(real!)).toBe(true);
    singleton = `0x${'66'.repeat(20)}`;
    const posing = await readSafe(client(), ADDRESS);
    expect(posing).toEqual({ ...real, singleton: expect.stringMatching(/^0x(?:66){20}$/u) as string });
    expect(hasKnownSingleton(posing!)).toBe(false);
  });

  it('is not a Safe if it runs the code of no other contract', async () => {
    singleton = `0x${'0'.repeat(40)}`;
    await expect(readSafe(client(), ADDRESS)).rejects.toThrow(/not a Safe/u);
  });

  it('shows its version as a quotation: short, and without signs that would change the text around it', async () => {
    version = `1.4”\n\u202E checked ${'x'.repeat(1000)}`;
    const shown = versionOf((await readSafe(client(), ADDRESS))!);
    expect(shown).toMatch(/^Safe “.*”, as the contract says$/u);
    expect(shown.length).toBeLessThan(100);
    expect(shown).not.toMatch(/[\n\u202E]/u);
    expect(shown.match(/”/gu)).toHaveLength(1);
  });
});

describe('the advice before owners change', () => {
  it.each<[string, readonly Hex[], number, string | undefined, RegExp | undefined]>([
    ['without the key that Keystead has', [OTHER], 1, OWN, /is no owner any more/u],
    ['without that key, where one of two is enough', [OTHER, FIRST], 1, OWN, /is no owner any more/u],
    ['with that key in another case', [OWN.toUpperCase().replace('X', 'x') as Hex, OTHER], 2, OWN, /All owners must/u],
    ['one of two', [OWN, OTHER], 1, OWN, /Each owner alone/u],
    ['two of three', [OWN, OTHER, FIRST], 2, OWN, undefined],
    ['of a Safe that is no account here', [OTHER], 1, undefined, undefined],
  ])('is about the worst: %s', (_what, after, threshold, own, advice) => {
    const given = adviceFor({ owners: after, threshold }, own);
    if (advice === undefined) expect(given).toBeUndefined();
    else expect(given).toMatch(advice);
  });
});
