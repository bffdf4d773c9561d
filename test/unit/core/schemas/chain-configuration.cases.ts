import { ENTRY_POINTS } from '../../../../src/core/erc4337/entry-points';
import {
  ChainConfigurationStruct,
  entryPointFor,
  factoryFor,
  SetChainStruct,
  toChainConfiguration,
} from '../../../../src/core/schemas/chain-configuration';
import { parse } from '../../../../src/core/structs/struct';

const services = { rpcUrl: 'https://rpc.example', bundlerUrl: 'https://bundler.example' };
const params = { chainId: '0x7a69', ...services };
const stored = {
  chainId: 'eip155:31337',
  ...services,
  entryPoint: ENTRY_POINTS['0.7'],
  entryPointVersion: '0.7',
} as const;
const details = { name: 'Keystead devnet', symbol: 'ETH', explorerUrl: 'http://localhost:4000' };

describe('the contracts of a network', () => {
  const custom = { ...stored, entryPoint: '0x00000000000000000000000000000000000000e7' } as const;

  it('are the configured ones for accounts of their version, and the canonical ones for others', () => {
    expect(entryPointFor(custom, '0.7')).toBe(custom.entryPoint);
    expect(entryPointFor(custom, '0.8')).toBe(ENTRY_POINTS['0.8']);
    const factory = '0x00000000000000000000000000000000000000fa';
    expect(factoryFor({ ...custom, factory }, 'simple-account-0.7')).toBe(factory);
    expect(factoryFor({ ...custom, factory }, 'simple-account-0.8')).toBeUndefined();
    expect(factoryFor({ ...custom, factory }, 'safe-0.7')).toBeUndefined();
  });
});

describe('the second node of a network', () => {
  it.each([
    ['https://rpc.example', 'https://rpc.example/other-key'],
    ['https://rpc.example', 'https://rpc.example:8443'],
    ['http://127.0.0.1:8545', 'http://127.0.0.1:8545/second'],
  ])('of %s is not %s, which is on the same host', (rpcUrl, secondRpcUrl) => {
    expect(() =>
      toChainConfiguration(parse(SetChainStruct, { ...params, rpcUrl, secondRpcUrl }, 'params'), 'params'),
    ).toThrow('params.secondRpcUrl: must be on another host than the first node');
  });

  it.each([
    ['https://rpc.example', 'https://other.example'],
    ['http://127.0.0.1:8545', 'http://127.0.0.1:8546'],
  ])('of %s can be %s', (rpcUrl, secondRpcUrl) => {
    expect(
      toChainConfiguration(parse(SetChainStruct, { ...params, rpcUrl, secondRpcUrl }, 'params'), 'params'),
    ).toMatchObject({ secondRpcUrl });
  });
});

describe('the name, symbol and explorer of a network', () => {
  it('are stored as they were set', () => {
    const configuration = toChainConfiguration(parse(SetChainStruct, { ...params, ...details }, 'params'), 'params');
    expect(configuration).toEqual({ ...stored, ...details });
    expect(ChainConfigurationStruct.is(configuration)).toBe(true);
  });

  it('may be absent, as in what earlier releases stored', () => {
    expect(ChainConfigurationStruct.is(stored)).toBe(true);
    expect(toChainConfiguration(parse(SetChainStruct, params, 'params'), 'params')).toEqual(stored);
  });

  it.each([
    ['name', ['A', 'a'.repeat(50), 'Main & test (2)', '<b>']],
    ['symbol', ['S', 'xDAI', 'A-CELO', 'USDT0', 'USDC.e', 'ELEVENCHARS']],
    ['explorerUrl', ['https://explorer.example', 'https://explorer.example/a/b/', 'http://127.0.0.1:4000']],
  ])('%s has every valid form', (member, values) => {
    for (const value of values) expect(SetChainStruct.is({ ...params, [member]: value })).toBe(true);
  });

  it.each([
    ['name', ['', ' ', ' a', 'a ', 'a'.repeat(51), 'a\nb', 'a\u202eb', 'a\u200bb', 'B\u0430se', '\u00e9', 5, []]],
    ['symbol', ['', '0', '000', '-A', 'E TH', 'TWELVELETTER', '\u039eTH', 'ETH\u200b', '$', 5, []]],
    [
      'explorerUrl',
      [
        '',
        'explorer',
        'http://explorer.example',
        'https://explorer.example?a=1',
        'https://10.0.0.1',
        'https://x.example#a',
      ],
    ],
  ])('%s is refused by name in any other, and damages a stored configuration', (member, values) => {
    for (const value of values) {
      expect(() => parse(SetChainStruct, { ...params, [member]: value }, 'params')).toThrow(
        `params.${member}: must be `,
      );
      expect(ChainConfigurationStruct.is({ ...stored, [member]: value })).toBe(false);
    }
  });
});

describe('the version of the entry point of a network', () => {
  const versionOf = (entryPoint?: string, entryPointVersion?: string) => {
    const given = { ...params, ...(entryPoint && { entryPoint }), ...(entryPointVersion && { entryPointVersion }) };
    const found = toChainConfiguration(parse(SetChainStruct, given, 'params'), 'params');
    return [found.entryPoint, found.entryPointVersion];
  };
  const custom = '0x00000000000000000000000000000000000000e7';

  it('is the given one, the one that the entry point implies, or the usual one', () => {
    expect(versionOf()).toEqual([ENTRY_POINTS['0.7'], '0.7']);
    expect(versionOf(undefined, '0.8')).toEqual([ENTRY_POINTS['0.8'], '0.8']);
    expect(versionOf(ENTRY_POINTS['0.6'])).toEqual([ENTRY_POINTS['0.6'], '0.6']);
    expect(versionOf(ENTRY_POINTS['0.6'].toLowerCase(), '0.6')[1]).toBe('0.6');
    expect(versionOf(custom, '0.9')).toEqual([custom, '0.9']);
  });

  it('must be given for other entry points, and not contradict the canonical ones', () => {
    expect(() => versionOf(custom)).toThrow('params.entryPointVersion: is missing');
    expect(() => versionOf(ENTRY_POINTS['0.6'], '0.7')).toThrow('params.entryPointVersion: must be 0.6');
  });
});
