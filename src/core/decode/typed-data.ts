import { isSameAddress } from '../eth/address';
import { type Hex } from '../eth/bytes';
import { namesContractAsText, type TypedData, type TypedDataTypes } from '../eth/typed-data';
import { counted } from '../eth/units';
import { freshBudget } from './calls';
import { Findings } from './dangers';
import { address, checkSpelling, text, warnOfCut } from './lines';
import { shortened, visible } from './text';
import { NOT_UNDERSTOOD, readTypedMessage } from './typed';
import { type Explanation, type Line, type Section, type Viewpoint } from './types';

/** A screen holds no more; the rest is counted. */
const MAX_LINES = 100;
/** Of the values that are only counted, so many are looked at: each checksum costs a hash. */
const MAX_CHECKSUMS = 1000;
const MAX_LABEL = 100;
const MAX_VALUE = 500;

/** No member can be called this, so no message can show a domain that is not signed. */
const DOMAIN_LABEL = '(domain)';
const MESSAGE_LABEL = '(message)';

/** Names of our own for what runs once a value: under the snap's runtime each look at a global is a search. */
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
    if (written.length > MAX_VALUE) warnOfCut('A value', collector.findings);
    collector.lines.push(text(shortLabel, shortened(written, MAX_VALUE, visible)));
  }
}

/** Walks the value by its type, as the encoder does: only what is hashed is shown. */
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

/** Every value that is signed, as far as a screen holds them. */
function allValues({ types, primaryType, domain, message }: TypedData, findings: Findings): Section {
  const collector: Collector = { types, findings, lines: [], left: 0, unsigned: 0 };
  collect(collector, DOMAIN_LABEL, 'EIP712Domain', domain);
  collect(collector, '', primaryType, message);
  if (collector.left > 0) findings.warn(`Signed but not shown here: ${counted(collector.left, 'more value')}.`);
  if (collector.unsigned > 0)
    findings.warn(
      `Not part of its types, so not signed and not shown: ${counted(collector.unsigned, 'value')} of the request.`,
    );
  return { title: 'Every value that is signed', lines: collector.lines, sections: [] };
}

/** The chain of the domain; undefined where it names none. */
const chainOf = (domain: TypedData['domain']): bigint | undefined =>
  Object.hasOwn(domain, 'chainId') ? BigInt(domain.chainId as string | number) : undefined;

function checkDomain({ domain, types }: TypedData, { signer, chainId }: Viewpoint, findings: Findings): void {
  const chain = chainOf(domain);
  const isText = namesContractAsText(types);
  const hasContract = Object.hasOwn(domain, 'verifyingContract') && !isText;
  if (isText)
    findings.warn(
      'The signing domain gives its contract as text, not as an address: no contract is bound to this signature.',
    );
  if (!hasContract)
    findings.warn(
      chain === undefined
        ? 'This signature names neither a chain nor a contract: it may be valid in other places too.'
        : 'This signature names no contract: any contract of the chain may accept it.',
    );
  // Some domains have the chain in their salt.
  else if (chain === undefined && !Object.hasOwn(domain, 'salt'))
    findings.warn('This signature names no chain: the same contract may accept it on others, too.');
  if (chain !== undefined && chainId !== undefined && chain !== chainId) findings.danger('chain-mismatch');
  if (hasContract && isSameAddress(domain.verifyingContract as Hex, signer)) findings.danger('own-contract');
}

/**
 * Explains EIP-712 typed data: what it means, where a rule of ours knows its type, and member by member.
 *
 * @param data - Typed data that has been hashed, and so is known to fit its types.
 */
export function explainTypedData(data: TypedData, view: Viewpoint): Explanation {
  const { domain, primaryType } = data;
  const findings = new Findings();
  checkDomain(data, view, findings);
  const chainId = chainOf(domain);
  const meaning = readTypedMessage(data, { view, chainId, findings, budget: freshBudget() });
  return {
    title: `Sign typed data: ${shortened(primaryType, 60)}`,
    lines: meaning === undefined ? [NOT_UNDERSTOOD] : [],
    sections: [...(meaning === undefined ? [] : [meaning]), allValues(data, findings)],
    warnings: findings.warnings,
    dangers: findings.dangers,
    ...findings.openQuestions((knowledge) => explainTypedData(data, { ...view, knowledge })),
  };
}
