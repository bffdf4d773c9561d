import { getContractAddress, type Hex, stringToHex, toHex } from 'viem';

import { NodeClient } from '../../../../src/clients/node';
import { NATIVE_TRANSFERS, PERMIT2, TRANSFER_TOPIC } from '../../../../src/core/simulation/asset-logs';
import { type Log } from '../../../../src/core/schemas/receipt';
import { simulate } from '../../../../src/simulation/simulate';
import { reply, type RpcRequest, serveJsonRpc } from '../../../support/json-rpc-server';
import { NoAnswer, NodeRefusal, type SimulatedNode, startSimulatedNode } from '../../../support/simulated-node';
import {
  ACCOUNT,
  block,
  blockIn,
  call,
  callsIn,
  type Part,
  PERSON,
  type Received,
  type Returned,
  simulationOf,
  SPENDER,
  startSimulatingNode,
  text,
  TOKEN,
  word,
} from './support';

const APPROVAL: Hex = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925';
const FOR_ALL: Hex = '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31';
const PERMIT2_APPROVAL: Hex = '0xda9fa7c1b00402c17d0161b249b1ab8bbec047c5a52207b9c112deffd817036b';
const log = (topics: readonly Hex[], data: Hex, address: Hex = TOKEN): Log => ({ address, topics: [...topics], data });
const sent = (amount: bigint): Log => log([TRANSFER_TOPIC, word(ACCOUNT), word(PERSON)], word(amount));
const nftSent = (id: bigint): Log => log([TRANSFER_TOPIC, word(ACCOUNT), word(PERSON), word(id)], '0x');

const IS: Readonly<Record<string, string>> = {
  '70a08231': 'balanceOf',
  '6352211e': 'ownerOf',
  '00fdd58e': 'balanceOfId',
  dd62ed3e: 'allowance',
  '927da105': 'permit2',
  '081812fc': 'getApproved',
  e985e9c5: 'isApprovedForAll',
  '95d89b41': 'symbol',
  '313ce567': 'decimals',
  '06fdde03': 'name',
  '18160ddd': 'totalSupply',
};
/** The function that a read calls; 'balance' for the program that reads coins. */
const readOf = ({ data }: Received): string => IS[data.slice(2, 10)] ?? 'balance';

const NO_CHANGES = { sends: [], receives: [], allows: [], creates: [] };

