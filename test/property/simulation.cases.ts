import fc from 'fast-check';
import { type Hex } from 'viem';

import { NodeClient } from '../../src/clients/node';
import { assetEvents, changesOf, NATIVE_TRANSFERS, TRANSFER_TOPIC } from '../../src/core/simulation/asset-logs';
import { type Outcome } from '../../src/core/decode/effects/outcome';
import { revertReason } from '../../src/core/simulation/revert-reason';
import { hidesSomething } from '../../src/core/decode/words/text';
import { simulate } from '../../src/simulation/simulate';
import { anyText } from '../support/fuzz';
import { perRun } from '../support/nightly';
import { NodeRefusal, type SimulatedNode, startSimulatedNode } from '../support/simulated-node';

const PEOPLE = ['a', 'b', 'c'].map((digit): Hex => `0x${digit.repeat(40)}`);
const [ACCOUNT, PERSON, TOKEN] = PEOPLE as [Hex, Hex, Hex];
const TOPICS: readonly Hex[] = [
  TRANSFER_TOPIC,
  '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
  '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31',
  '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
  '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
  '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c',
  '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65',
];
const word = (digits: string): Hex => `0x${digits.padStart(64, '0')}`;

const bytes = (most: number) =>
  fc.uint8Array({ maxLength: most }).map((list): Hex => `0x${Buffer.from(list).toString('hex')}`);
const anyWord = fc.oneof(
  fc.constantFrom(...PEOPLE).map((one) => word(one.slice(2))),
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map((value) => word(value.toString(16))),
  fc.integer({ min: 0, max: 4 }).map((value) => word(value.toString(16))),
);
const anyLog = fc.record({
  address: fc.constantFrom(...PEOPLE, NATIVE_TRANSFERS),
  topics: fc
    .tuple(fc.oneof(fc.constantFrom(...TOPICS), anyWord), fc.array(anyWord, { maxLength: 4 }))
    .map(([first, rest]) => [first, ...rest]),
  data: fc.oneof(
    bytes(300),
    fc.array(anyWord, { maxLength: 8 }).map((words): Hex => `0x${words.map((one) => one.slice(2)).join('')}`),
  ),
});

const call = { from: ACCOUNT, to: TOKEN, value: 0n, data: '0x' } as const;
const simulation = { chainId: 31_337n, account: ACCOUNT, calls: [call] };

/** Every text of an outcome is short, and hides nothing. */
function expectSound(outcome: Outcome): void {
  expect(['changes', 'reverts', 'succeeds', 'unknown']).toContain(outcome.kind);
  if (outcome.kind === 'reverts' || outcome.kind === 'unknown') {
    const text = outcome.kind === 'reverts' ? outcome.reason : outcome.why;
    expect(text.length).toBeLessThan(2_500);
    expect(hidesSomething(text)).toBe(false);
  }
  if (outcome.kind !== 'changes') return;
  for (const { amount } of [...outcome.changes.sends, ...outcome.changes.receives]) expect(amount > 0n).toBe(true);
}

