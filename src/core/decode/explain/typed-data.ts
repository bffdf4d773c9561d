import { isSameAddress } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { namesContractAsText, type TypedData, type TypedDataTypes } from '../../eth/typed-data';
import { counted } from '../../eth/units';
import { freshBudget } from '../rules/calls';
import { conclude } from './conclude';
import { Findings } from '../effects/dangers';
import { address, checkSpelling, text, warnOfTruncation } from '../words/lines';
import { wrongNetwork } from '../words/sentences';
import { shortened, visible } from '../words/text';
import { MEANING_UNKNOWN, readTypedMessage } from '../rules/messages';
import { type Explanation, type Line, type Section, type Viewpoint } from '../explanation';

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
};

function addValue(collector: Collector, label: string, type: string, value: unknown): void {
  if (type === 'address' && collector.left < MAX_CHECKSUMS)
    checkSpelling(value as Hex, 'An address', collector.findings);
  if (collector.lines.length >= MAX_LINES) {
    collector.left++;
    return;
  }
  const shortLabel = shortened(label, MAX_LABEL);
  if (type === 'address') {
    collector.lines.push(address(shortLabel, value as Hex));
  } else {
    const written = String(value);
    if (written.length > MAX_VALUE) warnOfTruncation('A value', collector.findings);
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
  const collector: Collector = { types, findings, lines: [], left: 0, unsigned: 0 };
  collect(collector, DOMAIN_LABEL, 'EIP712Domain', domain);
  collect(collector, '', primaryType, message);
  if (collector.left > 0) findings.warn(`Signed but not shown here: ${counted(collector.left, 'more value')}.`);
  if (collector.unsigned > 0)
    findings.warn(
      `Not signed and not shown: ${counted(collector.unsigned, 'value')} of the request that its types do not declare.`,
    );
  return { title: 'All signed values', lines: collector.lines, sections: [] };
}

/** The chain ID of the domain, if it has one. */
const chainOf = (domain: TypedData['domain']): bigint | undefined =>
  Object.hasOwn(domain, 'chainId') ? BigInt(domain.chainId as string | number) : undefined;

function checkDomain({ domain, types }: TypedData, view: Viewpoint, findings: Findings): void {
  const { signer, chainId } = view;
  const chain = chainOf(domain);
  const isText = namesContractAsText(types);
  const hasContract = Object.hasOwn(domain, 'verifyingContract') && !isText;
  if (isText)
    findings.warn(
      'The signing domain names its contract as text, not as an address. This signature is not bound to any contract.',
    );
  if (!hasContract)
    findings.warn(
      chain === undefined
        ? 'This signature names neither a network nor a contract. It may be valid elsewhere too.'
        : 'This signature names no contract. Any contract on the network may accept it.',
    );
  // Some domains encode the chain in their salt.
  else if (chain === undefined && !Object.hasOwn(domain, 'salt'))
    findings.warn('This signature names no network. The same contract may accept it on several networks.');
  if (chain !== undefined && chainId !== undefined && chain !== chainId)
    findings.danger('chain-mismatch', () => wrongNetwork(chain, chainId, view));
  if (hasContract && isSameAddress(domain.verifyingContract as Hex, signer)) findings.danger('own-contract');
}

/**
 * Explains EIP-712 typed data: its meaning, if a rule or descriptor knows its type, and all its values.
 *
 * @param data - Typed data that was hashed before, and so is known to match its types.
 */
export function explainTypedData(data: TypedData, view: Viewpoint): Explanation {
  const { domain, primaryType } = data;
  const findings = new Findings();
  checkDomain(data, view, findings);
  const chainId = chainOf(domain);
  const scene = { view, chainId, findings, budget: freshBudget() };
  const meaning = readTypedMessage(data, scene);
  const values = allValues(data, findings);
  return {
    ...conclude(scene, { again: (found) => explainTypedData(data, { ...view, ...found }) }),
    title: meaning?.summary ?? `Sign typed data: ${shortened(primaryType, 60)}`,
    lines: meaning === undefined ? [MEANING_UNKNOWN] : [],
    sections: [...(meaning === undefined ? [] : [meaning]), values],
  };
}
