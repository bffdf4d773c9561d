import { counted } from '../../eth/units';
import { type ContractCall } from '../rules/calls/rule';
import { leftOut, quote, text } from '../words/lines';
import { quotable } from '../words/text';
import { type Line } from '../explanation';
import { type CallDescriptor, type Field } from './descriptor';
import { type Fact } from './facts';
import { type FormatContext, type Written, writeValue } from './format';
import { pick } from './path';
import { isList, keyOf, Text, Unfit, unfit, type Value } from './value';
import { SOURCE } from './words';

/** Limits on the values shown for one field, and on the lines of one descriptor. Further ones are counted. */
const MAX_VALUES = 20;
const MAX_LINES = 60;
/** The longest intent in a title, in characters. */
const MAX_INTENT = 80;

/** The result of applying a descriptor to data. */
export type Described = {
  /** The intent for a title, quoted: with values in it, if they fit. */
  readonly intent: string;
  readonly lines: readonly Line[];
  readonly calls: readonly ContractCall[];
  /** The token amounts and addresses that it shows. */
  readonly facts: readonly Fact[];
};

const isSender = ({ path }: Field): boolean => path?.length === 2 && path[0] === '@' && path[1] === 'from';

function valuesOf(field: Field, { roots }: FormatContext): readonly Value[] {
  if (field.path === undefined) return [new Text(field.value ?? '')];
  const values = pick(roots, field.path);
  const [only] = values;
  // A list is written item by item, even if the path does not end in `[]`.
  return values.length === 1 && only !== undefined && isList(only) && field.as === 'raw' ? only : values;
}

/** @throws {Unfit} If the descriptor is for other values only. */
function isShown({ only, unless }: Field, value: Value): boolean {
  if (only?.includes(keyOf(value)) === false) unfit();
  return only === undefined && unless?.includes(keyOf(value)) !== true;
}

/** All values, even those without lines, so that the dangers of calls are found. */
const writeField = (field: Field, context: FormatContext): readonly Written[] =>
  valuesOf(field, context).flatMap((value, at) =>
    isShown(field, value) ? [writeValue(field, value, at, context)] : [],
  );

/** The lines of a field, or of several whose lists are shown entry by entry. */
function* linesOf(group: readonly (readonly Written[])[]): Generator<Line> {
  const count = Math.max(...group.map((written) => written.length));
  for (let at = 0; at < Math.min(count, MAX_VALUES); at++) for (const written of group) yield* written[at]?.lines ?? [];
  yield* leftOut(count - MAX_VALUES, 'value');
}

/** The intent with the values of fields in it; undefined if one of them is not shown. */
function sentenceOf(parts: CallDescriptor['sentence'], fields: readonly (readonly Written[])[]): string | undefined {
  const words = parts?.map((part) =>
    typeof part === 'string'
      ? part
      : (fields[part]?.slice(0, MAX_VALUES) ?? []).map((written) => written.words).join(', '),
  );
  return words?.includes('') === true ? undefined : words?.join('');
}

/** How many values of the data no field shows, because of its condition. */
function withheld(fields: readonly Field[], written: readonly (readonly Written[])[], context: FormatContext): number {
  const counts = new Map<string, number>();
  for (const [at, field] of fields.entries()) {
    const path = String(field.path);
    if (field.path?.[0] === '@') continue;
    const count = valuesOf(field, context).length - (written[at]?.length ?? 0);
    counts.set(path, Math.min(count, counts.get(path) ?? count));
  }
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/**
 * Applies a descriptor to data. The descriptor's texts are quoted; the values are formatted by us.
 *
 * @returns undefined if the descriptor does not match the data.
 */
export function describe(
  { owner, intent, sentence, fields, hidden }: Omit<CallDescriptor, 'inputs'>,
  context: FormatContext,
  knowsSender: boolean,
): Described | undefined {
  try {
    const written = fields.map((field) => (knowsSender || !isSender(field) ? writeField(field, context) : []));
    const groups: (readonly Written[])[][] = [];
    for (const [at, values] of written.entries()) {
      const last = fields[at]?.joined && groups.at(-1);
      if (last) last.push(values);
      else groups.push([values]);
    }
    const lines = groups.flatMap((group) => [...linesOf(group)]);
    const whole = sentenceOf(sentence, written);
    const left = hidden + withheld(fields, written, context);
    const all = written.flat();
    return {
      intent: `“${quotable(whole !== undefined && whole.length <= MAX_INTENT ? whole : intent, MAX_INTENT)}”`,
      lines: [
        quote('Intent', intent, SOURCE),
        ...(whole === undefined ? [] : [quote('In short', whole, SOURCE)]),
        quote('Author', owner, SOURCE),
        ...lines.slice(0, MAX_LINES),
        ...leftOut(lines.length - MAX_LINES, 'line'),
        ...(left > 0 ? [text('Not described', counted(left, 'value'))] : []),
      ],
      calls: all.flatMap(({ call }) => call ?? []),
      facts: all.flatMap(({ fact }) => fact ?? []),
    };
  } catch (error) {
    if (error instanceof Unfit) return undefined;
    throw error;
  }
}
