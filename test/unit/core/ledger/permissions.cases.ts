import { decodeFunctionData, encodeAbiParameters, type Hex, toEventSelector, toFunctionSelector } from 'viem';

import { MAX_UINT256 } from '../../../../src/core/eth/units';
import { ERC20_ABI, NFT_ABI, PERMIT2_ABI } from '../../../../src/core/ledger/abi';
import { candidatesIn } from '../../../../src/core/ledger/candidates';
import {
  AUTHORIZED_OPERATOR,
  BORROW_ALLOWANCE,
  ITEM_APPROVAL,
  OPERATOR_SET,
  REVOKED_OPERATOR,
} from '../../../../src/core/ledger/filters';
import { type ChainState, type Read } from '../../../../src/core/ledger/chain-state';
import { permissionsAt } from '../../../../src/core/ledger/permissions';
import { type PlacedLog } from '../../../../src/core/ledger/placed-log';
import { revokeCalls } from '../../../../src/core/ledger/revoke';
import { canarySentence, searchedWords, warningSentence } from '../../../../src/core/ledger/words';
import {
  APPROVAL,
  APPROVAL_FOR_ALL,
  PERMIT2,
  PERMIT2_APPROVAL,
  TRANSFER_TOPIC,
} from '../../../../src/core/simulation/asset-logs';

const ACCOUNT: Hex = `0x${'a1'.repeat(20)}`;
const SPENDER: Hex = `0x${'b2'.repeat(20)}`;
const TOKEN: Hex = `0x${'c3'.repeat(20)}`;
const EMPTY: Hex = `0x${'e0'.repeat(20)}`;
const permit2 = PERMIT2.toLowerCase() as Hex;
const NOW = 1_800_000_000n;
const YEAR = 365n * 86_400n;

const word = (value: bigint | Hex): Hex =>
  `0x${(typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(64, '0')}`;

let index = 0;
const log = (address: Hex, topics: readonly Hex[], data: Hex = '0x', blockNumber = 10n): PlacedLog => ({
  address,
  topics: [...topics],
  data,
  blockNumber,
  logIndex: index++,
  transactionHash: word(blockNumber),
});

const approval = (amount: bigint, blockNumber = 10n, spender = SPENDER): PlacedLog =>
  log(TOKEN, [APPROVAL, word(ACCOUNT), word(spender)], word(amount), blockNumber);

/** Answers calls by contract and the beginning of their data; nothing else answers. */
const stateOf = (
  answers: Readonly<Record<string, Hex | bigint | undefined>>,
  more: Partial<ChainState> = {},
  refused: readonly string[] = [],
): ChainState => ({
  block: 100n,
  time: NOW,
  calls: async (reads: readonly Read[]) =>
    Promise.resolve(
      reads.map(({ to, data }) => {
        const answer = answers[`${to.toLowerCase()} ${data.slice(0, 10)}`];
        return typeof answer === 'bigint' ? word(answer) : answer;
      }),
    ),
  reverts: async (from, { to, data }) =>
    Promise.resolve(from === ACCOUNT && refused.includes(`${to.toLowerCase()} ${data.slice(0, 10)}`)),
  code: async () => Promise.resolve('0x6001'),
  nonce: async () => Promise.resolve(1n),
  storage: async () => Promise.resolve(0n),
  timeOf: async () => Promise.resolve(NOW - 10n),
  ...more,
});

const ALLOWANCE = `${TOKEN} 0xdd62ed3e`;
const BALANCE = `${TOKEN} 0x70a08231`;
const GET_APPROVED = `${TOKEN} 0x081812fc`;
const OWNER_OF = `${TOKEN} 0x6352211e`;
const FOR_ALL = `${TOKEN} 0xe985e9c5`;
const IN_PERMIT2 = `${permit2} 0x927da105`;
const CREDIT = `${TOKEN} 0x6bd76d24`;
const APPROVE = `${TOKEN} 0x095ea7b3`;
const DECREASE = `${TOKEN} 0xa457c2d7`;
const SET_FOR_ALL = `${TOKEN} 0xa22cb465`;
const permitted = (amount: bigint, expires: bigint, nonce = 3): Hex =>
  encodeAbiParameters([{ type: 'uint160' }, { type: 'uint48' }, { type: 'uint48' }], [amount, Number(expires), nonce]);

