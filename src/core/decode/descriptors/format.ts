import { formatUnits } from 'viem/utils';

import { type Hex } from '../../eth/bytes';
import { type Call } from '../rules/calls/rule';
import { type Scene } from '../scene';
import { tokenAmount } from '../words/amounts';
import { address, quote, text } from '../words/lines';
import { shortened } from '../words/text';
import { utcTime } from '../words/time';
import { type Line } from '../explanation';
import { nativeAmount } from '../words/units';
import { type Field, type Format } from './descriptor';
import { type Path, pickOne, type Roots } from './path';
import { addressOf, digitsOf, isHex, isList, numberOf, Text, unfit, type Value } from './value';
import { quoted } from './words';

/** The context of a format: the roots of parameters, and the contract that is called or signed for. */
export type FormatContext = { readonly roots: Roots; readonly to: Hex | undefined; readonly scene: Scene };

/** The lines of a value, and the call it contains, if any. */
export type Written = { readonly lines: readonly Line[]; readonly call?: Call };

const MAX_HEX = 200;
const ADDRESS_LENGTH = 42;

const two = (part: bigint): string => part.toString().padStart(2, '0');

/** Hours, minutes and seconds. */
const duration = (seconds: bigint): string =>
  `${two(seconds / 3600n)}:${two((seconds / 60n) % 60n)}:${two(seconds % 60n)} (hours, minutes, seconds)`;

const notNegative = (value: bigint): bigint => (value < 0n ? unfit('a time') : value);

/** A value without any format. */
export function rawLine(label: string, value: Value): Line {
  if (value instanceof Text) return quote(label, value.text, 'the data');
  if (isList(value)) return text(label, `a list of ${value.length}`);
  if (typeof value === 'object') return text(label, 'several values');
  if (isHex(value) && value.length === ADDRESS_LENGTH) return address(label, value);
  return text(label, shortened(String(value), MAX_HEX));
}

type Parameter = Path | Hex | undefined;

const parameterOf = (parameter: Parameter, at: number, { roots, to }: FormatContext): Value =>
  parameter === undefined
    ? (to ?? unfit('a contract'))
    : typeof parameter === 'string'
      ? parameter
      : pickOne(roots, parameter, at);

type Writer<As extends Format['as']> = (
  label: string,
  value: Value,
  format: Extract<Format, { as: As }>,
  at: number,
  context: FormatContext,
) => Line | Written;

/** A text line for a number. */
const number =
  (write: (value: bigint) => string) =>
  (label: string, value: Value): Line =>
    text(label, write(numberOf(value)));

const tokenLine: Writer<'token'> = (label, value, format, at, context) => {
  const amount = numberOf(value);
  const token = addressOf(parameterOf(format.token, at, context));
  const name =
    format.threshold !== undefined && amount >= BigInt(format.threshold)
      ? `, called ${quoted(format.message ?? '')}`
      : '';
  if (format.native?.includes(token) === true) return text(label, `${nativeAmount(amount, context.scene)}${name}`);
  return { lines: [text(label, `${tokenAmount(amount, token, context.scene)}${name}`), address('Token', token)] };
};

/** The key of an enum's name: numbers in decimal, including those sliced from bytes; booleans as the registry spells them. */
function keyOf(value: Value): string {
  if (value instanceof Text) return value.text;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return isHex(value) && value.length <= 66 ? numberOf(value).toString() : String(value);
}

const enumLine: Writer<'enum'> = (label, value, { names }) => {
  const key = keyOf(value);
  const name = Object.hasOwn(names, key) ? names[key] : undefined;
  return name === undefined ? rawLine(label, value) : text(label, `${shortened(key, MAX_HEX)}, called ${quoted(name)}`);
};

const innerCall: Writer<'call'> = (label, value, { callee, selector, amount }, at, context) => {
  const data = digitsOf(value);
  const prefix = selector === undefined ? '' : digitsOf(parameterOf(selector, at, context)).slice(-8);
  return {
    lines: [text(label, data === '' ? 'no call data' : 'a call, decoded below')],
    call: {
      to: addressOf(parameterOf(callee, at, context)),
      data: data.startsWith(prefix) ? data : prefix + data,
      ...(amount !== undefined && { value: numberOf(pickOne(context.roots, amount, at)) }),
    },
  };
};

/** The formats of ERC-7730. Names of addresses and other facts that need a lookup are left out. */
const WRITERS: { readonly [As in Format['as']]: Writer<As> } = {
  raw: rawLine,
  amount: (label, value, _format, _at, { scene }) => text(label, nativeAmount(numberOf(value), scene)),
  address: (label, value) => address(label, addressOf(value)),
  date: number((value) => utcTime(notNegative(value))),
  block: number((value) => `block ${value}`),
  duration: number((value) => duration(notNegative(value))),
  literal: (label, value) => rawLine(label, value),
  token: tokenLine,
  nft: (label, value, { collection }, at, context) => ({
    lines: [
      text(label, `token ID ${numberOf(value)}`),
      address('Collection', addressOf(parameterOf(collection, at, context))),
    ],
  }),
  unit: (label, value, { base, decimals }) =>
    text(label, `${formatUnits(numberOf(value), decimals ?? 0)} ${quoted(base)}`),
  enum: enumLine,
  call: innerCall,
};

/**
 * Formats one value as the descriptor specifies.
 *
 * @param at - The index of the value among the field's values.
 * @throws {Unfit} If the format does not apply to the value or a parameter.
 */
export function writeValue(field: Field, value: Value, at: number, context: FormatContext): Written {
  const write = WRITERS[field.as] as Writer<Format['as']>;
  const written = write(quoted(field.label), value, field as never, at, context);
  return 'lines' in written ? written : { lines: [written] };
}
