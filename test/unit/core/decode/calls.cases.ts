import { encodeFunctionData, encodePacked, maxUint256, parseAbi, toFunctionSelector } from 'viem';

import { type Hex } from '../../../../src/core/eth/bytes';
import { CALL_RULES } from '../../../../src/core/decode/rules/calls';
import { explainTransaction } from '../../../../src/core/decode/explain/transaction';
import { expectExplained } from '../../../support/books';
import { compiled, toldWhole } from '../../../support/contract-metadata';
import { ALICE, BOB, codesOf, explainCall, ME, NOW, saying, USDC, VIEW, written } from '../../../support/explaining';

const TOKEN: Hex = '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984';
const ZERO: Hex = '0x0000000000000000000000000000000000000000';
const WORD: Hex = `0x${'11'.repeat(32)}`;
const CALL = encodeFunctionData({
  abi: parseAbi(['function approve(address,uint256)']),
  args: [BOB, 5_500_000n],
});
const SEND = encodeFunctionData({ abi: parseAbi(['function transfer(address,uint256)']), args: [BOB, 7n] });

const encode = (signature: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: parseAbi([`function ${signature}`] as string[]), args } as never);

describe('the tables', () => {
  it('of our rules have unique selectors that match their signatures', () => {
    for (const { selector, signature } of CALL_RULES) expect(`0x${selector}`).toBe(toFunctionSelector(signature));
    expect(new Set(CALL_RULES.map(({ selector }) => selector)).size).toBe(CALL_RULES.length);
  });

  it('of guesses have selectors that match their signatures', () => {
    const guesses = Object.values(compiled.shards).flatMap((shard) => Object.entries(shard.guesses));
    expect(guesses.length).toBeGreaterThanOrEqual(420);
    for (const [selector, signature] of guesses) expect(`0x${selector}`).toBe(toFunctionSelector(signature));
  });
});

type Row = readonly [signature: string, args: readonly unknown[], says: readonly string[], dangers?: readonly string[]];