const found = async (logs: readonly PlacedLog[], state: ChainState) =>
  permissionsAt(candidatesIn(logs, ACCOUNT), logs, ACCOUNT, state);

describe('a token that lies', () => {
  test('logs an approval that it does not have: there is none', async () => {
    const { permissions, unread } = await found([approval(MAX_UINT256)], stateOf({ [ALLOWANCE]: 0n, [BALANCE]: 5n }));
    expect([permissions, unread]).toEqual([[], []]);
  });

  test('logs that an approval was taken back, and keeps it: it is listed', async () => {
    const { permissions } = await found([approval(5n), approval(0n, 11n)], stateOf({ [ALLOWANCE]: 7n, [BALANCE]: 5n }));
    expect(permissions).toMatchObject([{ kind: 'amount', spender: SPENDER, amount: 7n, takeable: 5n }]);
  });

  test('does not answer: it is counted, and hides no other', async () => {
    const other: Hex = `0x${'d4'.repeat(20)}`;
    const logs = [approval(5n), log(other, [APPROVAL_FOR_ALL, word(ACCOUNT), word(SPENDER)], word(1n))];
    const { permissions, unread } = await found(logs, stateOf({ [`${other} 0xe985e9c5`]: 1n }));
    expect(permissions).toMatchObject([{ kind: 'collection', token: other }]);
    expect(unread).toMatchObject([{ kind: 'amount', token: TOKEN }]);
  });

  test('answers with code that is gone, with too little, or with a strange truth: nothing is listed', async () => {
    const logs = [approval(5n), log(TOKEN, [APPROVAL_FOR_ALL, word(ACCOUNT), word(SPENDER)], word(1n))];
    for (const answer of ['0x', '0x01', word(2n)] as const) {
      const { permissions } = await found(logs, stateOf({ [ALLOWANCE]: '0x', [FOR_ALL]: answer }));
      expect(permissions).toEqual([]);
    }
  });

  test('copies the event of Permit2: only Permit2 counts', () => {
    const topics = [PERMIT2_APPROVAL, word(ACCOUNT), word(TOKEN), word(SPENDER)];
    expect(candidatesIn([log(TOKEN, topics, word(5n))], ACCOUNT)).toEqual([]);
    expect(candidatesIn([log(PERMIT2, topics, word(5n))], ACCOUNT)).toMatchObject([
      { kind: 'permit2', token: TOKEN, spender: SPENDER, amount: 5n },
      { kind: 'amount', token: TOKEN, spender: permit2 },
    ]);
  });

  test('names no token or no spender in the event of Permit2: no candidate', () => {
    const dirty: Hex = `0x01${'0'.repeat(22)}${'b2'.repeat(20)}`;
    for (const topics of [
      [word(ACCOUNT), dirty, word(SPENDER)],
      [word(ACCOUNT), word(TOKEN), dirty],
      [word(ACCOUNT), word(TOKEN)],
      [word(ACCOUNT)],
    ])
      expect(candidatesIn([log(PERMIT2, [PERMIT2_APPROVAL, ...topics], word(5n))], ACCOUNT)).toEqual([]);
  });

  test('names another owner, nobody, or more than an address: no candidate', () => {
    const dirty: Hex = `0x01${'0'.repeat(22)}${'b2'.repeat(20)}`;
    const logs = [
      log(TOKEN, [APPROVAL, word(SPENDER), word(ACCOUNT)], word(5n)),
      log(TOKEN, [APPROVAL, word(ACCOUNT), word(0n)], word(5n)),
      log(TOKEN, [APPROVAL, word(ACCOUNT), dirty], word(5n)),
      log(TOKEN, [TRANSFER_TOPIC, word(ACCOUNT), word(SPENDER)], word(5n)),
      log(TOKEN, [APPROVAL]),
      log(TOKEN, []),
    ];
    expect(candidatesIn(logs, ACCOUNT)).toEqual([]);
  });
});

