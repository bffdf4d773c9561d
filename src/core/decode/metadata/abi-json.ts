import { type AbiParameter } from 'viem';

import { type Hex } from '../../eth/bytes';
import {
  address,
  type AbiType,
  array,
  bool,
  copied,
  decode,
  fixedArray,
  fixedBytes,
  int,
  mapped,
  string,
  tuple,
  uint,
  type WorkBudget,
} from '../../eth/abi';
import { Text, type Value } from '../descriptors/value';

/** Limits on types, which come from untrusted sources. Real ones stay below them. */
const MAX_DEPTH = 12;
const MAX_ITEMS = 10_000;

const ATOMS: Readonly<Record<string, AbiType<Value>>> = {
  address,
  bool,
  bytes: copied('bytes', (digits): Hex => `0x${digits}`),
  string: mapped(string, (text) => new Text(text)),
  // A contract address followed by a selector.
  function: { ...fixedBytes(24), name: 'function' },
};

function sizedAtom(type: string): AbiType<Value> | undefined {
  const [, base, size] = /^(uint|int|bytes)(\d{0,3})$/u.exec(type) ?? [];
  if (base === undefined) return undefined;
  const width = size === '' ? 256 : Number(size);
  if (base === 'bytes') return width >= 1 && width <= 32 ? fixedBytes(width) : undefined;
  if (width % 8 !== 0 || width < 8 || width > 256) return undefined;
  return base === 'int' ? int(width) : uint(width);
}

/** The values by name, or by position where they have none. If names repeat, all of them are numbered. */
const named = (parameters: readonly AbiParameter[], values: readonly Value[]): Readonly<Record<string, Value>> => {
  const names = values.map((_, index) => parameters[index]?.name || String(index));
  const areDistinct = new Set(names).size === names.length;
  return Object.fromEntries(
    names.map((name, index) => [areDistinct ? name : `${name} (${index})`, values[index] as Value]),
  );
};

/** @returns The type, or undefined if it is invalid. */
function abiType(parameter: AbiParameter, depth = 0): AbiType<Value> | undefined {
  const { type } = parameter;
  if (depth > MAX_DEPTH) return undefined;
  const bracket = /^(.*)\[(\d{0,5})\]$/u.exec(type);
  if (bracket !== null) {
    const item = abiType({ ...parameter, type: bracket[1] ?? '' }, depth + 1);
    const count = bracket[2] ?? '';
    if (item === undefined || Number(count) > MAX_ITEMS) return undefined;
    return count === '' ? array(item) : fixedArray(item, Number(count));
  }
  if (type === 'tuple') {
    const components = 'components' in parameter ? parameter.components : [];
    const members = abiTypes(components, depth + 1);
    return members && mapped(tuple(...members), (values) => named(components, values));
  }
  return (Object.hasOwn(ATOMS, type) ? ATOMS[type] : undefined) ?? sizedAtom(type);
}

/** @returns The types of a list of parameters, or undefined if one of them is invalid. */
export function abiTypes(parameters: readonly AbiParameter[], depth = 0): AbiType<Value>[] | undefined {
  const types = parameters.map((parameter) => abiType(parameter, depth));
  return types.includes(undefined) ? undefined : (types as AbiType<Value>[]);
}

/** The types of parameters that were decoded before: the same ones are used for many calls. */
const converted = new WeakMap<readonly AbiParameter[], AbiType<Value>[]>();

function typesOf(parameters: readonly AbiParameter[]): AbiType<Value>[] | undefined {
  const before = converted.get(parameters);
  if (before !== undefined) return before;
  const types = abiTypes(parameters);
  if (types !== undefined) converted.set(parameters, types);
  return types;
}

/**
 * Decodes the data of a call, without its selector.
 *
 * @returns The arguments by name; undefined if a type is invalid or the data does not match.
 */
export function decodeNamed(
  parameters: readonly AbiParameter[],
  data: string,
  budget: WorkBudget,
): Readonly<Record<string, Value>> | undefined {
  const types = typesOf(parameters);
  const decoded = types && decode(types, data, budget);
  return decoded === undefined || 'misfit' in decoded ? undefined : named(parameters, decoded.values);
}
