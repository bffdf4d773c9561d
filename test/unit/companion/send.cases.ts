import { decodeFunctionData, erc20Abi, type Hex } from 'viem';

import { nodeOf } from '../../../src/companion/model/node';
import {
  assertAtOnce,
  assetOf,
  assetsOf,
  emptyRow,
  feeOf,
  isSponsored,
  mostOf,
  readTransfers,
  type Row,
  shortageOf,
} from '../../../src/companion/model/send';
import { type Token } from '../../../src/companion/model/tokens';
import { type Chain } from '../../../src/companion/model/types';
import { NodeRefusal, type SimulatedNode, startSimulatedNode } from '../../support/simulated-node';
import { ALICE, BOB, DEVNET, GOLD, SAFE, STANDARD } from '../../support/companion/samples';

const alone = (account: typeof STANDARD) => ({ account, signatures: 1 });
const ETHER = 10n ** 18n;
const gold: Token = { chainId: DEVNET.chainId, address: GOLD, symbol: 'GOLD', name: 'Gold', decimals: 6 };
const assets = assetsOf(DEVNET, [gold]);
const place = {
  chain: DEVNET,
  node: nodeOf(DEVNET),
  assets,
  accounts: [STANDARD, SAFE],
  contacts: [{ name: 'Alice', address: ALICE }],
} as const;
const row = (change: Partial<Row>): Row => ({ ...emptyRow(0), to: ALICE, amount: '1', ...change });

describe('assetsOf', () => {
  it('lists the coin first, and takes it for a token that is gone', () => {
    expect(assets.map(({ symbol, decimals }) => [symbol, decimals])).toEqual([
      ['ETH', 18],
      ['GOLD', 6],
    ]);
    expect(assetOf({ token: GOLD }, assets).symbol).toBe('GOLD');
    expect(assetOf({ token: BOB }, assets).symbol).toBe('ETH');
  });
});

describe('readTransfers', () => {
  it('sends coins to an address, a contact or an own account', async () => {
    const transfers = await readTransfers([row({ amount: '0.5' }), row({ to: 'alice' }), row({ to: 'Safe 1' })], place);
    expect(transfers.map(({ recipient: { address, name, isOwn }, amount }) => [address, name, isOwn, amount])).toEqual([
      [ALICE, 'Alice', false, ETHER / 2n],
      [ALICE, 'Alice', false, ETHER],
      [SAFE.address, 'Safe 1', true, ETHER],
    ]);
    expect(transfers[0]?.call).toEqual({ to: ALICE, value: ETHER / 2n, data: '0x' });
  });

  it('sends tokens with a call of their contract', async () => {
    const [transfer] = await readTransfers([row({ token: GOLD, amount: '2.5' })], place);
    expect(transfer?.call).toMatchObject({ to: GOLD, value: 0n });
    expect(decodeFunctionData({ abi: erc20Abi, data: transfer?.call.data as Hex })).toEqual({
      functionName: 'transfer',
      args: [ALICE, 2_500_000n],
    });
  });

  it('needs no amount for a call with data', async () => {
    const [transfer] = await readTransfers([row({ amount: '', data: '0xabcd' })], place);
    expect(transfer?.call).toEqual({ to: ALICE, value: 0n, data: '0xabcd' });
  });

  it.each([
    [row({ to: 'nobody' }), 'To (call 2): must be an address'],
    [row({ to: 'vitalik.eth' }), 'To (call 2): ENS names do not exist on Devnet'],
    [row({ amount: '' }), 'Amount (call 2): must be an amount of ETH'],
    [
      row({ token: GOLD, amount: '0.1234567' }),
      'Amount (call 2): must be an amount of GOLD, such as 0.1, with at most 6',
    ],
    [row({ data: '0x1' }), 'Data (call 2): must be hex bytes'],
  ])('names the call and the field that is wrong: %j', async (wrong, message) => {
    await expect(readTransfers([row({}), wrong], place)).rejects.toThrow(message);
  });
});

