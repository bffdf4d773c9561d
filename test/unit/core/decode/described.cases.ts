import { encodeAbiParameters, maxUint256 } from 'viem';

import { type CallDescriptor, type Field, type Shard } from '../../../../src/core/decode/descriptors/descriptor';
import { readDescribedCall } from '../../../../src/core/decode/descriptors/calls';
import { NO_METADATA, contractKey } from '../../../../src/core/decode/metadata/contract-metadata';
import { freshBudget } from '../../../../src/core/decode/rules/calls';
import { Findings } from '../../../../src/core/decode/effects/findings';
import { explainAction } from '../../../../src/core/decode/explain/transaction';
import { type RecipientFacts } from '../../../../src/core/decode/explanation';
import { type Hex } from '../../../../src/core/eth/bytes';
import { compileDescriptors } from '../../../../scripts/contract-metadata/descriptors';
import { type Source } from '../../../../scripts/contract-metadata/source';
import { codesOf, ME, NOW, saying, USDC } from '../../../support/explaining';

const TO: Hex = `0x${'c0'.repeat(20)}`;
const SELECTOR = '0badc0de';
const FRIEND: Hex = '0xab5801a7d398351b8be11c439e05c5b3259aec9b';
const TWIN: Hex = `0xab58${'1'.repeat(32)}ec9b`;

const word = (value: bigint | Hex): string => BigInt(value).toString(16).padStart(64, '0');

const descriptor = (fields: readonly Field[], more: Partial<CallDescriptor> = {}): CallDescriptor => ({
  at: 0,
  owner: 'Somebody',
  intent: 'Claim reward',
  inputs: [
    { name: 'who', type: 'address' },
    { name: 'amount', type: 'uint256' },
  ],
  fields,
  hidden: 0,
  ...more,
});

/** A view with one descriptor for one contract. */
function viewOf(call: CallDescriptor, recipients?: RecipientFacts) {
  const shard: Shard = { contracts: [[contractKey(1n, TO)]], calls: { [SELECTOR]: [call] }, messages: {}, guesses: {} };
  const contractMetadata = { ...NO_METADATA, shards: { '0': shard }, tokens: {} };
  return { signer: ME, now: NOW, contractMetadata, ...(recipients && { recipients }) };
}

const explain = (call: CallDescriptor, who: Hex, amount: bigint, recipients?: RecipientFacts) =>
  explainAction(
    { to: TO, value: 0n, data: `0x${SELECTOR}${word(who)}${word(amount)}`, chainId: 1n },
    viewOf(call, recipients),
  );

const amount: Field = { label: 'Bonus', path: ['amount'], as: 'token', token: USDC };
const unlimited: Field = { ...amount, as: 'token', threshold: '1000', message: 'Unlimited' };
const who = (role?: 'recipient' | 'spender'): Field => ({
  label: 'Partner',
  path: ['who'],
  as: 'address',
  ...(role && { role }),
});

