import { encodeFunctionData, erc20Abi, getAddress, pad, parseAbi } from 'viem';

import {
  explainAction,
  explainOwnCalls,
  explainTransaction,
  mostItTakes,
} from '../../../../src/core/decode/explain/transaction';
import { explainUserOperation } from '../../../../src/core/decode/explain/user-operation';
import { type Explanation, type Viewpoint } from '../../../../src/core/decode/explanation';
import { type Hex } from '../../../../src/core/eth/bytes';
import { type Transaction } from '../../../../src/core/eth/transaction';
import { type UserOperation } from '../../../../src/core/erc4337/user-operation';
import {
  ALICE,
  BOB,
  codesOf,
  explainTyped,
  ME,
  saying,
  typedData,
  USDC,
  VIEW,
  written,
} from '../../../support/explaining';

const GWEI = 10n ** 9n;
const ETHER = 10n ** 18n;
const ZERO: Hex = `0x${'0'.repeat(40)}`;
const TOKEN: Hex = '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984';
const DATA = { chainId: 1n, nonce: 7n, gasLimit: 21_000n, to: BOB, value: 0n, data: '0x' } as const;
const FEES = { maxFeePerGas: 2n * GWEI, maxPriorityFeePerGas: GWEI };
const ACCESS = [{ address: USDC, storageKeys: [] }];
const DYNAMIC: Transaction = { ...DATA, ...FEES, type: 'eip1559', accessList: ACCESS };
const LEGACY: Transaction = { ...DATA, type: 'legacy', gasPrice: 3n * GWEI };
const transfer = (to: Hex, amount: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] });

const explained = (more: Partial<Transaction> = {}, view: Partial<Viewpoint> = {}): Explanation =>
  explainTransaction({ ...DYNAMIC, ...more } as Transaction, { ...VIEW, ...view });
const lineOf = ({ lines }: Explanation, label: string): string[] =>
  lines.filter((one) => one.label === label).map(({ value }) => value);

describe('a transaction is simulated as it is signed', () => {
  it.each<[string, Transaction, object]>([
    ['with a dynamic fee', DYNAMIC, { gas: { limit: 21_000n, ...FEES }, nonce: 7n, accessList: ACCESS }],
    ['with a gas price', LEGACY, { gas: { limit: 21_000n, gasPrice: 3n * GWEI }, nonce: 7n }],
    [
      'with authorizations',
      { ...DATA, ...FEES, type: 'eip7702', accessList: [], authorizationList: [] },
      { gas: { limit: 21_000n, ...FEES }, nonce: 7n, accessList: [], authorizationList: [] },
    ],
  ])('%s', (_what, tx, terms) => {
    expect(explainTransaction(tx, VIEW).unresolved?.simulation).toEqual({
      ...{ chainId: 1n, account: ME, delegations: [] },
      calls: [{ from: ME, to: BOB, value: 0n, data: '0x', ...terms }],
    });
  });

  it('and takes its fee and what it sends at most', () => {
    expect(mostItTakes({ ...DYNAMIC, value: 5n })).toBe(5n + 42_000n * GWEI);
    expect(mostItTakes({ ...LEGACY, value: 5n })).toBe(5n + 63_000n * GWEI);
  });
});