test('what could be taken through Permit2 is the least of its allowance, its own, and the balance', async () => {
  const logs = [log(PERMIT2, [PERMIT2_APPROVAL, word(ACCOUNT), word(TOKEN), word(SPENDER)], word(50n))];
  const takeable = async (inPermit2: bigint, behind: bigint, balance: bigint): Promise<unknown> => {
    const state = stateOf({
      [IN_PERMIT2]: permitted(inPermit2, NOW + 1n),
      [ALLOWANCE]: behind,
      [BALANCE]: balance,
    });
    return (await found(logs, state)).permissions.find(({ kind }) => kind === 'permit2')?.takeable;
  };
  expect(await takeable(50n, 40n, 30n)).toBe(30n);
  expect(await takeable(50n, 20n, 30n)).toBe(20n);
  expect(await takeable(10n, 20n, 30n)).toBe(10n);
  const expired = stateOf({ [IN_PERMIT2]: permitted(50n, NOW - 1n), [ALLOWANCE]: 0n, [BALANCE]: 1n });
  expect((await found(logs, expired)).permissions).toEqual([]);
});

test('an NFT counts while the account has it and the spender is the one approved', async () => {
  const logs = [log(TOKEN, [APPROVAL, word(ACCOUNT), word(SPENDER), word(7n)])];
  const listed = async (approved: Hex, owner: Hex): Promise<number> =>
    (await found(logs, stateOf({ [GET_APPROVED]: word(approved), [OWNER_OF]: word(owner) }))).permissions.length;
  expect(await listed(SPENDER, ACCOUNT)).toBe(1);
  expect(await listed(SPENDER, SPENDER)).toBe(0);
  expect(await listed(TOKEN, ACCOUNT)).toBe(0);
  // A contract that says whose it is, but not who may move it, has not answered.
  expect((await found(logs, stateOf({ [OWNER_OF]: word(ACCOUNT) }))).unread).toHaveLength(1);
  // A burned NFT does not answer.
  expect(await found(logs, stateOf({}))).toEqual({ permissions: [], unread: [] });
});

