import { type Account } from './snap-requests';

/** What a snap stores. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const hex = (index: number, digits: number): string => index.toString(16).padStart(digits, '0');

/** @returns A record of a state as it would be of another account: with another id, and an address of nobody. */
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
 * The state of a keyring nobody knows, with more accounts: wherever it holds something under an account's id, or lists a
 * record that names it, there is as much of each of the others.
 *
 * @param state - As it is stored.
 * @param like - The account of it that all others are like.
 * @param count - How many there are to be of it, with itself.
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
