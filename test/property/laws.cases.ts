import { encodeFunctionData, parseAbi } from 'viem';
import fc from 'fast-check';

import { type AssetAmount, type Outcome } from '../../src/core/decode/effects/outcome';
import { explainAction, explainTransaction } from '../../src/core/decode/explain/transaction';
import { explainUserOperation } from '../../src/core/decode/explain/user-operation';
import { type Explanation, type Viewpoint } from '../../src/core/decode/explanation';
import { type Hex } from '../../src/core/eth/bytes';
import {
  ALICE,
  BOB,
  codesOf,
  explainTyped,
  ME,
  NOW,
  typedData,
  ungrouped,
  USDC,
  VIEW,
  written,
} from '../support/explaining';
import { fuzzing } from '../support/fuzz';

const DAI: Hex = '0x6B175474E89094C44Da98b954EedeAC495271d0F';
const WETH: Hex = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const AZUKI: Hex = '0xED5AF388653567Af2F388E6224dC7C4b3241C544';
const PERMIT2: Hex = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
const MULTICALL3: Hex = '0xcA11bde05977b3631167028862bE2a173976CA11';
const STRANGER: Hex = '0x66666666666666666666666666666666DEaDbeef';
const ENTRY_POINT: Hex = '0x0000000071727De22E5E9d8BAf0edAc6f37da032';

const encode = (signature: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: parseAbi([`function ${signature}`] as string[]), args } as never);

type Call = { readonly to: Hex; readonly value: bigint; readonly data: Hex };

/** A batch of the account itself, as a user operation that Keystead prepared. */
function batch(calls: readonly Call[], view: Partial<Viewpoint> = {}): Explanation {
  const operation = {
    sender: ME,
    nonce: 0n,
    initCode: '0x',
    callData: '0x12345678',
    callGasLimit: 1n,
    verificationGasLimit: 1n,
    preVerificationGas: 1n,
    maxFeePerGas: 1n,
    maxPriorityFeePerGas: 1n,
    paymasterAndData: '0x',
    signature: '0x',
  } as const;
  const facts = {
    domain: { chainId: 1n, entryPoint: ENTRY_POINT, version: '0.7' },
    accountTitle: 'SimpleAccount 0.7',
    calls,
    wasPrepared: true,
    funds: undefined,
  } as const;
  return explainUserOperation(operation, facts, { ...VIEW, ...view });
}

const rows = ({ changes }: Explanation, label: string): string[] =>
  changes.filter((line) => line.label === label).map(({ value }) => value);
const open = ({ title, changes, main, dangers, warnings }: Explanation): string =>
  [title, ...[...changes, ...main].map(written), ...dangers.map(({ text }) => text), ...warnings].join('\n');
/** An amount of USDC in a row, in its smallest unit. */
const unitsOf = (row: string | undefined): bigint => {
  const [, whole = '0', part = ''] = /^(\d+)(?:\.(\d+))? USDC/u.exec(ungrouped(row ?? '')) ?? [];
  return BigInt(whole) * 1_000_000n + BigInt(part.padEnd(6, '0'));
};

const anyAddress = fc
  .bigInt({ min: 1n << 90n, max: (1n << 150n) - 1n })
  .map((n): Hex => `0x${n.toString(16).padStart(40, '1')}`);
const anyAmount = fc.bigInt({ min: 1n, max: 10n ** 15n });

const transfer = (to: Hex, amount: bigint, token = USDC): Call => ({
  to: token,
  value: 0n,
  data: encode('transfer(address,uint256)', [to, amount]),
});
/** The ways of giving one spender an allowance of USDC. */
const anyApproval = fc.tuple(anyAmount, fc.integer({ min: 0, max: 3 })).map(([amount, way]) => {
  const call = [
    { to: USDC, value: 0n, data: encode('approve(address,uint256)', [STRANGER, amount]) },
    { to: USDC, value: 0n, data: encode('increaseAllowance(address,uint256)', [STRANGER, amount]) },
    { to: USDC, value: 0n, data: encode('approveAndCall(address,uint256,bytes)', [STRANGER, amount, '0x']) },
    {
      to: PERMIT2,
      value: 0n,
      data: encode('approve(address,address,uint160,uint48)', [USDC, STRANGER, amount, Number(NOW) + 60]),
    },
  ][way] as Call;
  return { amount, call };
});
/** Calls that are there to push others out of sight. */
const anyDust = fc.oneof(
  anyAddress.map((to): Call => ({ to, value: 1n, data: '0x' })),
  fc.tuple(anyAddress, anyAddress).map(([token, to]) => transfer(to, 1n, token)),
  anyAddress.map((to): Call => ({ to, value: 0n, data: '0x12345678' })),
  fc
    .tuple(anyAddress, fc.constantFrom(PERMIT2, MULTICALL3, BOB))
    .map(([to, spender]): Call => ({ to, value: 0n, data: encode('approve(address,uint256)', [spender, 1000n]) })),
);
const shuffled = (calls: readonly Call[]): fc.Arbitrary<readonly Call[]> =>
  fc.shuffledSubarray([...calls], { minLength: calls.length });

