import { InvalidParamsError } from '../../errors';

/** Where in the typed data the work is: it names the field when a value is refused. */
export type Path = (string | number)[];

/** A name out of the request, fit to stand in a sentence: printable ASCII, short. */
export const quoted = (name: string): string => `"${name.replace(/[^\x20-\x7e]/gu, '?').slice(0, 40)}"`;

/** @throws {InvalidParamsError} Always: it names the path and the rule. */
export function refuse(path: Path, rule: string): never {
  const field = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  throw new InvalidParamsError(`typedData${field}`, rule);
}
