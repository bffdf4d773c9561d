import { encodeFunctionData, maxUint256, parseAbi, stringToHex } from 'viem';

import { type Explanation } from '../../../../src/core/decode/explanation';
import {
  type ExplainedRequest,
  type InsightDeps,
  signatureInsight,
  transactionInsight,
} from '../../../../src/snap/handlers/insights';
import { ALICE, BOB, ME, NOW, typedData, USDC } from '../../../support/explaining';
import { bundledLibrary } from '../../../support/contract-metadata';
import { textOf } from '../../../support/screen-text';

const DEPS = {
  library: bundledLibrary(),
  sources: { node: () => Promise.resolve(undefined), used: () => Promise.resolve([]) },
  now: () => NOW,
  names: () => Promise.resolve({}),
};

const APPROVE = encodeFunctionData({ abi: parseAbi(['function approve(address,uint256)']), args: [BOB, maxUint256] });

const transaction = (fields: object = {}, rest: object = {}) =>
  transactionInsight(
    {
      transaction: { from: ME, to: USDC, value: '0x0', data: '0x', nonce: '0x0', gas: '0x5208', ...fields },
      chainId: 'eip155:1',
      transactionOrigin: 'https://example.com',
      ...rest,
    },
    DEPS,
  );
const signature = (signatureMethod: unknown, data: unknown, origin?: string) =>
  signatureInsight(
    { signature: { from: ME, signatureMethod, data }, ...(origin !== undefined && { signatureOrigin: origin }) },
    DEPS,
  );

const signIn = stringToHex(
  `example.com wants you to sign in with your Ethereum account:\n${ME}\n\n\nURI: https://example.com/\nVersion: 1\nChain ID: 1\nNonce: 12345678\nIssued At: 2026-01-01T00:00:00Z`,
);
const PERMIT = typedData(
  'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)',
  { name: 'USD Coin', version: '2', chainId: 1, verifyingContract: USDC },
  { owner: ME, spender: BOB, value: '5500000', nonce: 0, deadline: (NOW + 60n).toString() },
);

describe('an insight', () => {
  it('explains a transaction, and is critical if there is a danger', async () => {
    const harmless = await transaction({ value: '0xde0b6b3a7640000' });
    expect(harmless.severity).toBeUndefined();
    expect(textOf(harmless.content)).toContain('1 ETH');
    const dangerous = await transaction({ data: APPROVE });
    expect(dangerous.severity).toBe('critical');
    expect(textOf(dangerous.content)).toContain(BOB);
  });

  it('explains a contract creation without a recipient', async () => {
    expect(textOf((await transaction({ to: undefined, data: '0x60' })).content)).toContain('Create a contract');
    expect((await transaction({ to: null, value: '0x1' })).severity).toBe('critical');
  });

  it('names the contracts whose code a transaction makes accounts run (EIP-7702), whether they are signed or not', async () => {
    const upgrade = await transaction({
      type: '0x4',
      authorizationList: [{ address: BOB }, { address: ALICE, r: '0x1' }],
    });
    expect(upgrade.severity).toBe('critical');
    expect(textOf(upgrade.content)).toContain('This makes an account run the code of 0x742d…f44e');
    expect(textOf(upgrade.content)).toContain(ALICE);
    const undo = await transaction({ authorizationList: [{ address: `0x${'00'.repeat(20)}` }] });
    expect(undo.severity).toBeUndefined();
    expect(textOf(undo.content)).toContain('This takes back the upgrade (EIP-7702) of an account.');
    const many = await transaction({ authorizationList: Array.from({ length: 25 }, () => ({ address: BOB })) });
    expect(textOf(many.content)).toContain('5 more contracts');
  });

  it('compares a sign-in with the origin', async () => {
    expect((await signature('personal_sign', signIn, 'https://example.com')).severity).toBeUndefined();
    expect((await signature('personal_sign', signIn, 'https://examp1e.com')).severity).toBe('critical');
    // The wallet itself is not a site, and without an origin there is nothing to compare.
    expect((await signature('personal_sign', signIn, 'metamask')).severity).toBeUndefined();
    expect((await signature('personal_sign', signIn)).severity).toBeUndefined();
  });

  it.each(['eth_signTypedData_v3', 'eth_signTypedData_v4'])('explains %s', async (method) => {
    const { content, severity } = await signature(method, PERMIT);
    expect(severity).toBeUndefined();
    expect(textOf(content)).toContain('5.5 USDC');
  });
});

