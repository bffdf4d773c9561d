import { InvalidParamsError, pathText } from '../../errors';

/** Where in the typed data the work is: it names the field when a value is refused. */
export type Path = (string | number)[];

/** @throws {InvalidParamsError} Always: it names the path and the rule. */
export function refuse(path: Path, rule: string): never {
  throw new InvalidParamsError(pathText('typedData', path), rule);
}
