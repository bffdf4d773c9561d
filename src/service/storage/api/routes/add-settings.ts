import { CommandError } from '../../errors';
import { hashCode, SHA2_256 } from '../../store/hashes';
import { bool, int, int64, mode, type OptionValues, text } from '../options';
import { type Attributes, hasAttributes, MODE_BITS } from '../../content/unixfs/attributes';
import { type CidProfile, type ImportSettings } from '../../content/unixfs/file-builder';

export const ADD_OPTIONS = {
  // Client-side options: parsed as in Kubo, without effect on an upload.
  recursive: bool('r'),
  'dereference-args': bool(),
  'stdin-name': text(),
  hidden: bool('H'),
  'ignore-rules-path': text(),
  quiet: bool('q'),
  quieter: bool('Q'),
  silent: bool(),
  progress: bool('p'),
  trickle: bool('t'),
  'only-hash': bool('n'),
  'wrap-with-directory': bool('w'),
  chunker: text('s'),
  'raw-leaves': bool(),
  nocopy: bool(),
  fscache: bool(),
  'cid-version': int(),
  hash: text(),
  inline: bool(),
  'inline-limit': int(),
  pin: bool(),
  'pin-name': text(),
  'to-files': text(),
  'preserve-mode': bool(),
  'preserve-mtime': bool(),
  mode: mode(),
  mtime: int64(),
  'mtime-nsecs': int(),
  // Beyond Kubo 0.27.
  'cid-profile': text(),
  'max-file-links': int(),
  'max-directory-links': int(),
  'max-hamt-fanout': int(),
};

type AddOptions = OptionValues<typeof ADD_OPTIONS>;

const MAX_CHUNK = 1 << 20;
const DEFAULT_INLINE_LIMIT = 32;
/** The most links that fit into a block of 1 MiB, with those of version 1. */
const MOST_LINKS = 8192;
/** Of a sharded directory, in both profiles. */
const HAMT_FANOUT = 256;

type Profile = { readonly cidVersion: 0 | 1; readonly chunk: number; readonly links: number };

/** What the profiles of IPIP-499 say; the first is what Kubo does by default. */
const PROFILES: Readonly<Record<CidProfile, Profile>> = {
  'unixfs-v0-2015': { cidVersion: 0, chunk: 256 << 10, links: 174 },
  'unixfs-v1-2025': { cidVersion: 1, chunk: 1 << 20, links: 1024 },
};
const isProfile = (name: string): name is CidProfile => Object.hasOwn(PROFILES, name);

function profileOf({ 'cid-profile': name = 'unixfs-v0-2015' }: AddOptions): CidProfile {
  if (isProfile(name)) return name;
  throw new CommandError(
    `unknown cid-profile ${JSON.stringify(name)}: use one of ${Object.keys(PROFILES).join(', ')} (IPIP-499)`,
  );
}

/** The chunk size in bytes. @throws CommandError for an unsupported chunker. */
export function chunkSizeOf(options: AddOptions): number {
  const { chunker } = options;
  if (chunker === undefined || chunker === '' || chunker === 'default') return PROFILES[profileOf(options)].chunk;
  const [, digits] = /^size-(\d{1,15})$/.exec(chunker) ?? [];
  if (digits === undefined) {
    throw new CommandError(
      /^(rabin|buzhash)/.test(chunker)
        ? `chunker ${JSON.stringify(chunker)} is not offered by this service: use size-<bytes>`
        : `unrecognized chunker option: ${chunker}`,
    );
  }
  const size = Number(digits);
  if (size === 0) throw new CommandError('chunker size must be greater than 0');
  if (size > MAX_CHUNK) {
    throw new CommandError(`chunker parameters may not exceed the maximum chunk size of ${MAX_CHUNK}`);
  }
  return size;
}

/** Kubo treats -1 as unset, and any other negative version with SHA2-256 as 0. */
function cidVersionOf(asked: number | undefined, hash: number): 0 | 1 {
  if (hash !== SHA2_256 && asked === 0) throw new CommandError('CIDv0 only supports sha2-256');
  const version = asked === undefined || asked === -1 ? (hash === SHA2_256 ? 0 : 1) : asked;
  if (version < 0 && hash === SHA2_256) return 0;
  if (version !== 0 && version !== 1) throw new CommandError(`unknown CID version: ${version}`);
  return version;
}

