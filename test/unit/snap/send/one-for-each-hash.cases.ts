import { type Batch } from '../../../../src/snap/send/batch';
import { oneForEachHash } from '../../../../src/snap/send/one-for-each-hash';

const HASH = `0x${'12'.repeat(32)}` as const;
const OTHER = `0x${'13'.repeat(32)}` as const;
const batch = (id: string, at: number, change: Partial<Batch> = {}): Batch => ({
  id,
  origin: 'https://dapp.example',
  account: `0x${'ac'.repeat(20)}`,
  chainId: 'eip155:1',
  at,
  calls: 1,
  atomic: true,
  sent: { as: 'transactions', items: [{ hash: HASH, nonce: '0x5' }], unsent: 0, isUnclear: true },
  status: 100,
  ...change,
});

it('shows three attempts at one hash as one, with what the network said of any of them', () => {
  const confirmed = batch('second', 20, { status: 200, sent: { ...batch('', 0).sent, isUnclear: false } });
  expect(oneForEachHash([batch('first', 10), confirmed, batch('third', 30, { remark: 'no-answer' })])).toEqual([
    { ...confirmed, at: 10 },
  ]);
});

it('keeps what has another hash, or is on another network', () => {
  const sent = { as: 'transactions', items: [{ hash: OTHER, nonce: '0x5' }], unsent: 0 } as const;
  const all = [
    batch('a', 1),
    batch('b', 2, { chainId: 'eip155:2' }),
    batch('c', 3, { sent: { ...sent, items: [...sent.items] } }),
  ];
  expect(oneForEachHash(all)).toEqual(all);
});

it('shows the replacement of any attempt, whichever of them says most', () => {
  const replacements = [
    { hash: OTHER, how: 'speed-up' as const, fees: { maxFeePerGas: '0x2', maxPriorityFeePerGas: '0x1' } as const },
  ];
  const items = [{ hash: HASH, nonce: '0x5' as const, replacements }];
  const first = batch('first', 10, { sent: { as: 'transactions', items, unsent: 0 } });
  const [row, ...others] = oneForEachHash([first, batch('second', 20, { isSeen: true })]);
  expect(others).toEqual([]);
  expect(row).toMatchObject({ id: 'second', sent: { items: [{ hash: HASH, replacements }] } });
});