const anyOutcome: fc.Arbitrary<Outcome | undefined> = fc.option(
  fc.oneof(
    fc.constant<Outcome>({ kind: 'succeeds' }),
    fc.constant<Outcome>({ kind: 'unknown', why: 'the node is asleep' }),
    fc.tuple(anyAmount, anyAmount).map(([sent, received]): Outcome => ({
      kind: 'changes',
      changes: {
        sends: [{ asset: { kind: 'erc20', token: USDC }, amount: sent }],
        receives: [{ asset: { kind: 'erc20', token: DAI }, amount: received }],
        allows: [],
        creates: [],
      },
    })),
  ),
  { nil: undefined },
);
const withOutcome = (outcome: Outcome | undefined): Partial<Viewpoint> => (outcome === undefined ? {} : { outcome });

describe('a screen, whatever the request,', () => {
  it('shows at least the sum of the losses that were decoded, and at least what was simulated', () => {
    const anyLosses = fc.array(fc.tuple(anyAddress, anyAmount), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(anyLosses, fc.array(anyDust, { maxLength: 8 }), anyOutcome, (losses, dust, outcome) => {
        const calls = [...dust, ...losses.map(([to, amount]) => transfer(to, amount))];
        const shown = unitsOf(rows(batch(calls, withOutcome(outcome)), 'You send').find((row) => /USDC/u.test(row)));
        const decoded = losses.reduce((sum, [, amount]) => sum + amount, 0n);
        const simulated = outcome?.kind === 'changes' ? (outcome.changes.sends[0]?.amount ?? 0n) : 0n;
        expect(shown).toBe(decoded > simulated ? decoded : simulated);
      }),
      fuzzing(200),
    );
  });

  it('adds up the permissions of one spender over one token, in any order and by any function', () => {
    fc.assert(
      fc.property(
        fc.array(anyApproval, { minLength: 1, maxLength: 6 }),
        fc.array(anyDust, { maxLength: 6 }),
        fc.infiniteStream(fc.nat()),
        (approvals, dust, order) => {
          const calls = [...dust, ...approvals.map(({ call }) => call)]
            .map((call) => [order.next().value as number, call] as const)
            .sort(([a], [b]) => a - b)
            .map(([, call]) => call);
          const row = rows(batch(calls), 'You allow').find((one) => /USDC/u.test(one));
          expect(unitsOf(row)).toBe(approvals.reduce((sum, { amount }) => sum + amount, 0n));
        },
      ),
      fuzzing(200),
    );
  });

  it('receives nothing that no simulation found', () => {
    fc.assert(
      fc.property(anyAmount, anyAddress, anyOutcome, (amount, from, outcome) => {
        const claim = encode('transferFrom(address,address,uint256)', [from, ME, amount]);
        const explanation = batch([{ to: USDC, value: 0n, data: claim }], withOutcome(outcome));
        const found = outcome?.kind === 'changes';
        expect(rows(explanation, 'You receive')).toHaveLength(found ? 1 : 0);
        const expected = explanation.lines.filter(({ label }) => label === 'Expected, not checked');
        expect(expected).toHaveLength(found ? 0 : 1);
      }),
      fuzzing(100),
    );
  });

  it('has a title that no calldata of an unknown contract writes', () => {
    const wrappers = [
      (to: Hex, data: Hex) => encode('aggregate3((address,bool,bytes)[])', [[[to, true, data]]]),
      (to: Hex, data: Hex) => encode('aggregate((address,bytes)[])', [[[to, data]]]),
      (_to: Hex, data: Hex) => encode('multicall(bytes[])', [[data]]),
      (to: Hex, data: Hex) => encode('execute(address,uint256,bytes)', [to, 0n, data]),
      (to: Hex, data: Hex) =>
        encode('execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)', [
          to,
          0n,
          data,
          0,
          0n,
          0n,
          0n,
          ALICE,
          ALICE,
          '0x',
        ]),
    ];
    const nested = fc.array(fc.constantFrom(...wrappers), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(nested, anyAddress, fc.bigInt({ min: 0n, max: 10n ** 20n }), (layers, to, value) => {
        const inner = encode('transferFrom(address,address,uint256)', [ALICE, ME, 5_000_000_000n]);
        const data = layers.reduce((call, wrap, depth) => wrap(depth === 0 ? USDC : to, call), inner);
        const { title } = explainAction({ to, value, data, chainId: 1n }, VIEW);
        expect(title).toMatch(value > 0n ? /^Call 0x\w{4}…\w{4} and send it [\d.]+ ETH$/u : /^Call 0x\w{4}…\w{4}$/u);
      }),
      fuzzing(200),
    );
  });

  it('names the gravest thing in its title, wherever it stands', () => {
    const everything = encode('setApprovalForAll(address,bool)', [STRANGER, true]);
    const grave: Call = { to: ALICE, value: 0n, data: everything };
    const anyBatch = fc.array(anyDust, { maxLength: 20 }).chain((dust) => shuffled([...dust, grave]));
    fc.assert(
      fc.property(anyBatch, (calls) => {
        expect(batch(calls).title).toMatch(/^Let 0x6666…beef move everything in 0xd8dA…6045/u);
      }),
      fuzzing(100),
    );
  });

  it('names everybody who gets something, in full, and many of them are a danger', () => {
    const grants = fc.constantFrom(
      (who: Hex): Call => transfer(who, 1_000_000n),
      (who: Hex): Call => ({ to: who, value: 7n, data: '0x' }),
      (who: Hex): Call => ({ to: USDC, value: 0n, data: encode('approve(address,uint256)', [who, 5n]) }),
      (who: Hex): Call => ({ to: ALICE, value: 0n, data: encode('setApprovalForAll(address,bool)', [who, true]) }),
      (who: Hex): Call => ({ to: ME, value: 0n, data: encode('transferOwnership(address)', [who]) }),
      (who: Hex): Call => ({
        to: ALICE,
        value: 0n,
        data: encode('execute(address,uint256,bytes)', [who, 10n ** 18n, '0x']),
      }),
      (who: Hex): Call => ({ to: ALICE, value: 0n, data: encode('execute(address,bytes)', [who, '0x12']) }),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(anyAddress, grants), { minLength: 1, maxLength: 30 }),
        fc.array(anyDust, { maxLength: 10 }),
        (granted, dust) => {
          const explanation = batch([...dust, ...granted.map(([who, grant]) => grant(who))]);
          const shown = open(explanation).toLowerCase();
          for (const [who] of granted) expect(shown).toContain(who);
          const addresses = explanation.main.filter(({ kind }) => kind === 'address');
          if (addresses.length > 20) expect(codesOf(explanation)).toContain('not-fully-read');
        },
      ),
      fuzzing(100),
    );
  });

  it('puts strangers before known contracts among the spenders', () => {
    const known: readonly Call[] = Array.from({ length: 15 }, (_, n) => ({
      to: `0x${(n + 17).toString(16).repeat(20)}` as Hex,
      value: 0n,
      data: encode('approve(address,uint256)', [n % 2 === 0 ? PERMIT2 : MULTICALL3, 1000n]),
    }));
    const attack: Call = { to: USDC, value: 0n, data: encode('approve(address,uint256)', [STRANGER, 5n]) };
    fc.assert(
      fc.property(shuffled([...known, attack]), (calls) => {
        const explanation = batch(calls);
        expect(rows(explanation, 'You allow')[0]).toMatch(/USDC.*0x6666…beef/u);
        expect(explanation.main.filter(({ label }) => label.startsWith('Spender'))[0]?.value.toLowerCase()).toBe(
          STRANGER.toLowerCase(),
        );
      }),
      fuzzing(50),
    );
  });

  it('checks everybody whom a signed inner call names for poisoning', () => {
    const friend: Hex = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
    const anyTwin = fc
      .bigInt({ min: 1n, max: (1n << 127n) - 1n })
      .map((n): Hex => `0xd8da${n.toString(16).padStart(32, '0')}6045`);
    const wrap = fc.constantFrom(
      (to: Hex): Call => ({
        to: ALICE,
        value: 1n,
        data: encode('aggregate3Value((address,bool,uint256,bytes)[])', [[[to, true, 1n, '0x']]]),
      }),
      (to: Hex): Call => ({ to: ALICE, value: 0n, data: encode('execute(address,uint256,bytes)', [to, 1n, '0x']) }),
      (to: Hex): Call => ({
        to: ALICE,
        value: 0n,
        data: encode('execute(address,uint256,bytes)', [USDC, 0n, transfer(to, 5n).data]),
      }),
    );
    fc.assert(
      fc.property(anyTwin, wrap, (twin, wrapped) => {
        const recipients = { used: [friend], own: {}, hasCode: {} };
        const explanation = batch([wrapped(twin)], { recipients });
        expect(codesOf(explanation)).toContain('address-poisoning');
        expect(open(explanation).toLowerCase()).toContain(twin);
        expect(open(explanation)).toContain('First time you send to');
      }),
      fuzzing(100),
    );
  });

  it('asks about a message that nobody can read, with its first values and its addresses', () => {
    const member = fc.record({
      name: fc.stringMatching(/^[a-z]{3,8}$/u),
      type: fc.constantFrom('address', 'uint256', 'string', 'bool', 'bytes32'),
    });
    const members = fc.uniqueArray(member, { minLength: 1, maxLength: 20, selector: ({ name }) => name });
    fc.assert(
      fc.property(members, anyAddress, fc.string({ maxLength: 20 }), (all, who, words) => {
        const values = { address: who, uint256: '77', string: words, bool: false, bytes32: `0x${'ab'.repeat(32)}` };
        const message = Object.fromEntries(all.map(({ name, type }) => [name, values[type]]));
        const type = `Odd(${all.map(({ name, type: of }) => `${of} ${name}`).join(',')})`;
        const domain = { name: 'N', chainId: 1, verifyingContract: BOB };
        const explanation = explainTyped(typedData(type, domain, message));
        expect(explanation.isUnread).toBe(true);
        expect(explanation.main[0]).toMatchObject({ label: 'Meaning' });
        for (const { name } of all.slice(0, 12))
          expect(explanation.main.map(({ label }) => label)).toContain(`“${name}”`);
        if (all.some((one) => one.type === 'address')) expect(open(explanation).toLowerCase()).toContain(who);
      }),
      fuzzing(200),
    );
  });

  it('takes what is beyond all supply for unlimited, also as a sum', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n << 111n, max: (1n << 256n) - 1n }), (amount) => {
        const call: Call = { to: USDC, value: 0n, data: encode('approve(address,uint256)', [STRANGER, amount]) };
        const more: Call = { ...call, data: encode('increaseAllowance(address,uint256)', [STRANGER, amount]) };
        const explanation = batch([call, more]);
        expect(codesOf(explanation)).toContain('unlimited-approval');
        expect(rows(explanation, 'You allow')).toEqual(['unlimited USDC, to be spent by 0x6666…beef']);
      }),
      fuzzing(100),
    );
  });

  it('flags all of a token that leaves for nothing, dust or tokens that nobody knows, and nothing that is paid for', () => {
    const dust: AssetAmount[] = [
      { asset: { kind: 'native' }, amount: 1n },
      { asset: { kind: 'erc20', token: WETH }, amount: 10n ** 14n - 1n },
      { asset: { kind: 'erc20', token: ALICE, declared: { symbol: 'GIFT', decimals: 0 } }, amount: 10n ** 9n },
      { asset: { kind: 'erc721', token: ALICE, id: 1n, declared: { name: 'Gifts' } }, amount: 1n },
    ];
    const payments: AssetAmount[] = [
      { asset: { kind: 'native' }, amount: 10n ** 14n },
      { asset: { kind: 'erc20', token: WETH }, amount: 10n ** 14n },
      { asset: { kind: 'erc721', token: AZUKI, id: 1n }, amount: 1n },
    ];
    fc.assert(
      fc.property(
        anyAmount,
        fc.boolean(),
        fc.subarray(dust),
        fc.subarray(payments),
        fc.constantFrom(BOB, PERMIT2),
        (amount, isAll, worthless, worth, to) => {
          const receives = [...worthless, ...worth];
          const sends = [{ asset: { kind: 'erc20', token: USDC } as const, amount, isAll }];
          const outcome: Outcome = { kind: 'changes', changes: { sends, receives, allows: [], creates: [] } };
          const action = { to, value: 0n, data: '0x12345678', chainId: 1n } as const;
          const isPaid = to === BOB ? worth.length > 0 : receives.length > 0;
          expect(codesOf(explainAction(action, { ...VIEW, outcome }))).toEqual(isAll && !isPaid ? ['everything'] : []);
        },
      ),
      fuzzing(100),
    );
  });

  it('says that a preview leaves something out: losses and permissions as a danger, receipts as a warning', () => {
    for (const unread of ['losses', 'receipts', undefined] as const) {
      const changes = { sends: [], receives: [], allows: [], creates: [], ...(unread && { unread }) };
      const action = { to: BOB, value: 0n, data: '0x12345678', chainId: 1n } as const;
      const said = explainAction(action, { ...VIEW, outcome: { kind: 'changes', changes } });
      expect(codesOf(said)).toEqual(unread === 'losses' ? ['not-fully-read'] : []);
      const others = said.warnings.filter((warning) => !warning.startsWith('Keystead does not know'));
      expect(others).toHaveLength(unread === 'receipts' ? 1 : 0);
    }
  });

  it('flags a fee by how many times it is what the node suggests', () => {
    const suggested = fc.bigInt({ min: 1n, max: 10n ** 12n });
    fc.assert(
      fc.property(suggested, fc.bigInt({ min: 1n, max: 10_000n }), (gasPrice, times) => {
        const explanation = batch([{ to: BOB, value: 1n, data: '0x' }], { gasPrice });
        expect(codesOf(explanation)).toEqual([]);
        const high = explainOwn(gasPrice * times, gasPrice);
        expect(codesOf(high)).toEqual(times >= 100n ? ['excessive-fee'] : []);
        expect(high.warnings.length).toBe(times >= 10n && times < 100n ? 1 : 0);
      }),
      fuzzing(100),
    );
  });

  it('flags tokens for contracts through which anybody can make calls', () => {
    const ways = fc.constantFrom<(amount: bigint) => Call>(
      (amount) => transfer(MULTICALL3, amount),
      (amount) => ({ to: USDC, value: 0n, data: encode('approve(address,uint256)', [MULTICALL3, amount]) }),
      (amount) => ({ to: USDC, value: 0n, data: encode('increaseAllowance(address,uint256)', [MULTICALL3, amount]) }),
      () => ({ to: ALICE, value: 0n, data: encode('setApprovalForAll(address,bool)', [MULTICALL3, true]) }),
    );
    fc.assert(
      fc.property(ways, anyAmount, fc.array(anyDust, { maxLength: 4 }), (way, amount, dust) => {
        expect(codesOf(batch([...dust, way(amount)]))).toContain('public-contract');
      }),
      fuzzing(100),
    );
  });

  it('quotes every symbol that is no plain word', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }), anyAmount, (symbol, amount) => {
        const declared = { symbol, decimals: 0 };
        const outcome: Outcome = {
          kind: 'changes',
          changes: {
            sends: [],
            receives: [{ asset: { kind: 'erc20', token: ALICE, declared }, amount }],
            allows: [],
            creates: [],
          },
        };
        const explanation = explainAction(
          { to: BOB, value: 0n, data: '0x12345678', chainId: 1n },
          { ...VIEW, outcome },
        );
        const [row = ''] = rows(explanation, 'You receive');
        expect(ungrouped(row)).toMatch(
          /^\d+ (?:[A-Za-z][A-Za-z0-9.\-_+$]*|“[^“”]*”) \(symbol chosen by its contract 0xd8dA…6045\)$/u,
        );
      }),
      fuzzing(200),
    );
  });
});

/** A plain transaction with a price per gas. */
function explainOwn(price: bigint, gasPrice: bigint): Explanation {
  const operation = batch([{ to: BOB, value: 0n, data: '0x12345678' }]);
  expect(operation.dangers).toEqual([]);
  return explainTransaction(
    {
      type: 'eip1559',
      chainId: 1n,
      nonce: 0n,
      gasLimit: 21_000n,
      to: BOB,
      value: 10n ** 30n,
      data: '0x',
      maxFeePerGas: price,
      maxPriorityFeePerGas: 1n,
      accessList: [],
    },
    { ...VIEW, gasPrice },
  );
}