/** @throws CommandError for a width that is not offered. */
function linksOf(options: AddOptions): number {
  const { 'max-file-links': links = PROFILES[profileOf(options)].links } = options;
  if (links < 2 || links > MOST_LINKS) throw new CommandError(`max-file-links must be from 2 to ${MOST_LINKS}`);
  if ((options['max-directory-links'] ?? 0) !== 0)
    throw new CommandError('max-directory-links is not offered: directories are sharded by their size');
  if ((options['max-hamt-fanout'] ?? HAMT_FANOUT) !== HAMT_FANOUT)
    throw new CommandError(`max-hamt-fanout is not offered: it is ${HAMT_FANOUT}`);
  return links;
}

/** The attributes for every entry, instead of its own. @throws CommandError for a mode or a time that none can have. */
export function attributesOf(options: AddOptions): Attributes {
  const { mode: bits = 0, mtime = 0, 'mtime-nsecs': nanoseconds = 0 } = options;
  if (bits < 0 || bits > MODE_BITS) throw new CommandError('mode must be from 0 to 07777');
  if (nanoseconds < 0 || nanoseconds > 999_999_999) throw new CommandError('mtime-nsecs must be from 0 to 999999999');
  if (mtime === 0 && nanoseconds !== 0)
    throw new CommandError('option "mtime-nsecs" requires "mtime" to be provided as well');
  return {
    mode: bits === 0 ? undefined : bits,
    mtime: mtime === 0 ? undefined : { seconds: mtime, nanoseconds },
  };
}

/** The attributes that a part of an upload has in its name, as Kubo's clients send them: `file?mode=0644&mtime=1`. */
export function attributesOfPart(name: string): Attributes {
  const query = new URLSearchParams(name.includes('?') ? name.slice(name.indexOf('?')) : '');
  const seconds = /^-?\d{1,15}$/.exec(query.get('mtime') ?? '')?.[0];
  const nanoseconds = Number(/^\d{1,9}$/.exec(query.get('mtime-nsecs') ?? '')?.[0] ?? 0);
  const bits = parseInt(/^[0-7]{1,12}$/.exec(query.get('mode') ?? '')?.[0] ?? '0', 8) & MODE_BITS;
  return {
    mode: bits === 0 ? undefined : bits,
    mtime: seconds === undefined ? undefined : { seconds: Number(seconds), nanoseconds },
  };
}

/** Whether entries may get attributes. */
const mayHaveAttributes = (options: AddOptions): boolean =>
  options['preserve-mode'] === true || options['preserve-mtime'] === true || hasAttributes(attributesOf(options));

/** How `add` builds blocks. @throws CommandError for contradictory or unsupported options. */
export function importSettingsOf(options: AddOptions): ImportSettings {
  const hashName = (options.hash ?? 'sha2-256').toLowerCase();
  const hash = hashCode(hashName);
  if (hash === undefined) throw new CommandError(`unrecognized hash function: ${JSON.stringify(hashName)}`);
  const profile = profileOf(options);
  const named = options['cid-profile'] === undefined ? undefined : PROFILES[profile].cidVersion;
  const version = cidVersionOf(options['cid-version'] ?? named, hash);
  if (options.trickle === true) throw new CommandError('the trickle layout is not offered by this service');
  if (options.nocopy === true)
    throw new CommandError('nocopy is not offered by this service: it has no files of its own');
  if (options['to-files'] !== undefined) {
    throw new CommandError('to-files is not offered by this service: it has no mutable file system');
  }
  const withAttributes = mayHaveAttributes(options);
  if (withAttributes && options['raw-leaves'] === true)
    throw new CommandError("raw-leaves can't be used with UnixFS metadata like mode or modification time");
  return {
    cidVersion: version,
    rawLeaves: !withAttributes && (options['raw-leaves'] ?? version === 1),
    hash,
    inlineLimit: options.inline === true ? (options['inline-limit'] ?? DEFAULT_INLINE_LIMIT) : undefined,
    maxLinks: linksOf(options),
    profile,
  };
}
