import { counted } from '../../eth/units';
import { type Call } from '../rules/calls/rule';
import { leftOut, quote, text } from '../words/lines';
import { type Line } from '../explanation';
import { type Field } from './descriptor';
import { type FormatContext, type Written, writeValue } from './format';
import { pick } from './path';
import { isList, Text, Unfit, type Value } from './value';

const SOURCE = 'the ERC-7730 registry';

/** Limits on the values shown for one field, and on the lines of one descriptor. Further ones are counted. */
const MAX_VALUES = 20;
const MAX_LINES = 60;

type Description = {
  readonly owner: string;
  readonly intent: string;
  readonly fields: readonly Field[];
  readonly hidden: number;
};

const isSender = ({ path }: Field): boolean => path?.length === 2 && path[0] === '@' && path[1] === 'from';

function valuesOf(field: Field, { roots }: FormatContext): readonly Value[] {
  if (field.path === undefined) return [new Text(field.value ?? '')];
  const values = pick(roots, field.path);
  const [only] = values;
  // A list is written item by item, even if the path does not end in `[]`.
  return values.length === 1 && only !== undefined && isList(only) && field.as === 'raw' ? only : values;
}

/** Returns all calls, even those without lines, so that their dangers are found. */
function writeField(field: Field, context: FormatContext): { lines: Line[]; calls: Call[] } {
  const values = valuesOf(field, context);
  const isCall = field.as === 'call';
  const written = (isCall ? values : values.slice(0, MAX_VALUES)).map(
    (value, at): Written => writeValue(field, value, at, context),
  );
  return {
    lines: [
      ...written.slice(0, MAX_VALUES).flatMap(({ lines }) => lines),
      ...leftOut(values.length - MAX_VALUES, 'value'),
    ],
    calls: written.flatMap(({ call }) => (call === undefined ? [] : [call])),
  };
}

/**
 * Applies a descriptor to data. The descriptor's texts are quoted; the values are formatted by us.
 *
 * @returns undefined if the descriptor does not match the data.
 */
export function describe(
  { owner, intent, fields, hidden }: Description,
  context: FormatContext,
  knowsSender: boolean,
): { readonly lines: readonly Line[]; readonly calls: readonly Call[] } | undefined {
  try {
    const written = fields
      .filter((field) => knowsSender || !isSender(field))
      .map((field) => writeField(field, context));
    const lines = written.flatMap((field) => field.lines);
    return {
      lines: [
        quote('Intent', intent, SOURCE),
        quote('Author', owner, SOURCE),
        ...lines.slice(0, MAX_LINES),
        ...leftOut(lines.length - MAX_LINES, 'line'),
        ...(hidden > 0 ? [text('Not described', counted(hidden, 'value'))] : []),
      ],
      calls: written.flatMap((field) => field.calls),
    };
  } catch (error) {
    if (error instanceof Unfit) return undefined;
    throw error;
  }
}
