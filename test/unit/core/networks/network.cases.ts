import { explorerLink, mistakenFor, networkOf, UNKNOWN_SYMBOL } from '../../../../src/core/networks/network';

describe('the name of a network', () => {
  it('is the known one for a known network, whatever is configured', () => {
    const known = {
      name: 'OP',
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

  it.each([
    ...['Ethereum', 'ethereum', 'Ethereum Mainnet', 'E-thereum', 'ETHEREUM  NETWORK', '0P Mainnet', 'P0lygon'],
    ...['Ethereum Mainnet (chain 1)', 'Ethereum (1)', 'Ethereum, verified', 'The Ethereum main net', 'EthereumMainnet'],
    ...['Etherium', 'Ehtereum', 'Ethereun', 'Eth3r3um', 'Arbitrurn One', 'Base fork', 'Base', '8ase', 'Polygon zk'],
    ...['Ethreum', 'Etherem', 'Polygn', 'Scrol', 'Scrool', 'Scrlol', 'xScroll', 'Gnos1s'],
    ...['Chain 7', 'Network 1', 'Mine (1)', 'Mine, chain id: 10', 'Mine #8453', 'BNB Srnart Chain', 'Sepo1ia testnet'],
  ])('is never %s for a network that is not the known one', (name) => {
    expect(networkOf(31337n, { name })).toMatchObject({ name: 'Network 31337', source: 'unknown' });
    expect(mistakenFor(31337n, name)).toMatch(/^(?:Network \d+|.+ \(chain \d+\))$/u);
  });

  it('is said to resemble the known one', () => {
    expect(mistakenFor(61n, 'Ethereum Mainnet (chain 1)')).toBe('Ethereum (chain 1)');
    expect(mistakenFor(61n, 'Network 7')).toBe('Network 7');
    expect(mistakenFor(61n, 'Network 61')).toBeUndefined();
  });

  it.each([
    ...['Mainnet', 'Network', 'Our testnet', 'Keystead devnet', 'Chain 31337', 'Devnet 2', 'Baseball', 'Local'],
    ...['Database', 'Linen', 'Think', 'Anvil', 'Hardhat', 'Ganache', 'Hospital 12', 'Test'],
    ...['Ethxyeum', 'Etheum', 'Scrxxl', 'Lineas', 'Line'],
  ])('may be %s', (name) => {
    expect(networkOf(31337n, { name })).toMatchObject({ name, source: 'configured' });
  });

  it('has the configured explorer, or else the known one, without a slash at the end', () => {
    expect(networkOf(1n, { explorerUrl: 'https://explorer.example/' }).explorerUrl).toBe('https://explorer.example');
    expect(networkOf(1n).explorerUrl).toBe('https://etherscan.io');
    expect(networkOf(31337n, { explorerUrl: 'http://localhost:4000/x' }).explorerUrl).toBe('http://localhost:4000/x');
    expect(networkOf(31337n)).not.toHaveProperty('explorerUrl');
  });
});

describe('a link to a block explorer', () => {
  const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
  const hash = `0x${'ab'.repeat(32)}`;

  it('has the address or the hash as its last part, after the configured URL', () => {
    expect(explorerLink(networkOf(1n), 'tx', hash)).toBe(`https://etherscan.io/tx/${hash}`);
    const own = networkOf(5n, { explorerUrl: 'https://explorer.example.org/five/' });
    expect(explorerLink(own, 'address', address)).toBe(`https://explorer.example.org/five/address/${address}`);
  });

  it.each([
    ['http', 'http://localhost:4000'],
    ['another scheme', 'javascript:alert(1)'],
    ['a scheme in capitals', 'HTTPS://explorer.example.org'],
  ])('is not made for a URL with %s', (_what, explorerUrl) => {
    expect(explorerLink({ explorerUrl }, 'tx', hash)).toBeUndefined();
  });

  it.each(['', '0x', hash.slice(0, -1), `${hash}?next=1`, `${hash}\n`, `../${address}`, address])(
    'is not made for the transaction %j',
    (text) => {
      expect(explorerLink(networkOf(1n), 'tx', text)).toBeUndefined();
    },
  );

  it('is not made for a network without an explorer', () => {
    expect(explorerLink(networkOf(31337n), 'tx', hash)).toBeUndefined();
  });
});
