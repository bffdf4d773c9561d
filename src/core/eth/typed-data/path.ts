import { InvalidParamsError, pathText } from '../../errors';

/** The current position in the typed data, used to name the field in an error. */
export type Path = (string | number)[];

/** @throws {InvalidParamsError} Always. Names the path and the rule. */
export function refuse(path: Path, rule: string): never {
  throw new InvalidParamsError(pathText('typedData', path), rule);
}
