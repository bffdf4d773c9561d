import { type Explanation } from '../../decode/explanation';
import { isSameAddress } from '../../eth/address';
import { type Hex, lowerCase } from '../../eth/bytes';
import { type TypedData, type TypedDataTypes } from '../../eth/typed-data';
import { AddressStruct } from '../../schemas/address';
import { ChainNameStruct } from '../../schemas/chain';
import { bytesStruct, Uint256Struct } from '../../structs/hex';
import { boolean, exactOptional, type Infer, integer, object, string } from '../../structs/struct';
import { TypedDataStruct } from '../../schemas/typed-data';
import { isExpired } from './expiry';

/** Something that an account signed, and that others can use until it is used up, expired or cancelled. */
export const KeptStruct = object({
  account: AddressStruct,
  /** The Safe that the signature is for, if the account signed as one of its owners, and the hash of the message. */
  forSafe: exactOptional(object({ address: AddressStruct, message: bytesStruct(32) })),
  /** The site that asked for it. */
  origin: string(),
  /** Milliseconds since 1970. */
  at: integer(0),
  /** The digest that was signed. */
  hash: bytesStruct(32),
  /** What the confirmation called it. */
  title: string(),
  /** The network on which it counts; absent if it names none, and so counts on every one. */
  chainId: exactOptional(ChainNameStruct),
  /** Seconds since 1970; absent if there is no end to rely on. */
  until: exactOptional(integer(0)),
  /** The confirmation warned of a danger. */
  isDangerous: exactOptional(boolean()),
  /** The typed data; absent if it is too long to keep, or the message is none. */
  data: exactOptional(TypedDataStruct),
  /** An authorization to run the code of a contract (EIP-7702). */
  authorization: exactOptional(object({ address: AddressStruct, nonce: Uint256Struct })),
  /** The node that said that it was used or cancelled. */
  goneAt: exactOptional(string()),
  /** How many others were dropped for it, which still counted. */
  dropped: exactOptional(integer(0)),
});

/** See {@link KeptStruct}. */
export type Kept = Infer<typeof KeptStruct>;

const MAX_ENTRIES = 200;
/** In characters of JSON: of all together, and of the typed data of one. */
const MAX_SIZE = 250_000;
const MAX_DATA = 16_000;
const MAX_TITLE = 300;
/** Seconds since 1970. No calendar has later times. Some contracts take zero for no end. */
const LAST = 8_640_000_000_000n;
/** Clocks differ, and an expired signature is dropped for good. In seconds. */
const DAY = 86_400;

/** The members that the types declare. Others are not signed, and a site could add any number of them. */
function declared(types: TypedDataTypes, type: string, value: unknown): unknown {
  const bracket = type.lastIndexOf('[');
  if (bracket !== -1) return (value as readonly unknown[]).map((item) => declared(types, type.slice(0, bracket), item));
  const members = Object.hasOwn(types, type) ? types[type] : undefined;
  return members === undefined
    ? value
    : Object.fromEntries(
        members.map(({ name, type: of }) => [name, declared(types, of, (value as Record<string, unknown>)[name])]),
      );
}

/** Collects the types that a type needs. */
function reach(types: TypedDataTypes, type: string, found: Record<string, TypedDataTypes[string]>): void {
  const [name = ''] = type.split('[');
  const members = Object.hasOwn(types, name) && !Object.hasOwn(found, name) ? types[name] : undefined;
  if (members === undefined) return;
  found[name] = members.map((member) => ({ name: member.name, type: member.type }));
  for (const member of members) reach(types, member.type, found);
}

/**
 * @param data - Typed data that was hashed before, and so is known to match its types.
 * @returns What is signed of it; nothing if that is too long to keep.
 */
function signedPart({ types, primaryType, domain, message }: TypedData): Pick<Kept, 'data'> {
  const reached: Record<string, TypedDataTypes[string]> = {};
  reach(types, 'EIP712Domain', reached);
  reach(types, primaryType, reached);
  const data = {
    types: reached,
    primaryType,
    domain: declared(types, 'EIP712Domain', domain),
    message: declared(types, primaryType, message),
  } as NonNullable<Kept['data']>;
  return JSON.stringify(data).length > MAX_DATA ? {} : { data };
}

