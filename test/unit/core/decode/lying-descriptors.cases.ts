import { encodeFunctionData, type Hex, pad, parseAbi } from 'viem';

import { compileDescriptors } from '../../../../scripts/contract-metadata/descriptors';
import { type Source, type SourceField, type SourceFormat } from '../../../../scripts/contract-metadata/source';
import { type Explanation, type Viewpoint } from '../../../../src/core/decode/explanation';
import { type Token } from '../../../../src/core/decode/metadata/contract-metadata';
import { NO_METADATA } from '../../../../src/core/decode/metadata/contract-metadata';
import { bundledTokens } from '../../../support/contract-metadata';
import { ALICE, explainCall, explainTyped, saying, typedData, USDC, VIEW, written } from '../../../support/explaining';

const STRANGER: Hex = '0x66666666666666666666666666666666DEaDbeef';
const CONTRACT: Hex = '0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D';
const WETH: Hex = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
/** Of USDC: 1,234.567891. */
const AMOUNT = 1_234_567_891n;

/** What the open part says besides alarms. */
const open = ({ title, changes, main }: Explanation): string =>
  [title, ...[...changes, ...main].map(written)].join('\n');

/** A view with one descriptor, compiled like those of the registry. */
function viewOf(source: Source): Viewpoint {
  const { shards, unsupported } = compileDescriptors({ 'registry/liar/descriptor.json': source });
  expect(unsupported).toEqual([]);
  const none = Object.fromEntries([...'0123456789abcdef'].map((digit) => [digit, null]));
  const tokens: Readonly<Record<string, Token>> = bundledTokens;
  return { ...VIEW, contractMetadata: { ...NO_METADATA, shards: { ...none, ...shards }, tokens } };
}

const deployments = [{ chainId: 1, address: CONTRACT }];

/** Explains a call of the contract that a descriptor describes. */
function called(signature: string, args: readonly unknown[], format: SourceFormat, more: Partial<Source> = {}) {
  const view = viewOf({
    ...more,
    context: { contract: { deployments } },
    display: { formats: { [signature]: { intent: 'Collect reward', ...format } } },
  });
  const data = encodeFunctionData({ abi: parseAbi([`function ${signature}`] as string[]), args } as never);
  return explainCall(CONTRACT, data, { view });
}

const PAY = 'pay(address to, uint256 amount)';
const amount: SourceField = { path: 'amount', label: 'Bonus', format: 'tokenAmount', params: { token: USDC } };
const to: SourceField = { path: 'to', label: 'To', format: 'addressName' };
const never = (field: SourceField): SourceField => ({ ...field, visible: 'never' });

describe('a recipient that a descriptor hides is on the open part, and counted', () => {
  it.each<[string, string, readonly unknown[], SourceField[]]>([
    ['never visible', PAY, [STRANGER, AMOUNT], [amount, never(to)]],
    ['without a field', PAY, [STRANGER, AMOUNT], [amount]],
    ['left out by a condition', PAY, [STRANGER, AMOUNT], [amount, { ...to, visible: { ifNotIn: [STRANGER] } }]],
    [
      'in a struct of which another member is shown',
      'pay((address to, uint256 amount) order)',
      [{ to: STRANGER, amount: AMOUNT }],
      [{ ...amount, path: 'order.amount' }],
    ],
    [
      'behind the first of a list',
      'pay(address[] to, uint256 amount)',
      [[ALICE, STRANGER], AMOUNT],
      [amount, { ...to, path: 'to.[0]' }],
    ],
    [
      'before the last of a list',
      'pay(address[] to, uint256 amount)',
      [[STRANGER, ALICE], AMOUNT],
      [amount, { ...to, path: 'to.[-1]' }],
    ],
    [
      'outside of a slice of a list',
      'pay(address[] to, uint256 amount)',
      [[ALICE, STRANGER, ALICE], AMOUNT],
      [amount, { ...to, path: 'to.[0:1]' }],
    ],
    [
      'in the part of a number that is not shown',
      'pay(uint256 traits, uint256 amount)',
      [BigInt(STRANGER), AMOUNT],
      [amount, { path: 'traits.[0:1]', label: 'Flags', format: 'raw' }],
    ],
    [
      'in bytes that are never shown',
      'pay(bytes extra, uint256 amount)',
      [pad(STRANGER), AMOUNT],
      [amount, never({ path: 'extra', label: 'Extra', format: 'raw' })],
    ],
  ])('%s', (_how, signature, args, fields) => {
    const said = called(signature, args, { fields });
    expect(open(said)).toContain(STRANGER);
    expect(saying(said)).toContain('Collect reward');
    expect(saying(said)).toContain('Not described: 1 value');
  });

  it('and nothing is counted if all is described', () => {
    const all = [amount, to];
    expect(saying(called(PAY, [STRANGER, AMOUNT], { fields: all }))).not.toContain('Not described');
    const twice = [...all, { ...to, visible: { ifNotIn: [STRANGER] } }];
    expect(saying(called(PAY, [STRANGER, AMOUNT], { fields: twice }))).not.toContain('Not described');
    const signature = 'pay(address[] to, uint256 amount)';
    const listed = [amount, { ...to, path: 'to.[]' }];
    expect(saying(called(signature, [[], AMOUNT], { fields: listed }))).not.toContain('Not described');
  });

  it('in a message, too', () => {
    const type = 'Voucher(Reward reward,bytes32 id)Reward(address to,uint256 amount)';
    const fields = [never({ path: 'reward.to', label: 'To' }), { path: 'id', label: 'ID' }];
    const view = viewOf({
      context: { eip712: { deployments } },
      display: { formats: { [type]: { intent: 'Collect reward', fields } } },
    });
    const domain = { name: 'Rewards', chainId: 1, verifyingContract: CONTRACT };
    const message = { reward: { to: STRANGER, amount: AMOUNT.toString() }, id: pad('0x7') };
    const said = explainTyped(typedData(type, domain, message), view);
    expect(saying(said)).toContain('Not described: 2 values');
    expect(open(said)).toContain(STRANGER);
    expect(open(said)).toContain(AMOUNT.toString());
  });
});

