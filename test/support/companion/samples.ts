import { type Account, type Chain } from '../../../src/companion/model/types';

export const ALICE = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
export const BOB = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
export const GOLD = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';

export const DEVNET: Chain = { chainId: 'eip155:31337', name: 'Devnet', symbol: 'ETH', rpcUrl: 'http://localhost:1' };

const accountOf = (name: string, address: string, type: Account['type'], options: Account['options']): Account => ({
  name,
  id: address,
  address,
  type,
  options,
  scopes: [type === 'eip155:eoa' ? 'eip155:0' : 'eip155:31337'],
  methods: [],
});

export const STANDARD = accountOf('Keystead 1', '0x1075118BA9f7829868e14F64A8b27Cb3b2730aB9', 'eip155:eoa', {
  entropy: { type: 'custom' },
  index: 0,
});
export const SAFE = accountOf('Safe 1', '0xF578f007e06990205564B175DB6301e42298a5d4', 'eip155:erc4337', {
  entropy: { type: 'custom' },
  index: 0,
  kind: 'safe-0.7',
  entryPointVersion: '0.7',
});
