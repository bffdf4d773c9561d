import { type Json } from '@metamask/snaps-sdk';
import fc from 'fast-check';

import { KeysteadError } from '../../src/core/errors';
import { answerKeyringRequest } from '../../src/snap/handlers/keyring';
import { fuzzing, mutated, SECRET } from '../support/fuzz';
import { startKeyring } from '../support/wallet/keyring';
import { type Planned, WALLET_FAULTS } from '../support/wallet/faults';
import { WalletDouble } from '../support/wallet/wallet-double';

/** A few importable keys, so that the same one occurs more than once. */
const KEYS = [1, 2, 3].map((n) => `0x${String(n).padStart(64, '0')}`);

const creation: fc.Arbitrary<Record<string, Json>> = fc.oneof(
  fc.constant({}),
  fc.constantFrom(...KEYS).map((privateKey) => ({ type: 'eip155:eoa', privateKey })),
  fc
    .record({ chain: fc.constantFrom(1, 10), version: fc.constantFrom('0.6', '0.7', '0.8'), index: fc.nat(2) })
    .map(({ chain, version, index }) => ({
      type: 'eip155:erc4337',
      chainId: `eip155:${chain}`,
      entryPointVersion: version,
      index,
    })),
);

type Step =
  | { readonly does: 'create'; readonly options: Record<string, Json> }
  | { readonly does: 'delete'; readonly pick: number };
type Faulty = {
  readonly step: Step;
  readonly fault: Planned | null;
};

const steps = fc.array(
  fc.record({
    step: fc.oneof(
      { weight: 3, arbitrary: creation.map((options): Step => ({ does: 'create', options })) },
      { weight: 1, arbitrary: fc.nat(20).map((pick): Step => ({ does: 'delete', pick })) },
    ),
    fault: fc.option(fc.record({ at: fc.nat(9), fault: fc.constantFrom(...WALLET_FAULTS) }), { freq: 2 }),
  }),
  { minLength: 1, maxLength: 12 },
);

/** Runs a step on a newly started snap. Also settles if the snap is killed. */
async function run(wallet: WalletDouble, { step, fault }: Faulty): Promise<'done' | 'failed'> {
  const { keyring } = startKeyring({ wallet });
  const ids = [...wallet.known.keys()];
  const work = (): Promise<unknown> =>
    step.does === 'create'
      ? keyring.createAccount(step.options)
      : keyring.deleteAccount(ids[step.pick % Math.max(1, ids.length)] ?? '00000000-0000-4000-8000-000000000000');
  const outcome = await new Promise<'done' | 'failed'>((resolve) => {
    if (fault !== null)
      wallet.plan(fault, () => {
        resolve('failed');
      });
    work().then(
      () => {
        resolve('done');
      },
      () => {
        resolve('failed');
      },
    );
  });
  wallet.plan();
  return outcome;
}

describe('sequences of creations and deletions, with failing wallet calls', () => {
  it('keep what the wallet knows, duplicate nothing, and complete when repeated', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const wallet = new WalletDouble();
        const addressOf = new Map<string, string>();
        for (const each of sequence) {
          await run(wallet, each);
          // Every account that the wallet knows is stored with the same address, and an id never changes its address.
          for (const [id, address] of wallet.known) expect([id, wallet.stored.get(id)]).toEqual([id, address]);
          for (const [id, address] of wallet.stored) {
            expect([id, addressOf.get(id) ?? address]).toEqual([id, address]);
            addressOf.set(id, address);
          }
          expect(new Set(wallet.stored.values()).size).toBe(wallet.stored.size);
        }
        // Interrupted creations can be completed: repeating every creation leaves both sides with the same accounts.
        for (const { step } of sequence) {
          if (step.does !== 'create') continue;
          const account = await startKeyring({ wallet }).keyring.createAccount(step.options);
          expect([account.id, wallet.known.get(account.id)]).toEqual([account.id, account.address]);
        }
        for (const { account } of await startKeyring({ wallet }).deps.accounts.list())
          expect([account.id, addressOf.get(account.id) ?? account.address]).toEqual([account.id, account.address]);
      }),
      fuzzing(60),
    );
  });
});

describe('mutated keyring requests', () => {
  const ID = '7c507ff0-365f-4de0-8cd5-eb83c30ebda4';
  const seeds = fc.constantFrom<{ method: string; params: Json }>(
    { method: 'keyring_createAccount', params: { options: { type: 'eip155:eoa', privateKey: KEYS[0] as string } } },
    { method: 'keyring_createAccount', params: { options: { type: 'eip155:erc4337', chainId: 'eip155:1', index: 1 } } },
    { method: 'keyring_getAccount', params: { id: ID } },
    { method: 'keyring_filterAccountChains', params: { id: ID, chains: ['eip155:1'] } },
    { method: 'keyring_discoverAccounts', params: { scopes: ['eip155:0'], entropySource: 'x', groupIndex: 0 } },
    {
      method: 'keyring_submitRequest',
      params: {
        id: ID,
        scope: '',
        account: ID,
        origin: 'metamask',
        request: { method: 'personal_sign', params: ['0x00', KEYS[0] as string] },
      },
    },
  );

  it('are rejected without repeating a secret, or handled', async () => {
    await fc.assert(
      fc.asyncProperty(mutated(seeds), async (request) => {
        const { deps } = startKeyring({ wallet: new WalletDouble() });
        // The wallet sends objects with a string method; their content may come from anyone.
        const { method, params } = (request ?? {}) as { method?: unknown; params?: Json };
        if (typeof method !== 'string') return;
        try {
          await answerKeyringRequest({ method, params }, deps, deps.origin);
        } catch (error) {
          expect(error).toBeInstanceOf(KeysteadError);
          const { message, data } = error as KeysteadError;
          expect(message + JSON.stringify(data)).not.toContain(SECRET);
          expect(message).not.toMatch(/undefined|\[object|is not a function|Cannot read/u);
        }
      }),
      fuzzing(400),
    );
  });
});
