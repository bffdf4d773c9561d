import { type PBLink } from '@ipld/dag-pb';
import {
  array,
  assert,
  type Infer,
  nullable,
  object,
  optional,
  refine,
  string,
  StructError,
} from '@metamask/superstruct';
import { whole } from '../../../../runtime/config';
import { parseCid } from '../../../content/cids';
import { clientFault, CommandError, messageOf } from '../../../errors';

/** `null` counts as absent. */
const TEXT = optional(nullable(string()));
const LINK = object({
  Name: TEXT,
  Hash: string(),
  Size: optional(nullable(whole(0))),
});
/** To the library, a list is an object, too. */
const NODE = refine(
  object({ Data: TEXT, Links: optional(nullable(array(LINK))) }),
  'node',
  (node) => !Array.isArray(node) || 'Expected an object',
);

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** Characters of an error: names and values may be as long as the upload. */
const MOST_CHARACTERS = 200;

function describe({ path, type, message }: StructError): string {
  const rule = type === 'never' ? 'unknown field' : message.replace(/^At path: .*? -- |,? but received.*$/gsu, '');
  return `${path.length === 0 ? 'the node' : path.join('.')}: ${rule}`.slice(0, MOST_CHARACTERS);
}

function parse(json: string): Infer<typeof NODE> {
  if (json.trim() === '') throw clientFault('the object is empty');
  try {
    const value: unknown = JSON.parse(json) ?? {};
    assert(value, NODE);
    return value;
  } catch (error) {
    if (error instanceof StructError) throw new CommandError(describe(error));
    throw new CommandError(`the node is not valid JSON: ${messageOf(error)}`);
  }
}

function dataOf(text: string, encoding: string): Buffer {
  if (encoding === 'text') return Buffer.from(text, 'utf8');
  if (encoding !== 'base64') throw new CommandError('unknown data field encoding');
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
  const { Data, Links } = parse(bytes.toString('utf8'));
  const links = (Links ?? []).map(({ Name, Hash, Size }, index) => {
    try {
      return { Name: Name ?? '', Hash: parseCid(Hash), Tsize: Size ?? 0 };
    } catch (error) {
      throw new CommandError(`Links.${index}.Hash: ${messageOf(error)}`);
    }
  });
  return { Data: dataOf(Data ?? '', encoding), Links: links };
}
