import { CID } from 'multiformats/cid';
import { mustHaveNames, WholeFloat } from './data-model';

/** How a codec writes what JSON does not have, and in which order the names of a map. */
export type Forms = {
  readonly link: (cid: CID) => string;
  readonly bytes: (bytes: Uint8Array) => string;
  readonly order?: (one: string, other: string) => number;
};

/** A float always has a point or an exponent, so that it is read as one. */
function floatText(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`${value} is not supported`);
  const text = Object.is(value, -0) ? '-0' : String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function mapText(entries: readonly (readonly [string, unknown])[], forms: Forms): string {
  const { order } = forms;
  const sorted = order === undefined ? entries : [...entries].sort(([one], [other]) => order(one, other));
  return `{${sorted.map(([name, value]) => `${JSON.stringify(name)}:${jsonText(value, forms)}`).join(',')}}`;
}

/**
 * A value of the data model as compact JSON. `cborg`, which reads it, would write it, too, but makes an object of 70
 * bytes of every value first.
 *
 * @param value - Nested no deeper than a node may be.
 * @throws TypeError for what JSON or the codec does not have; CommandError for a map with a key that is not text.
 */
export function jsonText(value: unknown, forms: Forms): string {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return JSON.stringify(value);
    case 'bigint':
      return String(value);
    case 'number':
      return Number.isSafeInteger(value) ? String(value) : floatText(value);
    case 'object':
      break;
    default:
      throw new TypeError(`${typeof value} is not supported`);
  }
  if (value === null) return 'null';
  if (value instanceof WholeFloat) return floatText(value.value);
  if (value instanceof Uint8Array) return forms.bytes(value);
  if (Array.isArray(value)) return `[${value.map((each) => jsonText(each, forms)).join(',')}]`;
  const cid = CID.asCID(value);
  if (cid !== null) return forms.link(cid);
  if (!(value instanceof Map)) return mapText(Object.entries(value), forms);
  mustHaveNames(value);
  return mapText([...value], forms);
}
