import { type Hex } from '../../src/core/eth/bytes';
import { type Field, type Format, type Parameter, type Role } from '../../src/core/decode/descriptors/descriptor';
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

const CONTAINER = ['to', 'from', 'value', 'chainId'];

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

/** A number, a boolean or up to 32 bytes as the snap's `keyOf` writes them; other text unchanged. */
const keyText = (value: unknown): string =>
  typeof value === 'boolean'
    ? value
      ? 'True'
      : 'False'
    : /^0x[0-9a-f]{1,64}$/iu.test(String(value))
      ? BigInt(String(value)).toString()
      : String(value);

const byKeyText = <Value>(values: object, write: (value: unknown) => Value): Record<string, Value> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [keyText(key), write(value)]));

/** A constant that depends on the data (`metadata.maps`). */
function mapped({ map, keyPath }: { map?: unknown; keyPath?: unknown }, { source, base }: Context): Parameter {
  const { values } = constant(map, source) as { values?: object };
  if (values === undefined || typeof keyPath !== 'string') return unsupported('a map without values');
  const names = byKeyText(values, (value) => (isAddress(value) ? lower(value) : unsupported('a map of other values')));
  return { names, key: parsePath(keyPath, base) };
}

/** `<name>Path`, or the constant `<name>`. */
function parameterOf(name: string, { params = {} }: SourceField, context: Context): Parameter | undefined {
  const { source, base } = context;
  const path = params[`${name}Path`];
  if (typeof path === 'string') return parsePath(path, base);
  const value = constant(params[name], source);
  if (typeof value === 'object' && value !== null) return mapped(value, context);
  if (typeof value === 'string' && value.startsWith('@.')) return parsePath(value);
  if (value === undefined) return undefined;
  return isAddress(value) ? lower(value) : unsupported(`${name} ${String(value)}`);
}

const stringOf = (value: unknown, what: string): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : unsupported(what);

/** The chain of a token, if it is another one. */
function chainOf({ params = {} }: SourceField, { base }: Context): Path | Hex | undefined {
  if (typeof params.chainIdPath === 'string') return parsePath(params.chainIdPath, base);
  return params.chainId === undefined ? undefined : `0x${BigInt(stringOf(params.chainId, 'chainId')).toString(16)}`;
}

const addressesOf = (value: unknown, source: Source): Hex[] =>
  [value ?? []]
    .flat()
    .map((one) => constant(one, source))
    .filter(isAddress)
    .map(lower);

/** The selector of an inner call whose data lacks one. */
function selectorOf({ params = {} }: SourceField, { source, base }: Context): Path | Hex | undefined {
  if (typeof params.selectorPath === 'string') return parsePath(params.selectorPath, base);
  const selector = constant(params.selector, source);
  if (selector === undefined) return undefined;
  return typeof selector === 'string' && /^0x[0-9a-f]{8}$/iu.test(selector)
    ? (selector.toLowerCase() as Hex)
    : unsupported(`the selector ${String(selector)}`);
}

type Compile = (field: SourceField, context: Context) => Format;

const FORMATS: Readonly<Record<string, Compile>> = {
  raw: () => ({ as: 'raw' }),
  amount: () => ({ as: 'amount' }),
  addressName: ({ params = {} }, { source }) => {
    const types = [params.types].flat();
    return {
      as: 'address',
      ...(types.length === 1 && types[0] === 'token' && { isToken: true }),
      // Another address might be somebody's.
      ...(addressesOf(params.senderAddress, source).includes(COIN_ADDRESSES[1] as Hex) && { isSender: true }),
    };
  },
  tokenTicker: (field, context) =>
    chainOf(field, context) === undefined ? { as: 'address', isToken: true } : unsupported('a token of another chain'),
  chainId: () => ({ as: 'chain' }),
  duration: () => ({ as: 'duration' }),
  date: ({ params }) => ({ as: params?.encoding === 'blockheight' ? 'block' : 'date' }),
  tokenAmount: (field, context) => {
    const { params = {} } = field;
    const token = parameterOf('token', field, context);
    const chain = chainOf(field, context);
    const native = addressesOf(params.nativeCurrencyAddress, context.source).filter((address) =>
      COIN_ADDRESSES.includes(address),
    );
    const threshold = constant(params.threshold, context.source);
    return {
      as: 'token',
      ...(token !== undefined && { token }),
      ...(chain !== undefined && { chain }),
      ...(native.length > 0 && { native }),
      ...(threshold !== undefined && {
        threshold: BigInt(stringOf(threshold, 'threshold')).toString(),
        message: stringOf(params.message ?? 'Unlimited', 'message'),
      }),
    };
  },
  nftName: (field, context) => {
    const collection = parameterOf('collection', field, context);
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
      names: byKeyText(names, (name) => stringOf(name, 'enum')),
    };
  },
  calldata: (field, context) => {
    const { params = {} } = field;
    const callee = parameterOf('callee', field, context);
    const selector = selectorOf(field, context);
    const amount = typeof params.amountPath === 'string' ? parsePath(params.amountPath, context.base) : undefined;
    if (params.chainId !== undefined || params.chainIdPath !== undefined) unsupported('a call on another chain');
    return {
      as: 'call',
      ...(callee !== undefined && { callee }),
      ...(selector !== undefined && { selector }),
      ...(amount !== undefined && { amount }),
    };
  },
};