describe('a description cannot silence', () => {
  it('an unlimited permission, whatever it is called', () => {
    for (const field of [amount, unlimited]) {
      expect(codesOf(explain(descriptor([field, who('spender')]), FRIEND, maxUint256))).toContain('unlimited-approval');
      expect(codesOf(explain(descriptor([field], { allows: true }), FRIEND, maxUint256))).toContain(
        'unlimited-approval',
      );
    }
    expect(codesOf(explain(descriptor([unlimited, who('spender')]), FRIEND, 5000n))).toContain('unlimited-approval');
  });

  it('but does not invent one: all of a debt, or a small permission', () => {
    const all: Field = { ...amount, as: 'token', threshold: maxUint256.toString(), message: 'All' };
    expect(codesOf(explain(descriptor([all, who('recipient')]), FRIEND, maxUint256))).toEqual([]);
    expect(codesOf(explain(descriptor([unlimited, who('spender')]), FRIEND, 5n))).toEqual([]);
  });

  it('an imitation of a familiar address, whatever its role', () => {
    const facts = { used: [FRIEND], own: {}, hasCode: {} };
    for (const role of [undefined, 'recipient', 'spender'] as const)
      expect(codesOf(explain(descriptor([who(role)]), TWIN, 1n, facts))).toContain('address-poisoning');
    expect(codesOf(explain(descriptor([who('recipient')]), FRIEND, 1n, facts))).toEqual([]);
  });

  it('a new recipient, or one that nobody controls', () => {
    const facts = { used: [], own: {}, hasCode: {} };
    const said = explain(descriptor([who('recipient')]), FRIEND, 1n, facts);
    expect(saying(said)).toContain('First time you send to 0xAb58…eC9B.');
    const dead: Hex = '0x000000000000000000000000000000000000dead';
    expect(explain(descriptor([amount, who('recipient')]), dead, 1n, facts).main).toContainEqual(
      expect.objectContaining({ label: 'To (nobody controls it)' }),
    );
    // Routers take small numbers for the sender or for themselves.
    const placeholder: Hex = '0x0000000000000000000000000000000000000001';
    const routed = explain(descriptor([amount, who('recipient')]), placeholder, 1n, facts);
    expect(codesOf(routed)).toEqual([]);
    expect(routed.main).toContainEqual(
      expect.objectContaining({ label: 'To (a placeholder: the contract decides whom it means)' }),
    );
  });

  it('the coins that a call sends: the title adds them to its words', () => {
    const said = explainAction(
      { to: TO, value: 10n ** 18n, data: `0x${SELECTOR}${word(FRIEND)}${word(1n)}`, chainId: 1n },
      viewOf(descriptor([who()])),
    );
    expect(said.title).toBe('“Claim reward” with 0xC0C0…c0c0 and send it 1 ETH');
    expect(saying(said)).toContain('You send: 1 ETH');
  });

  it('the number that a message or a name stands for', () => {
    const said = saying(explain(descriptor([unlimited]), FRIEND, 5_000_000n));
    expect(said).toContain('“Bonus”: “Unlimited” USDC, that is 5 USDC');
    const named: Field = { label: 'Mode', path: ['amount'], as: 'enum', names: { '2': 'harmless' } };
    expect(saying(explain(descriptor([named]), FRIEND, 2n))).toContain('“Mode”: “harmless” (2)');
  });
});

it('an address in the words of a description does not say that address', () => {
  const named: Field = { label: 'Mode', path: ['amount'], as: 'enum', names: { '2': FRIEND } };
  const { main } = explain(descriptor([named]), FRIEND, 2n);
  expect(main).toContainEqual({ kind: 'address', label: '“who”', value: FRIEND });
});

describe('a sentence with values', () => {
  const sentence = ['Claim ', 0, ' for ', 1] as const;

  it('is quoted, in the title and below', () => {
    const said = explain(descriptor([amount, who()], { sentence }), FRIEND, 5_000_000n);
    expect(said.title).toBe('“Claim 5 USDC for 0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B” with 0xC0C0…c0c0');
    expect(saying(said)).toContain('In short: Claim 5 USDC for 0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B');
    const long = explain(descriptor([amount], { sentence: ['Claim '.repeat(20), 0] }), FRIEND, 5_000_000n);
    expect(long.title).toBe('“Claim reward” with 0xC0C0…c0c0');
  });

  it('is left out if one of its values is not shown', () => {
    const hidden: Field = { ...amount, unless: ['5'] };
    const said = saying(explain(descriptor([hidden, who()], { sentence }), FRIEND, 5n));
    expect(said).not.toContain('In short');
    expect(said).not.toContain('Bonus');
  });
});

it('the name that a token gives itself is quoted, and not part of a sentence', () => {
  const token: Field = { label: 'Buy', path: ['who'], as: 'address', isToken: true };
  const call = descriptor([token], { sentence: ['Buy ', 0] });
  const view = viewOf(call);
  const declared = { [contractKey(1n, FRIEND)]: { symbol: 'USDC', decimals: 6 } };
  const said = explainAction(
    { to: TO, value: 0n, data: `0x${SELECTOR}${word(FRIEND)}${word(1n)}`, chainId: 1n },
    { ...view, contractMetadata: { ...view.contractMetadata, declared } },
  );
  expect(saying(said)).toContain('Name: “USDC” (chosen by its contract)');
  expect(said.title).toContain('Buy 0xAb58');
});

it('a description is not used if a value is not one of those that it is for', () => {
  const only: Field = { label: 'Kind', path: ['amount'], as: 'raw', only: ['7'] };
  expect(saying(explain(descriptor([only, who()]), FRIEND, 8n))).not.toContain('Claim reward');
  expect(saying(explain(descriptor([only, who()]), FRIEND, 7n))).toContain('Claim reward');
});

