import { concat, encodeFunctionData, type Hex, maxUint256, parseAbi, slice } from 'viem';

import { compileDescriptors } from '../../../../scripts/contract-metadata/descriptors';
import { type Source, type SourceField, type SourceFormat } from '../../../../scripts/contract-metadata/source';
import { type Explanation, type Viewpoint } from '../../../../src/core/decode/explanation';
import { NO_METADATA, type Token } from '../../../../src/core/decode/metadata/contract-metadata';
import { bundledTokens } from '../../../support/contract-metadata';
import {
  codesOf,
  explainCall,
  explainTyped,
  saying,
  typedData,
  USDC,
  VIEW,
  written,
} from '../../../support/explaining';

/**
 * The kinds of faults that an audit of the registry found in honest descriptors, beside those of lying ones: what such
 * a descriptor leaves out or says wrongly is on the open part all the same.
 */

const STRANGER: Hex = '0x66666666666666666666666666666666DEaDbeef';
const SECOND: Hex = '0x4d2f8a1c6b9e3057d8c4f1a2b3e5d6c7f8091a3b';
const CONTRACT: Hex = '0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D';
const AMOUNT = 1_234_567_891n;

const open = ({ title, changes, main }: Explanation): string =>
  [title, ...[...changes, ...main].map(written)].join('\n').toLowerCase();

function viewOf(source: Source): Viewpoint {
  const { shards, unsupported } = compileDescriptors({ 'registry/audited/descriptor.json': source });
  expect(unsupported).toEqual([]);
  const none = Object.fromEntries([...'0123456789abcdef'].map((digit) => [digit, null]));
  const tokens: Readonly<Record<string, Token>> = bundledTokens;
  return { ...VIEW, contractMetadata: { ...NO_METADATA, shards: { ...none, ...shards }, tokens } };
}

const deployments = [{ chainId: 1, address: CONTRACT }];

function called(signature: string, args: readonly unknown[], format: SourceFormat, value = 0n) {
  const view = viewOf({
    context: { contract: { deployments } },
    display: { formats: { [signature]: { intent: 'Manage', ...format } } },
  });
  const data = encodeFunctionData({ abi: parseAbi([`function ${signature}`] as string[]), args } as never);
  return explainCall(CONTRACT, data, { view, value });
}

const field = (path: string, label: string, format = 'raw'): SourceField => ({ path, label, format });

describe('a descriptor of a message that is signed in another domain', () => {
  const type = 'Withdraw(address to,uint256 amount)';
  const message = { to: STRANGER, amount: `${AMOUNT}` };
  const salted = 'Withdraw(address to,uint256 amount,uint8 salt)';
  const said = (domain: Record<string, unknown>, primary = type) =>
    explainTyped(
      typedData(
        primary,
        { chainId: 1, verifyingContract: CONTRACT, ...domain },
        primary === type ? message : { ...message, salt: '7' },
      ),
      viewOf({
        context: { eip712: { deployments, domain: { name: 'Vault', version: '3.0.1' } } },
        display: { formats: { [type]: { intent: 'Harmless greeting', fields: [field('amount', 'Number')] } } },
      }),
    );

  it.each<[string, () => Explanation]>([
    ['of another version', () => said({ name: 'Vault', version: '0.1.0' })],
    ['of another name', () => said({ name: 'Other vault', version: '3.0.1' })],
    ['of another contract', () => said({ name: 'Vault', version: '3.0.1', verifyingContract: SECOND })],
    ['of another type', () => said({ name: 'Vault', version: '3.0.1' }, salted)],
  ])('is not used: %s', (_what, explain) => {
    const explanation = explain();
    expect(saying(explanation)).not.toContain('Harmless greeting');
    expect(open(explanation)).toContain(STRANGER.toLowerCase());
    expect(open(explanation)).toContain(AMOUNT.toString());
  });

  it('is used in its own', () => {
    expect(saying(said({ name: 'Vault', version: '3.0.1' }))).toContain('Harmless greeting');
  });
});

describe('a permission', () => {
  const GRANT = 'grantAllowance(address spender, uint256 amount)';
  const spender = field('spender', 'Spender', 'addressName');

  it.each([
    [
      'as a token amount without a threshold',
      { ...field('amount', 'Allowance', 'tokenAmount'), params: { token: USDC } },
    ],
    ['as a raw number', field('amount', 'Allowance')],
  ])('without a limit is a danger: %s', (_what, amount) => {
    const said = called(GRANT, [STRANGER, maxUint256], { fields: [spender, amount] });
    expect(codesOf(said)).toContain('unlimited-approval');
    expect(open(said)).toContain(STRANGER.toLowerCase());
  });
});

