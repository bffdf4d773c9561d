import { encodeFunctionData, parseAbi, stringToHex } from 'viem';

import { type Hex } from '../../../../src/core/eth/bytes';
import { type Changes, type Outcome } from '../../../../src/core/decode/effects/outcome';
import { explainMessage } from '../../../../src/core/decode/explain/message';
import { explainAction, explainTransaction } from '../../../../src/core/decode/explain/transaction';
import { explainUserOperation } from '../../../../src/core/decode/explain/user-operation';
import { type Explanation, type Viewpoint } from '../../../../src/core/decode/explanation';
import {
  ALICE,
  BOB,
  codesOf,
  explainCall,
  explainTyped,
  ME,
  NOW,
  typedData,
  USDC,
  VIEW,
  written,
} from '../../../support/explaining';

/** Of a call that neither a rule nor a description explains. */
const UNKNOWN = 'Keystead does not know what this call does.';

const ETHER = 10n ** 18n;
const SITE = 'https://dapp.example';
const CALL = { to: BOB, value: 5n * ETHER, data: '0x4e71d92d', chainId: 1n } as const;
const NOTHING: Changes = { sends: [], receives: [], allows: [], creates: [] };
const SWAP: Outcome = {
  kind: 'changes',
  changes: {
    ...NOTHING,
    sends: [{ asset: { kind: 'native' }, amount: 5n * ETHER }],
    receives: [{ asset: { kind: 'erc20', token: USDC }, amount: 15_000_000_000n }],
  },
};
const explain = (view: Partial<Viewpoint>): Explanation => explainAction(CALL, { ...VIEW, ...view });
const previewIn = ({ main }: Explanation): string[] => main.filter(({ label }) => label === 'Preview').map(written);

describe('a preview', () => {
  it("that a site's own node makes says so, and writes no title", () => {
    const node = { name: 'node.dapp.example', addedBy: SITE };
    const said = explain({ node, outcome: SWAP });
    expect(said.title).not.toContain('15,000 USDC');
    expect(previewIn(said)).toEqual([
      `Preview: Simulated by node.dapp.example, a node that ${SITE} added: it can say what that site likes.`,
    ]);
    const failing = explain({ node, outcome: { kind: 'reverts', reason: 'no' } });
    expect(previewIn(failing).join()).toContain(`a node that ${SITE} added`);
  });

  it.each([['node.example'], ["your wallet's node"]])('names the node, and writes the title: %s', (name) => {
    const said = explain({ node: { name }, outcome: SWAP });
    expect(said.title).toBe('Swap 5 ETH for 15,000 USDC');
    expect(previewIn(said)).toEqual([`Preview: Simulated by ${name}.`]);
    // The long sentence is a detail.
    expect(said.lines.map(({ value }) => value).join()).toContain('a contract may behave differently then');
    const only = explain({ node: { name }, outcome: { kind: 'succeeds' } });
    expect(previewIn(only).join()).toMatch(/^Preview: Simulated by .*this node cannot say what changes\.$/u);
  });

  describe('of a fee below the base fee', () => {
    const tx = { ...CALL, type: 'eip1559', nonce: 0n, gasLimit: 1n, maxPriorityFeePerGas: 0n, accessList: [] } as const;
    const warnings = (maxFeePerGas: bigint, baseFee?: bigint): string =>
      explainTransaction({ ...tx, maxFeePerGas }, { ...VIEW, ...(baseFee !== undefined && { baseFee }) })
        .warnings.filter((warning) => warning !== UNKNOWN)
        .join();

    it('says that it is not included, and nothing of one that is enough', () => {
      expect(warnings(1n * 10n ** 9n, 2n * 10n ** 9n)).toBe(
        'This pays at most 1 gwei per gas, but the network takes 2 gwei now. It is not included until that falls.',
      );
      expect(warnings(2n * 10n ** 9n, 2n * 10n ** 9n)).toBe('');
      expect(warnings(0n)).toBe('');
    });
  });
});

