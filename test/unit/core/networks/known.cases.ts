import { KNOWN_NETWORKS } from '../../../../src/core/networks/known';
import { CoinSymbolStruct, NetworkNameStruct } from '../../../../src/core/schemas/chain-configuration';
import { ExplorerUrlStruct } from '../../../../src/core/schemas/url';
import { networks } from '../../../../scripts/networks';

describe('the table of known networks', () => {
  it('is what viem says; otherwise run npm run make:networks', () => {
    expect([...KNOWN_NETWORKS]).toEqual(networks());
  });

  it('has the main networks and testnets, and no local one', () => {
    expect(KNOWN_NETWORKS.size).toBeGreaterThan(100);
    expect([1n, 10n, 56n, 137n, 42161n, 84532n, 11155111n].map((id) => KNOWN_NETWORKS.get(id)?.name)).toEqual([
      'Ethereum',
      'OP',
      'BNB Chain',
      'Polygon',
      'Arbitrum',
      'Base Sepolia',
      'Sepolia',
    ]);
    for (const local of [1337n, 31337n]) expect(KNOWN_NETWORKS.has(local)).toBe(false);
  });

  it('keeps the rules for configured networks, and names no two alike', () => {
    const names = [...KNOWN_NETWORKS.values()].map(({ name }) => name.toLowerCase());
    expect(new Set(names).size).toBe(names.length);
    for (const { name, symbol, explorerUrl } of KNOWN_NETWORKS.values()) {
      expect({ name, isValid: NetworkNameStruct.is(name) && CoinSymbolStruct.is(symbol) }).toEqual({
        name,
        isValid: true,
      });
      if (explorerUrl !== undefined)
        expect({ name, isValid: ExplorerUrlStruct.is(explorerUrl) && !explorerUrl.endsWith('/') }).toEqual({
          name,
          isValid: true,
        });
    }
  });
});
