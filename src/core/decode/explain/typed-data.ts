import { isSameAddress } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { hasPlausibleChecksum } from '../../eth/checksum';
import { namesContractAsText, type TypedData, type TypedDataTypes } from '../../eth/typed-data';
import { counted } from '../../eth/units';
import { networkOf } from '../../networks/network';
import { type Effect } from '../effects/effect';
import { Findings } from '../effects/findings';
import { gives } from '../effects/gives';
import { type Explanation, type Line, type Section, type Viewpoint } from '../explanation';
import { freshBudget } from '../rules/calls';
import { signMessage } from '../completeness/message-values';
import { readTypedMessage } from '../rules/messages';
import { canonical } from '../rules/messages/leaves';
import { address, noteTruncation, text } from '../words/lines';
import { quotable, shortened, visible } from '../words/text';
import { conclude } from './conclude';

/** A screen shows no more lines. Further values are counted. */
const MAX_LINES = 100;
/** Checks the checksums of so many of the values that are only counted: each costs a hash. */
const MAX_CHECKSUMS = 1000;
const MAX_LABEL = 100;
const MAX_VALUE = 500;

/** No member can have this name, so no message can imitate the domain. */
const DOMAIN_LABEL = '(domain)';
const MESSAGE_LABEL = '(message)';

/** Local names, because looking up a global is slow in the snap's runtime and these run once for each value. */
const { hasOwn, keys } = Object;

type Collector = {
  readonly types: TypedDataTypes;
  readonly findings: Findings;
  readonly lines: Line[];
  left: number;
  unsigned: number;
  hasMisspelling: boolean;
};

function addValue(collector: Collector, label: string, type: string, value: unknown): void {
  if (type === 'address' && collector.left < MAX_CHECKSUMS && !hasPlausibleChecksum(value as Hex))
    collector.hasMisspelling = true;
  if (collector.lines.length >= MAX_LINES) {
    collector.left++;
    return;
  }
  const shortLabel = shortened(label, MAX_LABEL);
  if (type === 'address') {
    collector.lines.push(address(shortLabel, value as Hex));
  } else {
    const written = canonical(type, value);
    if (written.length > MAX_VALUE) noteTruncation('A value', collector.findings);
    collector.lines.push(text(shortLabel, shortened(written, MAX_VALUE, visible)));
  }
}

/** Walks the value by its type, as the encoder does, so that only what is hashed is shown. */
function collect(collector: Collector, label: string, type: string, value: unknown): void {
  const full = collector.lines.length >= MAX_LINES;
  const bracket = type.lastIndexOf('[');
  if (bracket !== -1) {
    const items = value as readonly unknown[];
    const itemType = type.slice(0, bracket);
    if (items.length === 0) addValue(collector, label, 'string', '(empty list)');
    items.forEach((item, index) => {
      collect(collector, full ? '' : `${label}[${index}]`, itemType, item);
    });
    return;
  }
  const members = hasOwn(collector.types, type) ? collector.types[type] : undefined;
  if (members === undefined) {
    addValue(collector, label, type, value);
    return;
  }
  const struct = value as Readonly<Record<string, unknown>>;
  collector.unsigned += keys(struct).length - members.length;
  if (members.length === 0) addValue(collector, label || MESSAGE_LABEL, 'string', '(empty)');
  for (const member of members) {
    const memberLabel = label === '' ? member.name : `${label}.${member.name}`;
    collect(collector, full ? '' : memberLabel, member.type, struct[member.name]);
  }
}

/** All values that are signed, up to the limit of a screen. */
function allValues({ types, primaryType, domain, message }: TypedData, findings: Findings): Section {
  const collector: Collector = { types, findings, lines: [], left: 0, unsigned: 0, hasMisspelling: false };
  collect(collector, DOMAIN_LABEL, 'EIP712Domain', domain);
  collect(collector, '', primaryType, message);
  if (collector.left > 0) findings.note(`Signed but not shown here: ${counted(collector.left, 'more value')}.`);
  if (collector.unsigned > 0)
    findings.note(
      `Not signed and not shown: ${counted(collector.unsigned, 'value')} of the request that its types do not declare.`,
    );
  // Programs write these addresses, and what is signed is the number, so it is no warning.
  const spelling = collector.hasMisspelling
    ? [text('Spelling', 'An address fails its checksum (EIP-55). Programs often write one in letters of a wrong case.')]
    : [];
  return { title: 'All signed values', lines: [...collector.lines, ...spelling], sections: [] };
}