it('gives out amounts and addresses by their meaning', () => {
  const scene = {
    view: viewOf(descriptor([unlimited, who('spender')])),
    chainId: 1n,
    findings: new Findings(),
    budget: freshBudget(),
  };
  const call = { to: TO, from: ME, data: `${SELECTOR}${word(FRIEND)}${word(5000n)}` };
  expect(readDescribedCall(call, scene)?.facts).toEqual([
    { kind: 'amount', label: '“Bonus”', amount: 5000n, token: USDC.toLowerCase(), isMost: true },
    { kind: 'address', label: '“Partner”', address: FRIEND, role: 'spender' },
  ]);
});

describe('a list that is described by its name alone', () => {
  const saidOf = (items: readonly bigint[], path: Field['path'] = ['ids']): string[] => {
    const listing = descriptor([{ label: 'Items', path: path!, as: 'raw' }], {
      inputs: [{ name: 'ids', type: 'uint256[]' }],
    });
    const data: Hex = `0x${SELECTOR}${[32n, BigInt(items.length), ...items].map(word).join('')}`;
    return saying(explainAction({ to: TO, value: 0n, data, chainId: 1n }, viewOf(listing)))
      .split('\n')
      .filter((line) => line.includes('Items') || line.includes('more value'));
  };

  it('is shown item by item, and not only how long it is', () => {
    const items = ['“Items”: 7', '“Items”: 8'];
    expect(saidOf([7n, 8n])).toEqual(expect.arrayContaining(items));
    expect(saidOf([7n, 8n], ['ids', []])).toEqual(expect.arrayContaining(items));
    expect(saidOf([7n])).toContain('“Items”: 7');
    expect(saidOf([7n, 8n]).join()).not.toContain('a list of');
  });

  it('hides no second list behind the first', () => {
    const field: Field = { label: 'Items', path: ['lists', []], as: 'raw' };
    const listing = descriptor([field], { inputs: [{ name: 'lists', type: 'uint256[][]' }] });
    const lists = encodeAbiParameters([{ type: 'uint256[][]' }], [[[7n, 8n], [9n]]]);
    const data: Hex = `0x${SELECTOR}${lists.slice(2)}`;
    const text = saying(explainAction({ to: TO, value: 0n, data, chainId: 1n }, viewOf(listing)));
    for (const length of [2, 1]) expect(text).toContain(`“Items”: a list of ${length}`);
  });

  it('says how many items are not shown', () => {
    const many = (count: number) => saidOf(Array.from({ length: count }, (_, at) => BigInt(at)));
    expect(many(20).join()).not.toContain('more value');
    expect(many(21).join()).toContain('1 more value');
  });
});

/** The fields of the only call in a source. */
function compiledFields(source: Source): readonly Field[] {
  const { shards, unsupported } = compileDescriptors({ 'a.json': source });
  expect(unsupported).toEqual([]);
  const calls = Object.values(shards).flatMap((shard) => Object.values(shard.calls).flat());
  return calls[0]?.fields ?? [];
}

it('compiles maps, conditions, chains and lists of structs', () => {
  const fields = compiledFields({
    context: { contract: { deployments: [{ chainId: 1, address: TO }] } },
    metadata: { maps: { tokens: { values: { '1': USDC } } } },
    display: {
      formats: {
        'f(uint256 sum,(uint256 chain,address to)[] targets)': {
          intent: { Kind: 'Bridge', Speed: 'fast' },
          fields: [
            {
              path: 'sum',
              label: 'Sum',
              format: 'tokenAmount',
              visible: { ifNotIn: [0, '0x10'] },
              params: { token: { map: '$.metadata.maps.tokens', keyPath: '@.chainId' } },
            },
            {
              path: 'targets.[]',
              fields: [
                { path: 'chain', label: 'Chain', format: 'chainId' },
                { path: 'to', label: 'Target', format: 'addressName' },
              ],
            },
          ],
        },
      },
    },
  });
  expect(fields).toEqual([
    {
      label: 'Sum',
      path: ['sum'],
      unless: ['0', '16'],
      as: 'token',
      token: { names: { '1': USDC.toLowerCase() }, key: ['@', 'chainId'] },
    },
    { label: 'Chain', path: ['targets', [], 'chain'], as: 'chain' },
    { label: 'Target', path: ['targets', [], 'to'], role: 'recipient', joined: true, as: 'address' },
  ]);
});
