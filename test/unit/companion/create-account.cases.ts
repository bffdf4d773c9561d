import { COMMON_KINDS, createAccount, optionsFor, OTHER_KINDS } from '../../../src/companion/model/create-account';
import { COMMON_CHOICES, OTHER_CHOICES } from '../../../src/core/accounts/choices';
import { KIND_NAMES } from '../../../src/core/kinds';
import { type SnapClient } from '../../../src/companion/model/snap-client';
import { type Account } from '../../../src/companion/model/types';
import { STANDARD } from '../../support/companion/samples';

const CHAIN = 'eip155:31337';

it.each([
  ['eoa', { type: 'eip155:eoa' }],
  ['safe-0.7', { type: 'eip155:erc4337', chainId: CHAIN, kind: 'safe-0.7' }],
  ['0.8', { type: 'eip155:erc4337', chainId: CHAIN, entryPointVersion: '0.8' }],
])('asks for an account of the kind %s', (kind, options) => {
  expect(optionsFor(kind, CHAIN)).toEqual(options);
});

it('offers the same kinds as the dialogs of the snap, in the same words', () => {
  const words = ({ title, hint, limits }: (typeof COMMON_KINDS)[number]) => [title, hint, limits];
  expect([...COMMON_KINDS, ...OTHER_KINDS].map(words)).toEqual(
    [...COMMON_CHOICES, ...OTHER_CHOICES].map(({ kind, ...choice }) => words({ value: kind, ...choice })),
  );
  // A version is the only SimpleAccount of it.
  const kinds = OTHER_KINDS.map(({ value }) => `simple-account-${value}`);
  expect(kinds.filter((kind) => !(KIND_NAMES as string[]).includes(kind))).toEqual([]);
});

it('needs a network for a smart account only', () => {
  expect(optionsFor('eoa', undefined)).toEqual({ type: 'eip155:eoa' });
  for (const chainId of [undefined, '']) expect(() => optionsFor('safe-0.7', chainId)).toThrow('Add a network first');
});

/** A snap that answers with an account, and a record of what it was asked. */
function clientOf(answer: Account) {
  const asked: [string, unknown][] = [];
  const keyring = (method: string, params: unknown) => {
    asked.push([method, params]);
    return Promise.resolve(answer);
  };
  return { asked, client: { keyring } as unknown as SnapClient };
}
const NAMED: Account = { ...STANDARD, options: { ...STANDARD.options, label: 'Savings' } };

it('sends a name with the request, for the dialog of the wallet', async () => {
  const { asked, client } = clientOf(NAMED);
  expect(await createAccount(client, { type: 'eip155:eoa' }, 'Savings')).toBe(NAMED);
  expect(asked).toEqual([['keyring_createAccount', { options: { type: 'eip155:eoa', label: 'Savings' } }]]);
});

it('sends no name if none was entered', async () => {
  const { asked, client } = clientOf(NAMED);
  expect(await createAccount(client, { type: 'eip155:eoa' }, '')).toBe(NAMED);
  expect(asked).toEqual([['keyring_createAccount', { options: { type: 'eip155:eoa' } }]]);
});

it('renames an account that was there before', async () => {
  const { asked, client } = clientOf(STANDARD);
  expect(await createAccount(client, { type: 'eip155:eoa' }, 'Savings')).toEqual(NAMED);
  expect(asked[1]).toEqual(['keyring_updateAccount', { account: NAMED }]);
});
