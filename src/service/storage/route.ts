import { type CID } from 'multiformats/cid';
import { type Session } from './blocks/store';
import { type Cancellation } from './cancellation';
import { type CidFormat } from './cids';
import { type LoadBlock } from './dag/block-reader';
import { type Part } from './http/multipart';
import { type OptionTable, type OptionValues } from './http/options';
import { type Encoding, type Reply } from './http/reply';
import { type StorageService } from './service';

/** One argument of a command, in the order of the `arg` values. */
export type Argument = { readonly name: string; readonly required: boolean; readonly variadic: boolean };

export const arg = (name: string): Argument => ({ name, required: true, variadic: false });
export const args = (name: string): Argument => ({ name, required: true, variadic: true });
export const optionalArgs = (name: string): Argument => ({ name, required: false, variadic: true });

/** One request to a command, read and checked as far as that goes without the command. */
export type Call<Options> = {
  readonly tenant: string;
  readonly args: readonly string[];
  readonly options: Options;
  /** Writes a CID the way the request asked for. */
  readonly format: CidFormat;
  /** Whether the request asked for a base of CIDs. */
  readonly hasBase: boolean;
  readonly load: LoadBlock;
  /** The parts of the body; each body must be read before the next part is asked for. */
  readonly parts: () => AsyncGenerator<Part>;
  /** Keeps blocks from garbage collection until the request is over. */
  readonly session: Session;
  /** Given up when the client goes away or the time is up. */
  readonly cancellation: Cancellation;
  readonly reply: Reply;
};

/** A command of the API: `path` below `/api/v0/`. */
export type Route = {
  readonly path: string;
  readonly args: readonly Argument[];
  /** Name of the file argument, for commands that need a body. */
  readonly file?: string;
  readonly options: OptionTable;
  /**
   * What a wish for a base (`cid-base`) does, as Kubo has it. Absent: every CID is written in it, version 0 as version 1.
   * `kept`: version 0 stays. `kept in text`: the same, and nothing in JSON. `plain`: nothing.
   */
  readonly cids?: 'kept' | 'kept in text' | 'plain';
  /** Encodings besides JSON and text. */
  readonly encodings?: readonly Encoding[];
  /** A value as text for people (`encoding=text`). */
  readonly text?: (value: never, options: OptionValues<OptionTable>) => string;
  readonly run: (service: StorageService, call: Call<OptionValues<OptionTable>>) => Promise<void> | void;
};

type Definition<Table extends OptionTable> = Omit<Route, 'options' | 'run' | 'text'> & {
  readonly options: Table;
  readonly text?: (value: never, options: OptionValues<Table>) => string;
  readonly run: (service: StorageService, call: Call<OptionValues<Table>>) => Promise<void> | void;
};

/** Declares a command; its `run` sees its own options with their types. */
export function defineRoute<Table extends OptionTable>(definition: Definition<Table>): Route {
  const { text, ...rest } = definition;
  // The options of a call were read with this very table.
  return {
    ...rest,
    ...(text === undefined ? {} : { text: (value: never, options) => text(value, options as OptionValues<Table>) }),
    run: (service, call) => definition.run(service, call as Call<OptionValues<Table>>),
  };
}

/** A CID as dag-json writes links. */
export const link = (cid: CID, format: CidFormat): { '/': string } => ({ '/': format(cid) });

/** The bytes of a part, whole. @throws what `tooLong` makes when there are more than `limit`. */
export async function readWhole(body: AsyncIterable<Uint8Array>, limit: number, tooLong: () => Error): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > limit) throw tooLong();
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** For commands that answer with bytes, which no encoding changes. */
export const ANY_ENCODING: readonly Encoding[] = ['protobuf', 'xml'];
