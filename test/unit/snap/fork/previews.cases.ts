import { type Hex, parseEther } from 'viem';

import { NodeClient } from '../../../../src/clients/node';
import { operationCalls } from '../../../../src/core/erc4337/operation-calls';
import { type SimulatedCall } from '../../../../src/core/decode/effects/outcome';
import { simulate } from '../../../../src/simulation/simulate';
import { ForkNode, RULES, type Rules } from '../../../support/fork-node';
import { NodeRefusal, type SimulatedNode } from '../../../support/simulated-node';
import { OPERATION, placeOf } from '../../../support/user-operation';

const ME: Hex = `0x${'a1'.repeat(20)}`;
const FRIEND: Hex = `0x${'f1'.repeat(20)}`;
const NOBODY: Hex = `0x${'0b'.repeat(20)}`;
const SHOP: Hex = `0x${'5a'.repeat(20)}`;
const ETHER = parseEther('1');
const NOTHING = { sends: [], receives: [], allows: [], creates: [] };
const coins = (amount: bigint) => [{ asset: { kind: 'native' }, amount }];
const fees = { maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };

describe.each(Object.entries(RULES))('previews under %s', (_name, rules: Rules) => {
  let fork: ForkNode;
  let server: SimulatedNode;
  let node: NodeClient;
  beforeEach(async () => {
    ({ fork, server } = await ForkNode.start(rules));
    node = new NodeClient({ url: server.url });
    fork.fund(ME, 10n * ETHER);
    fork.fund(FRIEND, ETHER);
    fork.fund(SHOP, 5n * ETHER, '0x6001');
  });
  afterEach(() => server.stop());

  const call = (to: Hex, value: bigint, more: Partial<SimulatedCall> = {}): SimulatedCall => ({
    from: ME,
    to,
    value,
    data: '0x',
    ...more,
  });
  const outcome = (...calls: SimulatedCall[]) => simulate({ chainId: 31_337n, account: ME, calls }, node);

  it('of a payment: the coin, and nothing else', async () => {
    for (const to of [FRIEND, NOBODY, SHOP])
      expect(await outcome(call(to, ETHER))).toEqual({ kind: 'changes', changes: { ...NOTHING, sends: coins(ETHER) } });
    expect(await outcome(call(ME, ETHER))).toEqual({ kind: 'changes', changes: NOTHING });
  });

  it('of a payment with its gas and fees', async () => {
    const gas = { limit: 300_000n, ...fees };
    expect(await outcome(call(NOBODY, ETHER, { gas }))).toEqual({
      kind: 'changes',
      changes: { ...NOTHING, sends: coins(ETHER) },
    });
  });

  it('of several payments, two of them alike', async () => {
    const calls = [call(FRIEND, ETHER), call(FRIEND, ETHER), call(NOBODY, 2n * ETHER)];
    expect(await outcome(...calls)).toEqual({ kind: 'changes', changes: { ...NOTHING, sends: coins(4n * ETHER) } });
  });

  it('of what a contract pays, to the account and to others', async () => {
    fork.behaviours.set(SHOP, {
      gas: 30_000n,
      pays: [
        [ME, 3n * ETHER],
        [FRIEND, ETHER],
      ],
    });
    expect(await outcome(call(SHOP, ETHER, { data: '0x01' }))).toEqual({
      kind: 'changes',
      changes: { ...NOTHING, receives: coins(2n * ETHER) },
    });
  });

  it('of a user operation with exactly the gas that it takes, and with too little', async () => {
    fork.fund(OPERATION.sender, 10n * ETHER, '0x6001');
    const outcomeWith = (callGasLimit: bigint, callData: Hex) =>
      simulate(
        {
          chainId: 31_337n,
          account: OPERATION.sender,
          calls: operationCalls({ ...OPERATION, initCode: '0x', callData, callGasLimit, ...fees }, placeOf('0.8')),
        },
        node,
      );
    fork.behaviours.set(OPERATION.sender.toLowerCase() as Hex, { gas: 60_000n, pays: [[FRIEND, ETHER]] });
    const sends = { kind: 'changes', changes: { ...NOTHING, sends: coins(ETHER) } };
    expect(await outcomeWith(60_000n, '0xb61d27f6')).toEqual(sends);
    expect(await outcomeWith(40_000n, '0xb61d27f6')).toMatchObject({ kind: 'reverts' });
    // The data of a bundle's operations needs more gas at least than its charge, which the whole bundle shares.
    for (const data of [`0x${'00'.repeat(4000)}`, `0x${'ff'.repeat(4000)}`] as const)
      expect(await outcomeWith(60_000n, data)).toEqual(sends);
  });

  it('on a node without eth_simulateV1', async () => {
    server.answers.eth_simulateV1 = () => {
      throw new NodeRefusal('the method eth_simulateV1 does not exist/is not available', -32601);
    };
    fork.behaviours.set(SHOP, { gas: 30_000n, pays: [[ME, 3n * ETHER]] });
    expect(await outcome(call(FRIEND, ETHER))).toEqual({
      kind: 'changes',
      changes: { ...NOTHING, sends: coins(ETHER) },
    });
    expect(await outcome(call(SHOP, ETHER, { data: '0x01' }))).toEqual({
      kind: 'changes',
      changes: { ...NOTHING, receives: coins(2n * ETHER) },
    });
  });
});
