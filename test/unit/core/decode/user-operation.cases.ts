import { encodeFunctionData, erc20Abi, maxUint256, parseAbi } from 'viem';

import { type UserOperation } from '../../../../src/core/erc4337/user-operation';
import { type Hex } from '../../../../src/core/eth/bytes';
import { type Allowance } from '../../../../src/core/decode/effects/outcome';
import { shortAddress } from '../../../../src/core/decode/words/names';
import { explainUserOperation } from '../../../../src/core/decode/explain/user-operation';
import { ALICE, BOB, codesOf, ME, saying, USDC, VIEW, written } from '../../../support/explaining';

const approve = (amount: bigint): Hex =>
  encodeFunctionData({ abi: parseAbi(['function approve(address,uint256)']), args: [BOB, amount] });

const DAI: Hex = '0x6B175474E89094C44Da98b954EedeAC495271d0F';

const OPERATION: UserOperation = {
  sender: ME,
  nonce: 1n,
  initCode: '0x',
  callData: '0x',
  callGasLimit: 100_000n,
  verificationGasLimit: 100_000n,
  preVerificationGas: 50_000n,
  maxFeePerGas: 10n ** 9n,
  maxPriorityFeePerGas: 10n ** 9n,
  paymasterAndData: '0x',
  signature: '0x',
};
const FACTS = {
  domain: { chainId: 1n, version: '0.6', entryPoint: '0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789' },
  accountTitle: 'SimpleAccount 0.6',
  calls: [],
  wasPrepared: true,
  funds: undefined,
} as const;

const explain = (operation: Partial<UserOperation>, facts: Partial<Parameters<typeof explainUserOperation>[1]>) =>
  explainUserOperation({ ...OPERATION, ...operation }, { ...FACTS, ...facts }, VIEW);

