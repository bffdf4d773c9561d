import { type Hex, stringToHex } from 'viem';

import { NodeClient } from '../../../../src/clients/node';
import { TRANSFER_TOPIC } from '../../../../src/core/simulation/asset-logs';
import { simulate } from '../../../../src/simulation/simulate';
import { NodeRefusal, type SimulatedNode, startSimulatedNode } from '../../../support/simulated-node';
import { ACCOUNT, block, call, PERSON, simulationOf, SPENDER, TOKEN, word } from './support';

const NO_CHANGES = { sends: [], receives: [], allows: [], creates: [] };
const refuse =
  (message: string, code = -32601, data?: string) =>
  (): never => {
    throw new NodeRefusal(message, code, data);
  };

type Frame = Readonly<Record<string, unknown>>;
const frame = (more: Frame = {}): Frame => ({
  type: 'CALL',
  from: ACCOUNT,
  to: TOKEN,
  value: '0x0',
  input: '0x',
  ...more,
});
const sent = (amount: bigint, more: Frame = {}): Frame => ({
  address: TOKEN,
  topics: [TRANSFER_TOPIC, word(ACCOUNT), word(PERSON)],
  data: word(amount),
  ...more,
});
const APPROVAL: Hex = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925';
const approved = (amount: bigint, more: Frame = {}): Frame =>
  sent(amount, { topics: [APPROVAL, word(ACCOUNT), word(SPENDER)], ...more });
const NOPE = `0x08c379a0${word(32n).slice(2)}${word(4n).slice(2)}${stringToHex('nope', { size: 32 }).slice(2)}`;

