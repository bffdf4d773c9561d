import { type Hex } from '../../../eth/bytes';
import { type TypedData } from '../../../eth/typed-data';
import { type ContractCall } from '../calls/rule';

/** Members of a call by any name. */
const TARGET = /^(?:to|target|dest(?:ination)?|contract(?:_?address)?|call_?to)$/iu;
const DATA = /^(?:\w*_?data|payload|input|function_?signature|\w*_?call)$/iu;
const VALUE = /^(?:value|amount|eth_?value|native_?value)$/iu;
/** A message is searched for so many calls. */
const MAX_CALLS = 100;

/** The calls in a message: structs with a target and data. Nobody says which account makes them. */
export function callsIn({ types, primaryType, message }: TypedData): ContractCall[] {
  const found: ContractCall[] = [];
  const visit = (type: string, value: unknown): void => {
    const bracket = type.lastIndexOf('[');
    if (bracket !== -1) {
      for (const item of value as readonly unknown[]) visit(type.slice(0, bracket), item);
      return;
    }
    const members = Object.hasOwn(types, type) ? types[type] : undefined;
    if (members === undefined || found.length >= MAX_CALLS) return;
    const struct = value as Readonly<Record<string, unknown>>;
    const valueOf = (of: RegExp, pattern: RegExp): unknown => {
      const member = members.find((one) => of.test(one.type) && pattern.test(one.name));
      return member && struct[member.name];
    };
    const [to, data] = [valueOf(/^address$/u, TARGET), valueOf(/^bytes$/u, DATA)];
    const wei = valueOf(/^uint\d*$/u, VALUE) as string | number | undefined;
    if (to !== undefined && data !== undefined)
      found.push({ to: to as Hex, value: BigInt(wei ?? 0), data: (data as Hex).slice(2).toLowerCase() });
    for (const member of members) visit(member.type, struct[member.name]);
  };
  visit(primaryType, message);
  return found;
}
