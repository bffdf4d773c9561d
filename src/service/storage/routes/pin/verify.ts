import { type CID } from 'multiformats/cid';
import { type Seen, walkDag, walkLimits } from '../../dag/walk';
import { CommandError, GivenUpError } from '../../errors';
import { bool } from '../../http/options';
import { type Call, defineRoute } from '../../route';
import { type StorageService } from '../../service';

type BadNode = { readonly Cid: string; readonly Err: string };

/** The result for one pin; as in Kubo, empty fields are omitted. */
type Verdict = {
  readonly Cid: string;
  readonly Err?: string;
  readonly Ok?: true;
  readonly BadNodes?: readonly BadNode[];
};

/** The visited blocks. Blocks of pins that were found complete are not visited again. */
class Visited implements Seen {
  readonly #whole = new Set<string>();
  #own = new Set<string>();

  /** The number of blocks of the current pin. */
  get size(): number {
    return this.#own.size;
  }

  has(key: string): boolean {
    return this.#own.has(key) || this.#whole.has(key);
  }

  add(key: string): void {
    this.#own.add(key);
  }

  /** Starts the next pin. */
  next(wasWhole: boolean): void {
    if (wasWhole) for (const key of this.#own) this.#whole.add(key);
    this.#own = new Set();
  }
}

async function* verdicts(
  { pins, limits }: StorageService,
  { tenant, load, format }: Pick<Call<unknown>, 'tenant' | 'load' | 'format'>,
): AsyncGenerator<{ readonly cid: CID; readonly bad: readonly BadNode[]; readonly fault: string | undefined }> {
  const seen = new Visited();
  for (const { cid, mode } of await pins.list(tenant)) {
    if (mode !== 'recursive') continue;
    const bad: BadNode[] = [];
    const onUnreadable = (error: CommandError & { readonly cid: CID }) => {
      if (bad.length >= limits.entries) throw new CommandError(`more than ${limits.entries} blocks are missing`);
      bad.push({ Cid: format(error.cid), Err: error.message });
    };
    let fault: string | undefined;
    try {
      for await (const visit of walkDag(cid, load, walkLimits(limits), { seen, onUnreadable })) void visit;
    } catch (error) {
      if (!(error instanceof CommandError) || error instanceof GivenUpError) throw error;
      fault = error.message;
    }
    yield { cid, bad, fault };
    seen.next(bad.length === 0 && fault === undefined);
  }
}

function asText({ Cid, Err, Ok, BadNodes = [] }: Verdict, quiet: boolean): string {
  if (quiet) return Ok === true ? '' : `${Cid}\n`;
  if (Err !== undefined) return `error: ${Err}\n`;
  if (Ok === true) return `${Cid} ok\n`;
  return [`${Cid} broken`, ...BadNodes.map((node) => `  ${node.Cid}: ${node.Err}`), ''].join('\n');
}

/** Checks that everything below the tenant's recursive pins exists. */
export const pinVerify = defineRoute({
  path: 'pin/verify',
  args: [],
  options: { verbose: bool(), quiet: bool('q') },
  text: (verdict: Verdict, { quiet }) => asText(verdict, quiet === true),
  run: async (service, call) => {
    const { options, cancellation, format, reply } = call;
    if (options.verbose === true && options.quiet === true) {
      throw new CommandError('the --verbose and --quiet options can not be used at the same time');
    }
    for await (const { cid, bad, fault } of verdicts(service, call)) {
      cancellation.throwIfCancelled();
      const Cid = format(cid);
      if (fault !== undefined) await reply.object({ Cid, Err: fault });
      else if (bad.length > 0) await reply.object({ Cid, ...(options.quiet === true ? {} : { BadNodes: bad }) });
      else if (options.verbose === true) await reply.object({ Cid, Ok: true });
    }
    reply.beginObjects();
    reply.end();
  },
});
