import { encodeFunctionData, maxUint256, parseAbi } from 'viem';

import { type Outcome } from '../../../../src/core/decode/effects/outcome';
import { explainAction } from '../../../../src/core/decode/explain/transaction';
import { type Explanation, type Viewpoint } from '../../../../src/core/decode/explanation';
import { type Hex } from '../../../../src/core/eth/bytes';
import {
  ALICE,
  BOB,
  codesOf,
  explainCall,
  explainTyped,
  ME,
  typedData,
  USDC,
  VIEW,
  written,
} from '../../../support/explaining';
import { permit, SOON } from './typed-rows';

const TOKEN: Hex = '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984';
const WETH: Hex = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const PERMIT2: Hex = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
const NOTHING = { sends: [], receives: [], allows: [], creates: [] };

const encode = (signature: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: parseAbi([`function ${signature}`] as string[]), args } as never);

const rows = ({ changes }: Explanation): string[] => changes.map(written);
const at = (outcome: Outcome, view: Partial<Viewpoint> = {}): Explanation =>
  explainAction({ to: BOB, value: 10n ** 18n, data: '0x', chainId: 1n }, { ...VIEW, ...view, outcome });

describe('a contact', () => {
  const titleOf = (to: Hex, name: string, view: Partial<Viewpoint> = {}): string => {
    const recipients = { used: [], own: {}, contacts: { [to.toLowerCase()]: name }, hasCode: {} };
    const wei = 10n ** 18n;
    return explainAction({ to, value: wei, data: '0x', chainId: 1n }, { ...VIEW, recipients, ...view }).title;
  };

  it('is named as such in the title', () => {
    expect(titleOf(BOB, 'Bob')).toBe('Send 1 ETH to your contact Bob');
  });

  it('never takes the place of an own account or of a known contract', () => {
    expect(titleOf(BOB, 'Bob', { names: { [BOB.toLowerCase()]: 'Savings' } })).toBe('Send 1 ETH to your Savings');
    expect(titleOf(PERMIT2, 'Bank')).not.toContain('Bank');
  });
});

describe('the title and the changes of a call', () => {
  it.each<[string, Explanation, string, string[]]>([
    [
      'a payment',
      explainCall(BOB, '0x', { value: 15n * 10n ** 17n }),
      'Send 1.5 ETH to 0x742d…f44e',
      ['You send: 1.5 ETH'],
    ],
    [
      'a transfer of a known token',
      explainCall(USDC, encode('transfer(address,uint256)', [BOB, 5_500_000n])),
      'Send 5.5 USDC to 0x742d…f44e',
      ['You send: 5.5 USDC'],
    ],
    [
      'a transfer of a token that nobody knows',
      explainCall(TOKEN, encode('transfer(address,uint256)', [BOB, 42n])),
      'Send tokens of 0x1f98…F984 to 0x742d…f44e',
      ['You send: 42 units (or token ID 42) of 0x1f98…F984'],
    ],
    [
      'a limited approval',
      explainCall(USDC, encode('approve(address,uint256)', [PERMIT2, 250_000_000n])),
      'Let Permit2 spend 250 USDC',
      ['You allow: 250 USDC, to be spent by Permit2'],
    ],
    [
      'an unlimited approval',
      explainCall(USDC, encode('approve(address,uint256)', [BOB, maxUint256])),
      'Let 0x742d…f44e spend all of your USDC',
      ['You allow: unlimited USDC, to be spent by 0x742d…f44e'],
    ],
    [
      'a revoked approval',
      explainCall(USDC, encode('approve(address,uint256)', [BOB, 0n])),
      'Take back the permission of 0x742d…f44e to spend USDC',
      [],
    ],
    [
      'a limited permission to borrow',
      explainCall(USDC, encode('approveDelegation(address,uint256)', [BOB, 5_500_000n])),
      'Let 0x742d…f44e borrow 5.5 USDC in your name',
      ['You allow: 5.5 USDC, to be borrowed in your name by 0x742d…f44e'],
    ],
    [
      'an unlimited permission to borrow',
      explainCall(USDC, encode('approveDelegation(address,uint256)', [BOB, maxUint256])),
      'Let 0x742d…f44e borrow any amount of USDC in your name',
      ['You allow: unlimited USDC, to be borrowed in your name by 0x742d…f44e'],
    ],
    [
      'a revoked permission to borrow',
      explainCall(USDC, encode('approveDelegation(address,uint256)', [BOB, 0n])),
      'Take back the permission of 0x742d…f44e to borrow USDC',
      [],
    ],
    [
      'an NFT',
      explainCall(TOKEN, encode('safeTransferFrom(address,address,uint256)', [ME, BOB, 42n])),
      'Send NFT #42 of 0x1f98…F984 to 0x742d…f44e',
      ['You send: 1 NFT #42 of 0x1f98…F984'],
    ],
    [
      'NFTs of several kinds',
      explainCall(
        TOKEN,
        encode('safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)', [ME, BOB, [4n, 5n], [2n, 3n], '0x']),
      ),
      'Send 2 of NFT #4 of 0x1f98…F984 to 0x742d…f44e, and 1 more kind',
      ['You send: 2 NFT #4 of 0x1f98…F984', 'You send: 3 NFT #5 of 0x1f98…F984'],
    ],
    [
      'full access',
      explainCall(TOKEN, encode('setApprovalForAll(address,bool)', [BOB, true])),
      'Let 0x742d…f44e move everything in 0x1f98…F984',
      ['You allow: everything in 0x1f98…F984, to be moved by 0x742d…f44e'],
    ],
    ['wrapping', explainCall(WETH, '0xd0e30db0', { value: 10n ** 18n }), 'Wrap 1 ETH', ['You send: 1 ETH']],
    ['unwrapping', explainCall(WETH, encode('withdraw(uint256)', [10n ** 18n])), 'Unwrap 1 WETH', ['You send: 1 WETH']],
    [
      'an unknown call',
      explainCall(ALICE, '0x12345678', { value: 10n ** 18n }),
      'Call 0xd8dA…6045 and send it 1 ETH',
      ['You send: 1 ETH'],
    ],
    [
      'a permit',
      explainTyped(permit(5_500_000n, SOON)),
      'Let 0x742d…f44e spend 5.5 USDC',
      ['You allow: 5.5 USDC, to be spent by 0x742d…f44e'],
    ],
  ])('of %s', (_what, explanation, title, changes) => {
    expect([explanation.title, ...rows(explanation)]).toEqual([title, ...changes]);
  });

  it('leave out what other accounts give', () => {
    const data = encode('transferFrom(address,address,uint256)', [ALICE, BOB, 5_500_000n]);
    const explanation = explainCall(USDC, data);
    expect([explanation.title, ...rows(explanation)]).toEqual(['Move 5.5 USDC from 0xd8dA…6045 to 0x742d…f44e']);
  });

  it('name the network, its coin, and own accounts', () => {
    const view = {
      ...VIEW,
      networks: { 31337: { name: 'Devnet', symbol: 'DEV' } },
      names: { [BOB.toLowerCase()]: 'Account 2' },
    };
    const explanation = explainAction({ to: BOB, value: 10n ** 18n, data: '0x', chainId: 31337n }, view);
    expect(explanation).toMatchObject({ title: 'Send 1 DEV to your Account 2', network: 'Devnet' });
    expect(explanation.main.map(({ label }) => label)).toContain('To (your Account 2)');
  });
});

