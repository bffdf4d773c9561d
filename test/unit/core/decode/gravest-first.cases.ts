import { encodeFunctionData, maxUint256, parseAbi } from 'viem';

import { effectLines } from '../../../../src/core/decode/effects/details';
import { type Allow } from '../../../../src/core/decode/effects/effect';
import { Findings } from '../../../../src/core/decode/effects/findings';
import { type Hex } from '../../../../src/core/eth/bytes';
import { ALICE, BOB, explainCall, ME, USDC, VIEW, written } from '../../../support/explaining';

const TOKEN: Hex = '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984';
const WETH: Hex = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const PERMIT2: Hex = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
/** In wei. Less counts for nothing. */
const DUST = 10n ** 12n;

type Call = readonly [to: Hex, value: bigint, data: Hex];
const call = (to: Hex, signature: string, ...args: readonly unknown[]): Call => [
  to,
  0n,
  encodeFunctionData({ abi: parseAbi([`function ${signature}`] as string[]), args } as never),
];
const titleOf = (...calls: readonly Call[]): string =>
  explainCall(ME, call(ME, 'executeBatch((address,uint256,bytes)[])', calls)[2]).title;

const approve = (token: Hex, spender: Hex, amount: bigint) => call(token, 'approve(address,uint256)', spender, amount);

const [NEW_OWNER, EVERYTHING, UNLIMITED, REVOKE, WRAP, OTHER, UNKNOWN] = [
  call(TOKEN, 'transferOwnership(address)', BOB),
  call(TOKEN, 'setApprovalForAll(address,bool)', PERMIT2, true),
  approve(TOKEN, PERMIT2, maxUint256),
  approve(USDC, BOB, 0n),
  [WETH, 10n ** 18n, '0xd0e30db0'] as Call,
  call(USDC, 'decreaseAllowance(address,uint256)', BOB, 5n),
  [ALICE, 0n, '0x12345678'] as Call,
];
const SEND_UNITS = call(TOKEN, 'transfer(address,uint256)', BOB, 5n);

describe('a batch that hides what matters behind something else', () => {
  it.each<[string, Call, Call]>([
    ['a new owner, behind access to everything', NEW_OWNER, EVERYTHING],
    ['access to everything, behind an unlimited approval', EVERYTHING, UNLIMITED],
    ['an unlimited approval of any token, behind a limited one of a known token', UNLIMITED, approve(USDC, BOB, 5n)],
    [
      'a limited approval for a stranger, behind one for a known contract',
      approve(USDC, BOB, 5n),
      approve(USDC, PERMIT2, 9n),
    ],
    ['a limited approval of a known token, behind one of another', approve(USDC, BOB, 5n), approve(TOKEN, BOB, 5n)],
    ['a limited approval for a known contract, behind a payment', approve(TOKEN, PERMIT2, 5n), [BOB, 10n ** 18n, '0x']],
    [
      'coins for a stranger with a call, behind more for a known contract',
      [ALICE, 1n, '0x12345678'],
      [PERMIT2, 9n, '0x12345678'],
    ],
    [
      'coins for a known contract with a call, behind a token that nobody knows',
      [PERMIT2, 1n, '0x12345678'],
      call(TOKEN, 'transfer(address,uint256)', PERMIT2, 5n),
    ],
    ['coins for a known contract with a call, behind wrapping', [PERMIT2, 1n, '0x12345678'], WRAP],
    ['coins, behind a token that nobody knows', [BOB, DUST, '0x'], SEND_UNITS],
    ['a token that nobody knows, behind dust', SEND_UNITS, [BOB, DUST - 1n, '0x']],
    ['wrapping, behind a permission that is taken back', WRAP, REVOKE],
    ['a permission that is taken back, behind a call without effects', REVOKE, OTHER],
    ['a call that Keystead knows, behind one that it does not', OTHER, UNKNOWN],
    ['the larger of two approvals, behind the smaller', approve(USDC, BOB, 6n), approve(USDC, ALICE, 5n)],
  ])('has a title that says it, wherever it is: %s', (_what, graver, lesser) => {
    const alone = titleOf(graver);
    expect(alone).not.toBe(titleOf(lesser));
    expect(titleOf(graver, lesser)).toBe(`${alone}, and 1 more call`);
    expect(titleOf(lesser, graver)).toBe(`${alone}, and 1 more call`);
  });
});

describe('the rows of permissions', () => {
  const allow = (token: Hex, spender: Hex, deadline: bigint): Allow => ({
    ...{ kind: 'allow', of: 'amount', owner: ME, spender, token, amount: 5n, deadline },
  });
  const rowsOf = (...effects: readonly Allow[]): string[] =>
    effectLines(effects, { view: VIEW, chainId: 1n, findings: new Findings() }).map(written);
  const count = (rows: readonly string[], start: string): number => rows.filter((row) => row.startsWith(start)).length;

  it('name a spender and an end once, and each token', () => {
    const rows = rowsOf(
      allow(USDC, BOB, 1_900_000_000n),
      allow(TOKEN, BOB, 1_900_000_000n),
      allow(USDC, BOB, 1_900_000_000n),
    );
    expect([count(rows, 'Spender'), count(rows, 'Signature expires'), count(rows, 'Token')]).toEqual([1, 1, 3]);
  });

  it('name each of several spenders and ends: none hides behind the first', () => {
    const rows = rowsOf(allow(USDC, BOB, 1_900_000_000n), allow(USDC, ALICE, 1_900_000_001n));
    expect(rows).toContain(`Spender: ${ALICE}`);
    expect([count(rows, 'Spender'), count(rows, 'Signature expires')]).toEqual([2, 2]);
  });
});