/** Calls to a token that is not a known one. */
const ROWS: readonly Row[] = [
  ['transfer(address,uint256)', [BOB, 42n], ['Send tokens', `Recipient: ${BOB}`, "42 (in the token's smallest unit)"]],
  ['transfer(address,uint256)', [BOB, maxUint256], ['Amount or token ID: all'], ['everything']],
  ['transferFrom(address,address,uint256)', [ME, BOB, 42n], ['Transfer tokens', `From: ${ME}`, `Recipient: ${BOB}`]],
  ['approve(address,uint256)', [BOB, 42n], ['Approve spending', `Spender: ${BOB}`, `Token: ${TOKEN}`]],
  ['approve(address,uint256)', [BOB, 0n], ['Revoke an approval, or approve token 0', 'Amount or token ID: 0']],
  ['increaseAllowance(address,uint256)', [BOB, 0n], ['Increase an approval', 'Amount or token ID: 0']],
  ['approve(address,uint256)', [BOB, maxUint256], ['unlimited'], ['unlimited-approval']],
  ['approve(address,uint256)', [BOB, (1n << 96n) - 1n], ['unlimited'], ['unlimited-approval']],
  ['increaseAllowance(address,uint256)', [BOB, maxUint256], ['Increase an approval'], ['unlimited-approval']],
  ['increaseApproval(address,uint256)', [BOB, maxUint256], ['Increase an approval'], ['unlimited-approval']],
  [
    'approveAndCall(address,uint256,bytes)',
    [BOB, maxUint256, '0x12'],
    ['Approve spending', 'Data: 1 byte, not decoded'],
    ['unlimited-approval'],
  ],
  // ERC-6909.
  [
    'approve(address,uint256,uint256)',
    [BOB, 42n, 5n],
    ['Approve spending', `Spender: ${BOB}`, 'Token ID: 42', 'Amount: 5'],
  ],
  ['approve(address,uint256,uint256)', [BOB, 42n, maxUint256], ['Amount: unlimited'], ['unlimited-approval']],
  ['approve(address,uint256,uint256)', [BOB, 42n, 0n], ['Revoke an approval', `Spender: ${BOB}`, 'Token ID: 42']],
  ['decreaseAllowance(address,uint256)', [BOB, 3n], ['Decrease an approval', `Spender: ${BOB}`]],
  [
    'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
    [ME, BOB, 9n, NOW + 60n, 27, WORD, WORD],
    ['Use a signed approval', `Owner: ${ME}`, 'Signature expires: 2026-01-01 00:01:00 UTC'],
  ],
  [
    'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)',
    [ME, BOB, 1n, 0n, true, 27, WORD, WORD],
    ['Use a signed approval', 'unlimited', 'Signature expires: never'],
    ['never-expires', 'unlimited-approval'],
  ],
  [
    'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)',
    [ME, BOB, 1n, NOW + 60n, false, 27, WORD, WORD],
    ['Revoke an approval', 'Amount or token ID: 0'],
  ],
  ['approveDelegation(address,uint256)', [BOB, maxUint256], ['Approve borrowing'], ['unlimited-approval']],
  ['approveDelegation(address,uint256)', [BOB, 0n], ['Revoke an approval', `Spender: ${BOB}`]],
  [
    'approve(address,address,uint160,uint48)',
    [USDC, BOB, 5_500_000n, Number(NOW) + 60],
    [`Token: ${USDC}`, `Spender: ${BOB}`, '5.5 USDC'],
  ],
  [
    'approve(address,address,uint160,uint48)',
    [USDC, BOB, (1n << 160n) - 1n, 2 ** 48 - 1],
    ['unlimited', 'Approval expires: never'],
    ['never-expires', 'unlimited-approval'],
  ],
  ['transferFrom(address,address,uint160,address)', [ME, BOB, 1_000_000n, USDC], ['1 USDC', `Recipient: ${BOB}`]],
  [
    'safeTransferFrom(address,address,uint256)',
    [ME, BOB, 42n],
    ['Transfer an NFT', 'Token ID: 42', `Recipient: ${BOB}`],
  ],
  ['safeTransferFrom(address,address,uint256,bytes)', [ME, BOB, 42n, '0x1234'], ['Token ID: 42', 'Data: 2 bytes']],
  ['safeTransferFrom(address,address,uint256,uint256,bytes)', [ME, BOB, 4n, 2n, '0x'], ['Token ID: 4', 'Amount: 2']],
  [
    'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
    [ME, BOB, [4n, 5n], [2n, 3n], '0x'],
    ['Transfer 2 kinds of tokens', 'Amount of token 4: 2', 'Amount of token 5: 3'],
  ],
  [
    'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
    [ME, BOB, Array.from({ length: 22 }, (_, id) => BigInt(id)), Array.from({ length: 22 }, () => 1n), '0x'],
    ['Transfer 22 kinds of tokens', 'Amount of token 19: 1', 'Not shown: 2 more kinds'],
  ],
  [
    'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
    [ME, BOB, [4n, 5n], [2n], '0x'],
    ['Unknown call'],
    ['malformed-call'],
  ],
  ['setApprovalForAll(address,bool)', [BOB, true], [`Operator: ${BOB}`], ['approval-for-all']],
  ['setApprovalForAll(address,bool)', [BOB, false], ['Revoke full access']],
  ['setOperator(address,bool)', [BOB, true], [`Operator: ${BOB}`], ['approval-for-all']],
  ['allow(address,bool)', [BOB, true], [`Operator: ${BOB}`], ['approval-for-all']],
  ['allow(address,bool)', [BOB, false], ['Revoke full access']],
  ['setAuthorization(address,bool)', [BOB, true], [`Operator: ${BOB}`], ['approval-for-all']],
  ['authorizeOperator(address)', [BOB], [`Operator: ${BOB}`], ['approval-for-all']],
  ['deposit()', [], ['Wrap or deposit']],
  ['withdraw(uint256)', [42n], ['Unwrap or withdraw', '42 (in']],
  ['multicall(bytes[])', [[CALL, SEND]], ['2 calls to this contract', 'Approve spending', 'Send tokens']],
  ['multicall(uint256,bytes[])', [NOW + 1n, [CALL]], ['Expires: 2026-01-01 00:00:01 UTC', `Spender: ${BOB}`]],
  ['multicall(bytes32,bytes[])', [WORD, [CALL]], ['Approve spending']],
  ['aggregate((address,bytes)[])', [[[USDC, CALL]]], ['1 call', `To: ${USDC}`, '5.5 USDC']],
  ['blockAndAggregate((address,bytes)[])', [[[USDC, CALL]]], ['5.5 USDC']],
  ['tryAggregate(bool,(address,bytes)[])', [true, [[USDC, CALL]]], ['5.5 USDC']],
  ['tryBlockAndAggregate(bool,(address,bytes)[])', [true, [[USDC, CALL]]], ['5.5 USDC']],
  ['aggregate3((address,bool,bytes)[])', [[[USDC, true, CALL]]], ['5.5 USDC']],
  ['aggregate3Value((address,bool,uint256,bytes)[])', [[[USDC, true, 10n ** 18n, CALL]]], ['5.5 USDC', 'Value: 1 ETH']],
  [
    'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
    [USDC, 0n, CALL, 0, 0n, 0n, 0n, ZERO, ZERO, '0x'],
    ['Make a call from a Safe', '5.5 USDC', `Safe: ${TOKEN}`],
  ],
  [
    'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
    [USDC, 0n, CALL, 1, 0n, 0n, 5n, USDC, ALICE, '0x'],
    [`Code to run: ${USDC}`, 'Refund per unit of gas: 5', `Refund recipient: ${ALICE}`],
    ['delegatecall', 'gas-refund'],
  ],
  [
    'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
    [USDC, 0n, CALL, 2, 0n, 0n, 0n, ZERO, ZERO, '0x'],
    ['Unknown call'],
    ['malformed-call'],
  ],
  ['execTransactionFromModule(address,uint256,bytes,uint8)', [USDC, 1n, CALL, 0], ['5.5 USDC']],
  ['execute(address,uint256,bytes)', [USDC, 10n ** 17n, CALL], ['5.5 USDC', 'Value: 0.1 ETH', `Account: ${TOKEN}`]],
  [
    'executeBatch(address[],bytes[])',
    [
      [USDC, TOKEN],
      [CALL, SEND],
    ],
    ['Make 2 calls', '5.5 USDC', 'Send tokens'],
  ],
  ['executeBatch(address[],bytes[])', [[USDC], [CALL, SEND]], ['Unknown call'], ['malformed-call']],
  ['executeBatch(address[],uint256[],bytes[])', [[USDC], [10n ** 18n], [CALL]], ['5.5 USDC', 'Value: 1 ETH']],
  ['executeBatch(address[],uint256[],bytes[])', [[USDC], [], [CALL]], ['5.5 USDC']],
  ['executeBatch(address[],uint256[],bytes[])', [[USDC], [1n, 2n], [CALL]], ['Unknown call'], ['malformed-call']],
  ['executeBatch((address,uint256,bytes)[])', [[[USDC, 10n ** 18n, CALL]]], ['5.5 USDC', 'Value: 1 ETH']],
  [
    'execute(bytes32,bytes)',
    [`0x${'00'.repeat(32)}`, encodePacked(['address', 'uint256', 'bytes'], [USDC, 0n, CALL])],
    ['5.5 USDC'],
  ],
  [
    'execute(bytes32,bytes)',
    [`0xff${'00'.repeat(31)}`, encodePacked(['address', 'bytes'], [USDC, CALL])],
    [`Code to run: ${USDC}`],
    ['delegatecall'],
  ],
  ['execute(bytes32,bytes)', [`0x02${'00'.repeat(31)}`, '0x'], ['Unknown call'], ['malformed-call']],
  ['transferOwnership(address)', [BOB], [`New owner: ${BOB}`], ['account-administration']],
  ['renounceOwnership()', [], ['Renounce ownership'], ['account-administration']],
  ['upgradeTo(address)', [BOB], [`New code: ${BOB}`], ['account-administration']],
  ['upgradeToAndCall(address,bytes)', [BOB, '0x'], [`New code: ${BOB}`], ['account-administration']],
  [
    'upgradeToAndCall(address,bytes)',
    [BOB, CALL],
    [`New code: ${BOB}`, 'Approve spending'],
    ['account-administration', 'delegatecall'],
  ],
  ['upgradeAndCall(address,address,bytes)', [ALICE, BOB, '0x'], [`Proxy: ${ALICE}`], ['account-administration']],
  ['grantRole(bytes32,address)', [WORD, BOB], [`Account: ${BOB}`], ['account-administration']],
  ['addOwnerWithThreshold(address,uint256)', [BOB, 1n], ['Required signatures: 1'], ['account-administration']],
  ['swapOwner(address,address,address)', [ZERO, ALICE, BOB], [`New owner: ${BOB}`], ['account-administration']],
  ['enableModule(address)', [BOB], [`Module: ${BOB}`], ['account-administration']],
  ['setEntryPoint(address)', [BOB], [`Entry point: ${BOB}`], ['account-administration']],
  ['installModule(uint256,address,bytes)', [1n, BOB, '0x'], [`Module: ${BOB}`], ['account-administration']],
  [
    'addGuardianWithThreshold(address,uint256)',
    [BOB, 2n],
    [`Guardian: ${BOB}`, 'Guardians needed: 2', '2 of its guardians can replace its owners'],
    ['account-administration'],
  ],
  [
    'revokeGuardianWithThreshold(address,address,uint256)',
    [ALICE, BOB, 1n],
    ['Remove a guardian', `Guardian: ${BOB}`, 'A recovery that has begun goes on'],
    ['account-administration'],
  ],
  [
    'changeThreshold(uint256)',
    [1n],
    ['Guardians needed: 1', '1 of the guardians that', 'replace its owners, after a delay'],
    ['account-administration'],
  ],
  [
    'confirmRecovery(address,address[],uint256,bool)',
    [ALICE, [BOB], 1n, true],
    [
      'Confirm a recovery',
      `Account: ${ALICE}`,
      `New owner: ${BOB}`,
      'Required signatures: 1',
      'Delay: begins with this',
    ],
    ['account-recovery'],
  ],
  [
    'multiConfirmRecovery(address,address[],uint256,(address,bytes)[],bool)',
    [ALICE, [BOB, ME], 2n, [[BOB, '0x12']], false],
    ['Confirm a recovery', `New owner: ${BOB}`, `New owner: ${ME}`],
    ['account-recovery'],
  ],
  [
    'executeRecovery(address,address[],uint256)',
    [ALICE, [BOB], 1n],
    ['Begin a recovery', `New owner: ${BOB}`],
    ['account-recovery'],
  ],
  ['finalizeRecovery(address)', [ALICE], ['Finish a recovery', `Account: ${ALICE}`], ['account-recovery']],
  ['cancelRecovery()', [], ['Cancel a recovery', `Module: ${TOKEN}`]],
  ['invalidateNonce()', [], ['Void the confirmations of guardians', 'Only cancelling stops it']],
  ['withdrawDepositTo(address,uint256)', [BOB, 10n ** 18n], ['Amount: 1 ETH'], ['account-administration']],
];