/** The largest chain id that a salt can stand for: a hash is far larger. */
const MAX_CHAIN_IN_SALT = 1n << 53n;

/** The chain that a domain's salt stands for, as some have it. */
function chainOfSalt({ domain }: TypedData): bigint | undefined {
  const salt = Object.hasOwn(domain, 'salt') ? String(domain.salt) : '';
  const chain = /^0x[0-9a-f]{64}$/iu.test(salt) ? BigInt(salt) : 0n;
  return chain > 0n && chain < MAX_CHAIN_IN_SALT ? chain : undefined;
}

/** The chain ID of the domain, if it has one: its own, or that of its salt. */
const chainOf = (data: TypedData): bigint | undefined =>
  Object.hasOwn(data.domain, 'chainId') ? BigInt(data.domain.chainId as string | number) : chainOfSalt(data);

/** Rows that say what the domain binds a signature to, and what it leaves open. */
function* domainEffects(data: TypedData, { signer, chainId }: Viewpoint): Generator<Effect> {
  const { domain, types } = data;
  const chain = chainOf(data);
  const isText = namesContractAsText(types);
  const hasContract = Object.hasOwn(domain, 'verifyingContract') && !isText;
  const note = (text: string): Effect => ({ kind: 'note', text });
  if (isText)
    yield note(
      'The signing domain names its contract as text, not as an address. This signature is not bound to any contract.',
    );
  if (!hasContract)
    yield note(
      chain === undefined
        ? 'This signature names neither a network nor a contract. It may be valid elsewhere too.'
        : 'This signature names no contract. Any contract on the network may accept it.',
    );
  else if (chain === undefined && !Object.hasOwn(domain, 'salt'))
    yield note('This signature names no network. The same contract may accept it on several networks.');
  if (chain !== undefined && chainId !== undefined && chain !== chainId)
    yield { kind: 'network', named: chain, ofRequest: chainId };
  const inSalt = chainOfSalt(data);
  const isOther = inSalt !== undefined && chain !== undefined && inSalt !== chain;
  // A small number may be any salt, the number of another known network hardly is.
  if (isOther && networkOf(inSalt).source === 'known') yield { kind: 'network', named: inSalt, ofRequest: chain };
  if (hasContract && isSameAddress(domain.verifyingContract as Hex, signer)) yield { kind: 'own-contract' };
}

/**
 * Explains EIP-712 typed data: its meaning, if a rule or descriptor knows its type, and all its values.
 *
 * @param data - Typed data that was hashed before, and so is known to match its types.
 */
export function explainTypedData(data: TypedData, view: Viewpoint): Explanation {
  const findings = new Findings();
  findings.add([...domainEffects(data, view)]);
  const scene = { view, chainId: chainOf(data), findings, budget: freshBudget() };
  signMessage(data, findings.signed);
  const { meaning, title, fee, until, open, unread, mayGive } = readTypedMessage(data, scene);
  const values = allValues(data, findings);
  const sections = [...(meaning === undefined ? [] : [meaning]), values];
  const shownTitle = title ?? `Sign typed data “${quotable(data.primaryType, 60)}”`;
  const { expected, ...whole } = conclude(scene, {
    main: [...open, ...unread],
    sections: sections.slice(0, -1),
    explainWith: (found) => explainTypedData(data, { ...view, ...found }),
  });
  return {
    ...whole,
    title: shownTitle,
    ...(fee !== undefined && { fee }),
    ...(unread.length > 0 && { isUnread: true }),
    ...((mayGive || findings.effects.some(gives)) && { usable: { until } }),
    lines: expected,
    sections,
  };
}
