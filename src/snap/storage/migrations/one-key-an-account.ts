import { type Json } from '@metamask/snaps-sdk';

import { endsOf } from '../../../core/decode/effects/recipients';
import { AddressStruct } from '../../../core/schemas/address';
import { lowerCase } from '../../../core/eth/bytes';
import { type StateStore } from '../../platform/state';
import { keepCopy } from '../damage';

type Members = Record<string, Json>;

const membersOf = (stored: Json): Members =>
  typeof stored === 'object' && stored !== null && !Array.isArray(stored) ? stored : {};

/** Version 1 kept the histories of all accounts in one list, the most recently used account first. */
async function moveHistories(state: StateStore): Promise<void> {
  const stored = await state.read('recipients');
  if (stored === null) return;
  const all = (Array.isArray(stored) ? stored : [stored]).map(membersOf);
  const sound = all.filter(({ account, addresses }) => AddressStruct.is(account) && Array.isArray(addresses));
  if (!Array.isArray(stored) || sound.length < all.length) await keepCopy(state, 'recipients', stored);
  const histories = sound.map(({ account, ...history }): [string, Json] => [
    lowerCase(account as `0x${string}`),
    history,
  ]);
  await state.write('histories', Object.fromEntries(histories));
  await state.write('historyOrder', [...new Set(histories.map(([account]) => account))]);
  await state.write('recipients', null);
}

/** Version 1 had no index of the accounts by the ends of their addresses. */
async function indexAccounts(state: StateStore): Promise<void> {
  const ends: Record<string, Members> = {};
  for (const entry of Object.values(membersOf(await state.read('accounts')))) {
    const { address } = membersOf(membersOf(entry).account ?? null);
    if (!AddressStruct.is(address)) continue;
    const key = lowerCase(address);
    (ends[endsOf(key)] ??= {})[key] = true;
  }
  if (Object.keys(ends).length > 0) await state.write('ends', ends);
}

/**
 * Version 1 to 2: each account's history under a key of its own, and the index of the accounts by the ends of their
 * addresses. Both can be repeated after an interruption.
 */
export async function oneKeyAnAccount(state: StateStore): Promise<void> {
  await moveHistories(state);
  await indexAccounts(state);
}
