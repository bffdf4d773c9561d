import { bases } from 'multiformats/basics';
import { CID } from 'multiformats/cid';
import { code as RAW } from 'multiformats/codecs/raw';
import * as Digest from 'multiformats/hashes/digest';
import { type Multihash } from '../store/block-store';
import { CommandError, messageOf } from '../errors';
import { IDENTITY, MAX_IDENTITY_BYTES, SHA2_256 } from '../store/hashes';

// Kubo has neither.
const { identity: _identity, base10: _base10, ...BASES_BY_NAME } = bases;
type Base = (typeof BASES_BY_NAME)[keyof typeof BASES_BY_NAME];
const BASES: readonly Base[] = Object.values(BASES_BY_NAME);
const { base32, base36, base36upper, base58btc, base58flickr } = bases;

/**
 * In these bases a digit is not a whole number of bits, so encoding and decoding take quadratic time, and a digest can
 * have any length. Longer CIDs are rejected in them, and CIDs with more bytes are not written in them.
 */
const SLOW: ReadonlySet<Base> = new Set<Base>([base36, base36upper, base58btc, base58flickr]);
const MOST_CHARACTERS = 256;
const MOST_BYTES = 160;

/** @throws Error that says why if the text is not a CID. */
export function parseCid(text: string): CID {
  if (text.length < 2) throw new Error('invalid cid: cid too short');
  if (text.length === 46 && text.startsWith('Qm')) return decode(() => base58btc.decode(`z${text}`));
  const base = BASES.find(({ prefix }) => text.startsWith(prefix));
  if (base === undefined) throw new Error('invalid cid: selected encoding not supported');
  if (SLOW.has(base) && text.length > MOST_CHARACTERS)
    throw new Error(`invalid cid: longer than the limit of ${MOST_CHARACTERS} characters for ${base.name}`);
  return decode(() => base.decoder.decode(text));
}

function decode(bytesOf: () => Uint8Array): CID {
  let cid: CID;
  try {
    cid = CID.decode(bytesOf());
  } catch (error) {
    throw new Error(`invalid cid: ${messageOf(error)}`, { cause: error });
  }
  if (cid.multihash.code === IDENTITY && cid.multihash.digest.length > MAX_IDENTITY_BYTES) {
    throw new Error(
      `invalid cid: identity digest of ${cid.multihash.digest.length} bytes is over ${MAX_IDENTITY_BYTES}`,
    );
  }
  return cid;
}

/** Writes CIDs in the form that a request asked for (`cid-base`, `upgrade-cidv0-in-output`). */
export type CidFormat = (cid: CID) => string;

export const plainCid: CidFormat = (cid) => cid.toString();

/**
 * The form of CIDs that a request asks for.
 *
 * @param options - A base by name or prefix, and whether version 0 becomes version 1.
 * @param upgrades whether a base alone turns version 0 into version 1, as in all but Kubo's low-level commands.
 * @throws CommandError if this service does not know the base.
 */
export function cidFormat(
  { base: name, upgrade }: { readonly base: string | undefined; readonly upgrade: boolean | undefined },
  upgrades = true,
): CidFormat {
  const isPlain = name === undefined || name === '';
  const base = isPlain ? base32 : BASES.find((each) => each.name === name || each.prefix === name);
  if (base === undefined) throw new CommandError(`unsupported multibase encoding: ${name}`);
  const becomesV1 = upgrade ?? (upgrades && !isPlain);
  return (cid) => {
    if (cid.version === 0 && !becomesV1) return cid.toString();
    return cid.toV1().toString(SLOW.has(base) && cid.bytes.length > MOST_BYTES ? base32 : base);
  };
}

/** A format like that of the CID at the start of `text`, a path: the same base, or version 0 as it is. */
export function cidFormatLike(text: string): CidFormat {
  const [, first = ''] = /^(?:\/[^/]*\/)?([^/]*)/.exec(text) ?? [];
  try {
    return parseCid(first).version === 0
      ? plainCid
      : cidFormat({ base: BASES.find(({ prefix }) => first.startsWith(prefix))?.name, upgrade: true });
  } catch {
    return plainCid;
  }
}

/** Version 0 exists only for dag-pb with SHA2-256; everything else becomes version 1. */
export function makeCid(version: 0 | 1, codec: number, digest: CID['multihash']): CID {
  return version === 0 && codec === 0x70 && digest.code === SHA2_256
    ? CID.createV0(digest as never)
    : CID.createV1(codec, digest);
}

/** The CID of a block whose codec is unknown: raw, version 1. */
export const rawCid = (key: Multihash): CID => CID.createV1(RAW, Digest.decode(key));