describe('what is noted of a transaction', () => {
  const ask = (note: NonNullable<InsightDeps['note']>, to = USDC) =>
    transactionInsight(
      { transaction: { from: ME, to, value: '0x1', data: APPROVE }, chainId: 'eip155:10' },
      { ...DEPS, note },
    );

  it('is what it does, on which network, and its explanation', async () => {
    const note = jest.fn(async (_request: ExplainedRequest, explaining: Promise<Explanation>) => {
      expect((await explaining).title).toContain('USDC');
    });
    await ask(note);
    expect(note.mock.calls.map(([{ transaction }]) => transaction)).toEqual([
      { from: ME, to: USDC, value: 1n, data: APPROVE, chainId: 10n },
    ]);
  });

  it('never keeps it from being explained', async () => {
    const { severity } = await ask(() => Promise.reject(new Error('broken')));
    expect(severity).toBe('critical');
  });

  it('is nothing if it is malformed', async () => {
    const note = jest.fn(() => Promise.resolve());
    await ask(note, '0x1');
    expect(note).not.toHaveBeenCalled();
  });
});

describe('an insight into a malformed request', () => {
  it.each<[string, ReturnType<typeof transaction>]>([
    ['nothing', transactionInsight(undefined, DEPS)],
    ['no transaction', transactionInsight({ chainId: 'eip155:1' }, DEPS)],
    ['a recipient that is not an address', transaction({ to: 'vitalik.eth' })],
    ['a value beyond 2^256', transaction({ value: `0x1${'0'.repeat(64)}` })],
    ['data of half a byte', transaction({ data: '0x123' })],
    ['an unsupported chain', transaction({}, { chainId: 'solana:101' })],
    ['no chain', transaction({}, { chainId: '' })],
    ['an origin that is not a string', transaction({}, { transactionOrigin: 5 })],
    ['no signature', signatureInsight({}, DEPS)],
    ['an old method', signature('eth_signTypedData', [{ type: 'string', name: 'a', value: 'b' }])],
    ['the name of an object method', signature('toString', '0x')],
    ['a method that is not a string', signature(5, '0x')],
    ['a message that is not hex', signature('personal_sign', 'hello')],
    ['typed data as text', signature('eth_signTypedData_v4', JSON.stringify(PERMIT))],
    ['typed data that cannot be hashed', signature('eth_signTypedData_v4', { ...PERMIT, message: {} })],
    ['typed data without a domain', signature('eth_signTypedData_v4', { ...PERMIT, types: { Permit: [] } })],
  ])('%s: says so and does not throw', async (_name, insight) => {
    const { content, severity } = await insight;
    expect(severity).toBeUndefined();
    expect(textOf(content)).toContain('Keystead cannot tell what this does.');
  });

  it('names the rule that the request violates', async () => {
    expect(textOf((await transaction({ to: 'vitalik.eth' })).content)).toContain('must be an address');
    expect(textOf((await signature('eth_signTypedData_v4', { ...PERMIT, message: {} })).content)).toContain(
      'typedData.message.owner: is missing',
    );
  });

  it('flags a sign-in with another account', async () => {
    const other = signIn.replace(stringToHex(ME).slice(2), stringToHex(ALICE).slice(2));
    expect((await signature('personal_sign', other)).severity).toBe('critical');
  });
});
