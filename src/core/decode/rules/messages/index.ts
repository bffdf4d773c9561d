import { encodeType, namesContractAsText, type TypedData, type TypedDataTypes } from '../../../eth/typed-data';
import { describedMessageSections, readDescribedMessage } from '../../descriptors/messages';
import { effectLines } from '../../effects/details';
import { orderTitle } from '../../effects/orders';
import { headlineOfEffects } from '../../effects/title';
import { type Line, type Section } from '../../explanation';
import { readCalls } from '../calls';
import { ACCOUNT_RULES } from './account';
import { DELEGATION_RULES } from './delegation';
import { EIP3009_RULES } from './eip3009';
import { KEY_RULES } from './keys';
import { messageLeaves } from './leaves';
import { NESTED_RULE } from './nested';
import { OPERATION_RULES } from './operation';
import { PERMIT2_RULES } from './permit2';
import { PERMIT_RULES } from './permit';
import { addressOf, type TypedReading, type TypedRule, type TypedScene } from './rule';
import { NFT_RULES } from './orders/nfts';
import { SEAPORT_RULES } from './orders/seaport';
import { ERC7683_RULE } from './orders/erc7683';
import { SWAP_RULES } from './orders/swaps';
import { MEANING_UNKNOWN, namesOthers, suspicionsOf, unreadLines } from './unknown';
import { callsIn } from './unknown-calls';
import { ZKSYNC_RULES } from './zksync';

const RULES: readonly TypedRule[] = [
  ...PERMIT_RULES,
  ...PERMIT2_RULES,
  ...EIP3009_RULES,
  ...SEAPORT_RULES,
  ...SWAP_RULES,
  ERC7683_RULE,
  ...NFT_RULES,
  ...ACCOUNT_RULES,
  ...DELEGATION_RULES,
  ...KEY_RULES,
  ...OPERATION_RULES,
  ...ZKSYNC_RULES,
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

/** The meaning of a message. */
export type MessageRead = {
  /** Undefined if no rule and no descriptor knows its type. */
  readonly meaning?: Section;
  /** One sentence on it. */
  readonly title?: string;
  readonly fee?: string;
  /** See {@link TypedReading}. */
  readonly until?: bigint | undefined;
  /** Rows to show at once. */
  readonly open: readonly Line[];
  /** Further ones: the values of a message, or of a message inside, that nobody can read. */
  readonly unread: readonly Line[];
  /** Keystead cannot read it, and it has the address of another account, which may gain by it. */
  readonly mayGive: boolean;
};

/** The title of a message: what its effects are, or the kind of message with what its calls do. */
function titleOf(
  { title, effects = [], calls = [], quotedAs }: TypedReading,
  { inner, outer }: { readonly inner: string | undefined; readonly outer: string },
  scene: TypedScene,
): string {
  if (quotedAs !== undefined) return quotedAs;
  const orders = effects.flatMap((effect) => (effect.kind === 'order' ? [effect] : []));
  const order = orderTitle(orders, scene);
  if (order !== undefined) return order;
  const found = headlineOfEffects(effects, undefined, scene);
  return found?.text ?? inner ?? (calls.length > 0 ? `${title}: ${outer}` : title);
}

/** Decodes a message by our own rules, else by the bundled descriptors, and adds what it does to the findings. */
export function readTypedMessage(data: TypedData, scene: Omit<TypedScene, 'contract'>): MessageRead {
  const { types, primaryType, domain, message } = data;
  const isBound = Object.hasOwn(domain, 'verifyingContract') && !namesContractAsText(types);
  const contract = isBound ? addressOf(domain, 'verifyingContract') : undefined;
  const bound = { ...scene, contract };
  const rule = ruleFor(types, primaryType);
  const reading = rule?.read(message, bound, types, primaryType) ?? readDescribedMessage(data, bound);
  const leaves = rule === undefined ? messageLeaves(data) : [];
  if (rule === undefined) scene.findings.add(suspicionsOf(leaves, data, reading !== undefined, bound));
  if (reading === undefined) {
    readCalls(callsIn(data), scene);
    return { open: [], unread: unreadLines(leaves, bound), mayGive: namesOthers(leaves, bound) };
  }
  const { title, effects = [], lines = [], open = [], isListed, fee, until, calls = [], contents } = reading;
  scene.findings.add(effects);
  const { sections, notes, headline } = readCalls(calls, scene);
  const inner = contents && readTypedMessage({ ...data, ...contents }, scene);
  const isUnread = contents !== undefined && inner?.meaning === undefined;
  const summary = titleOf(reading, { inner: inner?.title, outer: headline.text }, bound);
  return {
    title: summary,
    meaning: {
      title,
      lines: [
        ...(isListed === true ? [] : effectLines(effects, scene)),
        ...lines,
        ...notes,
        ...(isUnread ? [MEANING_UNKNOWN] : []),
      ],
      sections: [
        ...(inner?.meaning === undefined ? sections : [inner.meaning]),
        ...(rule === undefined || contents !== undefined ? [] : describedMessageSections(data, bound)),
      ],
    },
    ...((fee ?? inner?.fee) !== undefined && { fee: fee ?? inner?.fee }),
    until: until ?? inner?.until,
    open: [...open, ...(inner?.open ?? [])],
    unread: inner?.unread ?? [],
    mayGive: inner?.mayGive ?? false,
  } as MessageRead;
}
