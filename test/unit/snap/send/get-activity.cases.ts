import { type Json } from '@metamask/snaps-sdk';

import { getActivity } from '../../../../src/snap/send/get-activity';
import { type Batch } from '../../../../src/snap/send/batch';
import { BatchRepository } from '../../../../src/snap/send/repository';
import { ChainRepository } from '../../../../src/snap/network/repository';
import { RecipientRepository } from '../../../../src/snap/explain/recipients/repository';
import { memoryStore } from '../../../support/memory-store';

const ME = `0x${'aa'.repeat(20)}` as const;
const HASH = `0x${'01'.repeat(32)}` as const;
const TRANSACTION = `0x${'02'.repeat(32)}` as const;

function depsOn(stored: Record<string, Json> = {}) {
  const store = memoryStore(stored);
  return {
    batches: new BatchRepository(store),
    recipients: new RecipientRepository(store),
    chains: new ChainRepository(store),
  };
}

const batch = (changed: Partial<Batch>): Batch => ({
  id: 'one',
  origin: 'https://dapp.example',
  account: ME,
  chainId: 'eip155:1',
  at: 10,
  calls: 2,
  atomic: true,
  sent: { as: 'operation', hash: HASH, entryPoint: ME, nonce: '0x0' },
  status: 100,
  ...changed,
});

const receipt: NonNullable<Batch['receipts']>[number] = {
  logs: [],
  status: '0x1',
  blockHash: HASH,
  blockNumber: '0x1',
  gasUsed: '0x1',
  transactionHash: TRANSACTION,
};

describe('keystead_getActivity', () => {
  it('reports signatures and what was sent, the most recent first, without what it was about', async () => {
    const deps = depsOn();
    await deps.batches.add(batch({ status: 200, receipts: [receipt] }));
    await deps.recipients.remember(ME, [ME], {
      at: 20,
      origin: 'https://other.example',
      method: 'eth_signTransaction',
      chainId: 'eip155:5',
      hash: TRANSACTION,
    });
    await deps.batches.add(
      batch({
        id: 'two',
        at: 30,
        calls: 1,
        sent: { as: 'transactions', items: [{ hash: HASH, nonce: '0x0' }], unsent: 0, isUnclear: true },
      }),
    );
    const place = { account: ME, origin: 'https://dapp.example', chainId: 'eip155:1' };
    expect(await getActivity(undefined, deps)).toEqual([
      { ...place, at: 30, sent: { id: 'two', calls: 1, status: 100, isUnclear: true, transactions: [HASH] } },
      {
        account: ME,
        origin: 'https://other.example',
        at: 20,
        chainId: 'eip155:5',
        signed: { method: 'eth_signTransaction', hash: TRANSACTION },
      },
      {
        ...place,
        at: 10,
        sent: {
          id: 'one',
          calls: 2,
          status: 200,
          isUnclear: false,
          userOperation: HASH,
          transactions: [TRANSACTION],
        },
      },
    ]);
  });

  it('reports what is stored if a status cannot be looked up, and refuses other parameters', async () => {
    const deps = depsOn();
    // Its network is not set up, so its status cannot be looked up.
    await deps.batches.add(batch({ at: Date.now() }));
    expect(await getActivity({ lookUp: true }, deps)).toMatchObject([{ sent: { id: 'one', status: 100 } }]);
    await expect(getActivity({ lookup: true }, deps)).rejects.toThrow('params');
  });

  it('reports one hash once, however often it was sent and whoever else was given the signature', async () => {
    const deps = depsOn();
    const sent = { as: 'transactions' as const, items: [{ hash: HASH, nonce: '0x0' as const }], unsent: 0 };
    for (const id of ['one', 'two', 'three']) await deps.batches.add(batch({ id, sent: { ...sent, isUnclear: true } }));
    const signed = {
      at: 20,
      origin: 'https://other.example',
      method: 'eth_signTransaction',
      chainId: 'eip155:1',
    } as const;
    await deps.recipients.remember(ME, [ME], { ...signed, hash: HASH });
    expect(await getActivity(undefined, deps)).toMatchObject([{ at: 10, sent: { id: 'one', transactions: [HASH] } }]);
  });
});
