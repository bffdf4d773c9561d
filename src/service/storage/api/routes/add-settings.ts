import { CommandError } from '../../errors';
import { hashCode, SHA2_256 } from '../../store/hashes';
import { bool, int, int64, type OptionValues, text } from '../options';
import { type ImportSettings } from '../../content/unixfs/file-builder';

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
  mode: int(),
  mtime: int64(),
  'mtime-nsecs': int(),
};

type AddOptions = OptionValues<typeof ADD_OPTIONS>;

const DEFAULT_CHUNK = 256 << 10;
const MAX_CHUNK = 1 << 20;
const DEFAULT_INLINE_LIMIT = 32;
/** Children of a node in Kubo's balanced layout. */
const MAX_LINKS = 174;

/** The chunk size in bytes. @throws CommandError for an unsupported chunker. */
export function chunkSizeOf(chunker: string | undefined): number {
  if (chunker === undefined || chunker === '' || chunker === 'default') return DEFAULT_CHUNK;
  const [, digits] = /^size-(.*)$/.exec(chunker) ?? [];
  if (digits === undefined) {
    throw new CommandError(
      /^(rabin|buzhash)/.test(chunker)
        ? `chunker ${JSON.stringify(chunker)} is not offered by this service: use size-<bytes>`
        : `unrecognized chunker option: ${chunker}`,
    );
  }
  if (!/^[+-]?\d+$/.test(digits)) {
    throw new CommandError(`strconv.Atoi: parsing ${JSON.stringify(digits)}: invalid syntax`);
  }
  const size = Number(digits);
  if (size <= 0) throw new CommandError('chunker size must be greater than 0');
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

/** How `add` builds blocks. @throws CommandError for contradictory or unsupported options. */
export function importSettingsOf(options: AddOptions): ImportSettings {
  const hashName = (options.hash ?? 'sha2-256').toLowerCase();
  const hash = hashCode(hashName);
  if (hash === undefined) throw new CommandError(`unrecognized hash function: ${JSON.stringify(hashName)}`);
  const version = cidVersionOf(options['cid-version'], hash);
  if (options.trickle === true) throw new CommandError('the trickle layout is not offered by this service');
  if (options.nocopy === true)
    throw new CommandError('nocopy is not offered by this service: it has no files of its own');
  if (options['to-files'] !== undefined) {
    throw new CommandError('to-files is not offered by this service: it has no mutable file system');
  }
  return {
    cidVersion: version,
    rawLeaves: options['raw-leaves'] ?? version === 1,
    hash,
    inlineLimit: options.inline === true ? (options['inline-limit'] ?? DEFAULT_INLINE_LIMIT) : undefined,
    maxLinks: MAX_LINKS,
  };
}
