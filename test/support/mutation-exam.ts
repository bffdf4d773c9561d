import { type Hex, parseTransaction } from 'viem';

import { type TypedData } from '../../src/core/eth/typed-data';
import { registryFiles } from './registry-tests';
import { ungrouped } from './explaining';

/** A call or a message that somebody published as an honest one. */
export type Payload = { readonly name: string } & (
  | { readonly chainId: number; readonly to: Hex; readonly value: bigint; readonly data: Hex }
  | { readonly typed: TypedData }
);

/** An honest payload with one signed value changed. */
export type Mutant = {
  readonly kind: 'address' | 'amount' | 'bookkeeping';
  /** The place of the value. */
  readonly at: string;
  readonly payload: Payload;
  /** The new amount. */
  readonly amount?: bigint;
};

/** Nobody's address, of an ordinary form. */
export const NOBODY: Hex = '0x7a1c93e5b84d20f6a9e17c35d8b2460f9e5d31c7';
/** A contract that no table has. */
export const ELSEWHERE: Hex = '0x5e08d4b7a3c96f12e845b0d7c91a63f28e4d7b05';

const WORD = 64;

/** Names of members that count, date or number something. */
const BOOKKEEPING =
  /nonce|salt|deadline|expir|time|date|start|end$|valid|id$|chain|counter|period|block|index|version|bps|fee(?:rate)?$/iu;
/** Names of members that are the account itself, whose change makes another request of it. */
const SIGNER =
  /^(?:maker|owner|from|signer|offerer|user|holder|swapper|sender|account|delegator|follower|buyer|trader|wallet)$/iu;

const isTime = (n: bigint): boolean => n > 1_500_000_000n && n < 2_500_000_000n;
const isAmount = (n: bigint, least: bigint): boolean => n >= least && n < 1n << 112n && !isTime(n);
/** Two new amounts: a small one, and one of about the same size. */
const newAmounts = (n: bigint): readonly bigint[] => [6271n, n * 1000n + 5923n];

function* messageMutants(payload: Payload & { typed: TypedData }): Generator<Mutant> {
  const { types, primaryType, message, domain } = payload.typed;
  const changed = (path: readonly (string | number)[], value: string): Payload => {
    const copy = structuredClone(message) as Record<string | number, unknown>;
    let inner = copy;
    for (const step of path.slice(0, -1)) inner = inner[step] as Record<string | number, unknown>;
    inner[path.at(-1) as string] = value;
    return { ...payload, typed: { ...payload.typed, message: copy } };
  };
  function* of(type: string, value: unknown, path: readonly (string | number)[]): Generator<Mutant> {
    const list = /^(.*)\[\d*\]$/u.exec(type);
    if (list !== null) {
      for (const [index, item] of (value as readonly unknown[]).slice(0, 12).entries())
        yield* of(list[1] ?? '', item, [...path, index]);
      return;
    }
    const members = types[type];
    if (members !== undefined) {
      for (const member of members)
        yield* of(member.type, (value as Record<string, unknown>)[member.name], [...path, member.name]);
      return;
    }
    const name = path.findLast((step) => typeof step === 'string') ?? '';
    const at = path.join('.');
    if (type === 'address') {
      if (!/^0x0{40}$/u.test(String(value)) && !SIGNER.test(String(name)))
        yield { kind: 'address', at, payload: changed(path, NOBODY) };
      return;
    }
    const [, bits = '256'] = /^u?int(\d*)$/u.exec(type) ?? [];
    if (!/^u?int/u.test(type)) return;
    const number = BigInt(value as string | number);
    if (/nonce|salt/iu.test(String(name))) {
      if (number < 1n << 60n) yield { kind: 'bookkeeping', at, payload: changed(path, String(number + 1n)) };
    } else if (!BOOKKEEPING.test(String(name)) && isAmount(number, 1000n))
      for (const amount of newAmounts(number))
        if (amount < 1n << BigInt(bits || '256'))
          yield { kind: 'amount', at, amount, payload: changed(path, String(amount)) };
  }
  yield* of(primaryType, message, []);
  if (typeof domain.verifyingContract === 'string' && domain.verifyingContract !== ELSEWHERE)
    yield {
      kind: 'address',
      at: 'the domain',
      payload: { ...payload, typed: { ...payload.typed, domain: { ...domain, verifyingContract: NOBODY } } },
    };
}