describe('full access that a message gives', () => {
  const MORPHO =
    'Authorization(address authorizer,address authorized,bool isAuthorized,uint256 nonce,uint256 deadline)';
  const given = (type: string, message: object): string[] =>
    rows(
      explainTyped(typedData(type, { chainId: 1, verifyingContract: TOKEN }, { nonce: 0, deadline: SOON, ...message })),
    );
  const everything = 'You allow: everything in 0x1f98…F984, to be moved by 0x742d…f44e';

  it('is over the signer, where it names no owner', () => {
    const type = 'PermitForAll(address operator,bool approved,uint256 nonce,uint256 deadline)';
    expect(given(type, { operator: BOB, approved: true })).toEqual([everything]);
    expect(given(type, { operator: BOB, approved: false })).toEqual([]);
  });

  it('is over the owner that it names, who may be somebody else', () => {
    const terms = { authorized: BOB, isAuthorized: true };
    expect(given(MORPHO, { authorizer: ME, ...terms })).toEqual([everything]);
    expect(given(MORPHO, { authorizer: ALICE, ...terms })).toEqual([]);
  });
});

describe('a simulation', () => {
  it('adds what was not decoded, never shows less than what was, and says that the result may differ', () => {
    const outcome: Outcome = {
      kind: 'changes',
      changes: {
        ...NOTHING,
        sends: [{ asset: { kind: 'native' }, amount: 5n * 10n ** 17n }],
        receives: [
          { asset: { kind: 'erc20', token: USDC }, amount: 7_000_000n },
          { asset: { kind: 'erc20', token: TOKEN, declared: { symbol: 'TEST', decimals: 2 } }, amount: 150n },
          { asset: { kind: 'erc721', token: TOKEN, id: 3n, declared: { name: 'Apes' } }, amount: 1n },
        ],
      },
    };
    const explanation = at(outcome);
    expect(rows(explanation)).toEqual([
      'You send: 1 ETH',
      'You receive: 7 USDC',
      'You receive: 1.5 TEST (symbol chosen by its contract 0x1f98…F984)',
      'You receive: 1 NFT #3 of “Apes” (0x1f98…F984)',
    ]);
    expect(explanation.main.map(written)).toContain('Preview: Simulated.');
    expect(explanation.lines.map(written).join()).toContain('It may differ by the time this is included, and');
  });

  it.each<[string, Hex, bigint, string]>([
    ['as the NFT that moves', TOKEN, 42n, 'You send: 1 NFT #42 of 0x1f98…F984'],
    ['as an amount beside an NFT of another number', TOKEN, 43n, 'You send: 43 units (or token ID 43) of 0x1f98…F984'],
    ['as an amount of a token that is known', USDC, 42n, 'You send: 0.000042 USDC'],
  ])('shows a number that may be an ID %s', (_what, token, number, row) => {
    const nft = { asset: { kind: 'erc721', token, id: 42n }, amount: 1n } as const;
    const outcome: Outcome = { kind: 'changes', changes: { ...NOTHING, sends: [nft] } };
    const data = encode('transferFrom(address,address,uint256)', [ME, BOB, number]);
    expect(rows(explainCall(token, data, { view: { ...VIEW, outcome } }))).toContain(row);
  });

  it('never hides a permission that was decoded', () => {
    const outcome: Outcome = { kind: 'changes', changes: NOTHING };
    const data = encode('approve(address,uint256)', [BOB, maxUint256]);
    const explanation = explainCall(USDC, data, { view: { ...VIEW, outcome } });
    expect(rows(explanation)).toEqual(['You allow: unlimited USDC, to be spent by 0x742d…f44e']);
    expect(codesOf(explanation)).toEqual(['unlimited-approval']);
  });

  it('warns of a token that takes the symbol of a known one', () => {
    const token = { kind: 'erc20', token: TOKEN, declared: { symbol: 'usdc', decimals: 6 } } as const;
    const receives = [{ asset: token, amount: 1_000_000n }];
    const { warnings } = at({ kind: 'changes', changes: { ...NOTHING, receives } });
    expect(warnings.join()).toContain('A token calls itself “usdc”');
  });

  it('that fails is a danger with the reason, and the request cannot succeed', () => {
    const explanation = at({ kind: 'reverts', reason: 'not the owner' });
    expect(codesOf(explanation)).toEqual(['cannot-succeed']);
    expect(explanation.failure).toBe('This fails in a simulation: not the owner.');
  });

  it.each<[Outcome, string]>([
    [{ kind: 'succeeds' }, 'this node cannot say what changes'],
    [{ kind: 'unknown', why: 'the node is asleep' }, 'Changes could not be simulated: the node is asleep.'],
  ])('of which little is known says so, and the decoded changes stay: %j', (outcome, said) => {
    const explanation = at(outcome);
    expect(explanation.main.map(written).join()).toContain(said);
    expect(rows(explanation)).toEqual(['You send: 1 ETH']);
    expect(explanation.failure).toBeUndefined();
  });
});

