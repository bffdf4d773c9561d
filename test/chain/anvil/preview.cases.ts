import {
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  parseAbi,
  parseEventLogs,
  parseUnits,
  type RpcLog,
} from 'viem';

import { NodeClient } from '../../../src/clients/node';
import { explainUserOperation } from '../../../src/core/decode/explain/user-operation';
import { type Explanation, type Viewpoint } from '../../../src/core/decode/explanation';
import { type Outcome, type SimulatedCall } from '../../../src/core/decode/effects/outcome';
import { contractName } from '../../../src/core/decode/words/known-contracts';
import { ENTRY_POINTS } from '../../../src/core/erc4337/entry-points';
import { userOperationHash } from '../../../src/core/erc4337/hash';
import { KIND_NAMES, KINDS } from '../../../src/core/kinds';
import { operationCalls } from '../../../src/core/erc4337/operation-calls';
import { DELEGATED_KINDS } from '../../../src/core/erc4337/simple-account/delegated';
import { type Call, type UserOperation } from '../../../src/core/erc4337/user-operation';
import { fromHex, toHex } from '../../../src/core/eth/bytes';
import { signatureToBytes, signDigest } from '../../../src/core/eth/secp256k1';
import { MAX_UINT256 } from '../../../src/core/eth/units';
import { simulate } from '../../../src/simulation/simulate';
import { ungrouped } from '../../support/explaining';
import { perRun } from '../../support/nightly';
import { entryPointAbi } from '../../support/chain/contracts';
import { on, refuses, startFaultyService } from '../../support/chain/faulty';
import { changedBy, hostileRequest, random } from '../../support/chain/hostile-requests';
import { describeWithPeers } from '../../support/chain/peers';
import {
  CHAIN_ID,
  type Holder,
  type Holdings,
  namesOf,
  OWNER_KEY,
  PERSON,
  type PreviewWorld,
  startPreviewWorld,
  UNIT,
} from '../../support/chain/preview-world';

/** Tokens of the test, with what their contracts say. */
const TOKENS_WITH_DECIMALS = [
  ['gold', 'GOLD', 18],
  ['usd', 'USD', 6],
  ['noReturn', 'NORET', 6],
  ['weth', 'WETH', 18],
] as const;

/** The amounts in the rows of a screen, under the names of what an account holds and allows. */
function shownIn(changes: Explanation['changes'], { contracts }: PreviewWorld) {
  const ends = (address: string): string => `${address.slice(2, 6)}…${address.slice(-4)}`.toLowerCase();
  const nameOf = (who: string): string => lower(contractName(who as Hex) ?? `0x${ends(who)}`);
  const token = (address: string) =>
    TOKENS_WITH_DECIMALS.find(([name]) => lower(contracts[name].address) === lower(address));
  /** The sum of the rows about an asset: its name, as in `erc20 0x…`, begins with its kind. */
  const sum = (label: string, name: string, who?: string): bigint => {
    const [, place = ''] = name.split(' ');
    const [address = '', id] = place.split('/');
    return changes.reduce((total, line) => {
      const value = ungrouped(lower(line.value));
      if (line.label !== label || (who !== undefined && !value.endsWith(` by ${nameOf(who)}`))) return total;
      const [, written = '', unit = ''] = /^(\S+) (.*)$/u.exec(value) ?? [];
      if (name === 'native') return unit.startsWith('eth') ? total + parseUnits(written, 18) : total;
      const [, symbol = '', decimals = 0] = token(address) ?? [];
      const isNamed = value.includes(ends(address)) || (symbol !== '' && value.includes(lower(symbol)));
      if (!isNamed) return total;
      if (/^(?:all|unlimited|everything)\b/u.test(value)) return MAX_UINT256;
      if (id !== undefined && !value.includes(`#${id}`) && !value.includes(`token id ${id})`)) return total;
      return total + parseUnits(written, decimals);
    }, 0n);
  };
  return {
    sent: (name: string): bigint => sum('You send', name),
    allowed: (name: string): bigint => sum('You allow', name, name.split(' ')[2]),
    allowedToAll: (name: string): bigint => sum('You allow', name),
  };
}

/** Holds nothing, so that giving it a token takes a new slot. */
const NOBODY: Hex = '0x00000000000000000000000000000000000b0d1e';
const OTHER_PERSON: Hex = '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65';
/** Addresses that contracts in the outcomes have in common are written in lower case. */
const lower = (text: string): string => text.toLowerCase();

/** @param fees - What the account paid for its transactions, which a preview leaves out. */
const differences = (before: Holdings, after: Holdings, fees: bigint): [string, bigint][] =>
  [...after.amounts]
    .map(([name, amount]): [string, bigint] => [
      lower(name),
      amount - before.amounts.get(name)! + (name === 'native' ? fees : 0n),
    ])
    .filter(([, net]) => net !== 0n);

const sorted = (entries: readonly (readonly [string, bigint])[]): string[] =>
  entries.map(([name, amount]) => `${lower(name)} ${amount}`).sort();