/** The names of parameters, and the labels, that say what an address is for. */
const SPENDER = /spender|operator|delegat|approved|grantee|session ?key/iu;
const RECIPIENT =
  /recipient|receiver|beneficiary|payee|(?:^|\b|_)(?:to|dst)$|onbehalf|for$|(?:mint|send|withdraw|transfer).*to\b/iu;

function roleOf(path: Path, label: string): Role | undefined {
  if (path[0] === '@') return undefined;
  const name = path.filter((part) => typeof part === 'string').at(-1) ?? '';
  for (const text of [name, label]) {
    if (SPENDER.test(text)) return 'spender';
    if (RECIPIENT.test(text)) return 'recipient';
  }
  return undefined;
}

/** The conditions of a field that is visible sometimes. */
function conditions(visible: unknown): Pick<Field, 'unless' | 'only'> {
  if (typeof visible !== 'object' || visible === null) return {};
  const { ifNotIn, mustMatch } = visible as { ifNotIn?: unknown; mustMatch?: unknown };
  if (!Array.isArray(ifNotIn ?? mustMatch)) return unsupported('a condition of visibility');
  return Array.isArray(ifNotIn)
    ? { unless: ifNotIn.map(keyText) }
    : { only: (mustMatch as readonly unknown[]).map(keyText) };
}

function resolved(field: SourceField, source: Source): SourceField {
  if (field.$ref === undefined) return field;
  const definition = constant(field.$ref, source) as SourceField;
  return { ...definition, ...field, params: { ...definition.params, ...field.params } };
}

/** Flattens groups: their fields follow one another, with full paths. */
export function compileFields(fields: readonly SourceField[], source: Source, base: Path = []): Field[] {
  const compiled: Field[] = [];
  for (const written of fields) {
    const field = resolved(written, source);
    const path = field.path === undefined ? undefined : parsePath(field.path, base);
    if (field.fields !== undefined) {
      const group = compileFields(field.fields, source, path ?? base);
      // A list of structs is shown struct by struct, unless its lists are wanted one after the other.
      const isList = field.iteration !== 'sequential' && (field.iteration === 'bundled' || Array.isArray(path?.at(-1)));
      compiled.push(...group.map((one, at): Field => (isList && at > 0 ? { ...one, joined: true } : one)));
    } else if (field.visible === 'never') {
      continue;
    } else if (path === undefined) {
      const value = stringOf(constant(field.value, source), 'a field without a path');
      compiled.push({ label: field.label ?? '', value, as: 'literal' });
    } else {
      const label = field.label ?? '';
      // What is encrypted is shown as it is.
      const wanted = field.encryption === undefined ? (field.format ?? 'raw') : 'raw';
      const format = FORMATS[wanted] ?? unsupported(`the format ${wanted}`);
      const role = roleOf(path, label);
      compiled.push({
        label,
        path,
        ...(role !== undefined && { role }),
        ...conditions(field.visible),
        ...format(field, { source, base }),
      });
    }
  }
  return compiled;
}

/** An intent with values: texts, and the indexes of the fields that it names. Undefined if it names another value. */
export function compileSentence(written: string, fields: readonly Field[]): (string | number)[] | undefined {
  const parts = written.split(/(?<!\{)\{([^{}]+)\}(?!\})/u).map((part, at): string | number => {
    if (at % 2 === 0) return part.replaceAll('{{', '{').replaceAll('}}', '}');
    const wanted = JSON.stringify(parsePath(part));
    return fields.findIndex(({ path }) => JSON.stringify(path) === wanted);
  });
  return parts.includes(-1) ? undefined : parts.filter((part) => part !== '');
}
