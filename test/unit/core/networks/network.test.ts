import { networkOf, UNKNOWN_SYMBOL } from '../../../../src/core/networks/network';

describe('the name of a network', () => {
  it('is the known one for a known network, whatever is configured', () => {
    const known = {
      name: 'OP Mainnet',
      symbol: 'ETH',
      explorerUrl: 'https://optimistic.etherscan.io',
      source: 'known',
    };
    expect(networkOf(10n)).toEqual(known);
    expect(networkOf(10n, { name: 'Ethereum', symbol: 'POL' })).toEqual(known);
  });

  it('is the configured one for any other', () => {
    expect(networkOf(31337n, { name: 'Keystead devnet', symbol: 'KEY' })).toEqual({
      name: 'Keystead devnet',
      symbol: 'KEY',
      source: 'configured',
    });
  });

  it('is the number if nothing is configured, and the symbol is no ticker', () => {
    expect(networkOf(31337n)).toEqual({ name: 'Network 31337', symbol: UNKNOWN_SYMBOL, source: 'unknown' });
    expect(networkOf(31337n, { symbol: 'KEY' })).toEqual({ name: 'Network 31337', symbol: 'KEY', source: 'unknown' });
    expect(networkOf(31337n, { name: 'Devnet' }).symbol).toBe(UNKNOWN_SYMBOL);
    expect(networkOf(0n).name).toBe('Network 0');
    expect(networkOf(2n ** 63n).name).toBe('Network 9223372036854775808');
  });

  it.each(['Ethereum', 'ethereum', 'Ethereum Mainnet', 'E-thereum', 'ETHEREUM  NETWORK', '0P Mainnet', 'P0lygon'])(
    'is never %s for a network that is not the known one',
    (name) => {
      expect(networkOf(31337n, { name })).toMatchObject({ name: 'Network 31337', source: 'unknown' });
    },
  );

  it.each(['Mainnet', 'Network', 'Base fork', 'Chain 7', 'Our testnet'])('may be %s', (name) => {
    expect(networkOf(31337n, { name })).toMatchObject({ name, source: 'configured' });
  });

  it('has the configured explorer, or else the known one, without a slash at the end', () => {
    expect(networkOf(1n, { explorerUrl: 'https://explorer.example/' }).explorerUrl).toBe('https://explorer.example');
    expect(networkOf(1n).explorerUrl).toBe('https://etherscan.io');
    expect(networkOf(31337n, { explorerUrl: 'http://localhost:4000/x' }).explorerUrl).toBe('http://localhost:4000/x');
    expect(networkOf(31337n)).not.toHaveProperty('explorerUrl');
  });
});
