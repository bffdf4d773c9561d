import { InvalidParamsError, pathText } from '../../errors';

/**
 * The current position in the typed data, used to name the field in an error.
 *
 * @example
 * ```ts
 * const path: Path = ['message', 'items', 2];
 * refuse(path, 'must fit uint8'); // throws typedData.message.items[2]: must fit uint8
 * ```
 */
export type Path = (string | number)[];

/**
 * @throws {InvalidParamsError} Always. Names the path and the rule.
 *
 * @example
 * ```ts
 * refuse(['message', 'items', 2], 'must fit uint8'); // throws typedData.message.items[2]: must fit uint8
 * ```
 */
export function refuse(path: Path, rule: string): never {
  throw new InvalidParamsError(pathText('typedData', path), rule);
}
