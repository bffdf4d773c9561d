import { encodeType, namesContractAsText, type TypedData, type TypedDataTypes } from '../../eth/typed-data';
import { readCalls } from '../calls';
import { describedMessageSections, readDescribedMessage } from '../descriptors/messages';
import { isUnlimited, text } from '../lines';
import { shortAddress } from '../sentences';
import { type Section } from '../types';
import { ACCOUNT_RULES } from './account';
import { EIP3009_RULES } from './eip3009';
import { NESTED_RULE } from './nested';
import { OPERATION_RULES } from './operation';
import { PERMIT2_RULES } from './permit2';
import { PERMIT_RULES } from './permit';
import { addressOf, type Struct, type TypedRule, type TypedScene, uintOf } from './rule';
import { SEAPORT_RULES } from './seaport';

const RULES: readonly TypedRule[] = [
  ...PERMIT_RULES,
  ...PERMIT2_RULES,
  ...EIP3009_RULES,
  ...SEAPORT_RULES,
  ...ACCOUNT_RULES,
  ...OPERATION_RULES,
  NESTED_RULE,
];

const BY_TYPE: ReadonlyMap<string, TypedRule> = new Map(
  RULES.flatMap((rule) => (typeof rule.type === 'string' ? [[rule.type, rule]] : [])),
);
const BY_TEST = RULES.filter(({ type }) => typeof type !== 'string');

function ruleFor(types: TypedDataTypes, primaryType: string): TypedRule | undefined {
  return (
    BY_TYPE.get(encodeType(types, primaryType)) ??
    BY_TEST.find(({ type }) => typeof type !== 'string' && type(types, primaryType))
  );
}

/** Shown for a message of an unknown type. */
export const MEANING_UNKNOWN = text('Meaning', 'unknown, check every value');

/** Some tokens have their own kinds of permit. A spender together with an unlimited number is taken for one. */
function flagLikePermit(message: Struct, types: TypedDataTypes, primaryType: string, { findings }: TypedScene): void {
  const members = types[primaryType] ?? [];
  const spender = members.find(
    ({ name, type }) => type === 'address' && (name === 'spender' || name === 'operator'),
  )?.name;
  if (spender === undefined) return;
  const who = shortAddress(addressOf(message, spender));
  findings.warn(`This may give ${who} permission to spend your tokens or act for your account.`);
  if (members.some(({ name, type }) => /^uint\d+$/u.test(type) && isUnlimited(uintOf(message, name))))
    findings.danger(
      'unlimited-approval',
      () => `This may let ${who} spend an unlimited amount of your tokens, now and in the future.`,
    );
}

/**
 * Decodes a message by our own rules, else by the bundled descriptors.
 *
 * @returns Its meaning, or undefined if its type is unknown.
 */
export function readTypedMessage(data: TypedData, scene: Omit<TypedScene, 'contract'>): Section | undefined {
  const { types, primaryType, domain, message } = data;
  const isBound = Object.hasOwn(domain, 'verifyingContract') && !namesContractAsText(types);
  const contract = isBound ? addressOf(domain, 'verifyingContract') : undefined;
  const rule = ruleFor(types, primaryType);
  if (rule === undefined) flagLikePermit(message, types, primaryType, { ...scene, contract });
  const reading =
    rule?.read(message, { ...scene, contract }, types, primaryType) ??
    readDescribedMessage(data, { ...scene, contract });
  if (reading === undefined) return undefined;
  const { title, summary, lines, calls = [], contents } = reading;
  const read = readCalls(calls, scene);
  const { sections, notes } = read;
  const inner = contents && readTypedMessage({ ...data, ...contents }, scene);
  return {
    title,
    summary: summary ?? inner?.summary ?? (calls.length > 0 ? `${title}: ${read.summary}` : title),
    lines: [...lines, ...notes, ...(contents !== undefined && inner === undefined ? [MEANING_UNKNOWN] : [])],
    sections: [
      ...(inner === undefined ? sections : [inner]),
      ...(rule === undefined || contents !== undefined ? [] : describedMessageSections(data, { ...scene, contract })),
    ],
  };
}