describe('the fee of a transaction', () => {
  it('is shown in its own form', () => {
    expect(lineOf(explained(), 'Max fee per gas')).toEqual(['2 gwei']);
    expect(lineOf(explained(), 'Gas price')).toEqual([]);
    expect(lineOf(explainTransaction(LEGACY, VIEW), 'Gas price')).toEqual(['3 gwei']);
    expect(lineOf(explained(), 'Maximum network fee')).toEqual(['0.000042 ETH']);
    expect(explained().fee).toBe('up to 0.000042 ETH');
  });

  it('is compared with the price that the node suggests', () => {
    const high = 'times what the network’s node suggests'.replace('’', "'");
    expect(explained({}, { gasPrice: GWEI / 5n }).warnings.join()).toContain(`10 ${high}`);
    expect(explained({}, { gasPrice: GWEI }).warnings.join()).not.toContain(high);
    const legacy = explainTransaction(LEGACY, { ...VIEW, gasPrice: (3n * GWEI) / 10n });
    expect(legacy.warnings.join()).toContain(`10 ${high}`);
  });

  it('may be below that of the network', () => {
    const low = (tx: Transaction, baseFee: bigint): boolean =>
      explainTransaction(tx, { ...VIEW, baseFee })
        .warnings.join()
        .includes('but the network takes');
    expect([low(DYNAMIC, 2n * GWEI), low(DYNAMIC, 2n * GWEI + 1n)]).toEqual([false, true]);
    expect([low(LEGACY, 3n * GWEI), low(LEGACY, 3n * GWEI + 1n)]).toEqual([false, true]);
    const action = { to: BOB, value: 0n, data: '0x', chainId: 1n } as const;
    expect(explainAction(action, { ...VIEW, baseFee: GWEI }).warnings).toEqual([]);
  });

  it('is compared with the coins that are sent', () => {
    const fee = 42_000n * GWEI;
    const more = ', more than the 0.000041999999999999 ETH that you send';
    expect(explained({ value: fee - 1n }).fee).toBe(`up to 0.000042 ETH${more}`);
    expect(explained({ value: fee }).fee).toBe('up to 0.000042 ETH');
    const token = { to: USDC, data: transfer(BOB, 5n) };
    expect(explained(token).fee).toBe('up to 0.000042 ETH');
    expect(explained({ value: 5n, to: ME }).fee).toBe('up to 0.000042 ETH');
  });
});

describe('an account that cannot pay', () => {
  const most = 5n + 42_000n * GWEI;
  const failure = (balance: bigint | undefined): string | undefined => explained({ value: 5n }, { balance }).failure;

  it('is said, and by how much it falls short', () => {
    expect(failure(undefined)).toBeUndefined();
    expect(failure(most)).toBeUndefined();
    expect(failure(most - 1n)).toBe(
      'This can cost up to 0.000042000000000005 ETH, but the account has only 0.000042000000000004 ETH available.',
    );
    expect(failure(0n)).toContain('has only 0 ETH available.');
    expect(failure(-5n)).toContain('has only 0 ETH available.');
    expect(codesOf(explained({ value: 5n }, { balance: 0n }))).toEqual(['cannot-succeed']);
  });

  it('comes before what a simulation says', () => {
    const outcome = { kind: 'reverts', reason: 'no' } as const;
    expect(explained({}, { outcome }).failure).toBe('This fails in a simulation: no.');
    expect(explained({}, { outcome, balance: 0n }).failure).toContain('This can cost up to');
  });
});

