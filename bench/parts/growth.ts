import { type Account } from './snap-requests';

/** What a snap stores. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const hex = (index: number, digits: number): string => index.toString(16).padStart(digits, '0');

/** @returns A state record changed to belong to another account: with another ID and a made-up address. */
function cloneFor(record: Json, { id, address }: Account, index: number): Json {
  const text = JSON.stringify(record)
    .replaceAll(id, idOf(index))
    .replace(new RegExp(address, 'giu'), `0x${hex(index, 40)}`);
  return JSON.parse(text) as Json;
}

const idOf = (index: number): string => `${hex(index, 8)}-0000-4000-8000-${hex(index, 12)}`;

const isOf = (record: Json, id: string): boolean => {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return false;
  const { id: own, account } = record as Readonly<Record<string, Json>>;
  return own === id || (account !== undefined && isOf(account, id));
};

/**
 * Adds accounts to the state of an unknown keyring: whatever is stored under an account's ID, or in a list entry that
 * names it, is repeated for each of the others.
 *
 * @param state - As stored.
 * @param like - The account in it that all others copy.
 * @param count - The total number of such accounts, including the original.
 */
export function grownLike(state: Json, like: Account, count: number): Json {
  if (typeof state !== 'object' || state === null) return state;
  const others = Array.from({ length: count - 1 }, (_, index) => index + 1000);
  if (Array.isArray(state)) {
    const records = state as readonly Json[];
    const found = records.find((record) => record === like.id || isOf(record, like.id));
    if (found !== undefined) return [...records, ...others.map((index) => cloneFor(found, like, index))];
    return records.map((record) => grownLike(record, like, count));
  }
  const entries = Object.entries(state as Readonly<Record<string, Json>>);
  const found = entries.find(([key]) => key === like.id)?.[1];
  if (found === undefined)
    return Object.fromEntries(entries.map(([key, value]) => [key, grownLike(value, like, count)]));
  const more = others.map((index): [string, Json] => [idOf(index), cloneFor(found, like, index)]);
  return Object.fromEntries([...entries, ...more]);
}