describe('assertAtOnce', () => {
  const rows = [row({ token: GOLD }), { ...row({}), id: 7 }];
  const of06 = { ...SAFE, options: { ...SAFE.options, kind: 'simple-account-0.6' } };

  it('refuses coins among several calls where the account’s contract drops them', async () => {
    const transfers = await readTransfers(rows, place);
    expect(() => assertAtOnce(rows, transfers, of06)).toThrow(
      expect.objectContaining({
        field: 'amount-7',
        message: 'Amount (call 2): must be 0, because this kind of account sends coins only by themselves',
      }),
    );
  });

  it('takes them alone, and of every other account', async () => {
    const transfers = await readTransfers(rows, place);
    for (const account of [SAFE, STANDARD]) expect(() => assertAtOnce(rows, transfers, account)).not.toThrow();
    expect(() => assertAtOnce(rows.slice(1), transfers.slice(1), of06)).not.toThrow();
  });
});

describe('shortageOf', () => {
  it('adds up the transfers of each asset', async () => {
    const transfers = await readTransfers([row({}), row({ amount: '0.5' }), row({ token: GOLD, amount: '3' })], place);
    expect(shortageOf(transfers, assets, { coin: 2n * ETHER, tokens: [3_000_000n] })).toBeUndefined();
    expect(shortageOf(transfers, assets, { coin: ETHER, tokens: [3_000_000n] })).toBe(
      'The account has 1 ETH, and this sends 1.5 ETH.',
    );
    expect(shortageOf(transfers, assets, { coin: 2n * ETHER, tokens: [undefined] })).toBe(
      'The account has 0 GOLD, and this sends 3 GOLD.',
    );
    expect(shortageOf(transfers, assets, undefined)).toBeUndefined();
  });
});

describe('fees', () => {
  let node: SimulatedNode;
  let chain: Chain;
  beforeEach(async () => {
    node = await startSimulatedNode({ eth_gasPrice: () => '0x77359400' });
    chain = { ...DEVNET, rpcUrl: node.url };
  });
  afterEach(() => node.stop());
  const coin = assets[0]!;

  it('keeps back what a transfer, or a user operation, may cost', async () => {
    // Like Keystead, twice the base fee and the tip, and a fifth more gas than is estimated.
    const price = 2_000_000_000n + 1_000_000_000n;
    expect(await mostOf(coin, alone(STANDARD), chain, nodeOf(chain), ETHER)).toBe(ETHER - 25_200n * price);
    expect(await mostOf(coin, alone(SAFE), chain, nodeOf(chain), ETHER)).toBe(ETHER - 1_500_000n * price);
    expect(await mostOf(coin, alone(STANDARD), chain, nodeOf(chain), 5n)).toBe(0n);
    expect(await mostOf(coin, alone(STANDARD), chain, nodeOf(chain), 0n)).toBe(0n);
  });

  it('sends everything of a token, or if somebody else pays the fee', async () => {
    const sponsored = { ...chain, paymasterUrl: 'http://localhost:2' };
    expect([
      isSponsored(alone(SAFE), sponsored),
      isSponsored(alone(STANDARD), sponsored),
      isSponsored(alone(SAFE), chain),
    ]).toEqual([true, false, false]);
    expect(isSponsored({ account: SAFE, signatures: 2 }, sponsored)).toBe(false);
    expect(await mostOf(coin, alone(SAFE), sponsored, nodeOf(chain), ETHER)).toBe(ETHER);
    expect(await mostOf(assets[1]!, alone(STANDARD), chain, nodeOf(chain), 7n)).toBe(7n);
    expect(node.asked).toEqual([]);
  });

  it('asks for the gas price on a network without a base fee', async () => {
    node.answers.eth_getBlockByNumber = () => ({ baseFeePerGas: null });
    expect(await mostOf(coin, alone(STANDARD), chain, nodeOf(chain), ETHER)).toBe(ETHER - 25_200n * 2_000_000_000n);
  });

  it('estimates transactions, and leaves user operations to the bundler', async () => {
    const transfers = await readTransfers([row({}), row({})], { ...place, chain });
    expect(await feeOf(transfers, STANDARD, nodeOf(chain))).toBe(2n * 25_200n * 3_000_000_000n);
    expect(await feeOf(transfers, SAFE, nodeOf(chain))).toBeUndefined();
    node.answers.eth_estimateGas = () => {
      throw new NodeRefusal('execution reverted', 3);
    };
    expect(await feeOf(transfers, STANDARD, nodeOf(chain))).toBeUndefined();
  });
});
