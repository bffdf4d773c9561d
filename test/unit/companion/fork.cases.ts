import { type Hex, keccak256, parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

import { NodeClient } from '../../../src/clients/node';
import { estimateGas, sendTransaction, suggestedFees } from '../../../src/clients/transactions';
import { nodeOf } from '../../../src/companion/model/node';
import { creationCostOf, mostOf, type Transfer } from '../../../src/companion/model/send';
import { withGasMargin } from '../../../src/core/erc4337/user-operation';
import { DEVNET, SAFE, STANDARD } from '../../support/companion/samples';
import { ForkNode, RULES, type Rules } from '../../support/fork-node';
import { NodeRefusal, type SimulatedNode } from '../../support/simulated-node';

const FRIEND: Hex = `0x${'f1'.repeat(20)}`;
const NOBODY: Hex = `0x${'0b'.repeat(20)}`;
const alone = (account: typeof STANDARD) => ({ account, signatures: 1 });
const ETHER = parseEther('1');
const COIN = { token: undefined, symbol: 'ETH', decimals: 18 };
const signer = privateKeyToAccount(`0x${'ac'.repeat(32)}`);
const account = { ...STANDARD, address: signer.address };
/** What Keystead offers for a unit of gas: twice the base fee, and the tip. */
const PRICE = 3_000_000_000n;

describe.each(Object.entries(RULES))('sending everything under %s', (_name, rules: Rules) => {
  let fork: ForkNode;
  let server: SimulatedNode;
  beforeEach(async () => {
    ({ fork, server } = await ForkNode.start(rules));
    fork.fund(signer.address, ETHER);
    fork.fund(FRIEND, ETHER);
  });
  afterEach(() => server.stop());
  const chain = () => ({ ...DEVNET, rpcUrl: server.url });
  const most = (to?: Hex) => mostOf(COIN, alone(account), chain(), nodeOf(chain()), ETHER, to);

  it.each([
    ['to an account', FRIEND, FRIEND],
    ['to a new account', NOBODY, NOBODY],
    ['before it is said to whom', undefined, NOBODY],
  ])('%s: the network takes it', async (_who, typed, to) => {
    const value = await most(typed);
    const node = new NodeClient({ url: server.url });
    const draft = { from: signer.address, to, value: `0x${value.toString(16)}`, data: '0x' } as const;
    const [gas, fees] = await Promise.all([estimateGas(node, draft), suggestedFees(node)]);
    if ('gasPrice' in fees) throw new Error('the network has a base fee');
    const tx = { type: 'eip1559', chainId: 31_337, nonce: 0, to, value, gas: withGasMargin(gas), ...fees } as const;
    const raw = await signer.signTransaction(tx);
    expect(await sendTransaction(node, raw, keccak256(raw), true)).toBe(true);
    expect(fork.included.map(({ isSuccess }) => isSuccess)).toEqual([true]);
    // Nearly everything: what is left is the margin.
    expect(ETHER - value).toBe(withGasMargin(gas) * PRICE);
  });

  it('of a smart account: what deploying it may create is kept', async () => {
    fork.fund(SAFE.address as Hex, ETHER, '0x6001');
    const kept = ETHER - (await mostOf(COIN, alone(SAFE), chain(), nodeOf(chain()), ETHER));
    const creation = rules.fork === 'Amsterdam' ? 10n * (183_600n + 6_000n) : 0n;
    expect(kept).toBe((1_500_000n + creation) * PRICE);
    server.answers.eth_estimateGas = () => {
      throw new NodeRefusal('sender not an eoa', -32000);
    };
    expect(ETHER - (await mostOf(COIN, alone(SAFE), chain(), nodeOf(chain()), ETHER))).toBe(1_500_000n * PRICE);
  });

  it('says what creating accounts costs, where it costs anything', async () => {
    const transfer = (to: Hex, value = 1n): Transfer => ({
      recipient: { address: to, name: undefined, isOwn: false } as unknown as Transfer['recipient'],
      token: undefined,
      amount: value,
      call: { to, value, data: '0x' },
    });
    const costOf = (...transfers: Transfer[]) => creationCostOf(transfers, account, nodeOf(chain()));
    const one = rules.fork === 'Amsterdam' ? (183_600n + 6_000n) * PRICE : 0n;
    expect(await costOf(transfer(FRIEND))).toBe(0n);
    expect(await costOf(transfer(NOBODY, 0n))).toBe(0n);
    expect(await costOf(transfer(NOBODY))).toBe(one);
    expect(await costOf(transfer(NOBODY), transfer(NOBODY), transfer(FRIEND))).toBe(one);
    expect(await costOf(transfer(NOBODY), transfer(`0x${'0c'.repeat(20)}`))).toBe(2n * one);
    server.answers.eth_getCode = () => {
      throw new NodeRefusal('busy', -32000);
    };
    expect(await costOf(transfer(NOBODY))).toBeUndefined();
  });
});