describe('a call', () => {
  it.each(ROWS.map((row) => [row[0], row] as const))('%s', (_name, [signature, args, says, dangers = []]) => {
    const explanation = explainCall(TOKEN, encode(signature, args));
    const text = saying(explanation);
    for (const part of says) expect(text).toContain(part);
    expect(codesOf(explanation)).toEqual(dangers);
    expectExplained(
      `call: ${signature} ${JSON.stringify(args, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}`,
      explanation,
    );
  });

  it.each([
    [
      'executeBatch((address,uint256,bytes)[])',
      [
        [
          [USDC, 0n, CALL],
          [BOB, 10n ** 18n, '0x'],
        ],
      ],
    ],
    ['execute(address,uint256,bytes)', [BOB, 10n ** 18n, '0x']],
  ] as [string, readonly unknown[]][])('of the own account, %s, counts as what the account does', (signature, args) => {
    const { changes, main } = explainCall(ME, encode(signature, args));
    expect(changes.map(written)).toContain('You send: 1 ETH');
    expect(main.map(written)).toContain(`To: ${BOB}`);
    // Of another account, it does not.
    expect(explainCall(ALICE, encode(signature, args)).changes).toEqual([]);
  });

  it('of guardians is titled with the account that it is about, not with the module', () => {
    const args = [ALICE, [BOB], 1n, true];
    const ends = `${ALICE.slice(0, 6)}…${ALICE.slice(-4)}`;
    const { title } = explainCall(TOKEN, encode('confirmRecovery(address,address[],uint256,bool)', args));
    expect(title).toBe(`Confirm a recovery: ${ends}`);
    expect(explainCall(TOKEN, encode('finalizeRecovery(address)', [ALICE])).title).toBe(`Finish a recovery: ${ends}`);
    // A call that is about the contract itself keeps its name.
    expect(explainCall(TOKEN, encode('cancelRecovery()', [])).title).not.toContain(ends);
  });

  it('tells the threshold of a Safe from that of its guardians', () => {
    const ofSafe = saying(explainCall(ME, encode('changeThreshold(uint256)', [2n])));
    expect(ofSafe).toContain('Required signatures: 2');
    expect(ofSafe).not.toContain('uardian');
    const args = [ALICE, [BOB], 1n, false];
    const confirmed = explainCall(TOKEN, encode('confirmRecovery(address,address[],uint256,bool)', args));
    expect(saying(confirmed)).not.toContain('Delay');
  });

  it('of the set-up of a Safe says what it pays, if it pays anything', () => {
    const setup = 'setup(address[],uint256,address,bytes,address,address,uint256,address)';
    const paying = (payment: bigint, receiver: Hex) =>
      explainCall(ME, encode(setup, [[ME], 1n, ZERO, '0x', ZERO, USDC, payment, receiver]));
    expect(paying(0n, BOB).changes).toEqual([]);
    expect(paying(5_500_000n, BOB).changes.map(written)).toEqual(['You send: 5.5 USDC']);
    expect(saying(paying(5_500_000n, BOB))).toContain(BOB);
    expect(paying(5_500_000n, ZERO).changes.map(written)).toEqual(['You send: 5.5 USDC']);
  });

  it('tells from each other those who are sent something, who may spend, and who are only named', () => {
    const abi = parseAbi([
      'function transfer(address,uint256)',
      'function transferFrom(address,address,uint256)',
      'function approve(address,uint256)',
    ]);
    const howBob = (to: Hex, functionName: (typeof abi)[number]['name'], args: readonly unknown[]) =>
      explainCall(to, encodeFunctionData({ abi, functionName, args } as never)).unresolved?.counterparties.flatMap(
        ({ address, how }) => (address.toLowerCase() === BOB.toLowerCase() ? [how] : []),
      );
    expect(howBob(USDC, 'transfer', [BOB, 1n])).toContain('sent');
    expect(howBob(USDC, 'transferFrom', [ME, BOB, 1n])).toContain('sent');
    expect(howBob(USDC, 'approve', [BOB, 1n])).toContain('allowed');
    // Nothing is sent or allowed, or others send it.
    const named = [
      howBob(USDC, 'transfer', [BOB, 0n]),
      howBob(USDC, 'transferFrom', [ALICE, BOB, 1n]),
      howBob(USDC, 'approve', [BOB, 0n]),
    ];
    for (const how of named) expect(how).toEqual(['named']);
  });

  it('warns of calls that an account makes to itself', () => {
    const one = 'execute(address,uint256,bytes)';
    const many = 'executeBatch((address,uint256,bytes)[])';
    const toItself = [
      explainCall(ME, encode(one, [ME, 0n, CALL])),
      explainCall(ALICE, encode(many, [[[ALICE, 0n, CALL]]])),
    ];
    for (const { warnings } of toItself)
      expect(warnings.join()).toContain('One of the calls is to the account itself.');
    expect(explainCall(ME, encode(one, [USDC, 0n, CALL])).warnings).toEqual([]);
  });

  it('of ERC-7821 treats the zero address as the account itself', () => {
    const batch = encodeFunctionData({
      abi: parseAbi(['function b((address,uint256,bytes)[])']),
      args: [[[ZERO, 0n, CALL]]],
    });
    const explanation = explainCall(
      USDC,
      encode('execute(bytes32,bytes)', [`0x01${'00'.repeat(31)}`, `0x${batch.slice(10)}`]),
    );
    expect(saying(explanation)).toContain('5.5 USDC');
  });

  it.each([
    ['a batch of batches (ERC-7821)', '0x01000000000078210002', false],
    ['a batch in a form of another standard', '0x010000000000deadbeef', false],
    ['one call in a form of another standard', '0x000000000000deadbeef', false],
    ['a batch with an unknown failure mode', '0x01020000000000000000', false],
    ['a batch (ERC-7579)', '0x01000000000000000000', true],
    ['a batch whose calls may fail', '0x01010000000000000000', true],
    ['a batch with data for the account (ERC-7821)', '0x01000000000078210001', true],
  ] as [string, Hex, boolean][])('of %s is decoded only if its mode allows it', (_name, mode, isUnderstood) => {
    // Bytes that would be valid calls under another mode.
    const batch = encodeFunctionData({
      abi: parseAbi(['function b((address,uint256,bytes)[])']),
      args: [[[USDC, 0n, CALL]]],
    });
    const content: Hex = mode.startsWith('0x00')
      ? encodePacked(['address', 'uint256', 'bytes'], [USDC, 0n, CALL])
      : `0x${batch.slice(10)}`;
    const explanation = explainCall(ALICE, encode('execute(bytes32,bytes)', [`${mode}${'00'.repeat(22)}`, content]));
    expect(codesOf(explanation)).toEqual(isUnderstood ? [] : ['malformed-call']);
    expect(saying(explanation).includes('5.5 USDC')).toBe(isUnderstood);
  });

  it('of MultiSend is decoded transaction by transaction, each with its own operation', () => {
    const one = (operation: number, to: Hex, value: bigint, data: Hex) =>
      encodePacked(
        ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
        [operation, to, value, BigInt((data.length - 2) / 2), data],
      ).slice(2);
    const packed = (...parts: string[]) => encode('multiSend(bytes)', [`0x${parts.join('')}`]);
    const calls = explainCall(ALICE, packed(one(0, USDC, 0n, CALL), one(0, BOB, 10n ** 18n, '0x')));
    expect(saying(calls)).toContain('5.5 USDC');
    expect(saying(calls)).toContain('Value: 1 ETH');
    expect(codesOf(calls)).toEqual([]);
    expect(codesOf(explainCall(ALICE, packed(one(1, USDC, 0n, CALL))))).toEqual(['delegatecall']);
    // A wrong length, an unknown operation, and trailing bytes.
    expect(codesOf(explainCall(ALICE, packed(one(0, USDC, 0n, CALL).slice(0, -2))))).toEqual(['malformed-call']);
    expect(codesOf(explainCall(ALICE, packed(one(2, USDC, 0n, CALL))))).toEqual(['malformed-call']);
    expect(codesOf(explainCall(ALICE, packed(one(0, USDC, 0n, CALL), '00')))).toEqual(['malformed-call']);
  });

  it('without a rule is guessed, in quotation marks, or shown by its length only', async () => {
    const guessed = (await toldWhole(explainCall(ALICE, '0x40c10f19'))).sections[0]!;
    expect(guessed.lines[0]).toEqual({
      kind: 'quote',
      label: 'Possible function',
      value: 'mint(address,uint256)',
      source: 'a guess from the first four bytes',
    });
    expect(saying(explainCall(ALICE, '0xdeadbeef00'))).toContain('Not decoded: 5 bytes');
    expect(saying(explainCall(ALICE, '0xde'))).toContain('Not decoded: 1 byte');
    expect(codesOf(explainCall(ALICE, '0xdeadbeef00'))).toEqual([]);
  });

  it('shows the length of extra data after the arguments', () => {
    expect(saying(explainCall(TOKEN, `${SEND}c0ffee`))).toContain('Extra data: 3 bytes, not decoded');
  });

  it('is decoded the same in upper case', () => {
    expect(saying(explainCall(TOKEN, `0x${SEND.slice(2).toUpperCase()}`))).toBe(saying(explainCall(TOKEN, SEND)));
  });
});