describe('a collection of NFTs', () => {
  const mint = (token: Hex, name: string): Explanation =>
    explain({
      outcome: {
        kind: 'changes',
        changes: {
          ...NOTHING,
          sends: [{ asset: { kind: 'native' }, amount: 5n * ETHER }],
          receives: [{ asset: { kind: 'erc721', token, id: 1n, declared: { name } }, amount: 1n, isNew: true }],
        },
      },
    });
  const BAYC: Hex = '0xBC4CA0EdA7647A8aB7C2061c2E118A18a936f13D';

  it.each([
    'BoredApeYachtClub',
    'Bored Ape Yacht Club',
    'Вored Aрe Yacht Club',
    'Official BoredApeYachtClub!',
    'azuki',
  ])('that calls itself %s without being it is pointed out, and its name is not in the title', (name) => {
    const said = mint(ALICE, name);
    expect(said.title).toBe('Mint NFT #1 of 0xd8dA…6045 for 5 ETH');
    expect(said.warnings.join()).toContain('It may be a worthless copy.');
    expect(said.changes.map(written)).toContainEqual(
      expect.stringMatching(/^You receive: 1 NFT #1 of 0xd8dA…6045, which calls itself “/u),
    );
  });

  it('that is known, or has a name of its own, is named', () => {
    const known = mint(BAYC, 'whatever');
    expect([known.title, known.warnings]).toEqual(['Mint NFT #1 of BoredApeYachtClub for 5 ETH', [UNKNOWN]]);
    const own = mint(ALICE, 'Azuki Elementals');
    expect([own.title, own.warnings]).toEqual(['Mint NFT #1 of “Azuki Elementals” for 5 ETH', [UNKNOWN]]);
  });
});

describe('a token that leaves for nothing', () => {
  it.each([
    ['all that the account has of it is a danger', true, ['everything']],
    ['a part of it is none', false, []],
  ])('%s', (_what, isAll, dangers) => {
    const sends = [{ asset: { kind: 'erc20', token: USDC }, amount: 5_500_000n, isAll }] as const;
    expect(codesOf(explain({ outcome: { kind: 'changes', changes: { ...NOTHING, sends } } }))).toEqual(dangers);
  });
});

describe('what anybody can take', () => {
  const encode = (signature: string, args: readonly unknown[]): Hex =>
    encodeFunctionData({ abi: parseAbi([`function ${signature}`] as string[]), args } as never);
  const codes = (name: 'transfer' | 'approve', router: Hex): readonly string[] =>
    codesOf(explainCall(USDC, encode(`${name}(address,uint256)`, [router, 50n])));
  const SWAP_ROUTER_02: Hex = '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45';
  const ROUTE_PROCESSOR_2: Hex = '0x044b75f554b886A065b9567891e45c79542d7357';

  it('is what routers hold, and of some what they may spend', () => {
    expect(codes('transfer', SWAP_ROUTER_02)).toEqual(['public-contract']);
    expect(codes('approve', SWAP_ROUTER_02)).toEqual([]);
    expect(codes('transfer', ROUTE_PROCESSOR_2)).toEqual(['public-contract']);
    expect(codes('approve', ROUTE_PROCESSOR_2)).toEqual(['public-contract']);
  });

  it('is not what a call of a router pays in coins', () => {
    expect(codesOf(explainCall(SWAP_ROUTER_02, '0x12345678', { value: 50n }))).toEqual([]);
  });
});

describe('a warning or danger of', () => {
  it('data for the account itself, unless it has no code', () => {
    const action = { to: ME, value: 0n, data: '0xc4d66de8', chainId: 1n } as const;
    const warnings = (hasCode: Record<Hex, boolean>) =>
      explainAction(action, { ...VIEW, recipients: { used: [], own: {}, hasCode } }).warnings.join();
    expect(warnings({})).toContain('the account itself');
    expect(warnings({ [ME]: true })).toContain('the account itself');
    expect(warnings({ [ME]: false })).not.toContain('the account itself');
    expect(explainAction({ ...action, data: '0x' }, VIEW).warnings).toEqual([]);
  });

  it('coins for an own smart account on a network that it was not made for', () => {
    const warnings = (networks: readonly string[]) =>
      explainAction(
        { to: ALICE, value: 5n, data: '0x', chainId: 8453n },
        {
          ...VIEW,
          names: { [ALICE.toLowerCase()]: 'Smart account 1 (0.8)' },
          smartOn: { [ALICE.toLowerCase()]: networks },
        },
      ).warnings;
    expect(warnings(['1', '10'])).toEqual([
      'Your Smart account 1 (0.8) is set up on Ethereum, OP only, not on Base. You may not be able to use it there.',
    ]);
    expect(warnings(['1', '8453'])).toEqual([]);
  });

  it('a one-time transfer through Permit2 that never expires', () => {
    const permit = (deadline: bigint) =>
      codesOf(
        explainTyped(
          typedData(
            'PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)TokenPermissions(address token,uint256 amount)',
            { name: 'Permit2', chainId: 1, verifyingContract: '0x000000000022D473030F116dDEE9F6B43aC78BA3' },
            { permitted: { token: USDC, amount: '5' }, spender: BOB, nonce: '0', deadline: deadline.toString() },
          ),
        ),
      );
    expect(permit(2n ** 256n - 1n)).toEqual(['never-expires']);
    expect(permit(NOW + 600n)).toEqual([]);
  });

  it('a sign-in that is a permission (ERC-5573)', () => {
    const signIn = (resource: string): string =>
      explainMessage(
        stringToHex(
          `dapp.example wants you to sign in with your Ethereum account:\n${ME}\n\n\nURI: lit:session:0123\nVersion: 1\nChain ID: 1\nNonce: 12345678\nIssued At: 2026-01-01T00:00:00Z\nResources:\n- ${resource}`,
        ),
        VIEW,
      )
        .dangers.map(({ text }) => text)
        .join();
    expect(signIn('urn:recap:eyJhdHQiOnt9fQ')).toContain('This lets whoever has the key of');
    expect(signIn('URN:ReCap:eyJhdHQiOnt9fQ')).toContain('This lets whoever has the key of');
    expect(signIn('https://dapp.example/terms')).toBe('');
  });

  describe("the bundler's own work, compared in coins and by the size of the operation", () => {
    const GWEI = 10n ** 9n;
    const said = (preVerificationGas: bigint, maxFeePerGas: bigint, bytes = 100): Explanation =>
      explainUserOperation(
        {
          sender: ME,
          nonce: 0n,
          initCode: '0x',
          callData: `0x${'11'.repeat(bytes)}`,
          callGasLimit: 100_000n,
          verificationGasLimit: 100_000n,
          preVerificationGas,
          maxFeePerGas,
          maxPriorityFeePerGas: 1n,
          paymasterAndData: '0x',
          signature: '0x',
        },
        {
          domain: { chainId: 1n, entryPoint: '0x0000000071727De22E5E9d8BAf0edAc6f37da032', version: '0.7' },
          accountTitle: 'SimpleAccount 0.7',
          calls: [],
          wasPrepared: true,
          funds: undefined,
        },
        VIEW,
      );
    const levelOf = ({ dangers, warnings }: Explanation): string =>
      dangers.some(({ code }) => code === 'excessive-fee')
        ? 'danger'
        : warnings.some((one) => one.includes("the bundler's own work"))
          ? 'warning'
          : 'nothing';

    it.each([
      ['what bundlers ask for on Ethereum', said(60_000n, 300n * GWEI), 'nothing'],
      ['ten times that', said(700_000n, 30n * GWEI), 'warning'],
      ['a hundred times that', said(9_900_000n, 270n * GWEI), 'danger'],
      ['the data fee of a rollup, which is much gas and few coins', said(5_000_000n, GWEI / 10n), 'nothing'],
      ['much data', said(700_000n, 30n * GWEI, 20_000), 'nothing'],
      ['more gas than blocks have', said(100_000_000n, 1n), 'danger'],
    ])('%s', (_what, explanation, level) => {
      expect(levelOf(explanation)).toBe(level);
    });
  });
});
