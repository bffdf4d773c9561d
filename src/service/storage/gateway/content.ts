import { type ServerResponse } from 'node:http';
import { type CID } from 'multiformats/cid';
import { type BlockStore } from '../store/block-store';
import { type Cancellation } from '../content/cancellation';
import { NotFoundError, UnreadableError } from '../content/block-reader';
import { carHeader, recordHead } from '../content/car';
import { resolvePath } from '../content/paths';
import { Visited } from '../content/visited';
import { walk, type Walker } from '../content/walk';
import { CommandError, GivenUpError } from '../errors';
import { IDENTITY } from '../store/hashes';
import { writePieces } from '../http/write-pieces';
import { GatewayError } from './errors';
import { setContentHeaders } from './headers';
import { type ContentRequest } from './request';
import { type Plan, planWalk } from './plan';

/** What a response is made with. */
export type Sender = {
  readonly store: BlockStore;
  readonly walker: Walker;
  readonly cancellation: Cancellation;
  readonly response: ServerResponse;
  /** Whether only the headers are sent. */
  readonly isHead: boolean;
};

/** The error that a client gets for content that cannot be sent. */
function refusal(error: unknown): unknown {
  if (!(error instanceof CommandError) || error instanceof GivenUpError) return error;
  if (error instanceof UnreadableError) return new GatewayError(500, error.message, { cause: error });
  if (error instanceof NotFoundError) return new GatewayError(404, 'a block on the path is not stored here');
  return new GatewayError(404, error.message, { cause: error });
}

const isStored = ({ store }: Sender, { multihash }: CID) =>
  multihash.code === IDENTITY ? Promise.resolve(true) : store.has(multihash.bytes);

/**
 * Sends a block or a CAR file.
 *
 * @throws {GatewayError} If it cannot be sent; nothing has been sent then.
 * @throws {CommandError} If it cannot be sent completely: a part has been sent, and the response is not ended.
 */
export async function sendContent(sender: Sender, request: ContentRequest): Promise<void> {
  if (!(await isStored(sender, request.root)))
    throw new GatewayError(request.onlyIfCached ? 412 : 404, 'the block is not stored here');
  if (request.form.format === 'raw') await sendBlock(sender, request);
  else await sendCar(sender, request, request.form.dups);
}

async function sendBlock({ walker, response, cancellation, isHead }: Sender, request: ContentRequest): Promise<void> {
  const bytes = await walker.load(request.root).catch((error: unknown) => {
    throw refusal(error);
  });
  // Until the client has accepted it.
  try {
    walker.charge.memory.charge(bytes.length);
  } catch (error) {
    throw new GatewayError(429, 'your address has not read what it asked for; try again', { cause: error, seconds: 1 });
  }
  setContentHeaders(response, request);
  response.setHeader('Content-Length', bytes.length);
  response.writeHead(200);
  // Counted as a request in progress until the client has accepted it: the block is in memory until then.
  if (!isHead) await writePieces(response, cancellation, [bytes]);
  response.end();
}

/** The blocks that a client needs to follow a path, and what it leads to. */
type Target = { readonly path: readonly CID[]; readonly end: CID; readonly bytes: Uint8Array };

async function findTarget({ walker: { load } }: Sender, { root, segments }: ContentRequest): Promise<Target> {
  const path: CID[] = [];
  try {
    const { cid: end } = await resolvePath({ root, segments, inNodes: false }, (cid) => {
      path.push(cid);
      return load(cid);
    });
    // The path may end inside the last block.
    if (path.at(-1)?.equals(end) === true) path.pop();
    return { path, end, bytes: await load(end) };
  } catch (error) {
    throw refusal(error);
  }
}

/** @throws {GatewayError} 400 for a range outside the file, 501 for a codec whose links are not known here. */
function planFor({ end, bytes }: Target, { scope }: ContentRequest, { charge }: Walker): Plan {
  try {
    return planWalk(end, bytes, scope, charge.memory);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new GatewayError(501, `${error.message}; ask for dag-scope=block`, { cause: error });
  }
}

async function sendCar(sender: Sender, request: ContentRequest, dups: boolean): Promise<void> {
  const { walker, response, cancellation, isHead } = sender;
  const target = await findTarget(sender, request);
  const { read, extent } = planFor(target, request, walker);
  const { path, end, bytes } = target;
  setContentHeaders(response, request);
  response.writeHead(200);
  if (isHead) {
    response.end();
    return;
  }
  const send = async (cid: CID, block: Uint8Array) => {
    // The block that links to it holds its content.
    if (cid.multihash.code === IDENTITY) return;
    await writePieces(response, cancellation, [recordHead(cid, block.length), block]);
  };
  await writePieces(response, cancellation, [carHeader([end])]);
  const visited = new Visited(walker.charge.memory);
  for (const cid of path) if (visited.note({ cid }) === 'block' || dups) await send(cid, await walker.load(cid));
  const visits = walk({ cid: end, extent, bytes }, read, walker, dups ? {} : { visited });
  for await (const visit of visits) await send(visit.step.cid, visit.bytes);
  response.end();
}