describe('a recipient', () => {
  const facts = (used: readonly Hex[]) => ({ recipients: { used, own: {}, hasCode: {} } });

  it('is pointed out if it is new', () => {
    const said = (used: readonly Hex[]) => at({ kind: 'succeeds' }, facts(used)).main.map(written).join();
    expect(said([])).toContain('First time you send to 0x742d…f44e.');
    expect(said([BOB])).not.toContain('First time');
  });

  it('that imitates an earlier one is a danger', () => {
    const twin = `${BOB.slice(0, 6)}${'0'.repeat(32)}${BOB.slice(-4)}` as Hex;
    expect(codesOf(at({ kind: 'succeeds' }, facts([twin])))).toEqual(['address-poisoning']);
  });

  it('that is the token itself, or has no code for the data, is a danger', () => {
    const toItself = encode('transfer(address,uint256)', [USDC, 1n]);
    expect(codesOf(explainCall(USDC, toItself))).toEqual(['sent-to-token-contract']);
    const recipients = { used: [], own: {}, hasCode: { [ALICE]: false } };
    expect(codesOf(explainCall(ALICE, '0x12345678', { view: { ...VIEW, recipients } }))).toEqual(['call-without-code']);
  });

  it('that may spend something and is no contract is a warning', () => {
    const approval = encode('approve(address,uint256)', [ALICE, 1n]);
    const view = (hasCode: boolean) => ({ ...VIEW, recipients: { used: [], own: {}, hasCode: { [ALICE]: hasCode } } });
    const spender = `${ALICE}, which may spend your tokens, is no contract`;
    expect(explainCall(USDC, approval, { view: view(false) }).warnings.join(' ')).toContain(spender);
    expect(explainCall(USDC, approval, { view: view(true) }).warnings.join(' ')).not.toContain(spender);
    expect(explainCall(USDC, approval).unresolved?.counterparties).toContainEqual({
      address: ALICE.toLowerCase(),
      how: 'allowed',
    });
  });
});