describeWithPeers('the preview of what calls change, on a real chain with real contracts', () => {
  let world: PreviewWorld;
  beforeAll(async () => {
    world = await startPreviewWorld();
  });
  afterAll(async () => {
    await world.stop();
  });

  /**
   * What is previewed must be what then happens, to the last unit, and nothing else.
   *
   * @param fees - What the account paid for its transactions, in wei.
   * @param source - A trace does not show that an allowance is used up by the same call.
   */
  function expectSame(
    outcome: Outcome,
    before: Holdings,
    after: Holdings,
    {
      fees = 0n,
      source = 'balances',
      areCoinsInexact = false,
    }: { fees?: bigint; source?: 'balances' | 'trace'; areCoinsInexact?: boolean } = {},
  ): void {
    if (outcome.kind !== 'changes') throw new Error(`no changes: ${JSON.stringify(outcome)}`);
    const { moved, allowed } = namesOf(outcome.changes);
    const [shown, real] = [moved, differences(before, after, fees)];
    if (areCoinsInexact) {
      // The node logs coins that did not move, and takes fees: only the balance less the fees is known.
      const coins = (all: [string, bigint][]): bigint => all.find(([name]) => name === 'native')?.[1] ?? 0n;
      expect(coins(shown)).toBeLessThanOrEqual(coins(real));
      expect(coins(real) - coins(shown)).toBeLessThanOrEqual(2n * fees);
    }
    const exact = (all: [string, bigint][]) => all.filter(([name]) => !areCoinsInexact || name !== 'native');
    expect(sorted(exact(shown))).toEqual(sorted(exact(real)));
    const allowances = new Map([...after.allowances].map(([name, amount]) => [lower(name), amount]));
    for (const [name, amount] of allowed) {
      const real = [lower(name), lower(name).replace('amount', 'permit2')].map((one) => allowances.get(one) ?? -1n);
      if (source === 'balances') expect(real).toContain(amount);
      else expect(real.some((one) => one !== -1n && one <= amount)).toBe(true);
    }
    const raised = [...after.allowances].filter(([name, amount]) => amount > before.allowances.get(name)!);
    for (const [name, amount] of raised) {
      const listed = allowed.filter(([one]) => lower(one) === lower(name).replace('permit2', 'amount'));
      expect(listed.some(([, one]) => (source === 'balances' ? one === amount : one >= amount))).toBe(true);
    }
  }

  /** Previews calls, executes the same, and compares. */
  async function check(holder: Holder, calls: readonly Call[], areCoinsInexact = false): Promise<Outcome> {
    const before = await world.holdingsOf(holder);
    const outcome = await simulate(holder.simulation(calls), world.node);
    const { failed, fees } = await holder.execute(calls);
    if (failed !== undefined) {
      expect(outcome).toMatchObject({ kind: 'reverts' });
      // An externally owned account sends a transaction for each call.
      if (outcome.kind === 'reverts' && holder.name === 'eoa' && calls.length > 1)
        expect(outcome.reason).toMatch(new RegExp(`^call ${failed + 1}: `, 'u'));
      return outcome;
    }
    expectSame(outcome, before, await world.holdingsOf(holder), { fees, areCoinsInexact });
    return outcome;
  }

  /** The same, and undoes it. */
  async function checkAndUndo(holder: Holder, calls: readonly Call[], areCoinsInexact = false): Promise<Outcome> {
    const snapshot = await world.rpc('evm_snapshot');
    try {
      return await check(holder, calls, areCoinsInexact);
    } finally {
      await world.rpc('evm_revert', [snapshot]);
    }
  }

  type Flow = (holder: Holder) => readonly Call[];
  const pay = (to: Hex, value: bigint, data: Hex = '0x'): Call => ({ to, value, data });
  const call = (...args: Parameters<PreviewWorld['call']>): Call => world.call(...args);
  const at = (name: keyof PreviewWorld['contracts']): Hex => world.contracts[name].address;
  const multicall = (calls: readonly Call[], allowFailure = false): Call =>
    call(
      'multicall',
      'aggregate3Value',
      [calls.map(({ to, value, data }) => ({ target: to, allowFailure, value, callData: data }))],
      calls.reduce((sum, { value }) => sum + value, 0n),
    );
  const MAX_160 = (1n << 160n) - 1n;
  const MAX_48 = (1n << 48n) - 1n;

  /** Flows that succeed. */
  const FLOWS: readonly [string, Flow][] = [
    ['sends coins to a person', () => [pay(PERSON, UNIT)]],
    ['sends coins to itself', ({ address }) => [pay(address, UNIT)]],
    ['sends nothing', () => [pay(PERSON, 0n)]],
    ['calls an address without code', () => [pay(PERSON, 3n, '0x12345678')]],
    ['sends an ERC-20 token', () => [call('gold', 'transfer', [PERSON, 5n])]],
    ['sends an ERC-20 token to itself', ({ address }) => [call('gold', 'transfer', [address, 5n])]],
    ['sends a token that returns nothing', () => [call('noReturn', 'transfer', [PERSON, 7n])]],
    ['sends a token that keeps a fee', () => [call('fee', 'transfer', [PERSON, 1_000n])]],
    ['sends a token that keeps a fee to itself', ({ address }) => [call('fee', 'transfer', [address, 1_000n])]],
    ['sends a rebasing token', () => [call('rebasing', 'transfer', [PERSON, UNIT])]],
    ['makes others send a rebasing token', () => [multicall([call('rebasing', 'transfer', [PERSON, UNIT])])]],
    ['is lied to by a token', ({ address }) => [call('lying', 'lie', [address, 1_000_000n])]],
    ['mints tokens to itself', ({ address }) => [call('usd', 'mint', [address, 9n])]],
    ['sends several tokens', () => [call('gold', 'transfer', [PERSON, 5n]), call('usd', 'transfer', [PERSON, 6n])]],
    ['sends a token and coins', () => [call('gold', 'transfer', [PERSON, 5n]), pay(PERSON, 8n)]],
    ['allows an amount', () => [call('gold', 'approve', [at('drainer'), 250n])]],
    ['allows everything of a token', () => [call('noReturn', 'approve', [at('router'), MAX_UINT256])]],
    ['allows an amount of a token that grants half', () => [call('fee', 'approve', [at('drainer'), 250n])]],
    [
      'allows and takes back',
      () => [call('gold', 'approve', [at('drainer'), 250n]), call('gold', 'approve', [at('drainer'), 0n])],
    ],
    ['sends an NFT', ({ address, firstNft }) => [call('nft', 'transferFrom', [address, PERSON, firstNft])]],
    ['mints an NFT', ({ address, firstNft }) => [call('nft', 'mint', [address, firstNft + 15n])]],
    ['burns an NFT', ({ firstNft }) => [call('nft', 'burn', [firstNft + 1n])]],
    [
      'mints and sends an NFT',
      ({ address, firstNft }) => [
        call('nft', 'mint', [address, firstNft + 15n]),
        call('nft', 'transferFrom', [address, PERSON, firstNft + 15n]),
      ],
    ],
    ['allows moving one NFT', ({ firstNft }) => [call('nft', 'approve', [at('drainer'), firstNft])]],
    [
      'allows moving an NFT and takes it back',
      ({ firstNft }) => [
        call('nft', 'approve', [at('drainer'), firstNft]),
        call('nft', 'approve', [`0x${'0'.repeat(40)}`, firstNft]),
      ],
    ],
    [
      'allows moving an NFT and sends it away',
      ({ address, firstNft }) => [
        call('nft', 'approve', [at('drainer'), firstNft]),
        call('nft', 'transferFrom', [address, PERSON, firstNft]),
      ],
    ],
    ['allows moving every NFT', () => [call('nft', 'setApprovalForAll', [at('drainer'), true])]],
    [
      'allows moving every NFT and takes it back',
      () => [
        call('nft', 'setApprovalForAll', [at('drainer'), true]),
        call('nft', 'setApprovalForAll', [at('drainer'), false]),
      ],
    ],
    ['sends an item', ({ address }) => [call('items', 'safeTransferFrom', [address, PERSON, 1n, 5n, '0x'])]],
    [
      'sends several items',
      ({ address }) => [call('items', 'safeBatchTransferFrom', [address, PERSON, [1n, 3n, 1n], [5n, 6n, 7n], '0x'])],
    ],
    ['mints items', ({ address }) => [call('items', 'mint', [address, 2n, 40n])]],
    ['burns items', () => [call('items', 'burn', [2n, 40n])]],
    ['allows moving every item', () => [call('items', 'setApprovalForAll', [at('drainer'), true])]],
    ['wraps coins', () => [call('weth', 'deposit', [], UNIT)]],
    ['wraps coins by sending them', () => [pay(at('weth'), UNIT)]],
    ['unwraps coins', () => [call('weth', 'withdraw', [UNIT])]],
    ['wraps and sends', () => [call('weth', 'deposit', [], UNIT), call('weth', 'transfer', [PERSON, UNIT])]],
    [
      'swaps tokens',
      ({ address }) => [
        call('gold', 'approve', [at('router'), 10n * UNIT]),
        call('router', 'swap', [world.pools.goldUsd, at('gold'), 10n * UNIT, 0n, address]),
      ],
    ],
    [
      'swaps tokens and keeps an allowance',
      ({ address }) => [
        call('gold', 'approve', [at('router'), 15n * UNIT]),
        call('router', 'swap', [world.pools.goldUsd, at('gold'), 10n * UNIT, 0n, address]),
      ],
    ],
    [
      'swaps tokens for somebody else',
      () => [
        call('gold', 'approve', [at('router'), UNIT]),
        call('router', 'swap', [world.pools.goldUsd, at('gold'), UNIT, 0n, PERSON]),
      ],
    ],
    [
      'swaps coins and gets the rest back',
      ({ address }) => [call('router', 'swapCoins', [world.pools.goldWeth, at('weth'), address], UNIT)],
    ],
    [
      'swaps tokens for coins',
      () => [
        call('gold', 'approve', [at('router'), UNIT]),
        call('router', 'swapForCoins', [world.pools.goldWeth, at('gold'), UNIT, at('weth')]),
      ],
    ],
    ['pays several people in a multicall', () => [multicall([pay(PERSON, 5n), pay(OTHER_PERSON, 6n)])]],
    [
      'makes a multicall of which a part fails',
      () => [multicall([pay(PERSON, 5n), call('gold', 'transfer', [PERSON, MAX_UINT256])], true)],
    ],
    [
      'is drained by an allowance',
      ({ address }) => [
        call('gold', 'approve', [at('drainer'), MAX_UINT256]),
        call('drainer', 'claim', [at('gold'), address, 99_000n * UNIT]),
      ],
    ],
    [
      'is drained of every NFT',
      ({ address, firstNft }) => [
        call('nft', 'setApprovalForAll', [at('drainer'), true]),
        call('drainer', 'claimNfts', [at('nft'), address, [firstNft, firstNft + 1n, firstNft + 2n]]),
      ],
    ],
    [
      'allows an amount by Permit2',
      () => [
        call('gold', 'approve', [at('permit2'), MAX_UINT256]),
        call('permit2', 'approve', [at('gold'), at('drainer'), 500n, MAX_48]),
      ],
    ],
    [
      'is drained by Permit2',
      ({ address }) => [
        call('gold', 'approve', [at('permit2'), MAX_UINT256]),
        call('permit2', 'approve', [at('gold'), at('drainer'), MAX_160, MAX_48]),
        call('drainer', 'claimByPermit2', [at('gold'), address, 3n * UNIT]),
      ],
    ],
    ['pays and gets half back', () => [call('coins', 'refundHalf', [], 1_001n)]],
    ['pays somebody who refuses, and loses the coins', () => [call('coins', 'tryToPay', [at('coins')], 1_000n)]],
    ['pays, and the refund is undone', () => [call('coins', 'undoneRefund', [], 1_000n)]],
    ['pays, and inherits it from a contract that destroys itself', () => [call('coins', 'vanish', [], 1_000n)]],
    ['pays once through a proxy', () => [{ ...call('once', 'pay', [], 10n), to: world.proxy }]],
  ];

  /** Flows whose transfers of coins this node logs although they are undone, or does not log. */
  const LOGGED_WRONGLY = /refuses, and loses|refund is undone|destroys itself/u;

  /** Versions before 0.8 do not say which call fails. */
  const TELLING_WHICH: readonly string[] = ['simple-account-0.8', 'simple-account-0.9', 'delegated', 'upgraded'];
  const kinds = ['eoa', ...KIND_NAMES, 'delegated', 'upgraded'] as const;
  const holderOf = (name: (typeof kinds)[number]): Holder => {
    const holder = world.holders.find((one) => one.name === name);
    if (holder === undefined) throw new Error(`no holder ${name}`);
    return holder;
  };

  const simulated: readonly (typeof kinds)[number][] = perRun(['eoa', 'safe-0.7'], [...kinds]);
  describe.each(simulated)('%s', (kind) => {
    it.each(FLOWS)('%s', async (name, flow) => {
      const holder = holderOf(kind);
      const areCoinsInexact = kind === 'eoa' && LOGGED_WRONGLY.test(name);
      const calls = flow(holder);
      // A batch of entry point 0.6 carries no value: each call is an operation of its own.
      for (const part of holder.canExecute(calls) ? [calls] : calls.map((one) => [one]))
        expect(await checkAndUndo(holder, part, areCoinsInexact)).toMatchObject({ kind: 'changes' });
    });
  });

  /** Flows that revert, with the reason for an externally owned account. */
  const REVERTS: readonly [string, Flow, string][] = [
    [
      'sends more of a token than it has',
      () => [call('gold', 'transfer', [PERSON, MAX_UINT256])],
      'the balance of the token is too low',
    ],
    [
      'takes what it is not allowed to',
      ({ address }) => [call('drainer', 'claim', [at('gold'), address, 1n])],
      'the spender is not allowed to spend that much',
    ],
    [
      'sends an NFT that does not exist',
      ({ address }) => [call('nft', 'transferFrom', [address, PERSON, 99n])],
      'this NFT does not exist',
    ],
    [
      'sends more items than it has',
      ({ address }) => [call('items', 'safeTransferFrom', [address, PERSON, 1n, 5_000n, '0x'])],
      'the balance of this NFT is too low',
    ],
    [
      'swaps for less than the minimum',
      ({ address }) => [
        call('gold', 'approve', [at('router'), UNIT]),
        call('router', 'swap', [world.pools.goldUsd, at('gold'), UNIT, MAX_UINT256, address]),
      ],
      'call 2: the swap would return less than the minimum',
    ],
    [
      'uses an allowance of Permit2 that has expired',
      ({ address }) => [
        call('gold', 'approve', [at('permit2'), MAX_UINT256]),
        call('permit2', 'approve', [at('gold'), at('drainer'), 500n, 1]),
        call('drainer', 'claimByPermit2', [at('gold'), address, 5n]),
      ],
      'call 3: the allowance has expired',
    ],
    [
      'pays twice through a proxy that takes one payment',
      () => [0, 1].map(() => ({ ...call('once', 'pay'), to: world.proxy })),
      'call 2: “already paid”',
    ],
    [
      'makes a multicall that fails',
      () => [multicall([call('gold', 'transfer', [PERSON, MAX_UINT256])])],
      '“Multicall3: call failed”',
    ],
    ['is refused without a reason', () => [call('once', 'fail', [0n])], 'no reason given'],
    ['fails an assertion', () => [call('once', 'fail', [1n])], 'an internal check of the contract failed'],
    ['is refused with an error', () => [call('once', 'fail', [2n])], 'the balance is too low'],
    ['divides by zero', () => [call('once', 'fail', [3n])], 'the contract divides by zero'],
    ['reads beyond a list', () => [call('once', 'fail', [4n])], 'the contract reads beyond the end of a list'],
    ['overflows', () => [call('once', 'fail', [5n])], 'a number in the contract would overflow'],
    ['is refused with hidden characters', () => [call('once', 'fail', [6n])], '“\\u{202e}txen”'],
    ['calls a function that does not exist', () => [pay(at('gold'), 0n, '0x12345678')], 'no reason given'],
    ['unwraps more than it has', () => [call('weth', 'withdraw', [MAX_UINT256])], 'no reason given'],
  ];
  it.each(REVERTS)('says why it fails: %s', async (_name, flow, reason) => {
    const holder = holderOf('eoa');
    expect(await checkAndUndo(holder, flow(holder))).toEqual({ kind: 'reverts', reason });
  });
  it.each(kinds.slice(1))('says that a batch of %s fails, and why if the account tells', async (kind) => {
    const holder = holderOf(kind);
    for (const [, flow, reason] of REVERTS) {
      const outcome = await checkAndUndo(holder, flow(holder));
      expect(outcome.kind).toBe('reverts');
      if (TELLING_WHICH.includes(kind)) expect(outcome).toEqual({ kind: 'reverts', reason });
      else if (kind !== 'safe-0.7')
        expect(outcome).toEqual({ kind: 'reverts', reason: reason.replace(/^call \d: /u, '') });
      else expect(outcome).toEqual({ kind: 'reverts', reason: 'a call of the account fails' });
    }
  });

  it('says that coins are missing', async () => {
    const { simulation } = holderOf('eoa');
    const outcome = await simulate(simulation([pay(PERSON, 10n ** 30n)]), world.node);
    expect(outcome).toEqual({
      kind: 'reverts',
      reason: "the sender has less of the network's coin than it would send",
    });
  });

  // Anvil runs simulated calls at a base fee of 0, whatever it is told (sign 2); geth does not.
  it.each(Array.from({ length: 17 }, (_item, sign) => sign).filter((sign) => sign !== 2))(
    'is not recognised by a contract that behaves in a preview and steals on the chain: sign %i',
    async (sign) => {
      const outcome = await checkAndUndo(holderOf('eoa'), [call('bait', 'claim', [sign], UNIT)]);
      expect(outcome).toMatchObject({ changes: { sends: [{ amount: UNIT }], receives: [] } });
    },
  );

  it('names what the token contracts declare', async () => {
    const { address, simulation, firstNft } = holderOf('eoa');
    const outcome = await simulate(
      simulation([
        call('noReturn', 'transfer', [PERSON, 7n]),
        call('gold', 'approve', [at('drainer'), 5n]),
        call('nft', 'transferFrom', [address, PERSON, firstNft]),
        call('items', 'burn', [1n, 4n]),
      ]),
      world.node,
    );
    expect(outcome).toEqual({
      kind: 'changes',
      changes: {
        sends: [
          {
            asset: { kind: 'erc20', token: at('noReturn'), declared: { symbol: 'NORET', decimals: 6 } },
            amount: 7n,
          },
          {
            asset: { kind: 'erc721', token: at('nft'), id: firstNft, declared: { name: 'Test Collection' } },
            amount: 1n,
          },
          { asset: { kind: 'erc1155', token: at('items'), id: 1n, declared: { name: 'Test Items' } }, amount: 4n },
        ],
        receives: [],
        allows: [
          {
            kind: 'amount',
            token: at('gold'),
            spender: at('drainer'),
            amount: 5n,
            declared: { symbol: 'GOLD', decimals: 18, supply: expect.any(BigInt) as bigint },
          },
        ],
        creates: [],
      },
    });
  });

  it('shows what a signed permit takes and leaves allowed', async () => {
    const holder = holderOf('eoa');
    const signature = await world.eoaAccount.signTypedData({
      domain: { name: 'GOLD', version: '1', chainId: CHAIN_ID, verifyingContract: at('gold') },
      types: {
        Permit: [
          { name: 'owner', type: 'address' },
          { name: 'spender', type: 'address' },
          { name: 'value', type: 'uint256' },
          { name: 'nonce', type: 'uint256' },
          { name: 'deadline', type: 'uint256' },
        ],
      },
      primaryType: 'Permit',
      message: {
        owner: holder.address,
        spender: at('drainer'),
        value: MAX_UINT256,
        nonce: 0n,
        deadline: MAX_UINT256,
      },
    });
    const [r, s, v] = [signature.slice(0, 66), `0x${signature.slice(66, 130)}`, Number(`0x${signature.slice(130)}`)];
    const outcome = await checkAndUndo(holder, [
      call('drainer', 'claimPermitted', [at('gold'), holder.address, 42n, v, r, s]),
    ]);
    expect(outcome).toMatchObject({
      changes: { sends: [{ amount: 42n }], allows: [{ spender: at('drainer'), amount: MAX_UINT256 }] },
    });
  });

  it('shows the contract that a transaction creates', async () => {
    const { address, simulation } = holderOf('eoa');
    const { abi, bytecode } = world.compiled.TestToken!;
    const data = encodeDeployData({ abi, bytecode, args: ['NEW', 18] });
    const base = simulation([]);
    const calls: SimulatedCall[] = [{ from: address, to: null, value: 0n, data }];
    const outcome = await simulate({ ...base, calls }, world.node);
    const { contractAddress } = await world.send(address, { data });
    expect(outcome).toEqual({
      kind: 'changes',
      changes: { sends: [], receives: [], allows: [], creates: [contractAddress] },
    });
  });

  it('is unknown on a node of another network', async () => {
    const simulation = { ...holderOf('eoa').simulation([pay(PERSON, 1n)]), chainId: 1n };
    expect(await simulate(simulation, world.node)).toEqual({
      kind: 'unknown',
      why: 'the node serves another network',
    });
  });

  describe('on a node without eth_simulateV1', () => {
    /** Only balances tell what these tokens do, and a trace has none. */
    const BY_BALANCES = /keeps a fee|rebasing|lied to|grants half/u;

    const traced: readonly (typeof kinds)[number][] = perRun(
      ['delegated'],
      ['eoa', 'simple-account-0.8', 'safe-0.7', 'delegated', 'upgraded'],
    );
    it.each(traced)('reads the logs of a trace: %s', async (kind) => {
      const holder = holderOf(kind);
      const old = await startFaultyService(world.url);
      try {
        old.fault = on('eth_simulateV1', refuses(-32601, 'the method eth_simulateV1 does not exist'));
        const node = new NodeClient({ url: old.url });
        const tried: string[] = [];
        for (const [name, flow] of FLOWS) {
          const calls = flow(holder);
          const simulation = holder.simulation(calls);
          if (simulation.calls.length > 1 || BY_BALANCES.test(name)) continue;
          tried.push(name);
          const before = await world.holdingsOf(holder);
          const snapshot = await world.rpc('evm_snapshot');
          const outcome = await simulate(simulation, node);
          const { fees } = await holder.execute(calls);
          expectSame(outcome, before, await world.holdingsOf(holder), { fees, source: 'trace' });
          await world.rpc('evm_revert', [snapshot]);
        }
        expect(tried.length).toBeGreaterThan(20);
        expect(old.asked.filter((method) => method === 'eth_simulateV1')).toHaveLength(1);
      } finally {
        await old.stop();
      }
    });

    it('tells by eth_call whether a call succeeds, if the node cannot trace', async () => {
      const { simulation } = holderOf('eoa');
      const old = await startFaultyService(world.url);
      try {
        old.fault = (request, response) =>
          on('eth_simulateV1', refuses(-32601, 'Method not found'))(request, response) ||
          on('debug_traceCall', refuses(-32601, 'Method not found'))(request, response);
        const node = new NodeClient({ url: old.url });
        expect(await simulate(simulation([call('gold', 'transfer', [PERSON, 5n])]), node)).toEqual({
          kind: 'succeeds',
        });
        expect(await simulate(simulation([call('gold', 'transfer', [PERSON, MAX_UINT256])]), node)).toEqual({
          kind: 'reverts',
          reason: 'the balance of the token is too low',
        });
      } finally {
        await old.stop();
      }
    });
  });

  const COUNT = perRun(100, 2_000);
  describe(`${COUNT} hostile requests`, () => {
    /** One in so many is simulated, besides those that know a preview when they see one. */
    const SIMULATED = 16;
    /** The chain returns to its first state after so many, so that the account does not run out of what it can lose. */
    const ROUND = 25;
    const { encodeCalls } = DELEGATED_KINDS['0.8'];
    const domain = { version: '0.8', entryPoint: ENTRY_POINTS['0.8'], chainId: CHAIN_ID } as const;
    const OPERATION = {
      nonce: 0n,
      initCode: '0x',
      callGasLimit: 3_000_000n,
      verificationGasLimit: 1n,
      preVerificationGas: 1n,
      maxFeePerGas: 1n,
      maxPriorityFeePerGas: 1n,
      paymasterAndData: '0x',
      signature: '0x',
    } as const;

    /** The open part of the screen of an operation with these calls. */
    function openPartOf(holder: Holder, calls: readonly Call[], outcome: Outcome | undefined) {
      const declared = Object.fromEntries(
        TOKENS_WITH_DECIMALS.map(([name, symbol, decimals]) => [
          `${CHAIN_ID}:${lower(at(name))}`,
          { symbol, decimals },
        ]),
      );
      const view: Viewpoint = {
        signer: holder.address,
        now: 1_767_225_600n,
        chainId: CHAIN_ID,
        contractMetadata: { shards: {}, contracts: {}, tokens: {}, declared },
        recipients: { used: [PERSON], own: {}, hasCode: {} },
        ...(outcome && { outcome }),
      };
      const operation: UserOperation = { ...OPERATION, sender: holder.address, callData: encodeCalls(calls) };
      const facts = { domain, calls, accountTitle: 'Account', wasPrepared: true, funds: undefined };
      const { changes, main, dangers } = explainUserOperation(operation, facts, view);
      const lines = [...changes, ...main].map(({ label, value }) => `${label}: ${value}`);
      return { changes, lines, codes: dangers.map(({ code }) => code) };
    }

    it('show at least what an honest execution really takes, allows, and to whom', async () => {
      const holder = holderOf('delegated');
      const cast = { world, holder, encodeCalls };
      const next = random(20_261_126);
      const coins = async (): Promise<bigint> =>
        BigInt(await world.rpc<Hex>('eth_getBalance', [holder.address, 'latest']));
      const problems: string[] = [];
      let [executed, losses, permissions] = [0, 0, 0];
      let snapshot = await world.rpc('evm_snapshot');
      const first = await coins();
      let had = first;
      for (let index = 0; index < COUNT; index++) {
        const request = hostileRequest(next, cast);
        const isSimulated = request.isBait || index % SIMULATED === 0;
        const outcome = isSimulated ? await simulate(holder.simulation(request.calls), world.node) : undefined;
        const { changes, lines, codes } = openPartOf(holder, request.calls, outcome);
        const { failed, logs = [] } = await holder.execute(request.calls);
        if (failed === undefined) executed++;
        const has = await coins();
        const { lost, allowed } = changedBy(logs, had - has, cast);
        had = has;
        const miss = (what: string): void => void problems.push(`request ${index}: ${what}\n${lines.join('\n')}`);
        const shown = shownIn(changes, world);
        for (const [name, amount] of lost) {
          if (amount <= 0n) continue;
          losses++;
          if (shown.sent(name) + shown.allowedToAll(name) < amount) miss(`lost ${amount} of ${name}`);
        }
        for (const [name, amount] of allowed) {
          permissions++;
          if (shown.allowed(name) < amount) miss(`allowed ${amount} of ${name}`);
        }
        const whole = lower(lines.join('\n'));
        const hidden = request.beneficiaries.filter((one) => !whole.includes(lower(one)));
        if (hidden.length > 0) miss(`hidden: ${hidden.join(', ')}`);
        if (request.twins.length > 0 && !codes.includes('address-poisoning')) miss('a twin is not flagged');
        if (index % ROUND !== ROUND - 1) continue;
        await world.rpc('evm_revert', [snapshot]);
        snapshot = await world.rpc('evm_snapshot');
        had = first;
      }
      expect(problems.slice(0, 3).join('\n\n')).toBe('');
      // The oracle has something to say.
      expect(executed).toBeGreaterThan(COUNT / 2);
      expect(losses).toBeGreaterThan(COUNT / 4);
      expect(permissions).toBeGreaterThan(COUNT / 4);
    });
  });

  describe('of user operations that the entry point executes', () => {
    const DEPOSIT_ABI = parseAbi(['function depositTo(address account) payable']);
    const NONCE_ABI = parseAbi(['function getNonce(address sender, uint192 key) view returns (uint256)']);
    const word = (high: bigint, low: bigint): Hex => `0x${((high << 128n) | low).toString(16).padStart(64, '0')}`;

    /** An account of a kind with funds, and its operation that makes calls. */
    async function prepared(
      name: (typeof KIND_NAMES)[number],
      salt: bigint,
      callsOf: (sender: Hex) => readonly Call[],
    ) {
      const kind = KINDS[name];
      const version = kind.entryPointVersion;
      const entryPoint = kind.entryPoint ?? ENTRY_POINTS[version];
      const domain = { version, entryPoint, chainId: CHAIN_ID };
      const deployment = { factory: kind.factory, owner: world.eoaAccount.address, salt };
      const sender = kind.address(deployment);
      const rich = holderOf('eoa').address;
      await world.send(rich, pay(sender, 10n * UNIT));
      await world.send(rich, call('gold', 'transfer', [sender, 50n]));
      // The deposit pays the fees, so that the account's own coins tell what it sends.
      const deposit = encodeFunctionData({ abi: DEPOSIT_ABI, args: [sender] });
      await world.send(rich, { to: entryPoint, value: 10n * UNIT, data: deposit });
      const nonceData = encodeFunctionData({ abi: NONCE_ABI, args: [sender, 0n] });
      const nonce = BigInt(await world.rpc<Hex>('eth_call', [{ to: entryPoint, data: nonceData }, 'latest']));
      const code = await world.rpc<Hex>('eth_getCode', [sender, 'latest']);
      const operationWith = (callGasLimit: bigint): UserOperation => ({
        sender,
        nonce,
        initCode: code === '0x' ? kind.initCode(deployment) : '0x',
        callData: kind.encodeCalls([...callsOf(sender)]),
        callGasLimit,
        verificationGasLimit: 1_000_000n,
        preVerificationGas: 100_000n,
        maxFeePerGas: 10n ** 10n,
        maxPriorityFeePerGas: 10n ** 9n,
        paymasterAndData: '0x',
        signature: kind.dummySignature,
      });
      /** The transaction in which the entry point executes the signed operation. */
      const transactionOf = (operation: UserOperation): { readonly to: Hex; readonly data: Hex } => {
        const digest = kind.signingDigest(userOperationHash(operation, domain), operation, domain);
        const signature = kind.wrapSignature(toHex(signatureToBytes(signDigest(digest, fromHex(OWNER_KEY)))));
        const { verificationGasLimit, callGasLimit, maxPriorityFeePerGas, maxFeePerGas } = operation;
        const fields =
          version === '0.6'
            ? {}
            : {
                accountGasLimits: word(verificationGasLimit, callGasLimit),
                gasFees: word(maxPriorityFeePerGas, maxFeePerGas),
              };
        const args = [[{ ...operation, ...fields, signature }], PERSON];
        const data = encodeFunctionData({ abi: entryPointAbi(version), functionName: 'handleOps', args });
        return { to: entryPoint, data };
      };
      const previewOf = (operation: UserOperation): Promise<Outcome> =>
        simulate({ chainId: CHAIN_ID, account: sender, calls: operationCalls(operation, domain) }, world.node);
      return { version, sender, rich, operationWith, transactionOf, previewOf };
    }

    const EACH_KIND = KIND_NAMES.flatMap((kind) => [
      [kind, 'deployed', 0n] as const,
      [kind, 'not deployed yet', 7n] as const,
    ]);

    it.each(EACH_KIND)('%s, %s', async (name, _state, salt) => {
      const calls = [call('gold', 'transfer', [PERSON, 20n]), call('gold', 'approve', [at('drainer'), 3n])];
      const { sender, rich, operationWith, transactionOf, previewOf } = await prepared(name, salt, () => calls);
      const holder: Holder = { ...holderOf(name), address: sender };
      const operation = operationWith(500_000n);
      expect(operation.initCode === '0x').toBe(salt === 0n);
      const before = await world.holdingsOf(holder);
      const outcome = await previewOf(operation);
      const { status } = await world.send(rich, transactionOf(operation));
      expect(status).toBe('0x1');
      expectSame(outcome, before, await world.holdingsOf(holder));
      expect(outcome).toMatchObject({ changes: { sends: [{ amount: 20n }], allows: [{ amount: 3n }] } });
    });

    /** The least `callGasLimit` with which the entry point executes the operation. */
    async function leastGas({ version, rich, operationWith, transactionOf }: Awaited<ReturnType<typeof prepared>>) {
      const succeeds = async (callGasLimit: bigint): Promise<boolean> => {
        const simulated = { calls: [{ from: rich, ...transactionOf(operationWith(callGasLimit)) }] };
        const [block] = await world.rpc<{ calls: { status: Hex; logs: RpcLog[] }[] }[]>('eth_simulateV1', [
          { blockStateCalls: [simulated] },
          'latest',
        ]);
        const { status, logs = [] } = block?.calls[0] ?? {};
        expect(status).toBe('0x1');
        const events = parseEventLogs({ abi: entryPointAbi(version), eventName: 'UserOperationEvent', logs });
        expect(events).toHaveLength(1);
        return (events[0] as unknown as { args: { success: boolean } }).args.success;
      };
      let [tooLow, enough] = [0n, 1n << 18n];
      expect(await succeeds(enough)).toBe(true);
      while (enough - tooLow > 1n) {
        const middle = (tooLow + enough) / 2n;
        if (await succeeds(middle)) enough = middle;
        else tooLow = middle;
      }
      return enough;
    }

    // Its validation has made accounts and storage cheaper for the call, which a bundler's estimate is aware of.
    it.each(EACH_KIND)('%s, %s: with the gas that it needs it succeeds, with less it fails', async (name, _, salt) => {
      const account = await prepared(name, salt, () => [pay(PERSON, 5n)]);
      const { operationWith, previewOf } = account;
      const least = await leastGas(account);
      expect(await previewOf(operationWith(least))).toMatchObject({ kind: 'changes' });
      expect(await previewOf(operationWith(least - 2500n))).toMatchObject({ kind: 'reverts' });
      // A payment cannot look possible by being long.
      const { callData, ...long } = operationWith(1000n);
      const padded: Hex = `${callData}${'00'.repeat(400)}`;
      expect(await previewOf({ ...long, callData: padded })).toMatchObject({ kind: 'reverts' });
    });

    it.each([
      ['deployed', 0n],
      ['not deployed yet', 7n],
    ])('a Safe, %s, that changes its settings: with the gas that it needs, it succeeds', async (_, salt) => {
      const account = await prepared('safe-0.7', salt, (to) => [
        ...[PERSON, NOBODY].map((owner) => ({
          to,
          value: 0n,
          data: encodeFunctionData({
            abi: parseAbi(['function addOwnerWithThreshold(address owner, uint256 threshold)']),
            args: [owner, 1n],
          }),
        })),
        pay(PERSON, 5n),
      ]);
      const least = await leastGas(account);
      expect(await account.previewOf(account.operationWith(least))).toMatchObject({ kind: 'changes' });
    });

    it.each(KIND_NAMES)('%s: with too little gas, it fails', async (name) => {
      const { operationWith, previewOf } = await prepared(name, 0n, () => [call('gold', 'transfer', [NOBODY, 20n])]);
      expect(await previewOf(operationWith(100_000n))).toMatchObject({ kind: 'changes' });
      expect(await previewOf(operationWith(1_000n))).toMatchObject({ kind: 'reverts' });
    });
  });

  /** mulberry32: the same batches in every run. */
  function generator(seed: number): (below: number) => number {
    let state = seed;
    return (below) => {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
    };
  }

  it('is right for 300 random batches, one after the other', async () => {
    const random = generator(4337);
    const pick = <T>(items: readonly T[]): T => items[random(items.length)]!;
    const amount = (): bigint => BigInt(random(1_000_000)) * 10n ** BigInt(random(14));
    const actions: readonly ((holder: Holder) => Call)[] = [
      () => pay(pick([PERSON, OTHER_PERSON, at('weth'), at('coins')]), amount()),
      () => call(pick(['gold', 'usd', 'noReturn', 'fee', 'rebasing', 'weth']), 'transfer', [PERSON, amount()]),
      ({ address }) => call(pick(['gold', 'usd', 'fee']), 'mint', [address, amount()]),
      () =>
        call(pick(['gold', 'usd', 'noReturn', 'fee', 'weth']), 'approve', [
          pick([at('drainer'), at('router')]),
          amount(),
        ]),
      ({ address, firstNft }) => call('nft', 'transferFrom', [address, PERSON, firstNft + BigInt(random(12))]),
      ({ firstNft }) => call('nft', 'approve', [pick([at('drainer'), at('router')]), firstNft + BigInt(random(12))]),
      ({ address, firstNft }) => call('nft', 'mint', [address, firstNft + BigInt(random(20))]),
      () => call(pick(['nft', 'items']), 'setApprovalForAll', [at('drainer'), random(2) === 0]),
      ({ address }) =>
        call('items', 'safeTransferFrom', [address, PERSON, BigInt(1 + random(3)), BigInt(random(60)), '0x']),
      ({ address }) => call('items', 'mint', [address, BigInt(1 + random(3)), BigInt(random(60))]),
      () => call('weth', 'deposit', [], amount()),
      () => call('weth', 'withdraw', [amount()]),
      () => call('router', 'swap', [world.pools.goldUsd, at('gold'), amount(), 0n, PERSON]),
      ({ address }) => call('router', 'swapCoins', [world.pools.goldWeth, at('weth'), address], 10n ** 12n + amount()),
      ({ address }) => call('drainer', 'claim', [at(pick(['gold', 'usd', 'weth'])), address, amount()]),
      () => call('coins', pick(['refundHalf', 'undoneRefund', 'vanish']), [], amount()),
      () => multicall([pay(PERSON, amount()), call('rebasing', 'transfer', [PERSON, 1_000n])]),
      ({ address }) => call('lying', 'lie', [address, amount()]),
    ];
    const kindsOfOutcome = { changes: 0, reverts: 0 };
    let batches = 0;
    const WANTED = perRun(50, 300);
    while (batches < WANTED) {
      const holder = pick(world.holders);
      const calls = Array.from({ length: 1 + random(4) }, () => pick(actions)(holder));
      if (!holder.canExecute(calls)) continue;
      batches += 1;
      const { kind } = await check(holder, calls);
      if (kind === 'changes' || kind === 'reverts') kindsOfOutcome[kind] += 1;
    }
    expect(kindsOfOutcome.changes + kindsOfOutcome.reverts).toBe(WANTED);
    expect(Math.min(kindsOfOutcome.changes, kindsOfOutcome.reverts)).toBeGreaterThan(WANTED / 6);
  });
});
