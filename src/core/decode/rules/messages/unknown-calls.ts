import { type Hex } from '../../../eth/bytes';
import { type TypedData, type TypedDataMember } from '../../../eth/typed-data';
import { type ContractCall } from '../calls/rule';

/** Members of a call by any name. */
const TARGET = /^(?:to|target|dest(?:ination)?|contract(?:_?address)?|call_?to)$/iu;
const DATA = /^(?:\w*_?data|payload|input|function_?signature|\w*_?call)$/iu;
const VALUE = /^(?:value|amount|eth_?value|native_?value)$/iu;
/** A message is searched for so many calls. */
const MAX_CALLS = 100;

/** The names of the members that make a struct a call. */
type CallForm = { readonly to: string; readonly data: string; readonly value: string | undefined };

function callForm(members: readonly TypedDataMember[]): CallForm | undefined {
  const named = (of: RegExp, pattern: RegExp): string | undefined =>
    members.find((one) => of.test(one.type) && pattern.test(one.name))?.name;
  const [to, data] = [named(/^address$/u, TARGET), named(/^bytes$/u, DATA)];
  return to === undefined || data === undefined ? undefined : { to, data, value: named(/^uint\d*$/u, VALUE) };
}

/** The calls in a message: structs with a target and data. Nobody says which account makes them. */
export function callsIn({ types, primaryType, message }: TypedData): ContractCall[] {
  const forms = new Map(Object.entries(types).map(([type, members]) => [type, callForm(members)]));
  const found: ContractCall[] = [];
  if ([...forms.values()].every((form) => form === undefined)) return found;
  const visit = (type: string, value: unknown): void => {
    const bracket = type.lastIndexOf('[');
    if (bracket !== -1) {
      for (const item of value as readonly unknown[]) visit(type.slice(0, bracket), item);
      return;
    }
    const members = Object.hasOwn(types, type) ? types[type] : undefined;
    if (members === undefined || found.length >= MAX_CALLS) return;
    const struct = value as Readonly<Record<string, unknown>>;
    const form = forms.get(type);
    if (form !== undefined) {
      const wei = form.value === undefined ? 0 : (struct[form.value] as string | number);
      const data = (struct[form.data] as Hex).slice(2).toLowerCase();
      found.push({ to: struct[form.to] as Hex, value: BigInt(wei), data });
    }
    for (const member of members) visit(member.type, struct[member.name]);
  };
  visit(primaryType, message);
  return found;
}
