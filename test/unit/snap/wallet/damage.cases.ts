import { type Json } from '@metamask/snaps-sdk';

import { CheckedState, type StateStore } from '../../../../src/snap/wallet/state';
import { STORED_PARTS } from '../../../../src/snap/stored-parts';

describe('damaged parts of the state', () => {
  it('are both kept if they are written at the same time', async () => {
    const stored = new Map<string, Json>([
      ['settings', 'garbage'],
      ['batches', 5],
    ]);
    const store: StateStore = {
      read: (key) => Promise.resolve(stored.get(key) ?? null),
      write: (key, value) => {
        stored.set(key, value);
        return Promise.resolve();
      },
    };
    const state = new CheckedState(store, STORED_PARTS);
    await Promise.all([state.write('settings', { confirmSignatures: 'always' }), state.write('batches', [])]);
    expect(stored.get('damaged')).toEqual([
      { part: 'settings', stored: 'garbage' },
      { part: 'batches', stored: 5 },
    ]);
    expect(stored.get('batches')).toEqual([]);
  });
});
