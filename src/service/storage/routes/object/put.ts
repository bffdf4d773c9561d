import { type PBLink } from '@ipld/dag-pb';
import { parseCid } from '../../cids';
import { clientFault, CommandError, messageOf } from '../../errors';
import { bool, text } from '../../http/options';
import { defineRoute, readWhole } from '../../route';
import { decodePb } from '../../unixfs/node';
import { storeNode } from './node';

type NodeInput = { Data?: Uint8Array; Links: PBLink[] };

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function readLink(value: unknown): PBLink {
  if (!isRecord(value) || typeof value['Hash'] !== 'string') throw clientFault('a link needs a Hash');
  const { Name = '', Size = 0 } = value;
  if (typeof Name !== 'string') throw clientFault('the Name of a link must be text');
  if (typeof Size !== 'number' || !Number.isSafeInteger(Size) || Size < 0) {
    throw clientFault('the Size of a link must be a whole number');
  }
  try {
    return { Name, Hash: parseCid(value['Hash']), Tsize: Size };
  } catch (error) {
    throw clientFault(`the Hash of a link is not a CID: ${messageOf(error)}`);
  }
}

function readJsonNode(bytes: Buffer, dataEncoding: string): NodeInput {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw clientFault('the object is not JSON');
  }
  if (!isRecord(value)) throw clientFault('the object must be {"Data", "Links"}');
  const { Data = '', Links = [] } = value;
  if (typeof Data !== 'string' || !(Array.isArray(Links) || Links === null)) {
    throw clientFault('the object must have text as Data and a list as Links');
  }
  const links: unknown[] = Links ?? [];
  if (Data === '' && links.length === 0) throw new CommandError('no data or links in this node');
  const data = Buffer.from(Data, dataEncoding === 'base64' ? 'base64' : 'utf8');
  return { ...(Data === '' ? {} : { Data: data }), Links: links.map(readLink) };
}

export const objectPut = defineRoute({
  path: 'object/put',
  args: [],
  file: 'data',
  options: { inputenc: text(), datafieldenc: text(), pin: bool(), quiet: bool('q') },
  text: ({ Hash }: { Hash: string }, { quiet }) => `${quiet === true ? '' : 'added '}${Hash}\n`,
  run: async (service, call) => {
    const { options, parts, tenant } = call;
    const inputEncoding = options.inputenc ?? 'json';
    const dataEncoding = options.datafieldenc ?? 'text';
    if (dataEncoding !== 'text' && dataEncoding !== 'base64') throw new CommandError('unknown data field encoding');
    if (inputEncoding !== 'json' && inputEncoding !== 'protobuf') throw new CommandError('unknown object encoding');
    const limit = service.limits.blockBytes * 2;
    const first = await parts().next();
    if (first.done === true) throw clientFault("file argument 'data' is required");
    const bytes = await readWhole(first.value.body, limit, () => clientFault(`the object is over ${limit} bytes`));
    const node: NodeInput = inputEncoding === 'json' ? readJsonNode(bytes, dataEncoding) : decodePb(bytes);
    await storeNode(service, call, node, { pinFor: options.pin === true ? tenant : undefined });
  },
});
