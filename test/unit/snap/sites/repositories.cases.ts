import { type Json } from '@metamask/snaps-sdk';

import { type Batch } from '../../../../src/snap/send/batch';
import { BatchRepository } from '../../../../src/snap/send/repository';
import { PermissionRepository } from '../../../../src/snap/sites/repository';
import { memoryStore } from '../../../support/memory-store';

describe('permissions', () => {
  it('belong to one origin, whatever its name', async () => {
    const grants = new PermissionRepository(memoryStore());
    await grants.put('https://dapp.example', { accounts: ['1'] });
    expect(await grants.find('https://dapp.example')).toEqual({ accounts: ['1'] });
    for (const other of ['https://dapp', 'https://dapp.example.org', '__proto__', 'toString', ''])
      expect(await grants.find(other)).toBeUndefined();
  });

  it('are ignored if unreadable', async () => {
    const damaged = { 'https://a.example': 5, 'https://b.example': { accounts: [5] }, x: { accounts: ['1'] } };
    expect(await new PermissionRepository(memoryStore({ grants: damaged })).all()).toEqual({});
    expect(await new PermissionRepository(memoryStore({ grants: [1] })).all()).toEqual({});
  });

  it('end when their account is deleted', async () => {
    const grants = new PermissionRepository(memoryStore());
    await grants.put('https://a.example', { accounts: ['1', '2'], chainId: 'eip155:1' });
    await grants.put('https://b.example', { accounts: ['1'] });
    await grants.dropAccount('1');
    expect(await grants.all()).toEqual({ 'https://a.example': { accounts: ['2'], chainId: 'eip155:1' } });
  });

  it('are given for one more account to an origin that has one already, and to no other', async () => {
    const grants = new PermissionRepository(memoryStore());
    await grants.put('https://a.example', { accounts: ['1'], chainId: 'eip155:1', date: 5 });
    for (const id of ['2', '2', '1']) await grants.addAccount('https://a.example', id);
    await grants.addAccount('https://b.example', '2');
    await grants.addAccount('metamask', '2');
    expect(await grants.all()).toEqual({
      'https://a.example': { accounts: ['1', '2'], chainId: 'eip155:1', date: 5 },
    });
  });

  it('are limited to two hundred', async () => {
    const all = Object.fromEntries(
      Array.from({ length: 200 }, (_i, n) => [`https://s${n}.example`, { accounts: ['1'] }]),
    );
    const grants = new PermissionRepository(memoryStore({ grants: all }));
    await expect(grants.put('https://new.example', { accounts: ['1'] })).rejects.toMatchObject({ rpcCode: -32002 });
    await grants.put('https://s7.example', { accounts: ['2'] });
    expect(await grants.find('https://s7.example')).toEqual({ accounts: ['2'] });
  });
});

describe('batches', () => {
  const batch = (id: string, fields: Partial<Batch> = {}): Batch => ({
    id,
    origin: 'https://dapp.example',
    account: `0x${'ac'.repeat(20)}`,
    chainId: 'eip155:1',
    at: Number(id),
    calls: 1,
    atomic: true,
    sent: { as: 'transactions', items: [{ hash: `0x${'12'.repeat(32)}`, nonce: '0x0' }], unsent: 0 },
    status: 200,
    ...fields,
  });

  it('are limited to a hundred; pending ones are kept longest', async () => {
    const batches = new BatchRepository(memoryStore());
    await batches.add(batch('0', { status: 100 }));
    for (let id = 1; id <= 100; id++) await batches.add(batch(String(id)));
    const kept = (await batches.read()).map(({ id }) => id);
    expect(kept).toHaveLength(100);
    expect(kept).toContain('0');
    expect(kept).not.toContain('1');
  });

  it('are changed only by id and origin, and found only by their own site', async () => {
    const batches = new BatchRepository(memoryStore());
    await batches.add(batch('1', { status: 100 }));
    await batches.add(batch('1', { status: 100, origin: 'https://other.example' }));
    await batches.replace(batch('1', { status: 500 }));
    expect((await batches.find('https://dapp.example', '1'))?.status).toBe(500);
    expect((await batches.find('https://other.example', '1'))?.status).toBe(100);
    expect(await batches.find('https://third.example', '1')).toBeUndefined();
  });

  it('drop receipts that are too large, and unreadable entries', async () => {
    const store = memoryStore({ batches: [5, { id: 'x' }, batch('7') as unknown as Json] });
    const batches = new BatchRepository(store);
    expect((await batches.read()).map(({ id }) => id)).toEqual(['7']);
    const receipt = {
      logs: [{ address: batch('1').account, data: `0x${'00'.repeat(20_000)}` as const, topics: [] }],
      status: '0x1' as const,
      blockHash: `0x${'bb'.repeat(32)}` as const,
      blockNumber: '0x1' as const,
      gasUsed: '0x1' as const,
      transactionHash: `0x${'12'.repeat(32)}` as const,
    };
    await batches.add(batch('8', { receipts: [receipt] }));
    expect((await batches.find('https://dapp.example', '8'))?.receipts).toBeUndefined();
  });
});
