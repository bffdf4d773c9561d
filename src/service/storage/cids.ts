import { base16, base16upper } from 'multiformats/bases/base16';
import { base32, base32hex, base32hexupper, base32upper, base32z } from 'multiformats/bases/base32';
import { base36, base36upper } from 'multiformats/bases/base36';
import { base58btc, base58flickr } from 'multiformats/bases/base58';
import { base64, base64pad, base64url, base64urlpad } from 'multiformats/bases/base64';
import { type MultibaseDecoder, type MultibaseEncoder } from 'multiformats/bases/interface';
import { CID } from 'multiformats/cid';
import { CommandError } from './errors';
import { IDENTITY, MAX_IDENTITY_BYTES, SHA2_256 } from './hashes';

type Base = MultibaseEncoder<string> & { readonly decoder: MultibaseDecoder<string> };

const BASES: readonly Base[] = [
  base16,
  base16upper,
  base32,
  base32upper,
  base32hex,
  base32hexupper,
  base32z,
  base36,
  base36upper,
  base58btc,
  base58flickr,
  base64,
  base64pad,
  base64url,
  base64urlpad,
];

/** @throws Error with Kubo's wording when the text is not a CID. */
export function parseCid(text: string): CID {
  if (text.length < 2) throw new Error('invalid cid: cid too short');
  if (text.length === 46 && text.startsWith('Qm')) return decode(() => CID.parse(text, base58btc));
  const base = BASES.find(({ prefix }) => text.startsWith(prefix));
  if (base === undefined) throw new Error('invalid cid: selected encoding not supported');
  return decode(() => CID.decode(base.decoder.decode(text)));
}

function decode(parse: () => CID): CID {
  let cid: CID;
  try {
    cid = parse();
  } catch (error) {
    throw new Error(`invalid cid: ${error instanceof Error ? error.message.toLowerCase() : 'unreadable'}`, {
      cause: error,
    });
  }
  if (cid.multihash.code === IDENTITY && cid.multihash.digest.length > MAX_IDENTITY_BYTES) {
    throw new Error(
      `invalid cid: identity digest of ${cid.multihash.digest.length} bytes is over ${MAX_IDENTITY_BYTES}`,
    );
  }
  return cid;
}

/** Writes CIDs the way a request asked for (`cid-base`, `upgrade-cidv0-in-output`). */
export type CidFormat = (cid: CID) => string;

export const plainCid: CidFormat = (cid) => cid.toString();

/** @throws CommandError for a base this service does not know. */
export function cidFormat(baseName: string | undefined, upgrade: boolean | undefined): CidFormat {
  if (baseName === undefined) return upgrade === true ? (cid) => cid.toV1().toString() : plainCid;
  const base = BASES.find(({ name, prefix }) => name === baseName || prefix === baseName);
  if (base === undefined) throw new CommandError(`invalid multibase: encoding "${baseName}" not supported`);
  const v1 = (cid: CID) => cid.toV1().toString(base);
  if (upgrade ?? base !== base58btc) return v1;
  return (cid) => (cid.version === 0 ? cid.toString() : v1(cid));
}

/** Version 0 exists for dag-pb with SHA2-256 only; everything else becomes version 1. */
export function makeCid(version: 0 | 1, codec: number, digest: CID['multihash']): CID {
  return version === 0 && codec === 0x70 && digest.code === SHA2_256
    ? CID.createV0(digest as never)
    : CID.createV1(codec, digest);
}
