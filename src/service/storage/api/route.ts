import { type CID } from 'multiformats/cid';
import { type StorageAction } from '../../keys/limits';
import { type Charge } from '../../admission/charge';
import { type CostName } from '../../costs';
import { type Held } from '../../admission/held';
import { type Session } from '../store/block-store';
import { type Cancellation } from '../content/cancellation';
import { type CidFormat } from '../content/cids';
import { type LoadBlock } from '../content/block-reader';
import { type Part } from './multipart';
import { type OptionTable, type OptionValues } from './options';
import { type Encoding, type Reply } from './reply';
import { type Walker } from '../content/walk';
import { type StorageService } from './service';

/** One argument of a command, in the order of the `arg` values. */
type Argument = { readonly name: string; readonly required: boolean; readonly variadic: boolean };

export const arg = (name: string): Argument => ({ name, required: true, variadic: false });
export const args = (name: string): Argument => ({ name, required: true, variadic: true });
export const optionalArgs = (name: string): Argument => ({ name, required: false, variadic: true });

/** A part of the body; `charge` counts what of it is in memory, until the next part is requested. */
export type ReceivedPart = Part & { readonly charge: Charge };

/** One request to a command, parsed and checked as far as possible without the command. */
export type Call<Options> = {
  readonly tenant: string;
  /** Bytes that the pins of the tenant may hold together. */
  readonly pinnedBytes: number;
  readonly args: readonly string[];
  readonly options: Options;
  /** Writes a CID in the form that the request asked for. */
  readonly format: CidFormat;
  /** Whether the request asked for a CID base. */
  readonly hasBase: boolean;
  readonly load: LoadBlock;
  /** For walks through DAGs, within the limits, charged to this request. */
  readonly walker: Walker;
  /** The parts of the body; each body must be read before the next part is requested. */
  readonly parts: () => AsyncGenerator<ReceivedPart>;
  /** Protects blocks from garbage collection until the request ends. */
  readonly session: Session;
  /** The memory of the response, which is counted until the client has read it. */
  readonly answer: Held;
  /** Cancelled when the client disconnects or the time is up. */
  readonly cancellation: Cancellation;
  readonly reply: Reply;
};

/** A command of the API: `path` below `/api/v0/`. */
export type Route = {
  readonly path: string;
  /** What a request can make the service hold or do. */
  readonly costs: readonly CostName[];
  /** What a key must be allowed to do. */
  readonly needs: readonly StorageAction[] | ((options: OptionValues<OptionTable>) => readonly StorageAction[]);
  readonly args: readonly Argument[];
  /** Name of the file argument, for commands that need a body. */
  readonly file?: string;
  readonly options: OptionTable;
  /**
   * The effect of `cid-base`, as in Kubo. Absent: every CID uses the base, and version 0 becomes version 1. `kept`:
   * version 0 stays. `plain`: no effect.
   */
  readonly cids?: 'kept' | 'plain';
  /** Encodings in addition to JSON. */
  readonly encodings?: readonly Encoding[];
  readonly run: (service: StorageService, call: Call<OptionValues<OptionTable>>) => Promise<void> | void;
};

type Definition<Table extends OptionTable> = Omit<Route, 'needs' | 'options' | 'run'> & {
  readonly needs: readonly StorageAction[] | ((options: OptionValues<Table>) => readonly StorageAction[]);
  readonly options: Table;
  readonly run: (service: StorageService, call: Call<OptionValues<Table>>) => Promise<void> | void;
};

/** Declares a command; its `run` sees its own options with their types. */
export function defineRoute<Table extends OptionTable>(definition: Definition<Table>): Route {
  return {
    ...definition,
    // The options of a call were parsed with this table.
    needs: definition.needs as Route['needs'],
    run: (service, call) => definition.run(service, call as Call<OptionValues<Table>>),
  };
}

/** What a command costs and needs that reads a path and answers with one value. */
export const READS_A_VALUE = {
  costs: ['path', 'read', 'hash', 'decode', 'value'],
  needs: ['read'],
} as const satisfies Partial<Route>;

/** A CID as a dag-json link. */
export const link = (cid: CID, format: CidFormat): { '/': string } => ({ '/': format(cid) });

/**
 * Reads a whole part, which counts as memory of the request until the next one is read, and waits for its turn to be
 * decoded.
 *
 * @throws The error of `tooLong` if there are more than `limit` bytes; CommandError if the client uses too much memory.
 */
export async function readWhole({ body, charge }: ReceivedPart, limit: number, tooLong: () => Error): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > limit) throw tooLong();
    // Once in pieces, and once as a whole.
    charge.memory.charge(2 * piece.length);
    pieces.push(piece);
  }
  await charge.yield(length);
  return Buffer.concat(pieces);
}

/**
 * Reads a block whose answer is sent as a whole, once there is room in memory for it.
 *
 * @param times - What the answer takes while it is made, as a multiple of the block.
 */
export async function loadForAnswer(
  cid: CID,
  { load, answer, cancellation }: Pick<Call<unknown>, 'load' | 'answer' | 'cancellation'>,
  times: number,
): Promise<Uint8Array> {
  const bytes = await load(cid);
  const room = answer.charge(times * bytes.length);
  if (room === undefined) return bytes;
  return whenReady(room, cancellation, () => load(cid));
}

/** The block is read again: others that wait with it would be many. */
async function whenReady<T>(room: Promise<void>, cancellation: Cancellation, read: () => Promise<T>): Promise<T> {
  await room;
  cancellation.throwIfCancelled();
  return read();
}

/** For commands whose response is bytes, regardless of the encoding. */
export const ANY_ENCODING: readonly Encoding[] = ['text', 'protobuf', 'xml'];