describe('a user operation', () => {
  it('is explained call by call', () => {
    const explanation = explain(
      {},
      {
        calls: [
          { to: USDC, value: 0n, data: approve(5_500_000n) },
          { to: ALICE, value: 10n ** 18n, data: '0x' },
        ],
      },
    );
    const text = saying(explanation);
    for (const part of ['Calls: 2', '5.5 USDC', `Spender: ${BOB}`, 'Send funds', 'Value: 1 ETH', 'SimpleAccount 0.6'])
      expect(text).toContain(part);
    expect(explanation.sections).toHaveLength(2);
    expect(codesOf(explanation)).toEqual([]);
  });

  it('says what each of several recipients is sent, beside the sums', () => {
    const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [BOB, 5_500_000n] });
    const calls = [
      { to: ALICE, value: 10n ** 18n, data: '0x' },
      { to: BOB, value: 2n * 10n ** 18n, data: '0x' },
      { to: USDC, value: 0n, data: transfer },
    ] as const;
    const { changes, main } = explain({}, { calls });
    expect(changes.map(written)).toEqual(['You send: 3 ETH in all', 'You send: 5.5 USDC']);
    // In the order of the calls.
    const toEach = [`To: ${ALICE}`, 'Amount: 1 ETH', `To: ${BOB}`, 'Amount: 2 ETH and 5.5 USDC'];
    expect(main.map(written)).toEqual(toEach);
    const toOne = explain({}, { calls: [calls[1], calls[2], calls[1]] });
    expect(toOne.changes.map(written)).toEqual(['You send: 4 ETH', 'You send: 5.5 USDC']);
    expect(toOne.title).toBe('Send 4 ETH and 5.5 USDC to 0x742d…f44e');
    expect(toOne.main.map(written)).toEqual([`To: ${BOB}`]);
  });

  it('of ten thousand calls is decoded to a limit, and flagged', () => {
    const calls = Array.from({ length: 10_000 }, () => ({ to: USDC, value: 0n, data: '0x' as Hex }));
    const explanation = explain({}, { calls });
    expect(explanation.sections).toHaveLength(100);
    expect(codesOf(explanation)).toEqual(['not-fully-read']);
    expect(saying(explanation)).toContain('Not decoded: 9900 more calls');
  });

  it('has the dangers of its calls', () => {
    const calls = [{ to: USDC, value: 0n, data: approve(maxUint256) }];
    expect(codesOf(explain({}, { calls }))).toEqual(['unlimited-approval']);
  });

  it('shows each gas limit', () => {
    const explanation = explain({ callGasLimit: 1n, verificationGasLimit: 2n, preVerificationGas: 3n }, {});
    expect(saying(explanation)).toContain('Gas limits: call 1, verification 2, pre-verification 3');
  });

  const BOTH_LIMITS = `${'0'.repeat(31)}4${'0'.repeat(31)}5`;

  it.each<[string, '0.6' | '0.7' | '0.8', Hex, string[], bigint]>([
    // Entry point 0.6 reserves the verification gas three times.
    ['0.6', '0.6', `${BOB}abcd`, ['Paymaster data: 0xabcd'], 1n + 3n * 2n + 3n],
    [
      '0.7',
      '0.7',
      `${BOB}${BOTH_LIMITS}abcd`,
      ['Paymaster gas limits: verification 4, post-op 5', 'Paymaster data: 0xabcd'],
      1n + 2n + 3n + 4n + 5n,
    ],
    ['0.8', '0.8', `${BOB}${BOTH_LIMITS}`, ['Paymaster gas limits: verification 4, post-op 5'], 1n + 2n + 3n + 4n + 5n],
  ])("shows a paymaster's data and gas limits at %s, and includes them in the fee", (_name, version, ...rest) => {
    const [paymasterAndData, lines, gas] = rest;
    const explanation = explain(
      {
        callGasLimit: 1n,
        verificationGasLimit: 2n,
        preVerificationGas: 3n,
        maxFeePerGas: 10n ** 18n,
        paymasterAndData,
      },
      { domain: { ...FACTS.domain, version } },
    );
    const paid = explanation.lines.map(written).filter((line) => /^(?:Paymaster|Maximum)/u.test(line));
    expect(paid).toEqual([...lines, `Maximum network fee: ${gas} ETH`]);
  });

  it('truncates long paymaster data and says how much is left out', () => {
    const explanation = explain({ paymasterAndData: `${BOB}${'ab'.repeat(300)}` }, {});
    expect(saying(explanation)).toContain(`Paymaster data: 0x${'ab'.repeat(99)}… (402 more characters)`);
  });

  it('warns about truncated call data', () => {
    const cut = 'The data is too long to show in full. You see only the beginning.';
    expect(explain({ callData: `0x${'00'.repeat(9_999)}` }, {}).warnings).toEqual([]);
    expect(explain({ callData: `0x${'00'.repeat(10_000)}` }, {}).warnings).toEqual([cut]);
  });

  it('decodes unknown call data like a call to the account', () => {
    const callData = encodeFunctionData({
      abi: parseAbi(['function withdrawDepositTo(address,uint256)']),
      args: [BOB, 10n ** 18n],
    });
    const explanation = explain({ callData }, { calls: undefined });
    expect(saying(explanation)).toContain('Withdraw a deposit');
    expect(saying(explanation)).toContain('cannot decode the calls of this operation');
    expect(codesOf(explanation)).toEqual(['account-administration']);
  });

  const SPONSORED = /^Sponsored by 0x\S+: you pay nothing, except tokens that you approved for it$/u;
  it.each([
    [[5_500_000n], 'up to 5.5 USDC'],
    // They are added up: no order of calls makes less of them.
    [[3_000_000n, 2_000_000n], 'up to 5 USDC'],
    [[maxUint256], 'all your USDC, now and in the future'],
    [[0n], undefined],
  ])('says what the paymaster may take in tokens, by approvals of %s among the calls', (amounts, most) => {
    const calls = amounts.map((amount) => ({ to: USDC, value: 0n, data: approve(amount) }));
    const explanation = explain({ paymasterAndData: `${BOB}0102` }, { calls });
    const who = shortAddress(BOB);
    if (most === undefined) expect(explanation.fee).toMatch(SPONSORED);
    else expect(explanation.fee).toBe(`${most}, taken by ${who}`);
    const approvals = explanation.lines.map(written).filter((line) => line.startsWith('Approval for the fee'));
    expect(approvals).toEqual(most === undefined ? [] : [`Approval for the fee: The calls let ${who} take ${most}`]);
    // Approvals of somebody else are not for the fee.
    const other = explain({ paymasterAndData: `${ALICE}0102` }, { calls });
    // What it may take by earlier approvals is not known.
    expect(other.fee).toMatch(SPONSORED);
  });

  it.each<[string, readonly Allowance[], string]>([
    [
      'of another token',
      [{ kind: 'amount', token: DAI, spender: BOB, amount: 7n * 10n ** 18n }],
      'up to 5 USDC and up to 7 DAI',
    ],
    ['that is larger', [{ kind: 'amount', token: USDC, spender: BOB, amount: 9_000_000n }], 'up to 9 USDC'],
    ['that is smaller', [{ kind: 'amount', token: USDC, spender: BOB, amount: 1n }], 'up to 5 USDC'],
    ['of somebody else', [{ kind: 'amount', token: DAI, spender: ALICE, amount: 1n }], 'up to 5 USDC'],
    ['of no amount', [{ kind: 'everything', token: DAI, spender: BOB }], 'up to 5 USDC'],
  ])('adds what the simulation finds that the paymaster may take: an allowance %s', (_name, allows, most) => {
    const outcome = { kind: 'changes', changes: { sends: [], receives: [], allows, creates: [] } } as const;
    const calls = [{ to: USDC, value: 0n, data: approve(5_000_000n) }];
    const operation = { ...OPERATION, paymasterAndData: `${BOB}0102` } as const;
    const { fee } = explainUserOperation(operation, { ...FACTS, calls }, { ...VIEW, outcome });
    expect(fee).toBe(`${most}, taken by ${shortAddress(BOB)}`);
  });

  it('with a paymaster that Keystead did not choose is flagged', () => {
    const paymasterAndData: Hex = `${BOB}0102`;
    expect(codesOf(explain({ paymasterAndData }, { wasPrepared: false }))).toEqual(['unknown-paymaster']);
    expect(codesOf(explain({ paymasterAndData }, {}))).toEqual([]);
    expect(saying(explain({ paymasterAndData }, {}))).toContain(`Fee payer (paymaster): ${BOB}`);
  });

  it.each([
    // The fee is taken from the deposit first, so here it does not reduce the balance.
    { value: 10n, deposit: 250_000n * 10n ** 9n, balance: 10n, left: undefined },
    { value: 11n, deposit: 250_000n * 10n ** 9n, balance: 10n, left: '0.00000000000000001 ETH' },
    { value: 10n ** 18n, deposit: 0n, balance: 10n ** 18n, left: '0.99975 ETH' },
    { value: 10n ** 18n, deposit: 0n, balance: 10n ** 18n + 250_000n * 10n ** 9n, left: undefined },
  ])(
    'cannot succeed if it sends more than it has: $value from a balance of $balance and a deposit of $deposit',
    ({ value, deposit, balance, left }) => {
      const funds = { needed: 250_000n * 10n ** 9n, balance, deposit };
      const explanation = explain({}, { funds, calls: [{ to: BOB, value, data: '0x' }] });
      expect(codesOf(explanation)).toEqual(left === undefined ? [] : ['cannot-succeed']);
      expect(explanation.failure).toEqual(
        left === undefined
          ? undefined
          : expect.stringContaining(`the account has only ${left} left after the network fee.`),
      );
    },
  );

  it('cannot succeed if it sends more than there is, although a paymaster pays the fee', () => {
    const sending = (balance: bigint) =>
      explain(
        { paymasterAndData: `${BOB}0102` },
        { funds: { needed: 0n, balance, deposit: 0n }, calls: [{ to: BOB, value: 9_999n * 10n ** 18n, data: '0x' }] },
      );
    expect(sending(10n * 10n ** 18n).failure).toBe('The calls send 9999 ETH, but the account has only 10 ETH.');
    expect(sending(9_999n * 10n ** 18n).failure).toBeUndefined();
  });

  it.each([
    { balance: 40n, deposit: 60n, fails: false },
    { balance: 40n, deposit: 59n, fails: true },
    { balance: 0n, deposit: 100n, fails: false },
  ])(
    'cannot succeed if it cannot pay 100 wei from a balance of $balance and a deposit of $deposit',
    ({ balance, deposit, fails }) => {
      const { failure } = explain({}, { funds: { needed: 100n, balance, deposit }, calls: [] });
      expect(failure).toEqual(
        fails ? expect.stringMatching(/^The account cannot pay for this operation\. It needs /u) : undefined,
      );
    },
  );

  it('warns about a call to the account itself, and flags value to the zero address', () => {
    const zero: Hex = '0x0000000000000000000000000000000000000000';
    const explanation = explain(
      {},
      {
        calls: [
          { to: ME, value: 0n, data: '0x' },
          { to: zero, value: 1n, data: '0x' },
        ],
      },
    );
    expect(explanation.warnings).toHaveLength(1);
    expect(codesOf(explanation)).toEqual(['burn-address']);
  });
});
