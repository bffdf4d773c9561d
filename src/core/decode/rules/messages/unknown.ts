import { isSameAddress } from '../../../eth/address';
import { type Hex } from '../../../eth/bytes';
import { encodeType, type TypedData } from '../../../eth/typed-data';
import { type Effect } from '../../effects/effect';
import { type Line } from '../../explanation';
import { isUnlimited } from '../../words/amounts';
import { address, quote, text } from '../../words/lines';
import { quotable, shortened } from '../../words/text';
import { canonical, isInteger, isUint, type Leaf, numberOf } from './leaves';
import { type TypedScene } from './rule';
import { orderIn } from './unknown-orders';

/** Words of permissions: who gets one, and that it lets somebody act. */
type Words = { readonly beneficiary: RegExp; readonly agent: RegExp };

/** In a message that a description explains, only the plainest words count. */
const DESCRIBED: Words = {
  beneficiary: /spender|operator|grantee|delegat|manager|authori[sz]ed|approved|agent|session|relayer/iu,
  agent: /agent|session|(?:api|sub|signing|public)_?key/iu,
};
const UNKNOWN: Words = {
  beneficiary:
    /spender|operator|grantee|delegat|manager|authori[sz]ed|approved|agent|session|relayer|signer|executor|guardian|controller|keeper|trustee|minter|new_?owner|admin|hot_?wallet|device/iu,
  agent:
    /agent|session|(?:api|sub|sign(?:ing|er)?|hot|device|public|pub|trading|stark|access|login)_?key|(?:link|add|register|set|approve|enable)_?(?:signer|key|device)|^(?:link|add|register|approve|enable|authorize)\w+(?:signer|key|device)s?$|multi_?sig|authorized_?users|validation_?id/iu,
};
/** Names of messages that give permissions. */
const PERMISSION = /permit|approv|allow|authori[sz]|delegat|grant|agent|session|enroll?|whitelist/iu;
const GIVEN = /approv|allow|authori[sz]|enable|grant/iu;
/** Of votes, as tokens of the form of COMP and UNI have it. It moves nothing. */
const OF_VOTES = 'Delegation(address delegatee,uint256 nonce,uint256 expiry)';
/** Numbers that are no amounts. */
const BOOKKEEPING =
  /nonce|salt|deadline|expir|valid|time|until|after|before|counter|chain|version|index|(?:asset|token|id|meta)$/iu;
const AMOUNT = /amount|allowance|limit|quantity|value/iu;
const ROOT = /root|hash|digest|merkle/iu;
/** The account that a user operation acts for, and what it makes the account do. */
const SENDER = /^(?:sender|safe|wallet|eoa|(?:smart_?|sub_?)?account)$/iu;
const CALLS = /^(?:call_?data|calls_?data|calls_?hash|execution_?data|executions?)$/iu;

const isAddress = (leaf: Leaf): boolean => leaf.address !== undefined;

/** A number, also one that is written as text; undefined for an address and for what counts or dates something. */
function amountOf(leaf: Leaf): bigint | undefined {
  const { type, name, value } = leaf;
  if (isAddress(leaf) || BOOKKEEPING.test(name)) return undefined;
  if (isUint(leaf)) return numberOf(leaf);
  return type === 'string' && AMOUNT.test(name) && /^\d{1,78}$/u.test(String(value))
    ? BigInt(String(value))
    : undefined;
}

/** A permission by any name: somebody who gets it, and how far it goes. */
function permissionIn(
  leaves: readonly Leaf[],
  { types, primaryType }: TypedData,
  isDescribed: boolean,
  scene: TypedScene,
): Effect[] {
  const { signer } = scene.view;
  const words = isDescribed ? DESCRIBED : UNKNOWN;
  const others = leaves.flatMap((leaf) => {
    const found = isDescribed && leaf.type !== 'address' ? undefined : leaf.address;
    const isOther =
      found !== undefined &&
      !isSameAddress(found, signer) &&
      !(scene.contract !== undefined && isSameAddress(found, scene.contract));
    return isOther ? [{ name: leaf.name, address: found }] : [];
  });
  const named = others.find(({ name }) => words.beneficiary.test(name));
  const isUnlimitedAmount = leaves.some((leaf) => isUnlimited(amountOf(leaf) ?? 0n));
  const isAgent = words.agent.test(primaryType) || leaves.some(({ name }) => words.agent.test(name));
  const isPermission = named !== undefined || (!isDescribed && (PERMISSION.test(primaryType) || isUnlimitedAmount));
  const to = (named ?? others[0])?.address;
  if (isAgent) return [{ kind: 'permission', what: 'agent', to }];
  if (encodeType(types, primaryType) === OF_VOTES)
    return to === undefined || isDescribed ? [] : [{ kind: 'permission', what: 'described', to }];
  if (!isPermission || to === undefined) return [];
  const isAll = leaves.some(({ name, type, value }) => type === 'bool' && value === true && GIVEN.test(name));
  const what = isUnlimitedAmount ? 'unlimited' : isAll ? 'all' : isDescribed ? 'described' : 'amount';
  return [...new Set([what, 'described'] as const)].map((one) => ({ kind: 'permission', what: one, to }));
}

