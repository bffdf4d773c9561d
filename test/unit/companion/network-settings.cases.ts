import { chainIdIn, NETWORK_CHOICES, networkSettings } from '../../../src/companion/model/network-settings';
import { type Chain } from '../../../src/companion/model/types';

const SETTINGS = { rpcUrl: 'https://node.example', entryPointVersion: '0.7' };
const BEFORE = {
  ...{ chainId: 'eip155:8453', rpcUrl: 'https://old.example', bundlerUrl: 'https://bundler.example' },
  ...{ entryPoint: '0x0000000071727De22E5E9d8BAf0edAc6f37da032', entryPointVersion: '0.7' },
  ...{ paymasterUrl: 'https://pay.example', paymasterContext: { policy: 'a' }, nodeFrom: 'https://dapp.example' },
  factory: '0x91E60e0613810449d098b0b5Ec8b51A0FE8c8985',
} as Chain;

describe('the network of a form', () => {
  it.each([
    ['Base', 'eip155:8453'],
    ['base sepolia', 'eip155:84532'],
    ['8453', 'eip155:8453'],
    ['eip155:10', 'eip155:10'],
  ])('is found by %s', (text, chainId) => {
    expect(chainIdIn(text)).toBe(chainId);
  });

  it.each(['Bace', 'Base ', 'Ваse', 'Base\u202e', '0x2105', '-1', '', '1.5', '9'.repeat(21)])(
    'is never guessed: %j',
    (text) => {
      expect(() => chainIdIn(text)).toThrow('Network: choose one from the list, or enter its chain ID');
    },
  );

  it('can be chosen from the list of all known names, each of which names one network', () => {
    expect(NETWORK_CHOICES.length).toBeGreaterThan(100);
    for (const { value, label } of NETWORK_CHOICES) expect(`Chain ${chainIdIn(value).slice(7)}`).toBe(label);
  });
});

describe('the settings of a form', () => {
  it('of a new network are those that were entered', () => {
    expect(networkSettings({ ...SETTINGS, network: 'Base', bundlerUrl: '', name: '' }, undefined)).toEqual({
      ...SETTINGS,
      chainId: 'eip155:8453',
    });
  });

  it.each(['1', 'Ethereum'])('of an edited network never change it to another: %s', (network) => {
    expect(() => networkSettings({ ...SETTINGS, network }, BEFORE)).toThrow('Network: must stay the same');
  });

  it('of an edited network keep what the form does not have, and remove what was emptied', () => {
    const { nodeFrom: _site, paymasterUrl: _paymaster, bundlerUrl: _bundler, ...kept } = BEFORE;
    expect(networkSettings({ ...SETTINGS, bundlerUrl: '', paymasterUrl: '' }, BEFORE)).toEqual({
      ...kept,
      ...SETTINGS,
    });
  });

  it('of an edited network have the second node, until it is emptied', () => {
    const secondRpcUrl = 'https://second.example';
    expect(networkSettings({ ...SETTINGS, secondRpcUrl }, BEFORE)).toMatchObject({ secondRpcUrl });
    const emptied = networkSettings({ ...SETTINGS, secondRpcUrl: '' }, { ...BEFORE, secondRpcUrl });
    expect(emptied).not.toHaveProperty('secondRpcUrl');
  });

  it('of another entry point version drop the entry point and the factory of the old one', () => {
    const settings = networkSettings({ ...SETTINGS, entryPointVersion: '0.8' }, BEFORE);
    expect(settings).toEqual({
      ...{ chainId: 'eip155:8453', rpcUrl: 'https://node.example', entryPointVersion: '0.8' },
      paymasterContext: { policy: 'a' },
    });
  });
});