describe('a permission for an amount', () => {
  const GRANT = 'grantAllowance(address spender, uint256 amount, uint256 deadline)';
  const said = (fields: SourceField[]) =>
    codesOf(
      called(GRANT, [STRANGER, AMOUNT, maxUint256], {
        fields: [field('spender', 'Spender', 'addressName'), ...fields],
      }),
    );
  const deadline = { ...field('deadline', 'Deadline', 'date'), params: { encoding: 'timestamp' } };

  it('is not without a limit because it has no end', () => {
    const amount = { ...field('amount', 'Allowance', 'tokenAmount'), params: { token: USDC } };
    expect(said([amount, deadline])).not.toContain('unlimited-approval');
  });

  it('may be without a limit, if what is called an end is the only amount', () => {
    expect(said([deadline])).toContain('unlimited-approval');
  });
});

describe('an address in bytes', () => {
  it.each([
    ['as one raw value', [field('credentials', 'Withdrawal credentials')]],
    ['hidden', [{ ...field('credentials', 'Withdrawal credentials'), visible: 'never' } satisfies SourceField]],
    ['of which other bytes are shown', [field('credentials.[0:1]', 'Kind')]],
  ])('is said in full: %s', (_what, fields) => {
    const credentials = concat(['0x010000000000000000000000', STRANGER]);
    const said = called('deposit(bytes credentials)', [credentials], { fields });
    expect(open(said)).toContain(STRANGER.toLowerCase());
  });
});

describe('coins that a call carries', () => {
  it('are said though no field has them', () => {
    const said = called(
      'claim(address to)',
      [VIEW.signer],
      { fields: [field('to', 'To', 'addressName')] },
      3n * 10n ** 18n,
    );
    expect(open(said)).toContain('you send: 3 eth');
  });
});

describe('a batch', () => {
  const BATCH = 'runAll((address target, uint256 value, bytes data, bool skipRevert)[] calls)';
  const transfer = (to: Hex, amount: bigint) =>
    encodeFunctionData({ abi: parseAbi(['function transfer(address, uint256)']), args: [to, amount] });
  const calls = [
    { target: USDC, value: 0n, data: transfer(STRANGER, AMOUNT), skipRevert: false },
    {
      target: CONTRACT,
      value: 77_777n,
      data: concat(['0x12345678', slice(transfer(SECOND, 4_242_424n), 4)]),
      skipRevert: true,
    },
  ];

  it.each<[string, SourceField[]]>([
    ['of which only the first call is shown', [{ path: 'calls.[0].data', label: 'Call', format: 'calldata' }]],
    ['of which nothing is shown', [{ ...field('calls', 'Calls'), visible: 'never' }]],
  ])('%s: each recipient and value is listed', (_what, fields) => {
    const said = open(called(BATCH, [calls], { fields }));
    for (const part of [STRANGER, SECOND, '77777', '4242424'])
      expect(said.replaceAll(',', '')).toContain(part.toLowerCase());
  });
});

describe('labels and intents', () => {
  const PULL = 'pull(address from, address to, uint256 least, uint256 most)';

  it('of which two are exchanged: each address and amount is said', () => {
    const said = open(
      called(PULL, [STRANGER, SECOND, 1_111_111n, 9_999_999n], {
        fields: [
          field('to', 'From', 'addressName'),
          field('from', 'To', 'addressName'),
          field('most', 'Minimum received'),
          field('least', 'Maximum spent'),
        ],
      }),
    ).replaceAll(',', '');
    for (const part of [STRANGER, SECOND, '1111111', '9999999']) expect(said).toContain(part.toLowerCase());
  });

  it('that do not name the action: the function is named too', () => {
    const said = called('transferOwnership(address newOwner)', [STRANGER], {
      intent: 'Update profile',
      fields: [field('newOwner', 'Profile', 'addressName')],
    });
    expect(said.title).not.toContain('Update profile');
    expect(codesOf(said)).toContain('account-administration');
    expect(open(said)).toContain(STRANGER.toLowerCase());
  });
});

describe('a number that stands for something else', () => {
  it.each<[string, bigint, SourceField, string]>([
    [
      'all of an amount',
      maxUint256,
      { ...field('limit', 'Amount', 'tokenAmount'), params: { token: USDC } },
      '115,792,089,237,316,195',
    ],
    [
      'what a message replaces',
      2n ** 200n,
      { ...field('limit', 'Calls', 'tokenAmount'), params: { token: USDC, threshold: '0x01', message: 'None' } },
      'that is 1,606,938,044,258,990',
    ],
  ])('%s is said as the number, too', (_what, value, shown, expected) => {
    const said = called('limit(uint256 limit)', [value], { fields: [shown] });
    expect(open(said)).toContain(expected.toLowerCase());
  });
});