describe('a transaction', () => {
  const common = { chainId: 1n, nonce: 7n, gasLimit: 21_000n, value: 0n, data: '0x' as Hex, to: BOB };

  it('shows its maximum fee', () => {
    const legacy = explainTransaction({ ...common, type: 'legacy', gasPrice: 10n ** 9n }, VIEW);
    expect(saying(legacy)).toContain('Network fee: up to 0.000021 ETH');
    expect(saying(legacy)).toContain('Gas price: 1 gwei');
    const dynamic = explainTransaction(
      {
        ...common,
        type: 'eip1559',
        maxFeePerGas: 2n * 10n ** 9n,
        maxPriorityFeePerGas: 1n,
        accessList: [{ address: BOB, storageKeys: [] }],
      },
      VIEW,
    );
    expect(saying(dynamic)).toContain('Max fee per gas: 2 gwei');
    expect(saying(dynamic)).toContain('Access list: 1 address\n');
    expect(dynamic.sections).toEqual([]);
  });

  it('is dangerous if it sends value to the zero address', () => {
    const lost = { ...common, to: ZERO, type: 'legacy' as const, gasPrice: 1n };
    expect(codesOf(explainTransaction(lost, VIEW))).toEqual([]);
    expect(codesOf(explainTransaction({ ...lost, value: 1n }, VIEW))).toEqual(['burn-address']);
  });

  it('shows the first 20 addresses of its access list', () => {
    const accessList = Array.from({ length: 21 }, () => ({ address: BOB, storageKeys: [WORD] }));
    const said = saying(explainTransaction({ ...common, type: 'eip2930', gasPrice: 1n, accessList }, VIEW));
    expect(said).toContain('Access list: 21 addresses');
    expect(said).toContain(`Access 20 (1 storage key): ${BOB}`);
    expect(said).not.toContain('Access 21');
  });

  it('is flagged if it creates a contract and sends value', () => {
    const creation = { ...common, to: null, data: '0x60' as Hex, type: 'legacy' as const, gasPrice: 1n };
    expect(codesOf(explainTransaction(creation, VIEW))).toEqual([]);
    expect(codesOf(explainTransaction({ ...creation, value: 1n }, VIEW))).toEqual(['value-to-creation']);
  });
});