describe('warnings', () => {
  const warningsOf = async (
    logs: readonly PlacedLog[],
    amount: bigint,
    more: Partial<ChainState> = {},
  ): Promise<readonly string[]> =>
    (await found(logs, stateOf({ [ALLOWANCE]: amount, [BALANCE]: 5n }, more))).permissions[0]!.warnings;
  const spent = log(TOKEN, [TRANSFER_TOPIC, word(ACCOUNT), word(SPENDER)], word(1n), 12n);

  test.each<readonly [string, readonly PlacedLog[], bigint, Partial<ChainState>, readonly string[]]>([
    ['a contract, used', [approval(9n), spent], 9n, {}, []],
    ['not used', [approval(9n)], 9n, {}, ['unused']],
    ['partly used', [approval(9n)], 8n, {}, []],
    ['used before it was given again', [spent, approval(9n, 13n)], 9n, {}, ['unused']],
    ['used in the block in which it was given', [approval(9n, 12n), spent], 9n, {}, []],
    ['without limit', [approval(MAX_UINT256), spent], MAX_UINT256, {}, ['unlimited']],
    ['without limit, not used', [approval(MAX_UINT256)], MAX_UINT256, {}, ['unlimited', 'unused']],
    ['an account', [approval(9n), spent], 9n, { code: async () => Promise.resolve('0x') }, ['account']],
    [
      'an account that was never used',
      [approval(9n), spent],
      9n,
      { code: async () => Promise.resolve('0x'), nonce: async () => Promise.resolve(0n) },
      ['account', 'unused-account'],
    ],
    [
      'an account that has delegated',
      [approval(9n), spent],
      9n,
      { code: async () => Promise.resolve(`0xef0100${'11'.repeat(20)}` as const) },
      ['account'],
    ],
    ['a proxy', [approval(9n), spent], 9n, { storage: async () => Promise.resolve(1n) }, ['proxy']],
    ['a year old', [approval(9n), spent], 9n, { timeOf: async () => Promise.resolve(NOW - YEAR) }, []],
    ['old', [approval(9n), spent], 9n, { timeOf: async () => Promise.resolve(NOW - YEAR - 1n) }, ['old']],
    ['the token itself', [approval(9n, 10n, TOKEN), spent], 9n, {}, ['token']],
  ])('%s', async (_name, logs, amount, more, warnings) => {
    expect(await warningsOf(logs, amount, more)).toEqual(warnings);
    for (const one of warnings) expect(warningSentence(one as never)).toMatch(/\.$/u);
  });

  test('that it is not used is not said of what leaves no trace when it is used', async () => {
    const nft = log(TOKEN, [APPROVAL, word(ACCOUNT), word(SPENDER), word(7n)]);
    const credit = log(TOKEN, [BORROW_ALLOWANCE, word(ACCOUNT), word(SPENDER), word(TOKEN)], word(MAX_UINT256));
    const collection = log(TOKEN, [APPROVAL_FOR_ALL, word(ACCOUNT), word(SPENDER)], word(1n));
    const answers = { [GET_APPROVED]: word(SPENDER), [OWNER_OF]: word(ACCOUNT), [FOR_ALL]: 1n };
    const { permissions } = await found([nft, credit, collection], stateOf({ ...answers, [CREDIT]: MAX_UINT256 }));
    expect(Object.fromEntries(permissions.map(({ kind, warnings }) => [kind, warnings]))).toEqual({
      nft: [],
      credit: ['unlimited'],
      collection: ['unlimited'],
    });
  });

  test('that it is not used is said of one in Permit2 without a limit, whose transfers show', async () => {
    const most = (1n << 160n) - 1n;
    const logs = [log(PERMIT2, [PERMIT2_APPROVAL, word(ACCOUNT), word(TOKEN), word(SPENDER)], word(most))];
    const state = stateOf({ [IN_PERMIT2]: permitted(most, NOW + 1n), [ALLOWANCE]: most, [BALANCE]: 5n });
    const { permissions } = await found(logs, state);
    expect(permissions.find(({ kind }) => kind === 'permit2')?.warnings).toEqual(['unlimited', 'unused']);
  });

  test('the time of a permission is said only if the node says it', async () => {
    const sinceOf = async (more: Partial<ChainState>) =>
      (await found([approval(9n)], stateOf({ [ALLOWANCE]: 9n, [BALANCE]: 5n }, more))).permissions[0]?.since;
    expect(await sinceOf({})).toStrictEqual({ block: 10n, time: NOW - 10n });
    expect(await sinceOf({ timeOf: async () => Promise.reject(new Error('silent')) })).toStrictEqual({ block: 10n });
  });

  test('the order of the list is that of the risk, whatever the order of the logs', async () => {
    const [account, plain, used] = [0xd4, 0xe5, 0xf6].map((byte): Hex => `0x${byte.toString(16).repeat(20)}`) as [
      Hex,
      Hex,
      Hex,
    ];
    const all = [
      approval(2n, 10n, account),
      approval(2n, 10n, TOKEN),
      approval(2n, 10n, plain),
      approval(9n, 10n, used),
      log(EMPTY, [APPROVAL, word(ACCOUNT), word(account)], word(5n)),
    ];
    const state = stateOf(
      { [ALLOWANCE]: 2n, [BALANCE]: 5n, [`${EMPTY} 0xdd62ed3e`]: 5n, [`${EMPTY} 0x70a08231`]: 0n },
      { code: async (address) => Promise.resolve(address === account ? '0x' : '0x6001') },
    );
    for (const order of ['01234', '43210', '14302', '20431', '34021', '02143']) {
      const { permissions } = await found(
        [...order].map((at) => all[Number(at)]!),
        state,
      );
      expect(permissions.map(({ token, spender }) => (token === EMPTY ? token : spender))).toEqual([
        ...[TOKEN, account, plain, used],
        // Nothing can be taken today.
        EMPTY,
      ]);
    }
  });

  test('what can be taken today comes first, then what is graver', async () => {
    const other: Hex = `0x${'d4'.repeat(20)}`;
    const third: Hex = `0x${'e5'.repeat(20)}`;
    const logs = [approval(1n), approval(2n, 10n, other), log(third, [APPROVAL, word(ACCOUNT), word(other)], word(5n))];
    const state = stateOf(
      { [ALLOWANCE]: 2n, [BALANCE]: 5n, [`${third} 0xdd62ed3e`]: 5n, [`${third} 0x70a08231`]: 0n },
      { code: async (address) => Promise.resolve(address === other ? '0x' : '0x6001') },
    );
    const { permissions } = await found(logs, state);
    expect(permissions.map(({ token, spender }) => [token, spender])).toEqual([
      [TOKEN, other],
      [TOKEN, SPENDER],
      [third, other],
    ]);
  });
});

