import { type PBLink } from '@ipld/dag-pb';
import { parseCid } from '../../cids';
import { WholeFloat } from '../../dag/data-model';
import { jsonCodec } from '../../dag/json-codec';
import { clientFault, CommandError, messageOf } from '../../errors';
import { fromGoBase64 } from '../../http/go-base64';
import { firstJsonValue } from '../../http/go-json-fault';

type Fields = Partial<Record<string, unknown>>;

const refused = (message: string) => new CommandError(message);

/** Go's name for the type of a JSON value. */
function goType(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (value instanceof Map) return 'object';
  if (typeof value === 'string') return 'string';
  return typeof value === 'boolean' ? 'bool' : 'number';
}

const wrongType = (value: unknown, place: string) =>
  refused(`json: cannot unmarshal ${goType(value)} into Go ${place}`);

/** Reads the fields of an object by `names`, ignoring case; `null` counts as absent. */
function fieldsOf(value: unknown, names: readonly string[], place: string): Fields {
  if (value === null) return {};
  if (!(value instanceof Map)) throw wrongType(value, place);
  const fields: Fields = {};
  for (const [key, field] of value as Map<string, unknown>) {
    const name = names.find((each) => each.toLowerCase() === key.toLowerCase());
    if (name === undefined) throw refused(`json: unknown field ${JSON.stringify(key)}`);
    if (field !== null) fields[name] = field;
  }
  return fields;
}

function textOf(value: unknown, place: string): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') throw wrongType(value, `struct field ${place} of type string`);
  return value;
}

function sizeOf(value: unknown): number {
  const place = 'struct field Link.Links.Size of type uint64';
  if (value === undefined) return 0;
  const number = value instanceof WholeFloat ? value.value : value;
  if (typeof number !== 'number' && typeof number !== 'bigint') throw wrongType(value, place);
  if (value instanceof WholeFloat || number < 0 || !Number.isInteger(Number(number))) {
    throw refused(`json: cannot unmarshal number ${number} into Go ${place}`);
  }
  if (typeof number === 'bigint') throw clientFault('the Size of a link is over 2^53');
  return number;
}

function linkOf(value: unknown): PBLink {
  const fields = fieldsOf(value, ['Name', 'Hash', 'Size'], 'struct field Node.Links of type coreapi.Link');
  const Name = textOf(fields['Name'], 'Link.Links.Name');
  const hash = textOf(fields['Hash'], 'Link.Links.Hash');
  const Tsize = sizeOf(fields['Size']);
  try {
    return { Name, Hash: parseCid(hash), Tsize };
  } catch (error) {
    throw refused(messageOf(error));
  }
}

/**
 * Reads `{"Data", "Links": [{"Name", "Hash", "Size"}]}`.
 *
 * @param encoding - Of the data: `text` or `base64`.
 * @throws CommandError with the message of Kubo, and thus of Go, for anything else.
 */
export function readJsonNode(bytes: Buffer, encoding: string): { Data: Uint8Array; Links: PBLink[] } {
  if (bytes.toString('latin1').trim() === '') throw clientFault('the object is empty');
  const content = firstJsonValue(bytes, refused);
  let value: unknown;
  try {
    value = jsonCodec.decode(content);
  } catch (error) {
    throw refused(`json: ${messageOf(error)}`);
  }
  const node = fieldsOf(value, ['Links', 'Data'], 'value of type coreapi.Node');
  const { Links = [] } = node;
  if (!Array.isArray(Links)) throw wrongType(Links, 'struct field Node.Links of type []coreapi.Link');
  const text = textOf(node['Data'], 'Node.Data');
  if (encoding !== 'text' && encoding !== 'base64') throw refused('unknown data field encoding');
  const Data = encoding === 'base64' ? fromGoBase64(text, refused) : Buffer.from(text, 'utf8');
  return { Data, Links: Links.map(linkOf) };
}
