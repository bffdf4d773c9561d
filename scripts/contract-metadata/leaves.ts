import { type AbiParameter } from 'viem';

import { type Field, type Parameter } from '../../src/core/decode/descriptors/descriptor';
import { type Path } from '../../src/core/decode/descriptors/path';

/** The paths to the values of parameters, down to single values and lists of them. */
export function leavesOf(parameters: readonly AbiParameter[], base: Path = []): Path[] {
  return parameters.flatMap((parameter) => {
    const path = [...base, parameter.name ?? ''];
    const [, lists = ''] = /^tuple(.*)$/u.exec(parameter.type) ?? [];
    const items = [...lists.matchAll(/\[/gu)].map(() => [] as const);
    return 'components' in parameter ? leavesOf(parameter.components, [...path, ...items]) : [path];
  });
}

/**
 * The members of a message as parameters.
 *
 * @param encoded - The type as encodeType (EIP-712) writes it.
 */
export function membersOf(encoded: string): AbiParameter[] {
  const types = new Map([...encoded.matchAll(/([^(),]+)\(([^()]*)\)/gu)].map(([, name, list]) => [name, list ?? '']));
  const members = (name: string, above: readonly string[]): AbiParameter[] =>
    (types.get(name) ?? '')
      .split(',')
      .filter((member) => member !== '')
      .map((member) => {
        const [type = '', label = ''] = member.split(' ');
        const [, base = '', lists = ''] = /^([^[]*)(.*)$/u.exec(type) ?? [];
        return types.has(base) && !above.includes(base)
          ? { name: label, type: `tuple${lists}`, components: members(base, [...above, base]) }
          : { name: label, type };
      });
  const primary = encoded.slice(0, encoded.indexOf('('));
  return members(primary, [primary]);
}

const pathOf = (parameter: Parameter | undefined): Path[] =>
  parameter === undefined || typeof parameter === 'string' ? [] : 'key' in parameter ? [parameter.key] : [parameter];

/** The paths to all values that a field shows, also those that only say what another one means. */
function pathsOf(field: Field): Path[] {
  const own = field.path === undefined ? [] : [field.path];
  switch (field.as) {
    case 'token':
      return [...own, ...pathOf(field.token), ...pathOf(field.chain)];
    case 'nft':
      return [...own, ...pathOf(field.collection)];
    case 'call':
      // The call is explained as a whole, whatever parts of the bytes hold its data and its selector.
      return [
        ...own.map((path) => path.filter((step) => !Array.isArray(step) || step.length === 0)),
        ...[field.callee, field.selector, field.amount].flatMap(pathOf),
      ];
    default:
      return own;
  }
}

/** Whether a path leads to all of a value: not to one item of a list, or to a part of bytes. */
const isWhole = (path: Path, leaf: Path): boolean =>
  path.every((step, at) => {
    const wanted = leaf[at];
    // A list of values is one leaf.
    return wanted === undefined || typeof step === 'string'
      ? step === wanted || (Array.isArray(step) && step.length === 0)
      : Array.isArray(step) && step.length === 0 && Array.isArray(wanted);
  });

/** @returns How many values no field shows, or only in part. */
export function undescribed(parameters: readonly AbiParameter[], fields: readonly Field[]): number {
  const paths = fields.flatMap(pathsOf);
  return leavesOf(parameters).filter((leaf) => !paths.some((path) => isWhole(path, leaf))).length;
}