test('each kind is taken back by its own call; Permit2 at once, with the nonce of each pair used up', async () => {
  const logs = [
    approval(9n),
    log(TOKEN, [APPROVAL, word(ACCOUNT), word(SPENDER), word(7n)]),
    log(TOKEN, [APPROVAL_FOR_ALL, word(ACCOUNT), word(SPENDER)], word(1n)),
    log(PERMIT2, [PERMIT2_APPROVAL, word(ACCOUNT), word(TOKEN), word(SPENDER)], word(50n)),
  ];
  const answers = {
    [ALLOWANCE]: 9n,
    [BALANCE]: 5n,
    [GET_APPROVED]: word(SPENDER),
    [OWNER_OF]: word(ACCOUNT),
    [FOR_ALL]: 1n,
    [IN_PERMIT2]: permitted(50n, NOW + 1n),
  } as const;
  const called = async (state: ChainState): Promise<Set<string>> => {
    const calls = revokeCalls((await found(logs, state)).permissions);
    const abi = [...ERC20_ABI, ...NFT_ABI.filter(({ name }) => name !== 'approve'), ...PERMIT2_ABI];
    return new Set(
      calls.map(({ to, data }) => {
        const { functionName, args } = decodeFunctionData({ abi, data });
        const flat = JSON.stringify(args, (_key, value: unknown) =>
          typeof value === 'bigint' ? String(value) : value,
        );
        return `${to.toLowerCase()} ${functionName} ${flat.toLowerCase()}`;
      }),
    );
  };
  const others = [
    `${TOKEN} approve ["0x0000000000000000000000000000000000000000","7"]`,
    `${TOKEN} setApprovalForAll ["${SPENDER}",false]`,
    `${permit2} lockdown [[{"token":"${TOKEN}","spender":"${SPENDER}"}]]`,
    `${permit2} invalidateNonces ["${TOKEN}","${SPENDER}",4]`,
  ];
  const plain = [`${TOKEN} approve ["${SPENDER}","0"]`, `${TOKEN} approve ["${permit2}","0"]`];
  expect(await called(stateOf(answers))).toEqual(new Set([...plain, ...others]));
  // A token that refuses 0 has its allowance decreased, if it can do that.
  const refusesZero = {
    ...stateOf(answers),
    reverts: async (_from: Hex, { data }: Read) =>
      Promise.resolve(data.startsWith('0x095ea7b3') && data.endsWith('00')),
  };
  const decreases = [`${TOKEN} decreaseAllowance ["${SPENDER}","9"]`, `${TOKEN} decreaseAllowance ["${permit2}","9"]`];
  expect(await called(refusesZero)).toEqual(new Set([...decreases, ...others]));
});

describe('what its contract refuses to take back is marked, so that it does not make others fail', () => {
  const logs = [approval(9n), log(TOKEN, [APPROVAL_FOR_ALL, word(ACCOUNT), word(SPENDER)], word(1n))];
  const answers = { [ALLOWANCE]: 9n, [BALANCE]: 5n, [FOR_ALL]: 1n };
  const stuck = async (refused: readonly string[], more: Partial<ChainState> = {}): Promise<readonly string[]> =>
    (await found(logs, stateOf(answers, more, refused))).permissions
      .filter(({ isStuck }) => isStuck === true)
      .map(({ kind }) => kind);

  test('an amount that can be neither set to 0 nor decreased, and a collection', async () => {
    expect(await stuck([])).toEqual([]);
    expect(await stuck([APPROVE])).toEqual([]);
    expect(await stuck([APPROVE, DECREASE])).toEqual(['amount']);
    expect(await stuck([SET_FOR_ALL])).toEqual(['collection']);
  });

  test('not what the node does not say', async () => {
    expect(await stuck([], { reverts: async () => Promise.resolve(undefined) })).toEqual([]);
    expect(await stuck([], { reverts: async () => Promise.reject(new Error('silent')) })).toEqual([]);
  });
});

