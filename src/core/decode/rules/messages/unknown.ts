import { isSameAddress, ZERO_ADDRESS } from '../../../eth/address';
import { type Hex } from '../../../eth/bytes';
import { encodeType, type TypedData } from '../../../eth/typed-data';
import { type Effect } from '../../effects/effect';
import { type Line } from '../../explanation';
import { isUnlimited } from '../../words/amounts';
import { address, quote, text } from '../../words/lines';
import { quotable, shortened } from '../../words/text';
import { type Call } from '../calls/rule';
import { canonical, type Leaf, messageLeaves } from './leaves';
import { type TypedScene } from './rule';

/** Members that name somebody who gets a permission, whatever the message is called. */
const BENEFICIARY = /spender|operator|grantee|delegat|manager|authori[sz]ed|approved|agent|session|relayer/iu;
const AGENT = /agent|session|api_?key|sub_?key|signing_?key/iu;
/** What messages that give permissions are called. */
const PERMISSION = /permit|approv|allow|authori[sz]|delegat|grant|agent|session/iu;
const GIVEN = /approv|allow|authori[sz]|enable|grant/iu;
/** Of votes, as tokens of the form of COMP and UNI have it. It moves nothing. */
const OF_VOTES = 'Delegation(address delegatee,uint256 nonce,uint256 expiry)';
/** Numbers that are no amounts. */
const BOOKKEEPING =
  /nonce|salt|deadline|expir|valid|time|until|after|before|counter|chain|version|index|(?:asset|token|id|meta)$/iu;
const ROOT = /root|hash|digest|merkle/iu;
/** The account that a user operation acts for. */
const SENDER = /^(?:sender|safe|wallet|account)$/iu;

/** What an order gives, and what it gets. */
const GIVES = /^(?:sell|mak(?:er|ing)|offer|give|input|source|src|base)\w*amounts?$|^amounts?_?in$/iu;
const GETS =
  /^(?:buy|tak(?:er|ing)|want|output|receive|dest|quote|min)\w*amounts?$|^amounts?_?out\w*$|^min_?(?:return|out)\w*$|^price$/iu;
const GIVEN_TOKEN = /^(?:sell|maker?|input|source|src|base)_?(?:token|asset)(?:_?address)?$/iu;
const GOT_TOKEN = /^(?:buy|taker?|output|dest|dst|quote)_?(?:token|asset)(?:_?address)?$/iu;
const MAKER = /^(?:maker|offerer|seller|owner|from|swapper|user)$/iu;
const SALE = /order|maker|ask|listing|offer|sale|sell/iu;
const RECEIVER = /^(?:receiver|recipient|beneficiary|to)$/iu;

const isUint = ({ type }: Leaf): boolean => /^uint\d*$/u.test(type);
const numberOf = ({ value }: Leaf): bigint => BigInt(value as string | number);
const isAddress = ({ type, value }: Leaf): boolean => type === 'address' && value !== ZERO_ADDRESS;

/** A permission by any name: somebody who gets it, and how far it goes. */
function permissionIn(
  leaves: readonly Leaf[],
  { types, primaryType }: TypedData,
  isDescribed: boolean,
  scene: TypedScene,
): Effect[] {
  const { signer } = scene.view;
  const others = leaves.filter(
    (leaf) =>
      isAddress(leaf) &&
      !isSameAddress(leaf.value as Hex, signer) &&
      !(scene.contract !== undefined && isSameAddress(leaf.value as Hex, scene.contract)),
  );
  const named = others.find(({ name }) => BENEFICIARY.test(name));
  const isUnlimitedAmount = leaves.some(
    (leaf) => isUint(leaf) && !BOOKKEEPING.test(leaf.name) && isUnlimited(numberOf(leaf)),
  );
  const isAgent = AGENT.test(primaryType) || leaves.some(({ name }) => AGENT.test(name));
  const isPermission = named !== undefined || (!isDescribed && (PERMISSION.test(primaryType) || isUnlimitedAmount));
  const to = (named ?? others[0])?.value as Hex | undefined;
  if (isAgent) return [{ kind: 'permission', what: 'agent', to }];
  if (encodeType(types, primaryType) === OF_VOTES)
    return to === undefined ? [] : [{ kind: 'permission', what: 'described', to }];
  if (!isPermission || to === undefined) return [];
  const isAll = leaves.some(({ name, type, value }) => type === 'bool' && value === true && GIVEN.test(name));
  const what = isUnlimitedAmount ? 'unlimited' : isAll ? 'all' : isDescribed ? 'described' : 'amount';
  return [...new Set([what, 'described'] as const)].map((one) => ({ kind: 'permission', what: one, to }));
}

/** A hash that stands for what nobody sees, with nothing beside it that says what. */
function rootIn(leaves: readonly Leaf[]): Effect[] {
  const hashes = leaves.filter(({ type }) => type === 'bytes32');
  const isBare = leaves.every(
    (leaf) => leaf.type === 'bytes32' || leaf.type === 'uint8' || (isUint(leaf) && BOOKKEEPING.test(leaf.name)),
  );
  return hashes.length > 0 && (isBare || hashes.some(({ name }) => ROOT.test(name) && leaves.length <= 3))
    ? [{ kind: 'opaque', what: 'root' }]
    : [];
}