/** @returns Whether a value is 32 bytes that stand for something else, in whatever form. */
function isHash(leaf: Leaf): boolean {
  const { type, value } = leaf;
  if (isAddress(leaf)) return false;
  if (type === 'bytes32') return true;
  if (type === 'bytes' || type === 'string') return /^(?:0x)?[0-9a-f]{64}$/iu.test(String(value));
  return isUint(leaf) && numberOf(leaf) >> 200n > 0n;
}

/** A hash that stands for what nobody sees, with nothing beside it that says what. */
function rootIn(leaves: readonly Leaf[]): Effect[] {
  const hashes = leaves.filter(isHash);
  const isBare = leaves.every(
    (leaf) => isHash(leaf) || leaf.type === 'uint8' || (isUint(leaf) && BOOKKEEPING.test(leaf.name)),
  );
  const stands = hashes.some(({ name }) => !BOOKKEEPING.test(name));
  return stands && (isBare || hashes.some(({ name }) => ROOT.test(name) && leaves.length <= 3))
    ? [{ kind: 'opaque', what: 'root' }]
    : [];
}

/** A user operation by any name: an account, and what it is to do. */
function operationIn(leaves: readonly Leaf[]): Effect[] {
  const account = leaves.find((leaf) => isAddress(leaf) && SENDER.test(leaf.name))?.address;
  const hasCalls = leaves.some(({ name, type }) => type.startsWith('bytes') && CALLS.test(name));
  return account !== undefined && hasCalls ? [{ kind: 'operation', sender: account }] : [];
}

/**
 * The possible effects of a message without a rule of its own, by the names and values of its members.
 *
 * @param leaves - All values of the message.
 * @param isDescribed - A published description says what it means. It silences nothing that is dangerous.
 */
export function suspicionsOf(
  leaves: readonly Leaf[],
  data: TypedData,
  isDescribed: boolean,
  scene: TypedScene,
): Effect[] {
  return [
    ...permissionIn(leaves, data, isDescribed, scene),
    ...operationIn(leaves),
    ...orderIn(leaves, data, scene),
    ...(isDescribed ? [] : rootIn(leaves)),
  ];
}

/** Whether a message has an address besides the account and the contract: its owner may gain by the signature. */
export const namesOthers = (leaves: readonly Leaf[], { contract, view: { signer } }: TypedScene): boolean =>
  leaves.some(
    ({ address: found }) =>
      found !== undefined && !isSameAddress(found, signer) && !(contract && isSameAddress(found, contract)),
  );

/** The open part of a screen shows so many values of a message that nobody can read, whatever they are. */
const MAX_VALUES = 12;
const MAX_LABEL = 100;
const MAX_VALUE = 200;

/** Shown for a message of an unknown type. */
export const MEANING_UNKNOWN = text('Meaning', 'unknown, check every value');

function leafLine(leaf: Leaf, { findings: { signed } }: TypedScene): Line {
  const { path, type, value, address: found } = leaf;
  const label = `“${quotable(path, MAX_LABEL)}”`;
  if (type === 'address') return address(label, value as Hex);
  if (found !== undefined) return address(label, found);
  const written = canonical(type, value);
  if (isInteger(type)) signed.wrote(BigInt(written), written);
  return type === 'string' ? quote(label, written, 'the data') : text(label, shortened(written, MAX_VALUE));
}

/** Rows for a message that nobody understands: its first values. Addresses and amounts follow anyway. */
export const unreadLines = (leaves: readonly Leaf[], scene: TypedScene): Line[] => [
  MEANING_UNKNOWN,
  ...leaves.slice(0, MAX_VALUES).map((leaf) => leafLine(leaf, scene)),
];