test('a node that does not say what a spender is, or when a block was, leaves the rest of the list', async () => {
  const other: Hex = `0x${'d4'.repeat(20)}`;
  const throttled = async () => Promise.reject(new Error('too many requests'));
  const { permissions } = await found(
    [approval(9n), approval(9n, 10n, other)],
    stateOf(
      { [ALLOWANCE]: 9n, [BALANCE]: 5n },
      {
        code: async (address) => (address === other ? throttled() : Promise.resolve('0x6001')),
        timeOf: throttled,
      },
    ),
  );
  expect(permissions.map(({ spender, since, warnings }) => [spender, since, warnings])).toEqual([
    [other, { block: 10n }, ['unchecked', 'unused']],
    [SPENDER, { block: 10n }, ['unused']],
  ]);
});

test('a node that answers nothing about the first spenders is not asked about all the others', async () => {
  const logs = Array.from({ length: 90 }, (_, at) => approval(9n, 10n, `0x${(at + 1).toString(16).padStart(40, '0')}`));
  let asked = 0;
  const { permissions } = await found(
    logs,
    stateOf(
      { [ALLOWANCE]: 9n, [BALANCE]: 5n },
      {
        code: async () => {
          asked++;
          return Promise.reject(new Error('silent'));
        },
      },
    ),
  );
  expect(asked).toBe(20);
  expect(permissions.every(({ warnings }) => warnings.includes('unchecked'))).toBe(true);
  expect(permissions).toHaveLength(90);
});