/** A user operation by any name: an account, and the call data that it runs. */
function operationIn(leaves: readonly Leaf[]): Effect[] {
  const sender = leaves.find((leaf) => isAddress(leaf) && SENDER.test(leaf.name));
  const hasCalls = leaves.some(({ name, type }) => type === 'bytes' && /^call_?data$/iu.test(name));
  return sender !== undefined && hasCalls ? [{ kind: 'operation', sender: sender.value as Hex }] : [];
}

/** An order by any name: what it gives and gets, and whether it gets anything at all. */
function orderIn(leaves: readonly Leaf[], { primaryType }: TypedData, { view: { signer } }: TypedScene): Effect[] {
  const of = (pattern: RegExp): Leaf[] =>
    leaves.filter((leaf) => isUint(leaf) && pattern.test(leaf.name) && !/fee/iu.test(leaf.name));
  const [gives, gets] = [of(GIVES), of(GETS)];
  // A sale for a price may name what is sold in any way.
  const isSale = gives.length === 0 && SALE.test(primaryType) && gets.every((leaf) => numberOf(leaf) === 0n);
  if (isSale && gets.length > 0) return [{ kind: 'order', offerer: signer, gives: true, gets: false }];
  if (gives.length === 0 || gets.length === 0) return [];
  const maker = leaves.find((leaf) => isAddress(leaf) && MAKER.test(leaf.name))?.value as Hex | undefined;
  const receiver = leaves.find((leaf) => isAddress(leaf) && RECEIVER.test(leaf.name))?.value as Hex | undefined;
  const isOwn = maker === undefined || isSameAddress(maker, signer);
  const sum = (all: readonly Leaf[]): bigint => all.reduce((total, leaf) => total + numberOf(leaf), 0n);
  const [given, got] = [sum(gives), sum(gets)];
  const token = (pattern: RegExp): Hex[] =>
    leaves.flatMap((leaf) => (isAddress(leaf) && pattern.test(leaf.name) ? [leaf.value as Hex] : []));
  const [[from, ...moreGiven], [into, ...moreGot]] = [token(GIVEN_TOKEN), token(GOT_TOKEN)];
  const isElsewhere = receiver !== undefined && !isSameAddress(receiver, signer);
  return [
    ...(isOwn ? [{ kind: 'order', offerer: signer, gives: given > 0n, gets: got > 0n } as const] : []),
    ...(isOwn && from !== undefined && moreGiven.length === 0
      ? [{ kind: 'move', from: signer, to: undefined, asset: { kind: 'erc20', token: from }, amount: given } as const]
      : []),
    ...(isOwn && !isElsewhere && into !== undefined && moreGot.length === 0
      ? [{ kind: 'move', from: undefined, to: signer, asset: { kind: 'erc20', token: into }, amount: got } as const]
      : []),
    ...(isElsewhere ? [{ kind: 'named', address: receiver, isRecipient: true } as const] : []),
  ];
}

/**
 * What a message without a rule of its own may do, by the names and values of its members.
 *
 * @param isDescribed - A published description says what it means. It silences nothing that is dangerous.
 */
export function suspicionsOf(data: TypedData, isDescribed: boolean, scene: TypedScene): Effect[] {
  const leaves = messageLeaves(data);
  const order = orderIn(leaves, data, scene);
  return [
    ...permissionIn(leaves, data, isDescribed, scene),
    ...(isDescribed ? [] : rootIn(leaves)),
    ...operationIn(leaves),
    ...order,
    ...(isDescribed
      ? []
      : leaves
          .filter(isAddress)
          .slice(0, MAX_ADDRESSES)
          .map((leaf): Effect => ({ kind: 'named', address: leaf.value as Hex, isRecipient: false }))),
  ];
}

/** Members of a call by any name. */
const TARGET = /^(?:to|target|dest(?:ination)?|contract(?:_?address)?|call_?to)$/iu;
const DATA = /^(?:\w*_?data|payload|input|function_?signature|\w*_?call)$/iu;
const VALUE = /^(?:value|amount|eth_?value|native_?value)$/iu;
/** A message is searched for so many calls. */
const MAX_CALLS = 100;

/** The calls in a message: structs with a target and data. Nobody says which account makes them. */
export function callsIn({ types, primaryType, message }: TypedData): Call[] {
  const found: Call[] = [];
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

/** The open part of a screen shows so many values of a message that nobody can read, and so many addresses besides. */
const MAX_VALUES = 12;
const MAX_ADDRESSES = 40;
const MAX_LABEL = 100;
const MAX_VALUE = 200;

/** Shown for a message of an unknown type. */
export const MEANING_UNKNOWN = text('Meaning', 'unknown, check every value');

function leafLine({ path, type, value }: Leaf): Line {
  const label = `“${quotable(path, MAX_LABEL)}”`;
  if (type === 'address') return address(label, value as Hex);
  const written = canonical(type, value);
  return type === 'string' ? quote(label, written, 'the data') : text(label, shortened(written, MAX_VALUE));
}

/** What is signed without being understood: the first values, and all addresses. */
export function unreadLines(data: TypedData): Line[] {
  const leaves = messageLeaves(data);
  const more = leaves.slice(MAX_VALUES).filter(isAddress).slice(0, MAX_ADDRESSES);
  return [MEANING_UNKNOWN, ...[...leaves.slice(0, MAX_VALUES), ...more].map(leafLine)];
}
