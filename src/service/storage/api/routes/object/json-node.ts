import { type PBLink } from '@ipld/dag-pb';
import { parseCid } from '../../../content/cids';
import { clientFault, CommandError, messageOf } from '../../../errors';

type Fields = Partial<Record<string, unknown>>;

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Reads the fields of an object by `names`, ignoring case; `null` counts as absent. */
function fieldsOf(value: unknown, names: readonly string[], place: string): Fields {
  if (value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw new CommandError(`${place} must be an object`);
  const fields: Fields = {};
  for (const [key, field] of Object.entries(value)) {
    const name = names.find((each) => each.toLowerCase() === key.toLowerCase());
    if (name === undefined) throw new CommandError(`${place} has an unknown field ${JSON.stringify(key)}`);
    if (field !== null) fields[name] = field;
  }
  return fields;
}

function textOf(value: unknown, place: string): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') throw new CommandError(`${place} must be a string`);
  return value;
}

function sizeOf(value: unknown, place: string): number {
  if (value === undefined) return 0;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0)
    throw new CommandError(`${place} must be a whole number that is not negative`);
  if (!Number.isSafeInteger(value)) throw clientFault(`${place} must be below 2^53`);
  return value;
}

function linkOf(value: unknown, index: number): PBLink {
  const place = `Links[${index}]`;
  const fields = fieldsOf(value, ['Name', 'Hash', 'Size'], place);
  const Name = textOf(fields['Name'], `${place}.Name`);
  const hash = textOf(fields['Hash'], `${place}.Hash`);
  const Tsize = sizeOf(fields['Size'], `${place}.Size`);
  try {
    return { Name, Hash: parseCid(hash), Tsize };
  } catch (error) {
    throw new CommandError(`${place}.Hash: ${messageOf(error)}`);
  }
}

/** Like Go's decoder, which accepts line breaks anywhere. */
function fromBase64(text: string): Buffer {
  const digits = text.replace(/[\r\n]/g, '');
  if (!BASE64.test(digits)) throw new CommandError('Data must be base64 with padding');
  return Buffer.from(digits, 'base64');
}

/**
 * Reads `{"Data", "Links": [{"Name", "Hash", "Size"}]}`.
 *
 * @param encoding - Of the data: `text` or `base64`.
 * @throws CommandError that names the field and the rule, for anything else.
 */
export function readJsonNode(bytes: Buffer, encoding: string): { Data: Uint8Array; Links: PBLink[] } {
  const json = bytes.toString('utf8');
  if (json.trim() === '') throw clientFault('the object is empty');
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new CommandError(`the node is not valid JSON: ${messageOf(error)}`);
  }
  const node = fieldsOf(value, ['Links', 'Data'], 'the node');
  const { Links = [] } = node;
  if (!Array.isArray(Links)) throw new CommandError('Links must be an array');
  const text = textOf(node['Data'], 'Data');
  if (encoding !== 'text' && encoding !== 'base64') throw new CommandError('unknown data field encoding');
  const Data = encoding === 'base64' ? fromBase64(text) : Buffer.from(text, 'utf8');
  return { Data, Links: Links.map(linkOf) };
}