describe('operators, items and credit', () => {
  const operator = log(TOKEN, [AUTHORIZED_OPERATOR, word(SPENDER), word(ACCOUNT)]);
  const items = log(TOKEN, [OPERATOR_SET, word(ACCOUNT), word(SPENDER)], word(1n));
  const item = log(TOKEN, [ITEM_APPROVAL, word(ACCOUNT), word(SPENDER), word(7n)], word(9n));
  const credit = log(TOKEN, [BORROW_ALLOWANCE, word(ACCOUNT), word(SPENDER), word(TOKEN)], word(9n));
  const OPERATOR_FOR = `${TOKEN} 0xd95b6371`;
  const IS_OPERATOR = `${TOKEN} 0xb6363cf2`;
  const ITEM = `${TOKEN} 0x598af9e7`;
  const ITEM_BALANCE = `${TOKEN} 0x00fdd58e`;

  test.each([
    ['an operator', operator, { [OPERATOR_FOR]: 0n }],
    ['an operator of all items', items, { [IS_OPERATOR]: 0n }],
    ['an amount of an item', item, { [ITEM]: 0n, [ITEM_BALANCE]: 5n }],
    ['credit', credit, { [CREDIT]: 0n }],
  ])('%s that is logged and does not hold is not listed', async (_name, one, answers) => {
    expect(await found([one], stateOf(answers))).toEqual({ permissions: [], unread: [] });
    expect((await found([one], stateOf({}))).unread).toHaveLength(1);
  });

  test('of others, or with an operator that is not this account’s, are no candidates', () => {
    const logs = [
      log(TOKEN, [AUTHORIZED_OPERATOR, word(ACCOUNT), word(SPENDER)]),
      log(TOKEN, [OPERATOR_SET, word(SPENDER), word(ACCOUNT)], word(1n)),
      log(TOKEN, [ITEM_APPROVAL, word(ACCOUNT), word(SPENDER)], word(9n)),
      log(TOKEN, [BORROW_ALLOWANCE, word(SPENDER), word(ACCOUNT), word(TOKEN)], word(9n)),
    ];
    expect(candidatesIn(logs, ACCOUNT)).toEqual([]);
  });

  test('hold although a log says that they were taken back; what could be taken is said; each has its revocation', async () => {
    const revoked = log(TOKEN, [REVOKED_OPERATOR, word(SPENDER), word(ACCOUNT)], '0x', 12n);
    const otherItem = log(TOKEN, [ITEM_APPROVAL, word(ACCOUNT), word(SPENDER), word(8n)], word(9n));
    const { permissions } = await found(
      [operator, items, item, otherItem, credit, revoked],
      stateOf({ [OPERATOR_FOR]: 1n, [IS_OPERATOR]: 1n, [ITEM]: 9n, [ITEM_BALANCE]: 5n, [CREDIT]: MAX_UINT256 }),
    );
    const all = Object.fromEntries(permissions.map((one) => [`${one.kind} ${one.id ?? ''}`.trim(), one]));
    expect(Object.keys(all).sort()).toEqual(['credit', 'item 7', 'item 8', 'items', 'operator']);
    expect(all['item 7']).toMatchObject({ amount: 9n, takeable: 5n, warnings: ['unused'] });
    expect(all.credit).toMatchObject({ amount: MAX_UINT256, warnings: ['unlimited'] });
    expect(all.operator).toMatchObject({ since: { block: 12n }, warnings: ['unlimited'] });
    expect(
      revokeCalls(permissions)
        .map(({ to, data }) => `${to} ${data.slice(0, 10)}`)
        .sort(),
    ).toEqual(
      [
        `${TOKEN} ${toFunctionSelector('setOperator(address,bool)')}`,
        `${TOKEN} ${toFunctionSelector('approve(address,uint256,uint256)')}`,
        `${TOKEN} ${toFunctionSelector('approve(address,uint256,uint256)')}`,
        `${TOKEN} ${toFunctionSelector('approveDelegation(address,uint256)')}`,
        `${TOKEN} ${toFunctionSelector('revokeOperator(address)')}`,
      ].sort(),
    );
  });

  test('have the events of their standards', () => {
    expect([AUTHORIZED_OPERATOR, REVOKED_OPERATOR, OPERATOR_SET, ITEM_APPROVAL, BORROW_ALLOWANCE]).toEqual(
      [
        'AuthorizedOperator(address,address)',
        'RevokedOperator(address,address)',
        'OperatorSet(address,address,bool)',
        'Approval(address,address,uint256,uint256)',
        'BorrowAllowanceDelegated(address,address,address,uint256)',
      ].map((event) => toEventSelector(event)),
    );
  });
});

test('the words say which blocks were searched, and what a canary means', () => {
  expect(searchedWords([])).toBe('no blocks');
  expect(
    searchedWords([
      { from: 0n, to: 1_234n },
      { from: 5_000n, to: 5_000n },
    ]),
  ).toBe('blocks 0 to 1,234 and block 5,000');
  const node = 'the node at node.example';
  expect(canarySentence({ kind: 'found', blocks: [1n] }, node)).toBe(
    'The node at node.example found events that are known to be there.',
  );
  expect(canarySentence({ kind: 'missing', block: 1_000n, transaction: '0x' }, node)).toBe(
    'The node at node.example did not find an event that is in block 1,000. This list may lack some. Use another node.',
  );
  expect(canarySentence({ kind: 'none' }, node)).toBe(
    'Nothing shows whether the node at node.example finds events at all. This list may lack some.',
  );
});

test('a permission in Permit2 holds until its end, and not after it', async () => {
  const logs = [log(PERMIT2, [PERMIT2_APPROVAL, word(ACCOUNT), word(TOKEN), word(SPENDER)], word(50n))];
  const held = async (expires: bigint) => {
    const state = stateOf({ [IN_PERMIT2]: permitted(50n, expires), [ALLOWANCE]: 0n, [BALANCE]: 1n });
    return (await found(logs, state)).permissions.length;
  };
  expect([await held(NOW - 1n), await held(NOW), await held(NOW + 1n)]).toEqual([0, 1, 1]);
});