describe('a simulation, for every node', () => {
  it('reads any logs without an error, and nothing into the logs of others', () => {
    const strangers = { address: TOKEN, topics: [TRANSFER_TOPIC, word(PERSON.slice(2)), word('1')], data: word('5') };
    fc.assert(
      fc.property(fc.array(anyLog, { maxLength: 20 }), (logs) => {
        const events = assetEvents(logs, ACCOUNT);
        const more = assetEvents([...logs, strangers], ACCOUNT);
        expect({ ...more, bystanders: [] }).toEqual({ ...events, bystanders: [] });
        const { sends, receives } = changesOf({ ...events, allows: [], creates: [] });
        for (const { amount } of [...sends, ...receives]) expect(amount > 0n).toBe(true);
      }),
      { numRuns: perRun(500, 2_000) },
    );
  });

  it('gains for one account what another loses', () => {
    const transfer = fc.record({
      address: fc.constantFrom(TOKEN, NATIVE_TRANSFERS),
      topics: fc
        .tuple(fc.constantFrom(ACCOUNT, PERSON), fc.constantFrom(ACCOUNT, PERSON))
        .map(([from, to]) => [TRANSFER_TOPIC, word(from.slice(2)), word(to.slice(2))]),
      data: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map((value) => word(value.toString(16))),
    });
    fc.assert(
      fc.property(fc.array(transfer, { maxLength: 20 }), (logs) => {
        const [mine, theirs] = [assetEvents(logs, ACCOUNT), assetEvents(logs, PERSON)];
        const sum = (events: typeof mine): bigint => events.movements.reduce((all, { net }) => all + net, 0n);
        expect([mine.native, sum(mine)]).toEqual([-theirs.native, -sum(theirs)]);
      }),
    );
  });

  it('words any revert data', () => {
    const selectors = ['08c379a0', '4e487b71', '5a154675', '65c8fd4d', 'd93c0665'];
    const data = fc.oneof(
      bytes(200),
      fc
        .tuple(fc.constantFrom(...selectors), bytes(200))
        .map(([selector, rest]): Hex => `0x${selector}${rest.slice(2)}`),
    );
    fc.assert(
      fc.property(fc.oneof(data, fc.anything()), anyText(), (raw, message) => {
        const reason = revertReason(raw, message);
        expect(reason).not.toBe('');
        expect(hidesSomething(reason)).toBe(false);
      }),
      { numRuns: perRun(300, 1_000) },
    );
  });

  describe('that answers anything', () => {
    let server: SimulatedNode;
    beforeAll(async () => {
      server = await startSimulatedNode();
    });
    afterAll(async () => {
      await server.stop();
    });

    const result = fc.record({
      status: fc.constantFrom('0x1', '0x1', '0x1', '0x0', 1, '1', null),
      returnData: fc.oneof(bytes(100), anyWord),
      logs: fc.array(anyLog, { maxLength: 4 }),
    });
    const answer = fc.oneof(
      fc.json().map((text): unknown => JSON.parse(text)),
      fc.array(result, { minLength: 3, maxLength: 3 }).map((calls) => [{ calls }]),
    );
    const frame = fc.letrec((tie) => ({
      frame: fc.record(
        {
          type: fc.constantFrom('CALL', 'CREATE', 'DELEGATECALL', 'SELFDESTRUCT', 'STATICCALL', 7),
          from: fc.constantFrom(...PEOPLE),
          to: fc.constantFrom(...PEOPLE),
          value: fc.constantFrom('0x0', '0x5', '0x', 5),
          output: bytes(80),
          error: fc.constantFrom('execution reverted', 'out of gas', ''),
          logs: fc.array(anyLog, { maxLength: 3 }),
          calls: fc.array(tie('frame'), { maxLength: 3 }),
        },
        { requiredKeys: ['type', 'from'] },
      ),
    })).frame;
    const refusal = fc.record({ refused: anyText(), code: fc.integer() });
    const said = (value: unknown): unknown => {
      if (typeof value === 'object' && value !== null && 'refused' in value && 'code' in value)
        throw new NodeRefusal(String(value.refused), Number(value.code));
      return value;
    };

    it('has an outcome by eth_simulateV1', async () => {
      let at = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(fc.oneof(answer, refusal), { minLength: 2, maxLength: 2 }), async (answers) => {
          let round = 0;
          server.answers.eth_simulateV1 = () => said(answers[round++]);
          expectSound(await simulate(simulation, new NodeClient({ url: `${server.url}/${at++}` })));
        }),
        { numRuns: 200 },
      );
    });

    it('has an outcome by debug_traceCall and eth_call', async () => {
      server.answers.eth_simulateV1 = () => said({ refused: 'no', code: -32601 });
      const node = new NodeClient({ url: server.url });
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(frame, refusal, fc.jsonValue()),
          fc.oneof(bytes(40), refusal),
          async (trace, called) => {
            server.answers.debug_traceCall = () => said(trace);
            server.answers.eth_call = () => said(called);
            expectSound(await simulate(simulation, node));
          },
        ),
        { numRuns: 200 },
      );
    });
  });
});
