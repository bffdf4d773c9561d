import { createAccount, optionsFor } from '../../../src/companion/model/create-account';
import { type SnapClient } from '../../../src/companion/model/snap-client';
import { STANDARD } from './support/samples';

const CHAIN = 'eip155:31337';

it.each([
  ['eoa', { type: 'eip155:eoa' }],
  ['safe-0.7', { type: 'eip155:erc4337', chainId: CHAIN, kind: 'safe-0.7' }],
  ['0.8', { type: 'eip155:erc4337', chainId: CHAIN, entryPointVersion: '0.8' }],
])('asks for an account of the kind %s', (kind, options) => {
  expect(optionsFor(kind, CHAIN)).toEqual(options);
});

it('needs a network for a smart account only', () => {
  expect(optionsFor('eoa', undefined)).toEqual({ type: 'eip155:eoa' });
  for (const chainId of [undefined, '']) expect(() => optionsFor('safe-0.7', chainId)).toThrow('Add a network first');
});

it('names the account only if a name was entered', async () => {
  const asked: string[] = [];
  const client = {
    keyring: (method: string) => {
      asked.push(method);
      return Promise.resolve(STANDARD);
    },
  } as unknown as SnapClient;
  expect(await createAccount(client, { type: 'eip155:eoa' }, '')).toBe(STANDARD);
  expect(await createAccount(client, { type: 'eip155:eoa' }, 'Savings')).toMatchObject({
    options: { label: 'Savings' },
  });
  expect(asked).toEqual(['keyring_createAccount', 'keyring_createAccount', 'keyring_updateAccount']);
});