function* callMutants(payload: Payload & { to: Hex; value: bigint; data: Hex }): Generator<Mutant> {
  const { to, value, data } = payload;
  if (to !== ELSEWHERE) yield { kind: 'address', at: 'to', payload: { ...payload, to: NOBODY } };
  if (value > 0n)
    for (const amount of newAmounts(value))
      yield { kind: 'amount', at: 'value', amount, payload: { ...payload, value: amount } };
  const digits = data.slice(2).toLowerCase();
  for (const start of [8, 16])
    for (let at = start; at + WORD <= digits.length && at < 8 + WORD * 80; at += WORD) {
      const word = digits.slice(at, at + WORD);
      const put = (replaced: string): Payload => ({
        ...payload,
        data: `0x${digits.slice(0, at)}${replaced}${digits.slice(at + WORD)}`,
      });
      const name = `word ${(at - start) / WORD + 1}${start === 8 ? '' : ' of what is four bytes further'}`;
      if (/^0{24}(?!0{8})/u.test(word) && new Set(word.slice(24)).size > 6)
        yield { kind: 'address', at: name, payload: put(NOBODY.slice(2).padStart(WORD, '0')) };
      else if (start === 8 && isAmount(BigInt(`0x${word}`), 1_000_000n))
        for (const amount of newAmounts(BigInt(`0x${word}`)))
          yield { kind: 'amount', at: name, amount, payload: put(amount.toString(16).padStart(WORD, '0')) };
    }
}

/** @returns The payload with each signed address and amount changed, one at a time. */
export const mutantsOf = (payload: Payload): Generator<Mutant> =>
  'typed' in payload ? messageMutants(payload) : callMutants(payload);

/** @returns The same request for a contract that nobody knows. */
export const elsewhere = (payload: Payload): Payload =>
  'typed' in payload
    ? { ...payload, typed: { ...payload.typed, domain: { ...payload.typed.domain, verifyingContract: ELSEWHERE } } }
    : { ...payload, to: ELSEWHERE };

/** The digits of an amount, wherever its decimal point is. */
const digitsOf = (written: string): string => written.replace('.', '').replace(/^0+|0+$/gu, '');

/** How often each amount stands on the rows of a screen. Addresses and hex are no amounts. */
function amountsIn(rows: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows)
    for (const [number] of ungrouped(row.replace(/0x[0-9a-f…]+/giu, ' ')).matchAll(/\d+(?:\.\d+)?/gu))
      counts.set(digitsOf(number), (counts.get(digitsOf(number)) ?? 0) + 1);
  return counts;
}

const unlimited = (rows: readonly string[]): number =>
  rows.filter((row) => /unlimited|all of your|any amount|more than any token has/iu.test(row)).length;

/** @returns Whether the open part of a mutant's screen says the new value. */
export function says({ kind, amount = 0n }: Mutant, rows: readonly string[], before: readonly string[]): boolean {
  if (kind === 'address') return rows.some((row) => row.toLowerCase().includes(NOBODY));
  const digits = digitsOf(String(amount));
  return (
    (amountsIn(rows).get(digits) ?? 0) > (amountsIn(before).get(digits) ?? 0) || unlimited(rows) > unlimited(before)
  );
}

/** The kinds of alarms on a screen. */
export const alarmsOf = (rows: readonly string[]): Set<string> =>
  new Set(rows.filter((row) => /^\[(?:danger|warning)\]/u.test(row)).map((row) => row.slice(0, 40)));

function callOf(name: string, rawTx: Hex): Payload[] {
  const { to, value = 0n, data, chainId = 1 } = parseTransaction(rawTx);
  return to === null || to === undefined || data === undefined ? [] : [{ name, chainId, to, value, data }];
}

/** One payload for each function of each contract, and for each type of each domain. */
function distinct(all: readonly Payload[]): Payload[] {
  const found = new Map<string, Payload>();
  for (const one of all) {
    const key =
      'typed' in one
        ? JSON.stringify([one.typed.primaryType, one.typed.domain])
        : `${one.chainId}${one.to}${one.data.slice(0, 10)}`;
    if (!found.has(key)) found.set(key, one);
  }
  return [...found.values()];
}

/** The registry's rendering tests as payloads. */
export const registryPayloads = (): Payload[] =>
  distinct(
    registryFiles().flatMap(({ file, tests }) =>
      tests.flatMap(({ data, rawTx = '0x' }): Payload[] =>
        data === undefined ? callOf(file, rawTx) : [{ name: file, typed: data }],
      ),
    ),
  );