describe('what may be received', () => {
  const unwrap: Hex = encodeFunctionData({ abi: parseAbi(['function withdraw(uint256)']), args: [ETHER] });
  const expected = (view: Partial<Viewpoint>): string[] =>
    lineOf(
      explained({ to: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2', data: unwrap }, view),
      'Expected, not checked',
    );

  it('is a detail until a preview shows it', () => {
    expect(expected({})).toEqual(['1 ETH']);
    const changes = { sends: [], receives: [], allows: [], creates: [] };
    expect(expected({ outcome: { kind: 'changes', changes } })).toEqual([]);
    expect(expected({ outcome: { kind: 'succeeds' } })).toEqual(['1 ETH']);
  });
});

describe('a contract that is created', () => {
  const created = (value: bigint, data: Hex = '0x6001'): Explanation => explained({ to: null, value, data });

  it('is sent coins, or not', () => {
    expect(created(0n).title).toBe('Create a contract');
    expect(created(ETHER).title).toBe('Create a contract and send it 1 ETH');
    expect([...created(0n).changes, ...created(0n).main].map(written).join()).not.toContain('ETH');
    expect(created(ETHER).changes.map(written)).toEqual(['You send: 1 ETH']);
    expect(lineOf(created(0n), 'To')).toEqual(['a new contract']);
    expect(codesOf(created(ETHER))).toEqual(['value-to-creation']);
  });

  it('may name somebody in the arguments of its constructor', () => {
    const said = (data: Hex): string => created(0n, data).main.map(written).join('\n');
    expect(said(`0x600160${pad(ALICE).slice(2)}`)).toContain(ALICE);
    expect(said(`0x${pad(ALICE).slice(2)}`)).toContain(ALICE);
    expect(said(`0x600160${ALICE.slice(2)}`)).not.toContain(ALICE);
  });
});

describe('data for the account itself', () => {
  const isSaid = (more: Partial<Transaction>): boolean =>
    explained(more).warnings.join().includes('One of the calls is to the account itself.');

  it('is said if there is any, and nobody knows what it does', () => {
    expect(isSaid({ to: ME, data: '0x12345678' })).toBe(true);
    expect(isSaid({ to: ME, data: '0x' })).toBe(false);
    expect(isSaid({ to: BOB, data: '0x12345678' })).toBe(false);
    expect(isSaid({ to: null, data: '0x12345678' })).toBe(false);
  });
});

describe('a transaction of our own', () => {
  const OTHER = { authority: ALICE, nonce: 5n };
  const own = (upgrade: Hex | undefined, of?: typeof OTHER): Explanation =>
    explainOwnCalls(DYNAMIC, upgrade, VIEW, ...(of === undefined ? [] : [of]));
  const delegationsOf = (explanation: Explanation) => explanation.unresolved?.simulation?.delegations;

  it('may upgrade the account, which is simulated', () => {
    expect(delegationsOf(own(undefined))).toEqual([]);
    expect(delegationsOf(own(TOKEN))).toEqual([{ authority: ME, address: TOKEN }]);
    expect(delegationsOf(own(TOKEN, OTHER))).toEqual([{ authority: ALICE, address: TOKEN }]);
    expect(delegationsOf(own(ZERO))).toEqual([{ authority: ME, address: ZERO }]);
  });

  it('says so', () => {
    expect(own(undefined).title).toBe('Send 0 ETH to 0x742d…f44e');
    expect(lineOf(own(undefined), 'Authorization nonce')).toEqual([]);
    expect(own(TOKEN).title).toBe('Send 0 ETH to 0x742d…f44e');
    expect(lineOf(own(TOKEN), 'Account code')).toEqual([TOKEN]);
    expect(lineOf(own(TOKEN), 'Authorization nonce')).toEqual(['8']);
    expect(lineOf(own(TOKEN, OTHER), 'Authorization nonce')).toEqual(['5']);
    expect(own(ZERO).title).toBe('Take back the upgrade of your account');
    expect(lineOf(own(ZERO), 'Account code')).toEqual(['none']);
    expect(own(ZERO, OTHER).warnings.join()).toContain('takes back the upgrade (EIP-7702) of 0xd8dA…6045 on');
    expect(own(ZERO).warnings.join()).toContain('takes back the upgrade (EIP-7702) of your account on');
    // Nobody gets control: it is our own code.
    expect(own(TOKEN).main.map(written).join()).not.toContain('Gets control');
  });
});

describe('authorizations that are not signed yet', () => {
  const action = { to: BOB, value: 0n, data: '0x', chainId: 1n } as const;
  const many = (count: number): Hex[] =>
    Array.from({ length: count }, (_, at): Hex => `0x${(at + 0x1001).toString(16).padStart(40, '0')}`);
  const rows = (delegates: readonly Hex[]): string[] =>
    explainAction(action, VIEW, { delegates })
      .lines.map(written)
      .filter((row) => row.startsWith('Authorization'));

  it('name the code that runs, up to twenty', () => {
    expect(rows([TOKEN])).toEqual([`Authorization: runs: ${TOKEN}`]);
    expect(rows([ZERO])).toEqual([]);
    expect(rows(many(20))).toHaveLength(20);
    expect(rows(many(21))).toHaveLength(21);
    expect(rows(many(21)).at(-1)).toBe('Authorization: 1 more contract');
  });

  it('of which the last takes effect', () => {
    const { unresolved } = explainAction(action, VIEW, { delegates: [TOKEN, USDC] });
    expect(unresolved?.simulation?.delegations).toEqual([{ authority: ME, address: USDC }]);
  });
});

describe('what is left to ask', () => {
  it('is nothing of a message that names nobody', () => {
    expect(explainTyped(typedData('Note(string text)', {}, { text: 'hello' })).unresolved).toBeUndefined();
    const named = explainTyped(typedData('Note(string text,address friend)', {}, { text: 'hello', friend: BOB }));
    expect(named.unresolved?.counterparties).toEqual([{ address: BOB, how: 'named' }]);
    const bound = { name: 'Site', chainId: 1, verifyingContract: USDC };
    const { unresolved } = explainTyped(typedData('Note(string text)', bound, { text: 'hello' }));
    expect(unresolved?.lookups).toMatchObject([{ kind: 'shard', of: 'message' }]);
  });

  it('is who the addresses are', () => {
    const all = (more: Partial<Transaction>): string[] =>
      (explained(more).unresolved?.counterparties ?? []).map(({ address, how }) => `${how}: ${getAddress(address)}`);
    const encode = (name: 'transfer' | 'approve', amount: bigint): Hex =>
      encodeFunctionData({ abi: erc20Abi, functionName: name, args: [BOB, amount] });
    expect(all({ value: 5n })).toEqual([`sent: ${BOB}`, `named: ${BOB}`]);
    expect(all({ to: USDC, data: encode('transfer', 5n) }).slice(0, 2)).toEqual([`called: ${USDC}`, `sent: ${BOB}`]);
    expect(all({ to: USDC, data: encode('transfer', 0n) })).not.toContain(`sent: ${BOB}`);
    expect(all({ to: USDC, data: encode('approve', 5n) })).toContain(`allowed: ${BOB}`);
    expect(all({ to: USDC, data: encode('approve', 0n) })).not.toContain(`allowed: ${BOB}`);
    expect(all({ to: ME, value: 5n })).toEqual([]);
    // What a contract claims to send makes nobody known.
    const claimed = encodeFunctionData({
      abi: parseAbi(['function multicall(bytes[])']),
      args: [[encode('transfer', 5n)]],
    });
    expect(all({ to: TOKEN, data: claimed })).toContain(`named: ${BOB}`);
    expect(all({ to: TOKEN, data: claimed })).not.toContain(`sent: ${BOB}`);
  });
});

describe('an operation', () => {
  const OPERATION: UserOperation = {
    sender: ME,
    nonce: 1n,
    initCode: '0x',
    callData: '0x',
    callGasLimit: 3_000n,
    verificationGasLimit: 3_000n,
    preVerificationGas: 1n,
    maxFeePerGas: 1n,
    maxPriorityFeePerGas: 1n,
    paymasterAndData: '0x',
    signature: '0x',
  };
  const FACTS = {
    domain: { chainId: 1n, version: '0.7', entryPoint: '0x0000000071727De22E5E9d8BAf0edAc6f37da032' },
    ...{ accountTitle: 'SimpleAccount 0.7', calls: [], wasPrepared: true, funds: undefined },
  } as const;
  type Fields = Partial<Parameters<typeof explainUserOperation>[0]>;
  type Facts = Partial<Parameters<typeof explainUserOperation>[1]>;
  const of = (fields: Fields = {}, facts: Facts = {}, view: Partial<Viewpoint> = {}): Explanation =>
    explainUserOperation({ ...OPERATION, ...fields }, { ...FACTS, ...facts }, { ...VIEW, ...view });

  it.each([
    [3_000n, 3_000n, false],
    [2_999n, 3_000n, true],
    [3_000n, 2_999n, true],
  ])('with a limit of %d for calls and of %d for verification may be too low: %s', (call, verification, isLow) => {
    const { warnings } = of({ callGasLimit: call, verificationGasLimit: verification });
    expect(warnings.join().includes('are too low for any operation')).toBe(isLow);
  });

  it('of an account whose funds are short', () => {
    const send = (value: bigint) => [{ to: BOB, value, data: '0x' }] as const;
    const failure = (needed: bigint, balance: bigint, deposit: bigint, value = 0n, view: Partial<Viewpoint> = {}) =>
      of({}, { calls: send(value), funds: { needed, balance, deposit } }, view).failure;
    expect(failure(10n, 4n, 6n)).toBeUndefined();
    expect(failure(10n, 4n, 5n)).toMatch(/^The account cannot pay for this operation\./u);
    expect(failure(10n, 9n, 6n, 5n)).toBeUndefined();
    expect(failure(10n, 9n, 6n, 6n)).toBe(
      'The calls send 0.000000000000000006 ETH, but the account has only 0.000000000000000005 ETH left after the network fee.',
    );
    // The deposit pays the fee alone, never what is sent.
    expect(failure(10n, 5n, 20n, 5n)).toBeUndefined();
    expect(failure(10n, 5n, 20n, 6n)).toContain('has only 0.000000000000000005 ETH left');
    expect(failure(0n, 5n, 0n, 6n)).toBe(
      'The calls send 0.000000000000000006 ETH, but the account has only 0.000000000000000005 ETH.',
    );
    const sends = [{ asset: { kind: 'native' }, amount: 6n }] as const;
    const outcome = { kind: 'changes', changes: { sends, receives: [], allows: [], creates: [] } } as const;
    expect(failure(0n, 5n, 0n, 0n, { outcome })).toContain('The calls send 0.000000000000000006 ETH');
    const nothing = { ...outcome, changes: { ...outcome.changes, sends: [] } };
    expect(failure(0n, 5n, 0n, 6n, { outcome: nothing })).toBeUndefined();
  });

  it('says how the account starts', () => {
    const account = (fields: Fields, facts: Facts = {}) => lineOf(of(fields, facts), 'Account');
    const initCode: Hex = `0x${'12'.repeat(30)}`;
    expect(account({})).toEqual(['SimpleAccount 0.7']);
    expect(account({ initCode })).toEqual(['SimpleAccount 0.7, deployed by this operation']);
    expect(account({ initCode: '0x7702' }, { delegate: TOKEN })).toEqual(['SimpleAccount 0.7, from this operation on']);
    expect(account({}, { delegate: TOKEN })).toEqual(['SimpleAccount 0.7']);
    const delegations = (fields: Fields) => of(fields, { delegate: TOKEN }).unresolved?.simulation?.delegations;
    expect(delegations({ initCode: '0x7702' })).toEqual([{ authority: ME, address: TOKEN }]);
    expect(delegations({})).toEqual([]);
  });

  it('has the paymaster and the factory of elsewhere on the open part', () => {
    const open = (fields: Fields, wasPrepared: boolean): string =>
      of(fields, { wasPrepared }).main.map(written).join('\n');
    expect(open({ initCode: TOKEN }, false)).toContain(`Factory: ${TOKEN}`);
    expect(open({ initCode: TOKEN }, true)).not.toContain(TOKEN);
    expect(open({ initCode: '0x7702' }, false)).not.toContain('Factory');
    const gas = `${'0'.repeat(31)}4${'0'.repeat(31)}5`;
    expect(open({ paymasterAndData: `${TOKEN}${gas}` }, false)).toContain(`Paymaster: ${TOKEN}`);
  });

  it('of one call that nobody knows is what a preview exchanges, of several it is not', () => {
    const sends = [{ asset: { kind: 'native' }, amount: ETHER }] as const;
    const receives = [{ asset: { kind: 'erc20', token: USDC }, amount: 5_000_000n }] as const;
    const outcome = { kind: 'changes', changes: { sends, receives, allows: [], creates: [] } } as const;
    const titleOf = (...calls: NonNullable<Facts['calls']>): string => of({}, { calls }, { outcome }).title;
    const unknown = { to: BOB, value: ETHER, data: '0x12345678' } as const;
    expect(titleOf(unknown)).toBe('Swap 1 ETH for 5 USDC');
    expect(titleOf({ ...unknown, to: USDC, value: 0n, data: transfer(BOB, 5n) })).not.toContain('Swap');
    expect(titleOf(unknown, { ...unknown, value: 0n })).not.toContain('Swap');
    expect(titleOf()).not.toContain('Swap');
  });

  it('has no words of its call data on the open part if its calls are read', () => {
    const data: Hex = `0x12345678${pad(TOKEN).slice(2)}`;
    const openOf = (calls: Facts['calls']): string => of({ callData: data }, { calls }).main.map(written).join();
    expect(openOf(undefined)).toContain(TOKEN);
    expect(openOf([])).not.toContain(TOKEN);
  });

  it('whose calls nobody can read says so', () => {
    const { warnings, lines } = of({}, { calls: undefined });
    expect(warnings.join()).toContain('Keystead cannot decode the calls of this operation.');
    expect(lines.map(({ label }) => label)).not.toContain('Calls');
    expect(of().warnings.join()).not.toContain('Keystead cannot decode');
    expect(lineOf(of(), 'Calls')).toEqual(['0']);
    expect(lineOf(of({}, { signaturesNeeded: 2 }), 'Signatures')).toEqual(['2 owners must sign before it can be sent']);
    expect(saying(of({}, { sponsorHost: 'pay.example' }))).toContain('chosen by the site: pay.example');
  });
});