describe('a simulation', () => {
  const running: { stop: () => Promise<void> }[] = [];
  afterEach(async () => {
    jest.useRealTimers();
    for (const server of running.splice(0)) await server.stop();
  });

  async function nodeThat(behaviour: (received: Received, part: Part) => Returned | undefined) {
    const { server, node } = await startSimulatingNode(behaviour);
    running.push(server);
    return { server, node };
  }
  async function nodeWith(answers: Parameters<typeof startSimulatedNode>[0]) {
    const server = await startSimulatedNode(answers);
    running.push(server);
    return { server, node: new NodeClient({ url: server.url }) };
  }
  const asked = ({ asked: requests }: SimulatedNode, method = 'eth_simulateV1'): RpcRequest[] =>
    requests.filter((request) => request.method === method);

  it('of coins takes one round, without fees and signatures, on the latest block', async () => {
    const { server, node } = await nodeThat((_received, part) => {
      if (part === 'call')
        return { logs: [log([TRANSFER_TOPIC, word(ACCOUNT), word(PERSON)], word(5n), NATIVE_TRANSFERS)] };
      return { returns: word(part === 'before' ? 100n : 95n) };
    });
    const outcome = await simulate(simulationOf(call({ to: PERSON, value: 5n, data: '0x' })), node);
    expect(outcome).toEqual({
      kind: 'changes',
      changes: { ...NO_CHANGES, sends: [{ asset: { kind: 'native' }, amount: 5n }] },
    });
    expect(server.asked.map(({ method }) => method).sort()).toEqual([
      'eth_chainId',
      'eth_getBlockByNumber',
      'eth_simulateV1',
    ]);
    const [request] = asked(server);
    expect(request?.params).toMatchObject([{ traceTransfers: true, validation: false }, 'latest']);
    expect(callsIn(request!.params)[1]).toEqual({ from: ACCOUNT, to: PERSON, value: '0x5', data: '0x' });
  });

  it('believes the balance of coins rather than the log, and the log if there is no balance', async () => {
    const logs = [log([TRANSFER_TOPIC, word(ACCOUNT), word(PERSON)], word(5n), NATIVE_TRANSFERS)];
    const undone = await nodeThat((_received, part) => (part === 'call' ? { logs } : { returns: word(100n) }));
    expect(await simulate(simulationOf(), undone.node)).toEqual({ kind: 'changes', changes: NO_CHANGES });
    const without = await nodeThat((_received, part) => (part === 'call' ? { logs } : 'fails'));
    expect(await simulate(simulationOf(), without.node)).toMatchObject({ changes: { sends: [{ amount: 5n }] } });
  });

  describe('that a contract cannot recognise', () => {
    const GAS = { limit: 90_000n, maxFeePerGas: 5_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
    const PAYMENT = simulationOf(call({ to: PERSON, value: 5n, data: '0x', gas: GAS }));
    const logs = [log([TRANSFER_TOPIC, word(ACCOUNT), word(PERSON)], word(5n), NATIVE_TRANSFERS)];
    const USED = 0x5208n;

    it('reads through a program at another address each time', async () => {
      const { server, node } = await nodeThat((received, part) =>
        part === 'call' ? { logs: [sent(5n)] } : { returns: word(readOf(received) === 'balance' ? 1n : 5n) },
      );
      await simulate(simulationOf(), node);
      await simulate(simulationOf(), node);
      const blocks = asked(server).map(({ params }) => blockIn(params));
      const readers = blocks.map(({ stateOverrides }) => Object.keys(stateOverrides));
      expect(readers.every((addresses) => addresses.length === 1)).toBe(true);
      expect(new Set(readers.flat()).size).toBe(4);
      for (const [index, { calls, blockOverrides }] of blocks.entries()) {
        for (const { from, to } of calls) if (/^0x0+$/u.test(from)) expect(to).toBe(readers[index]![0]);
        expect(blockOverrides.prevRandao).toMatch(/^0x[0-9a-f]{64}$/u);
      }
      expect(new Set(blocks.map(({ blockOverrides }) => blockOverrides.prevRandao)).size).toBe(4);
    });

    it('makes the call with its gas and fees, at the base fee of the next block, which no request chooses', async () => {
      const { server, node } = await nodeThat((_received, part) =>
        part === 'call' ? { logs } : { returns: word(part === 'before' ? 100n : 95n) },
      );
      server.answers.eth_getBlockByNumber = () => ({
        baseFeePerGas: '0x77359400',
        gasUsed: '0x1c9c380',
        gasLimit: '0x1c9c380',
      });
      await simulate(PAYMENT, node);
      const [request] = asked(server);
      expect(callsIn(request!.params)[1]).toEqual({
        from: ACCOUNT,
        to: PERSON,
        value: '0x5',
        data: '0x',
        gas: '0x15f90',
        maxFeePerGas: '0x12a05f200',
        maxPriorityFeePerGas: '0x3b9aca00',
      });
      expect(blockIn(request!.params).blockOverrides.baseFeePerGas).toBe(toHex(2_250_000_000n));
    });

    it.each<[string, unknown]>([
      ['has no base fee', { gasUsed: '0x0', gasLimit: '0x1' }],
      ['does not say', null],
    ])('leaves the base fee to a node whose network %s', async (_what, latest) => {
      const { server, node } = await nodeThat((_received, part) =>
        part === 'call' ? { logs } : { returns: word(part === 'before' ? 100n : 95n) },
      );
      server.answers.eth_getBlockByNumber = () => latest;
      expect(await simulate(PAYMENT, node)).toMatchObject({ kind: 'changes' });
      expect(blockIn(asked(server)[0]!.params).blockOverrides).not.toHaveProperty('baseFeePerGas');
    });

    it.each([
      ['takes no fees', 0n, 5n],
      ['takes fees', USED * 3_000_000_000n, 5n],
      ['takes the most', USED * GAS.maxFeePerGas, 5n],
      ['sees more leave than it logs', USED * GAS.maxFeePerGas + 1n, USED * GAS.maxFeePerGas + 6n],
      ['sees less leave than it logs', -5n, undefined],
    ])('shows what the call sends, whether the node %s', async (_what, taken, shown) => {
      const had = 10n ** 18n;
      const { node } = await nodeThat((_received, part) =>
        part === 'call' ? { logs } : { returns: word(part === 'before' ? had : had - 5n - taken) },
      );
      expect(await simulate(PAYMENT, node)).toEqual({
        kind: 'changes',
        changes: {
          ...NO_CHANGES,
          sends: shown === undefined ? [] : [{ asset: { kind: 'native' }, amount: shown }],
        },
      });
    });

    it('leaves the fees out if the account cannot pay them', async () => {
      const { server, node } = await nodeWith({
        eth_simulateV1: (params) => {
          if (callsIn(params)[1] !== undefined && 'maxFeePerGas' in callsIn(params)[1]!)
            throw new NodeRefusal('insufficient funds for gas * price', -38014);
          return block(params, (_received, part) =>
            part === 'call' ? { logs } : { returns: word(part === 'before' ? 100n : 95n) },
          );
        },
      });
      expect(await simulate(PAYMENT, node)).toMatchObject({ changes: { sends: [{ amount: 5n }] } });
      expect(asked(server)).toHaveLength(2);
    });

    it.each([
      ['-38012', -38012, 'max fee per gas less than block base fee', 'maxFeePerGas'],
      ['words about the fee', -32000, 'gas price is less than basefee', 'maxFeePerGas'],
      ['-38010', -38010, 'nonce too low', 'nonce'],
      ['words about the nonce', -32003, 'nonce too high', 'nonce'],
    ])('makes the call without what a node refuses by %s, and keeps the rest', async (_name, code, words, member) => {
      const { server, node } = await nodeWith({
        eth_simulateV1: (params) => {
          if (member in callsIn(params)[1]!) throw new NodeRefusal(words, code);
          return block(params, (_received, part) =>
            part === 'call' ? { logs } : { returns: word(part === 'before' ? 100n : 95n) },
          );
        },
      });
      const [payment] = PAYMENT.calls;
      const outcome = await simulate({ ...PAYMENT, calls: [{ ...payment!, nonce: 7n }] }, node);
      expect(outcome).toMatchObject({ changes: { sends: [{ amount: 5n }] } });
      expect(asked(server)).toHaveLength(2);
      const last = callsIn(asked(server)[1]!.params)[1]!;
      expect(last).toMatchObject({ gas: '0x15f90', ...(member === 'nonce' ? {} : { nonce: '0x7' }) });
    });

    it('gives up on a node that refuses again', async () => {
      const { server, node } = await nodeWith({
        eth_simulateV1: () => {
          throw new NodeRefusal('max fee per gas less than block base fee', -38012);
        },
      });
      expect(await simulate(PAYMENT, node)).toMatchObject({ kind: 'unknown' });
      expect(asked(server)).toHaveLength(2);
    });

    it('says that coins are missing if they are missing without fees, too', async () => {
      const { node } = await nodeWith({
        eth_simulateV1: () => {
          throw new NodeRefusal('insufficient funds for transfer', -38014);
        },
      });
      expect(await simulate(PAYMENT, node)).toMatchObject({ kind: 'reverts' });
    });
  });

  describe('of tokens', () => {
    const declared = (received: Received): Returned | undefined =>
      ({
        symbol: { returns: text('USDC') },
        decimals: { returns: word(6n) },
        name: { returns: text('Apes') },
        totalSupply: 'fails' as const,
        balance: { returns: word(1n) },
      })[readOf(received)];

    it('reads balances before and after, since tokens log what they like', async () => {
      const { server, node } = await nodeThat((received, part) => {
        if (part === 'call') return { logs: [sent(1_000n)] };
        if (readOf(received) === 'balanceOf') return { returns: word(part === 'before' ? 5_000n : 4_030n) };
        return declared(received);
      });
      const asset = { kind: 'erc20', token: TOKEN, declared: { symbol: 'USDC', decimals: 6 } };
      expect(await simulate(simulationOf(), node)).toEqual({
        kind: 'changes',
        changes: { ...NO_CHANGES, sends: [{ asset, amount: 970n }] },
      });
      const [first, second] = asked(server).map(({ params }) => callsIn(params));
      expect(first).toHaveLength(3);
      // The coins and the token before; the call; the coins, the token and what it declares after.
      expect(second?.map(readOf)).toEqual([
        'balance',
        'balanceOf',
        'balance',
        'balance',
        'balanceOf',
        'symbol',
        'decimals',
        'name',
        'totalSupply',
      ]);
      expect(second?.[2]).toMatchObject({ from: ACCOUNT, to: TOKEN });
      // Reads do not use up the nonce of the account, nor the gas of the calls.
      for (const [at, { from, gas }] of second!.entries())
        if (at !== 2) expect([from, gas]).toEqual([`0x${'0'.repeat(40)}`, '0x7c830']);
    });

    it.each<[string, Returned, Returned, bigint]>([
      ['what was logged, if the balance before cannot be read', 'fails', { returns: word(5n) }, -1_000n],
      ['what was logged, if the balance after cannot be read', { returns: word(5n) }, 'fails', -1_000n],
      ['what was logged, if there are no such functions', { returns: '0x' }, { returns: '0x' }, -1_000n],
      ['everything that a token has, if it was created in between', { returns: '0x' }, { returns: word(9n) }, 9n],
      ['nothing, if the balance stays', { returns: word(5n) }, { returns: word(5n) }, 0n],
      ['a gain, if the balance grows', { returns: word(5n) }, { returns: word(6n) }, 1n],
      ['only the first word of a long answer', { returns: `${word(5n)}ff` }, { returns: `${word(8n)}ff` }, 3n],
    ])('shows %s', async (_name, before, after, net) => {
      const { node } = await nodeThat((received, part) => {
        if (part === 'call') return { logs: [sent(1_000n)] };
        if (readOf(received) === 'balanceOf') return part === 'before' ? before : after;
        return readOf(received) === 'balance' ? { returns: word(1n) } : 'fails';
      });
      const one = [{ asset: { kind: 'erc20', token: TOKEN }, amount: net < 0n ? -net : net }];
      const changes = { ...NO_CHANGES, ...(net < 0n && { sends: one }), ...(net > 0n && { receives: one }) };
      expect(await simulate(simulationOf(), node)).toEqual({ kind: 'changes', changes });
    });

    it.each<[string, Log]>([
      ['a token', log([TRANSFER_TOPIC, word(PERSON), word(ACCOUNT)], word(1_000n))],
      ['an NFT', log([TRANSFER_TOPIC, word(PERSON), word(ACCOUNT), word(7n)], '0x')],
    ])('does not show %s as received that is only logged', async (_name, given) => {
      const { node } = await nodeThat((received, part) => {
        if (part === 'call') return { logs: [given] };
        return readOf(received) === 'balance' ? { returns: word(1n) } : 'fails';
      });
      expect(await simulate(simulationOf(), node)).toEqual({ kind: 'changes', changes: NO_CHANGES });
    });

    it.each<[string, Returned, Returned, 'sends' | 'receives' | undefined]>([
      ['is sent', { returns: word(ACCOUNT) }, { returns: word(PERSON) }, 'sends'],
      ['is burned', { returns: word(ACCOUNT) }, 'fails', 'sends'],
      ['is received', { returns: word(PERSON) }, { returns: word(ACCOUNT) }, 'receives'],
      ['is minted', 'fails', { returns: word(ACCOUNT) }, 'receives'],
      ['stays', { returns: word(ACCOUNT) }, { returns: word(ACCOUNT) }, undefined],
      ['was never its own', { returns: word(PERSON) }, { returns: word(SPENDER) }, undefined],
      ['has no owner to read, so the log counts', 'fails', 'fails', 'sends'],
    ])('shows that an NFT %s', async (_name, before, after, where) => {
      const { node } = await nodeThat((received, part) => {
        if (part === 'call') return { logs: [nftSent(7n)] };
        if (readOf(received) === 'ownerOf') return part === 'before' ? before : after;
        return declared(received);
      });
      const asset = { kind: 'erc721', token: TOKEN, id: 7n, declared: { name: 'Apes' } };
      const changes = { ...NO_CHANGES, ...(where !== undefined && { [where]: [{ asset, amount: 1n }] }) };
      expect(await simulate(simulationOf(), node)).toEqual({ kind: 'changes', changes });
    });

    const approved = log([APPROVAL, word(ACCOUNT), word(SPENDER)], word(50n));
    const nftApproved = log([APPROVAL, word(ACCOUNT), word(SPENDER), word(7n)], '0x');
    const approvedForAll = log([FOR_ALL, word(ACCOUNT), word(SPENDER)], word(1n));
    const byPermit2 = log(
      [PERMIT2_APPROVAL, word(ACCOUNT), word(TOKEN), word(SPENDER)],
      `${word(50n)}${word(9n).slice(2)}`,
      PERMIT2,
    );
    it.each<[string, Log, string, Returned, object[]]>([
      [
        'as it is',
        approved,
        'allowance',
        { returns: word(25n) },
        [{ kind: 'amount', amount: 25n, declared: { symbol: 'USDC', decimals: 6 } }],
      ],
      [
        'as it was logged, if it cannot be read',
        approved,
        'allowance',
        'fails',
        [{ kind: 'amount', amount: 50n, declared: { symbol: 'USDC', decimals: 6 } }],
      ],
      ['not, if it is none', approved, 'allowance', { returns: word(0n) }, []],
      [
        'of Permit2',
        byPermit2,
        'permit2',
        { returns: `${word(40n)}${word(9n).slice(2)}` },
        [{ kind: 'amount', amount: 40n, declared: { symbol: 'USDC', decimals: 6 } }],
      ],
      ['of an NFT', nftApproved, 'getApproved', { returns: word(SPENDER) }, [{ kind: 'nft', id: 7n }]],
      ['not, if somebody else may move the NFT', nftApproved, 'getApproved', { returns: word(PERSON) }, []],
      ['of everything', approvedForAll, 'isApprovedForAll', { returns: word(1n) }, [{ kind: 'everything' }]],
      ['not, if it is not of everything', approvedForAll, 'isApprovedForAll', { returns: word(0n) }, []],
    ])('shows an allowance %s', async (_name, logged, name, returned, allows) => {
      const { node } = await nodeThat((received, part) => {
        if (part === 'call') return { logs: [logged] };
        return readOf(received) === name ? returned : declared(received);
      });
      const shown = allows.map((one) => ({ token: TOKEN, spender: SPENDER, ...one }));
      expect(await simulate(simulationOf(), node)).toEqual({
        kind: 'changes',
        changes: { ...NO_CHANGES, allows: shown },
      });
    });

    it.each<[string, Returned, Returned, object | undefined]>([
      [
        'bytes32',
        { returns: stringToHex('MKR', { size: 32 }) },
        { returns: word(18n) },
        { symbol: 'MKR', decimals: 18 },
      ],
      [
        'hidden characters',
        { returns: text('U\u202eSDC') },
        { returns: word(6n) },
        { symbol: 'U\\u{202e}SDC', decimals: 6 },
      ],
      ['no decimals', { returns: text('USDC') }, 'fails', undefined],
      ['a thousand decimals', { returns: text('USDC') }, { returns: word(1_000n) }, undefined],
      [
        'a long symbol',
        { returns: text('x'.repeat(100)) },
        { returns: word(6n) },
        { symbol: `${'x'.repeat(20)}…`, decimals: 6 },
      ],
    ])('takes from a token that declares %s only what fits', async (_name, symbol, decimals, declaration) => {
      const { node } = await nodeThat((received, part) => {
        if (part === 'call') return { logs: [sent(5n)] };
        const read = readOf(received);
        if (read === 'symbol') return symbol;
        if (read === 'decimals') return decimals;
        return read === 'balanceOf' ? 'fails' : declared(received);
      });
      const asset = { kind: 'erc20', token: TOKEN, ...(declaration && { declared: declaration }) };
      expect(await simulate(simulationOf(), node)).toMatchObject({ changes: { sends: [{ asset, amount: 5n }] } });
    });

    it('reads the balance of a token that only others move', async () => {
      const bystander = log([TRANSFER_TOPIC, word(SPENDER), word(PERSON)], word(5n));
      const { node } = await nodeThat((received, part) => {
        if (part === 'call') return { logs: [bystander] };
        if (readOf(received) === 'balanceOf') return { returns: word(part === 'before' ? 10n : 12n) };
        return declared(received);
      });
      expect(await simulate(simulationOf(), node)).toMatchObject({
        changes: { sends: [], receives: [{ amount: 2n }] },
      });
    });

    const junk = (at: number): Hex => word(BigInt(at)).replace('0'.repeat(24), '') as Hex;
    const given = (at: number): Log => log([TRANSFER_TOPIC, word(PERSON), word(ACCOUNT)], word(5n), junk(at));
    const balances = (received: Received, part: Part): Returned => {
      if (readOf(received) !== 'balanceOf') return declared(received) ?? { returns: word(1n) };
      return { returns: word((part === 'before') === (received.to === TOKEN) ? 9n : 4n) };
    };

    it('is not crowded out by tokens that nobody knows: what leaves is read, what is cut is said', async () => {
      const logs = [...Array.from({ length: 100 }, (_, at) => given(at + 1)), sent(5n)];
      const { node } = await nodeThat((received, part) => (part === 'call' ? { logs } : balances(received, part)));
      const outcome = await simulate(simulationOf(), node);
      expect(outcome).toMatchObject({
        kind: 'changes',
        changes: { sends: [{ asset: { token: TOKEN }, amount: 5n }], unread: 'receipts' },
      });
      expect(outcome.kind === 'changes' && outcome.changes.receives).toHaveLength(23);
    });

    it('reads known tokens first among what leaves and what is allowed, and says that there is more', async () => {
      const logs = [
        ...Array.from({ length: 100 }, (_, at) => ({ ...sent(5n), address: junk(at + 1) })),
        ...Array.from({ length: 100 }, (_, at) =>
          log([APPROVAL, word(ACCOUNT), word(SPENDER)], word(7n), junk(at + 1)),
        ),
        sent(5n),
        log([APPROVAL, word(ACCOUNT), word(SPENDER)], word(7n)),
      ];
      const { node } = await nodeThat((received, part) => (part === 'call' ? { logs } : balances(received, part)));
      const outcome = await simulate(simulationOf(), node, { isKnown: (token) => token === TOKEN });
      expect(outcome).toMatchObject({ kind: 'changes', changes: { unread: 'losses' } });
      if (outcome.kind !== 'changes') return;
      expect(outcome.changes.sends[0]).toMatchObject({ asset: { token: TOKEN }, amount: 5n });
      expect(outcome.changes.allows).toHaveLength(24);
      expect(outcome.changes.allows[0]).toMatchObject({ token: TOKEN, spender: SPENDER });
    });
  });

  describe('of calls that fail', () => {
    const REASON =
      `0x08c379a0${word(32n).slice(2)}${word(4n).slice(2)}${stringToHex('nope', { size: 32 }).slice(2)}` as const;

    it.each<[string, Returned]>([
      ['its return data', { returns: REASON, error: { code: -3200, message: 'execution failed' } }],
      ['its error', { error: { code: 3, message: 'execution reverted: nope', data: REASON } }],
      ['its message alone', { error: { code: 3, message: 'execution reverted: nope' } }],
    ])('says why, from %s', async (_name, returned) => {
      const { node, server } = await nodeThat((_received, part) =>
        part === 'call' ? returned : { returns: word(1n) },
      );
      expect(await simulate(simulationOf(), node)).toEqual({ kind: 'reverts', reason: '“nope”' });
      expect(asked(server)).toHaveLength(1);
    });

    it('says which one of several, and ignores those after it', async () => {
      const { node } = await nodeThat(({ data }, part) => {
        if (part !== 'call') return { returns: word(1n) };
        return data === '0x01' ? { logs: [sent(5n)] } : 'fails';
      });
      const calls = ['0x01', '0x02', '0x03'].map((data) => call({ data: data as Hex }));
      expect(await simulate(simulationOf(...calls), node)).toEqual({
        kind: 'reverts',
        reason: 'call 2: no reason given',
      });
    });

    it('does not count the deployment of a smart account as a call', async () => {
      const { node } = await nodeThat(({ from }, part) =>
        part === 'call' && from === PERSON ? 'fails' : { returns: word(1n) },
      );
      const calls = [call({ from: SPENDER }), call({ from: PERSON, to: ACCOUNT })];
      expect(await simulate(simulationOf(...calls), node)).toEqual({ kind: 'reverts', reason: 'no reason given' });
    });

    it('says so if they fail only in the second round', async () => {
      let rounds = 0;
      const { node } = await nodeWith({
        eth_simulateV1: (params) => {
          rounds += 1;
          return block(params, (_received, part) => {
            if (part !== 'call') return { returns: word(1n) };
            return rounds === 1 ? { logs: [sent(5n)] } : 'fails';
          });
        },
      });
      expect(await simulate(simulationOf(), node)).toEqual({ kind: 'reverts', reason: 'no reason given' });
      expect(rounds).toBe(2);
    });
  });

  it('names the contracts that are created, by the nonces of their creators', async () => {
    const { node } = await nodeThat(() => ({ returns: word(1n) }));
    const creation = call({ to: null, data: '0x6001' });
    expect(await simulate(simulationOf(creation, call(), creation), node)).toMatchObject({
      kind: 'changes',
      changes: { creates: [5n, 7n].map((nonce) => getContractAddress({ from: ACCOUNT, nonce })) },
    });
  });

  describe('is unknown', () => {
    const works = (params: readonly unknown[]) => block(params, () => ({ returns: word(1n) }));

    it('on a node of another network, whatever that node simulates', async () => {
      const { node } = await nodeWith({ eth_chainId: () => '0x1', eth_simulateV1: works });
      const why = 'the node serves another network';
      expect(await simulate(simulationOf(), node)).toEqual({ kind: 'unknown', why });
    });

    const result = { status: '0x1', returnData: '0x', logs: [] };
    const three = [result, result, result];
    const wrongLog = (change: object) => [
      { calls: [result, { ...result, logs: [{ ...sent(1n), ...change }] }, result] },
    ];
    it.each<[string, unknown]>([
      ['null', null],
      ['text', 'all is well'],
      ['an object', { calls: three }],
      ['no blocks', []],
      ['two blocks', [{ calls: three }, { calls: [] }]],
      ['too few results', [{ calls: three.slice(1) }]],
      ['too many results', [{ calls: [...three, result] }]],
      ['results that are no objects', [{ calls: [1, 2, 3] }]],
      ['a status that is no number', [{ calls: [result, { ...result, status: 'success' }, result] }]],
      ['return data that is no hex', [{ calls: [result, { ...result, returnData: 'OK' }, result] }]],
      ['no logs', [{ calls: [result, { ...result, logs: undefined }, result] }]],
      ['a log without an address', wrongLog({ address: undefined })],
      ['a log with a short topic', wrongLog({ topics: ['0x1234'] })],
      ['a log with data that is no hex', wrongLog({ data: 'all' })],
      ['an error that is text', [{ calls: [result, { ...result, status: '0x0', error: 'failed' }, result] }]],
    ])('if the answer makes no sense: %s', async (_name, answer) => {
      const { node } = await nodeWith({ eth_simulateV1: () => answer });
      const why = "the node's answer makes no sense";
      expect(await simulate(simulationOf(), node)).toEqual({ kind: 'unknown', why });
    });

    it('if the answer is too large', async () => {
      const { node } = await nodeWith({ eth_simulateV1: () => `0x${'00'.repeat(2_000_000)}` });
      const outcome = await simulate(simulationOf(), node);
      expect(outcome).toMatchObject({
        kind: 'unknown',
        why: expect.stringContaining('more than 2097152 bytes') as string,
      });
    });

    it('if the node hangs up', async () => {
      const { node } = await nodeWith({
        eth_simulateV1: () => {
          throw new NoAnswer();
        },
      });
      const outcome = await simulate(simulationOf(), node);
      expect(outcome).toMatchObject({
        kind: 'unknown',
        why: expect.stringMatching(/^the node at 127\.0\.0\.1:\d+ could not be reached$/u) as string,
      });
    });

    it('if the node refuses, in its own words, made safe', async () => {
      const { node } = await nodeWith({
        eth_simulateV1: () => {
          throw new NodeRefusal(`rate\u200b limit ”now“ ${'x'.repeat(1_000)}`, -32005);
        },
      });
      const outcome = await simulate(simulationOf(), node);
      if (outcome.kind !== 'unknown') throw new Error('known');
      expect(outcome.why).toMatch(/^the node refused: “rate\s+limit "now" x+… \(\d+ more characters\)”$/u);
      expect(outcome.why.length).toBeLessThan(300);
    });

    it('if the chain cannot be told', async () => {
      const { node } = await nodeWith({
        eth_simulateV1: works,
        eth_chainId: () => {
          throw new NodeRefusal('not today', -32000);
        },
      });
      expect(await simulate(simulationOf(), node)).toEqual({ kind: 'unknown', why: 'the node refused: “not today”' });
    });

    it.each<[string, number]>([
      ['the first round', 1],
      ['the second round', 2],
    ])('if the node takes longer than 2.5 s in %s', async (_name, slowRound) => {
      let rounds = 0;
      let arrived = (): void => undefined;
      const arrival = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      const server = await serveJsonRpc(({ id, method, params }, response) => {
        if (method !== 'eth_simulateV1') {
          reply(response, { id, result: method === 'eth_chainId' ? '0x7a69' : null });
          return;
        }
        rounds += 1;
        if (rounds === slowRound) arrived();
        else
          reply(response, {
            id,
            result: block(params, (_received, part) => (part === 'call' ? { logs: [sent(1n)] } : {})),
          });
      });
      running.push(server);
      jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'] });
      const outcome = simulate(simulationOf(), new NodeClient({ url: server.url }));
      await arrival;
      jest.advanceTimersByTime(2_499);
      expect(await Promise.race([outcome, Promise.resolve('still waiting')])).toBe('still waiting');
      jest.advanceTimersByTime(1);
      expect(await outcome).toEqual({ kind: 'unknown', why: 'the node did not respond within 2.5 s' });
    });

    it('if the node says nothing of its latest block, and is asked for nothing more then', async () => {
      const { node, server } = await nodeWith({ eth_simulateV1: works });
      const outcome = await simulate(simulationOf(), node, { baseFee: Promise.resolve('late') });
      expect(outcome).toEqual({ kind: 'unknown', why: 'the node did not respond within 2.5 s' });
      expect(asked(server)).toEqual([]);
    });

    it('if it is cancelled, before or during it', async () => {
      const { node, server } = await nodeWith({ eth_simulateV1: works });
      const why = 'the simulation was cancelled';
      expect(await simulate(simulationOf(), node, { signal: AbortSignal.abort() })).toEqual({ kind: 'unknown', why });
      const controller = new AbortController();
      server.answers.eth_simulateV1 = () => {
        controller.abort();
        throw new NoAnswer();
      };
      expect(await simulate(simulationOf(), node, { signal: controller.signal })).toEqual({ kind: 'unknown', why });
    });
  });

  it.each<[string, number, string]>([
    ['geth', -38014, 'insufficient funds for gas * price + value: address 0x7099 have 0 want 1'],
    ['anvil', -32003, 'Insufficient funds for gas * price + value'],
    ['others', -32000, 'sender: insufficient balance for transfer'],
  ])('says that coins are missing, as %s does', async (_name, code, message) => {
    const { node } = await nodeWith({
      eth_simulateV1: () => {
        throw new NodeRefusal(message, code);
      },
    });
    expect(await simulate(simulationOf(), node)).toEqual({
      kind: 'reverts',
      reason: "the sender has less of the network's coin than it would send",
    });
  });
});
