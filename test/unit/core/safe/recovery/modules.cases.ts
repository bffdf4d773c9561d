import { getAddress } from 'viem';

import {
  delayInWords,
  hasModuleCode,
  LEAST_PERIOD,
  RECOVERY_MODULES,
  recoveryModuleAt,
} from '../../../../../src/core/safe/recovery/modules';
import { readDelayModifier } from '../../../../../src/core/safe/recovery/delay-modifier';
import { type NodeReader } from '../../../../../src/core/safe/recovery/answer';
import { MODULE, MODULE_CODE, party } from '../../../../support/recovery-node';

describe('the recovery modules', () => {
  it('are each at an address of their own, with a valid checksum', () => {
    const addresses = RECOVERY_MODULES.map(({ address }) => address);
    expect(addresses).toEqual(addresses.map((address) => getAddress(address.toLowerCase() as `0x${string}`)));
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  it('have the same code only with the same delay', () => {
    const delays = new Map(RECOVERY_MODULES.map(({ codeHash, period }) => [codeHash, period]));
    for (const { codeHash, period } of RECOVERY_MODULES) expect(delays.get(codeHash)).toBe(period);
    expect(new Set(delays.values()).size).toBe(delays.size);
  });

  it('begin with one whose delay leaves time to notice a recovery', () => {
    expect(RECOVERY_MODULES[0]!.period).toBeGreaterThanOrEqual(LEAST_PERIOD);
    expect(RECOVERY_MODULES.filter(({ period }) => period < LEAST_PERIOD)).toHaveLength(1);
  });

  it('are found by their address in any case, and only those', () => {
    const [first] = RECOVERY_MODULES;
    expect(recoveryModuleAt(first!.address.toLowerCase() as `0x${string}`)).toBe(first);
    expect(recoveryModuleAt(party('7'))).toBeUndefined();
  });

  it('are known by their code', () => {
    expect(hasModuleCode(MODULE, MODULE_CODE)).toBe(true);
    expect(hasModuleCode(MODULE, `${MODULE_CODE}00`)).toBe(false);
  });
});

describe("Zodiac's Delay modifier", () => {
  const cooldown = `0x${(86_400).toString(16).padStart(64, '0')}`;
  const nodeWithCode = (code: string, answer = cooldown): NodeReader => ({
    ask: (method, _params, result) => Promise.resolve(result.create(method === 'eth_getCode' ? code : answer)),
  });
  const read = (code: string, answer?: string) =>
    readDelayModifier(party('8'), { node: nodeWithCode(code, answer), block: 'latest' });
  const proxyOf = (address: string): string => `0x363d3d373d3d3d363d73${address}5af43d82803e903d91602b57fd5bf3`;

  it('is recognized by the code that its proxy runs', async () => {
    expect(await read(proxyOf('d54895B1121A2eE3f37b502F507631FA1331BED6'))).toEqual({
      version: '1.0.1',
      isWeak: false,
      cooldown: 86_400n,
    });
  });

  it('has a version that accepts forged signatures', async () => {
    expect(await read(proxyOf('4A97E65188A950Dd4b0f21F9b5434dAeE0BBF9f5'))).toMatchObject({ isWeak: true });
  });

  it.each([
    ['a proxy of another contract', proxyOf('11'.repeat(20))],
    ['code with more behind it', `${proxyOf('d54895B1121A2eE3f37b502F507631FA1331BED6')}00`],
    ['no code', '0x'],
  ])('is not %s', async (_what, code) => {
    expect(await read(code)).toBeUndefined();
  });

  it('is refused with a malformed cooldown', async () => {
    await expect(read(proxyOf('d54895B1121A2eE3f37b502F507631FA1331BED6'), '0x01')).rejects.toThrow(
      'cooldown: must be an answer that the contract can give',
    );
  });
});

test('a delay is said in the largest unit that it has whole ones of', () => {
  expect([60n, 180n, 3_599n, 3_600n, 7_200n, 86_399n, 86_400n, 172_800n, 14n * 86_400n].map(delayInWords)).toEqual([
    ...['1 minute', '3 minutes', '59 minutes', '1 hour', '2 hours', '23 hours', '1 day', '2 days', '14 days'],
  ]);
});