describe('an amount that a descriptor shows as something else is said as a number', () => {
  it.each<[string, SourceField, string]>([
    [
      'with the decimals of another token',
      { format: 'unit', params: { base: 'USDC', decimals: 18 } },
      `“USDC”, that is ${AMOUNT}`,
    ],
    ['as a percentage', { format: 'unit', params: { base: '%', decimals: 22 } }, `%, that is ${AMOUNT}`],
    ['as a count', { format: 'unit', params: { base: 'points' } }, `${AMOUNT} “points”`],
    ['as a time of long ago', { format: 'date', params: { encoding: 'timestamp' } }, `UTC, that is ${AMOUNT}`],
    ['as a block', { format: 'date', params: { encoding: 'blockheight' } }, `block ${AMOUNT}`],
    ['as a duration', { format: 'duration' }, `that is ${AMOUNT} s`],
    ['as the number of an NFT', { format: 'nftName', params: { collection: ALICE } }, `token ID ${AMOUNT}`],
    ['as a network', { format: 'chainId' }, `${AMOUNT}`],
    [
      'as the name of a number',
      { format: 'enum', params: { $ref: '$.metadata.enums.kinds' } },
      `“nothing” (${AMOUNT})`,
    ],
    [
      'as a message',
      { format: 'tokenAmount', params: { token: USDC, threshold: '0x1', message: 'Nothing' } },
      '“Nothing” USDC, that is 1234.567891 USDC',
    ],
    ['never', { visible: 'never' }, `“amount”: ${AMOUNT}`],
    ['by a condition', { visible: { ifNotIn: [AMOUNT.toString()] } }, `“amount”: ${AMOUNT}`],
  ])('%s', (_how, shown, wanted) => {
    const metadata = { enums: { kinds: { [AMOUNT.toString()]: 'nothing' } } };
    const field = { path: 'amount', label: 'Reward', ...shown };
    expect(open(called(PAY, [STRANGER, AMOUNT], { fields: [field, to] }, { metadata }))).toContain(wanted);
  });

  it('all that there is, as a time without an end', () => {
    const field = { path: 'amount', label: 'Until', format: 'date', params: { encoding: 'timestamp' } };
    const said = open(called(PAY, [STRANGER, 2n ** 256n - 1n], { fields: [field, to] }));
    expect(said).toContain('“Until”: never, that is 1157…9935 (78 digits)');
  });

  it('zero, as a time: contracts take it for no end', () => {
    const field = { path: 'amount', label: 'Valid until', format: 'date', params: { encoding: 'timestamp' } };
    const said = saying(called(PAY, [STRANGER, 0n], { fields: [field, to] }));
    expect(said).toContain('“Valid until”: 1970-01-01 00:00:00 UTC, that is 0, which may stand for no end');
  });

  it('with a time of today, which is said as such', () => {
    const field = { path: 'amount', label: 'Valid until', format: 'date', params: { encoding: 'timestamp' } };
    const said = open(called(PAY, [STRANGER, 1_767_225_600n], { fields: [field, to] }));
    expect(said).toContain('“Valid until”: 2026-01-01 00:00:00 UTC');
    expect(said).not.toContain('that is');
  });
});

