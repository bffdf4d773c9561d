/** What every system is asked to sign: the same everywhere. */

export const KEY = '4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318';
const TOKEN = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
const SPENDER = '0x1111111254eeb25477b68fb85ed929f73a960582';

/** "Hello, Keystead" and 100 more characters. */
export const MESSAGE = `0x${Buffer.from(`Hello, Keystead${'.'.repeat(100)}`).toString('hex')}`;

const DOMAIN = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
];

/** ERC-2612. */
export const permit = (owner: string) => ({
  types: {
    EIP712Domain: DOMAIN,
    Permit: [
      { name: 'owner', type: 'address' },
      { name: 'spender', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'nonce', type: 'uint256' },
      { name: 'deadline', type: 'uint256' },
    ],
  },
  primaryType: 'Permit',
  domain: { name: 'USD Coin', version: '2', chainId: 1, verifyingContract: TOKEN },
  message: { owner, spender: SPENDER, value: '1000000', nonce: 0, deadline: 1893456000 },
});

/** A list of structs, each containing a struct: 6 words and a text per item. */
export const listOf = (count: number) => ({
  types: {
    EIP712Domain: DOMAIN,
    Party: [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ],
    Item: [
      { name: 'id', type: 'uint256' },
      { name: 'to', type: 'Party' },
      { name: 'amount', type: 'uint256' },
      { name: 'memo', type: 'string' },
    ],
    Batch: [{ name: 'items', type: 'Item[]' }],
  },
  primaryType: 'Batch',
  domain: { name: 'Payroll', version: '1', chainId: 1, verifyingContract: TOKEN },
  message: {
    items: Array.from({ length: count }, (_, id) => ({
      id,
      to: { name: `Person number ${id}`, wallet: `0x${(id + 1).toString(16).padStart(40, '0')}` },
      amount: (10n ** 18n * BigInt(id + 1)).toString(),
      memo: `Pay of month ${id % 12}`,
    })),
  },
});

/** EIP-1559, a transfer of a token. */
export const transaction = (from: string) => ({
  type: '0x2',
  chainId: '0x1',
  nonce: '0x7',
  from,
  to: TOKEN,
  value: '0x0',
  data: `0xa9059cbb${SPENDER.slice(2).padStart(64, '0')}${'f4240'.padStart(64, '0')}`,
  gasLimit: '0x11170',
  maxFeePerGas: '0x6fc23ac00',
  maxPriorityFeePerGas: '0x3b9aca00',
  accessList: [],
});