/** What is known of a signature besides the typed data. */
type Facts = Pick<Kept, 'account' | 'forSafe' | 'origin' | 'at' | 'title' | 'chainId'> & {
  readonly hash: Hex;
  readonly isDangerous: boolean;
  /** Seconds since 1970. */
  readonly until: bigint | undefined;
};

/** @returns What is kept of a message that an account signs. */
export const keptMessage = ({ until, isDangerous, title, ...facts }: Facts, data: TypedData | undefined): Kept => ({
  ...facts,
  title: title.slice(0, MAX_TITLE),
  ...(until !== undefined && until > 0n && until <= LAST && { until: Number(until) }),
  ...(isDangerous && { isDangerous }),
  ...(data && signedPart(data)),
});

/**
 * @param data - Undefined if the message is not typed data.
 * @returns What is kept of a message that was explained; undefined if nobody else can use its signature.
 */
export const keptOf = (
  { dangers, title, usable }: Explanation,
  facts: Omit<Facts, 'title' | 'isDangerous' | 'until'>,
  data: TypedData | undefined,
): Kept | undefined =>
  usable && keptMessage({ ...facts, title, until: usable.until, isDangerous: dangers.length > 0 }, data);

/** @returns The account that others act on with the signature. */
export const boundBy = ({ account, forSafe }: Pick<Kept, 'account' | 'forSafe'>): Hex =>
  lowerCase(forSafe?.address ?? account);

/** @returns Whether they are the same signature: accounts can sign the same message. */
export const isSameKept = (one: Kept, other: Kept): boolean =>
  one.hash === other.hash && isSameAddress(one.account, other.account);

/** @returns The list without a signature. */
export const withoutKept = (kept: readonly Kept[], one: Kept): Kept[] =>
  kept.filter((other) => !isSameKept(one, other));

/**
 * The most expendable of a list: expired ones; those of a site that has more than half, without a danger first; then
 * those of others without a danger. Of these, the site that has most loses its oldest.
 */
function leastImportant(kept: readonly Kept[], now: bigint): Kept | undefined {
  const sizes = new Map<string, number>();
  const counts = new Map<string, number>();
  for (const { origin, ...one } of kept) {
    sizes.set(origin, (sizes.get(origin) ?? 0) + JSON.stringify(one).length);
    counts.set(origin, (counts.get(origin) ?? 0) + 1);
  }
  const rank = (one: Kept): number => {
    if (isExpired(one, now - BigInt(DAY))) return 0;
    const isCrowd = (counts.get(one.origin) ?? 0) > kept.length / 2 || (sizes.get(one.origin) ?? 0) > MAX_SIZE / 2;
    return (isCrowd ? 1 : 3) + (one.isDangerous === true ? 1 : 0);
  };
  return [...kept].sort(
    (a, b) => rank(a) - rank(b) || (sizes.get(b.origin) ?? 0) - (sizes.get(a.origin) ?? 0) || a.at - b.at,
  )[0];
}

/**
 * Adds a signature in front of earlier ones. A full list drops what matters least, so that a site that asks for many
 * small ones cannot push out a dangerous one.
 *
 * @param now - Seconds since 1970.
 */
export function withKept(kept: readonly Kept[], one: Kept, now: bigint): Kept[] {
  let others = withoutKept(kept, one);
  const same = kept.filter((other) => isSameKept(one, other));
  // An owner may be asked for the same hash in a form that tells less.
  const told = same.find(({ forSafe }) => forSafe !== undefined && one.forSafe === undefined) ?? one;
  let dropped = droppedOf(same);
  for (;;) {
    const isFull = others.length >= MAX_ENTRIES || JSON.stringify(others).length > MAX_SIZE - MAX_DATA;
    const least = isFull ? leastImportant(others, now) : undefined;
    if (least === undefined) return [{ ...told, ...(dropped > 0 && { dropped }) }, ...others];
    dropped += (least.dropped ?? 0) + (isExpired(least, now) ? 0 : 1);
    others = others.filter((other) => other !== least);
  }
}

/** @returns How many signatures were dropped that still counted. */
export const droppedOf = (kept: readonly Kept[]): number => kept.reduce((sum, { dropped = 0 }) => sum + dropped, 0);