describe('another token', () => {
  const SWAP = 'swap(address token, uint256 amount, address to)';

  it('than the one in the data: that one is listed', () => {
    const said = open(called(SWAP, [WETH, AMOUNT, STRANGER], { fields: [amount, to] }));
    expect(said).toContain('“token”: WETH');
  });

  it('than the coin: the address of a token never stands for it', () => {
    const params = { tokenPath: 'token', nativeCurrencyAddress: [WETH] };
    const said = open(called(SWAP, [WETH, AMOUNT, STRANGER], { fields: [{ ...amount, params }, to] }));
    expect(said).toContain('0.000000001234567891 WETH');
    expect(said).not.toMatch(/\d ETH/u);
  });
});

describe('the words of a descriptor', () => {
  it('never stand for a recipient', () => {
    const literal = { value: 'your own account', label: 'To' };
    const said = called(PAY, [STRANGER, AMOUNT], { fields: [amount, literal] });
    expect(open(said)).toContain(STRANGER);
    const quoted = expect.objectContaining({ kind: 'quote', label: '“To”', value: 'your own account' }) as unknown;
    expect(said.sections.flatMap(({ lines }) => lines)).toContainEqual(quoted);
  });

  it('never make a stranger the sender', () => {
    const params = { senderAddress: [STRANGER] };
    const said = open(called(PAY, [STRANGER, AMOUNT], { fields: [amount, { ...to, params }] }));
    expect(said).toContain(STRANGER);
    expect(said).not.toContain('Sender');
  });

  it('have no false values in an intent: it names what is shown, or is not used', () => {
    const interpolatedIntent = 'Collect {amount} for {to}';
    const hidden = called(PAY, [STRANGER, AMOUNT], { interpolatedIntent, fields: [amount, never(to)] });
    expect(saying(hidden)).not.toContain('In short');
    const shown = called(PAY, [STRANGER, AMOUNT], { interpolatedIntent, fields: [amount, to] });
    expect(shown.title).toContain(`“Collect 1234.567891 USDC for ${STRANGER}”`);
    const false_ = called(PAY, [STRANGER, AMOUNT], { interpolatedIntent: 'Collect 5 USDC', fields: [] });
    expect(open(false_)).toContain(STRANGER);
    expect(open(false_)).toContain(`“amount”: ${AMOUNT}`);
  });
});

describe('lists of different lengths', () => {
  it('are said to the end of each', () => {
    const group = {
      fields: [
        { path: 'to.[]', label: 'To', format: 'addressName' },
        { path: 'amounts.[]', label: 'Bonus', format: 'tokenAmount', params: { token: USDC } },
      ],
      iteration: 'bundled',
    };
    const signature = 'pay(address[] to, uint256[] amounts)';
    const more = open(called(signature, [[ALICE], [5_000_000n, AMOUNT]], { fields: [group] }));
    expect(more).toContain('5 USDC');
    expect(more).toContain('1234.567891 USDC');
    expect(open(called(signature, [[ALICE, STRANGER], [AMOUNT]], { fields: [group] }))).toContain(STRANGER);
  });

  it('with the amounts of a list in the tokens of a shorter one: the descriptor is not used, and all is listed', () => {
    const field = { path: 'amounts.[]', label: 'Bonus', format: 'tokenAmount', params: { tokenPath: 'tokens.[]' } };
    const signature = 'pay(address[] tokens, uint256[] amounts)';
    const said = called(signature, [[USDC], [5_000_000n, AMOUNT]], { fields: [field] });
    expect(saying(said)).not.toContain('Collect reward');
    expect(open(said)).toContain(AMOUNT.toString());
  });
});

describe('a call inside of a call', () => {
  const RUN = 'run(address target, bytes data, uint256 value)';
  const transfer = encodeFunctionData({
    abi: parseAbi(['function transfer(address to, uint256 amount)']),
    args: [STRANGER, AMOUNT],
  });
  const call = { path: 'data', label: 'Call', format: 'calldata' };

  it('that is hidden: its recipient and its target are listed', () => {
    const said = open(called(RUN, [ALICE, transfer, 0n], { fields: [never(call)] }));
    expect(said).toContain(STRANGER);
    expect(said).toContain(ALICE);
  });

  it('of another contract than the one that is shown: the true target is listed', () => {
    const said = open(called(RUN, [ALICE, transfer, 0n], { fields: [{ ...call, params: { callee: USDC } }] }));
    expect(said).toContain(STRANGER);
    expect(said).toContain(ALICE);
  });

  it('with another value than the one that is shown: the true one is listed', () => {
    const said = open(
      called(RUN, [USDC, transfer, 7n * AMOUNT], { fields: [{ ...call, params: { calleePath: 'target' } }] }),
    );
    expect(said).toContain(`“value”: ${7n * AMOUNT}`);
  });
});
