import { type Hex } from '../../src/core/eth/bytes';
import { type Field, type Format } from '../../src/core/decode/descriptors/descriptor';
import { type Path } from '../../src/core/decode/descriptors/path';
import { type Source, type SourceField } from './source';

/** A feature that the snap's format does not support. A descriptor that uses it is left out as a whole, and counted. */
export class Unsupported extends Error {}

const unsupported = (what: string): never => {
  throw new Unsupported(what);
};

function step(part: string): Path[number] {
  const selector = /^\[(.*)\]$/u.exec(part)?.[1];
  if (selector === undefined) return part;
  if (selector === '') return [];
  if (/^-?\d+$/u.test(selector)) return Number(selector);
  const [, from = '', to = ''] = /^(-?\d*):(-?\d*)$/u.exec(selector) ?? unsupported(`path selector [${selector}]`);
  return [from === '' ? null : Number(from), to === '' ? null : Number(to)];
}

const CONTAINER = ['to', 'from', 'value'];

/** Parses an ERC-7730 path: `#.` the data, `@.` its container; without either, relative to the enclosing group. */
export function parsePath(written: string, base: Path = []): Path {
  const parts = written
    .replaceAll(/(?<=[^.])\[/gu, '.[')
    .split('.')
    .filter((part) => part !== '');
  const [root, ...rest] = parts;
  if (root === '$') return unsupported('a path into the descriptor');
  if (root === '#') return rest.map(step);
  if (root === '@') return CONTAINER.includes(rest[0] ?? '') ? ['@', ...rest.map(step)] : unsupported(`@.${rest[0]}`);
  return [...base, ...parts.map(step)];
}

/** The value of a `$.` path; anything else unchanged. */
function constant(value: unknown, source: Source): unknown {
  if (typeof value !== 'string' || !value.startsWith('$.')) return value;
  let at: unknown = source;
  for (const name of value.slice(2).split('.')) at = (at as Record<string, unknown> | undefined)?.[name];
  return at ?? unsupported(`${value} is not there`);
}

const isAddress = (value: unknown): value is Hex => typeof value === 'string' && /^0x[0-9a-f]{40}$/iu.test(value);
const lower = (address: Hex): Hex => address.toLowerCase() as Hex;

/** The conventional addresses of a chain's native coin. Another address might be a token's. */
const COIN_ADDRESSES = [`0x${'e'.repeat(40)}`, `0x${'0'.repeat(40)}`];

type Context = { source: Source; base: Path };

/** `<name>Path`, or the constant `<name>`. */
function pathOrAddress(name: string, { params = {} }: SourceField, { source, base }: Context): Path | Hex | undefined {
  const path = params[`${name}Path`];
  if (typeof path === 'string') return parsePath(path, base);
  const value = constant(params[name], source);
  if (typeof value === 'string' && value.startsWith('@.')) return parsePath(value);
  if (value === undefined) return undefined;
  return isAddress(value) ? lower(value) : unsupported(`${name} ${String(value)}`);
}

const stringOf = (value: unknown, what: string): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : unsupported(what);

type Compile = (field: SourceField, context: Context) => Format;

const FORMATS: Readonly<Record<string, Compile>> = {
  raw: () => ({ as: 'raw' }),
  amount: () => ({ as: 'amount' }),
  addressName: () => ({ as: 'address' }),
  duration: () => ({ as: 'duration' }),
  date: ({ params }) => ({ as: params?.encoding === 'blockheight' ? 'block' : 'date' }),
  tokenAmount: (field, context) => {
    const { params = {} } = field;
    const token = pathOrAddress('token', field, context);
    const native = [params.nativeCurrencyAddress ?? []]
      .flat()
      .map((value) => constant(value, context.source))
      .filter(isAddress)
      .map(lower)
      .filter((address) => COIN_ADDRESSES.includes(address));
    const threshold = constant(params.threshold, context.source);
    if (params.chainId !== undefined || params.chainIdPath !== undefined) unsupported('a token of another chain');
    return {
      as: 'token',
      ...(token !== undefined && { token }),
      ...(native.length > 0 && { native }),
      ...(threshold !== undefined && {
        threshold: BigInt(stringOf(threshold, 'threshold')).toString(),
        message: stringOf(params.message ?? 'Unlimited', 'message'),
      }),
    };
  },
  nftName: (field, context) => {
    const collection = pathOrAddress('collection', field, context);
    return { as: 'nft', ...(collection !== undefined && { collection }) };
  },
  unit: ({ params = {} }, { source }) => ({
    as: 'unit',
    base: stringOf(constant(params.base, source), 'base'),
    ...(params.decimals !== undefined && { decimals: Number(params.decimals) }),
  }),
  enum: ({ params = {} }, { source }) => {
    const names = constant(params.$ref, source);
    if (typeof names !== 'object' || names === null) return unsupported('an enum without names');
    return {
      as: 'enum',
      names: Object.fromEntries(Object.entries(names).map(([key, name]) => [key, stringOf(name, 'enum')])),
    };
  },
  calldata: (field, context) => {
    const { params = {} } = field;
    const callee = pathOrAddress('callee', field, context);
    const amount = typeof params.amountPath === 'string' ? parsePath(params.amountPath, context.base) : undefined;
    if (params.chainId !== undefined || params.chainIdPath !== undefined) unsupported('a call on another chain');
    if (params.selector !== undefined || params.selectorPath !== undefined) unsupported('a selector of its own');
    return { as: 'call', ...(callee !== undefined && { callee }), ...(amount !== undefined && { amount }) };
  },
};

function resolved(field: SourceField, source: Source): SourceField {
  if (field.$ref === undefined) return field;
  const definition = constant(field.$ref, source) as SourceField;
  return { ...definition, ...field, params: { ...definition.params, ...field.params } };
}

/** Flattens groups: their fields follow one another, with full paths. */
export function compileFields(
  fields: readonly SourceField[],
  source: Source,
  base: Path = [],
): { fields: Field[]; hidden: number } {
  const compiled: Field[] = [];
  let hidden = 0;
  for (const written of fields) {
    const field = resolved(written, source);
    const path = field.path === undefined ? undefined : parsePath(field.path, base);
    if (field.fields !== undefined) {
      const group = compileFields(field.fields, source, path ?? base);
      compiled.push(...group.fields);
      hidden += group.hidden;
    } else if (field.visible === 'never') {
      hidden++;
    } else if (field.visible !== undefined && typeof field.visible !== 'string') {
      unsupported('a condition of visibility');
    } else if (path === undefined) {
      const value = stringOf(constant(field.value, source), 'a field without a path');
      compiled.push({ label: field.label ?? '', value, as: 'literal' });
    } else {
      const format = FORMATS[field.format ?? 'raw'] ?? unsupported(`the format ${field.format}`);
      compiled.push({ label: field.label ?? '', path, ...format(field, { source, base }) });
    }
  }
  return { fields: compiled, hidden };
}