describe('a simulation on a node without eth_simulateV1', () => {
  const running: SimulatedNode[] = [];
  afterEach(async () => {
    for (const server of running.splice(0)) await server.stop();
  });
  async function nodeWith(answers: Parameters<typeof startSimulatedNode>[0]) {
    const server = await startSimulatedNode({ eth_call: () => '0x', ...answers });
    running.push(server);
    return { server, node: new NodeClient({ url: server.url }) };
  }
  const tracing = (trace: unknown) => nodeWith({ debug_traceCall: () => trace });

  it.each<[string, number]>([
    ['the method eth_simulateV1 does not exist/is not available', -32601],
    ['Method not found', -32000],
    ['eth_simulateV1 is not supported', -32004],
    ['Unsupported method: eth_simulateV1. See available methods at …', -32600],
    ['method is not whitelisted', -32000],
    ["The method 'eth_simulateV1' is unsupported", -32097],
  ])('reads a trace: "%s"', async (message, code) => {
    const { node, server } = await nodeWith({
      eth_simulateV1: refuse(message, code),
      debug_traceCall: () => frame({ value: '0x5', logs: [sent(7n)] }),
    });
    expect(await simulate(simulationOf(), node)).toEqual({
      kind: 'changes',
      changes: {
        ...NO_CHANGES,
        sends: [
          { asset: { kind: 'native' }, amount: 5n },
          { asset: { kind: 'erc20', token: TOKEN }, amount: 7n },
        ],
      },
    });
    const request = server.asked.find(({ method }) => method === 'debug_traceCall');
    expect(request?.params).toEqual([
      { from: ACCOUNT, to: TOKEN, value: '0x0', data: '0xa9059cbb' },
      'latest',
      { tracer: 'callTracer', tracerConfig: { withLog: true } },
    ]);
  });

  it('remembers that the node lacks the method, and of no other node', async () => {
    const { node, server } = await tracing(frame());
    const count = (): number => server.asked.filter(({ method }) => method === 'eth_simulateV1').length;
    await simulate(simulationOf(), node);
    await simulate(simulationOf(), new NodeClient({ url: server.url }));
    expect(count()).toBe(1);
    const other = await tracing(frame());
    await simulate(simulationOf(), other.node);
    expect(other.server.asked.map(({ method }) => method)).toContain('eth_simulateV1');
  });

  it('forgets the oldest of many nodes', async () => {
    const { node, server } = await tracing(frame());
    const count = (): number => server.asked.filter(({ method }) => method === 'eth_simulateV1').length;
    await simulate(simulationOf(), node);
    for (let at = 0; at < 32; at++) await simulate(simulationOf(), new NodeClient({ url: `${server.url}/${at}` }));
    await simulate(simulationOf(), node);
    expect(count()).toBe(34);
  });

  it('checks the chain even so', async () => {
    const { node, server } = await tracing(frame());
    await simulate(simulationOf(), node);
    server.answers.eth_chainId = () => '0x1';
    expect(await simulate(simulationOf(), node)).toEqual({ kind: 'unknown', why: 'the node serves another network' });
  });

  it('of several calls is unknown, since one may depend on another', async () => {
    const { node } = await tracing(frame());
    expect(await simulate(simulationOf(call(), call()), node)).toEqual({
      kind: 'unknown',
      why: 'the node cannot simulate several calls',
    });
  });

  it.each<[string, Frame, bigint]>([
    [
      'the value of inner calls',
      frame({ value: '0x9', calls: [frame({ from: TOKEN, to: ACCOUNT, value: '0x4' })] }),
      -5n,
    ],
    [
      'not what a reverted call moves',
      frame({ value: '0x9', calls: [frame({ from: TOKEN, to: ACCOUNT, value: '0x4', error: 'execution reverted' })] }),
      -9n,
    ],
    [
      'not what calls inside a reverted one move',
      frame({ calls: [frame({ error: 'out of gas', calls: [frame({ value: '0x4' })] })] }),
      0n,
    ],
    [
      'not the repeated value of a DELEGATECALL',
      frame({ value: '0x9', calls: [frame({ type: 'DELEGATECALL', value: '0x9' })] }),
      -9n,
    ],
    [
      'what a contract leaves as it destroys itself',
      frame({ calls: [frame({ type: 'SELFDESTRUCT', from: TOKEN, to: ACCOUNT, value: '0x3' })] }),
      3n,
    ],
    ['what a new contract gets', frame({ type: 'CREATE2', value: '0x2' }), -2n],
    ['nothing without a value', frame({ calls: [frame({ type: 'STATICCALL', value: undefined })] }), 0n],
  ])('counts %s', async (_name, trace, net) => {
    const { node } = await tracing(trace);
    const one = [{ asset: { kind: 'native' }, amount: net < 0n ? -net : net }];
    const changes = { ...NO_CHANGES, ...(net < 0n && { sends: one }), ...(net > 0n && { receives: one }) };
    expect(await simulate(simulationOf(), node)).toEqual({ kind: 'changes', changes });
  });

  it('takes logs in the order in which they happen', async () => {
    const inner = frame({ logs: [approved(2n)] });
    const outcomeOf = async (logs: readonly Frame[]) => {
      const { node } = await tracing(frame({ logs, calls: [inner] }));
      return simulate(simulationOf(), node);
    };
    const allowing = (amount: bigint) => ({ changes: { allows: [{ amount }] } });
    expect(await outcomeOf([approved(1n, { position: '0x0' })])).toMatchObject(allowing(2n));
    expect(await outcomeOf([approved(1n, { position: '0x1' })])).toMatchObject(allowing(1n));
    expect(await outcomeOf([approved(1n)])).toMatchObject(allowing(1n));
    expect(await outcomeOf([approved(1n, { position: 99 })])).toMatchObject(allowing(1n));
  });

  it('names the contract that is created', async () => {
    const { node } = await tracing(frame({ type: 'CREATE', to: SPENDER }));
    const creation = call({ to: null, data: '0x6001' });
    expect(await simulate(simulationOf(creation), node)).toMatchObject({ changes: { creates: [SPENDER] } });
  });

  it('is tried for a creation that the node refuses to simulate', async () => {
    const { node, server } = await nodeWith({
      eth_simulateV1: refuse("transaction can't be built due to missing keys: to", -32602),
      debug_traceCall: () => frame({ type: 'CREATE', to: SPENDER }),
    });
    const creation = call({ to: null, data: '0x6001' });
    expect(await simulate(simulationOf(creation), node)).toMatchObject({ changes: { creates: [SPENDER] } });
    // It has the method, so it is asked again.
    await simulate(simulationOf(creation), node);
    expect(server.asked.filter(({ method }) => method === 'eth_simulateV1')).toHaveLength(2);
  });

  it.each<[string, Frame, string]>([
    ['data', { error: 'execution reverted', output: NOPE }, '“nope”'],
    ['no data', { error: 'out of gas' }, '“out of gas”'],
    ['empty data', { error: 'execution reverted', output: '0x' }, 'no reason given'],
  ])('says why the call fails, with %s', async (_name, more, reason) => {
    const { node } = await tracing(frame(more));
    expect(await simulate(simulationOf(), node)).toEqual({ kind: 'reverts', reason });
  });

  const deep = (depth: number): Frame => (depth === 0 ? frame() : frame({ calls: [deep(depth - 1)] }));
  it.each<[string, unknown]>([
    ['null', null],
    ['text', 'ok'],
    ['a list', [frame()]],
    ['a frame without a type', frame({ type: undefined })],
    ['a value that is no number', frame({ value: 'all' })],
    ['an inner frame that is none', frame({ calls: [null] })],
    ['a malformed log', frame({ logs: [sent(1n, { topics: ['0x12'] })] })],
    ['frames deeper than any call', deep(1_030)],
    ['more frames than any call has', frame({ calls: new Array<Frame>(20_000).fill({ type: 'CALL', from: TOKEN }) })],
  ])('is unknown if the trace makes no sense: %s', async (_name, trace) => {
    const { node } = await tracing(trace);
    expect(await simulate(simulationOf(), node)).toEqual({ kind: 'unknown', why: "the node's answer makes no sense" });
  });

  it('says that there is more than it shows', async () => {
    const logs = Array.from({ length: 25 }, (_, at) => sent(1n, { address: `0x${at.toString(16).padStart(40, '0')}` }));
    const { node } = await tracing(frame({ logs }));
    const outcome = await simulate(simulationOf(), node);
    expect(outcome).toMatchObject({ kind: 'changes', changes: { unread: 'losses' } });
    expect(outcome.kind === 'changes' && outcome.changes.sends).toHaveLength(24);
  });

  describe('that cannot trace either', () => {
    it('tells only that the call succeeds', async () => {
      const { node } = await nodeWith({ debug_traceCall: refuse('Method not found') });
      expect(await simulate(simulationOf(), node)).toEqual({ kind: 'succeeds' });
    });

    it.each<[string, number, string, string | undefined, object]>([
      ['data', 3, 'execution reverted: nope', NOPE, { kind: 'reverts', reason: '“nope”' }],
      ['a message', -32000, 'execution reverted: nope', undefined, { kind: 'reverts', reason: '“nope”' }],
      [
        'the words of Nethermind',
        -32015,
        'VM execution error.',
        undefined,
        { kind: 'reverts', reason: 'no reason given' },
      ],
      [
        'a token that lacks balance',
        3,
        'execution reverted: insufficient balance',
        undefined,
        { kind: 'reverts', reason: '“insufficient balance”' },
      ],
      [
        'missing coins',
        -32000,
        'insufficient funds for transfer',
        undefined,
        { kind: 'reverts', reason: "the sender has less of the network's coin than it would send" },
      ],
      ['another error', -32005, 'rate limit', undefined, { kind: 'unknown', why: 'the node refused: “rate limit”' }],
    ])('tells why the call fails, by %s', async (_name, code, message, data, outcome) => {
      const { node } = await nodeWith({
        debug_traceCall: refuse('Method not found'),
        eth_call: refuse(message, code, data),
      });
      expect(await simulate(simulationOf(), node)).toEqual(outcome);
    });

    it('is unknown if that answer makes no sense', async () => {
      const { node } = await nodeWith({ debug_traceCall: refuse('Method not found'), eth_call: () => 'yes' });
      expect(await simulate(simulationOf(), node)).toMatchObject({
        kind: 'unknown',
        why: expect.stringContaining('returned a malformed result for eth_call') as string,
      });
    });
  });

  it('is not what a node gets that has the method', async () => {
    const { node, server } = await nodeWith({
      eth_simulateV1: (params) => block(params, () => ({ returns: word(1n) })),
    });
    await simulate(simulationOf(), node);
    expect(server.asked.map(({ method }) => method)).not.toContain('debug_traceCall');
  });
});
