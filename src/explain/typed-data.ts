import { hasPlausibleChecksum } from '../eth/address';
import { type Hex } from '../eth/bytes';
import { type TypedData, type TypedDataTypes } from '../eth/typed-data';
import { shortened, visible } from './text';
import { type Explanation, type Line } from './types';

/** A screen holds no more; the rest is counted. */
const MAX_LINES = 100;
const MAX_VALUE = 500;

type Collector = {
  readonly types: TypedDataTypes;
  readonly lines: Line[];
  left: number;
  badChecksums: number;
  unsigned: number;
};

function addValue(collector: Collector, label: string, type: string, value: unknown): void {
  if (collector.lines.length >= MAX_LINES) {
    collector.left++;
    return;
  }
  if (type === 'address') {
    if (!hasPlausibleChecksum(value as Hex)) collector.badChecksums++;
    collector.lines.push({ kind: 'address', label, value: value as Hex });
  } else {
    collector.lines.push({ kind: 'text', label, value: shortened(visible(String(value)), MAX_VALUE) });
  }
}

/** Walks the value by its type, as the encoder does: only what is hashed is shown. */
function collect(collector: Collector, label: string, type: string, value: unknown): void {
  const bracket = type.lastIndexOf('[');
  if (bracket !== -1) {
    const items = value as readonly unknown[];
    if (items.length === 0) addValue(collector, label, 'string', '(empty list)');
    items.forEach((item, index) => {
      collect(collector, `${label}[${index}]`, type.slice(0, bracket), item);
    });
    return;
  }
  const members = Object.hasOwn(collector.types, type) ? collector.types[type] : undefined;
  if (members === undefined) {
    addValue(collector, label, type, value);
    return;
  }
  const struct = value as Readonly<Record<string, unknown>>;
  collector.unsigned += Object.keys(struct).length - members.length;
  for (const member of members) {
    collect(collector, label === '' ? member.name : `${label}.${member.name}`, member.type, struct[member.name]);
  }
}

const bindsToPlace = (domain: TypedData['domain']): boolean =>
  Object.hasOwn(domain, 'chainId') || Object.hasOwn(domain, 'verifyingContract');

/**
 * Explains EIP-712 typed data member by member.
 *
 * @param data - Typed data that has been hashed, and so is known to fit its types.
 */
export function explainTypedData({ types, primaryType, domain, message }: TypedData): Explanation {
  const collector: Collector = { types, lines: [], left: 0, badChecksums: 0, unsigned: 0 };
  collect(collector, 'domain', 'EIP712Domain', domain);
  collect(collector, '', primaryType, message);
  const warnings: string[] = [];
  if (!bindsToPlace(domain))
    warnings.push('This signature names neither a chain nor a contract: it may be valid in other places too.');
  if (collector.left > 0) warnings.push(`${collector.left} more values are signed but not shown here.`);
  if (collector.unsigned > 0)
    warnings.push(
      `${collector.unsigned} values of the request are not part of its types: they are not signed and not shown.`,
    );
  if (collector.badChecksums > 0)
    warnings.push('An address does not have the checksum of EIP-55: a digit may be mistyped.');
  return { title: `Sign typed data: ${shortened(primaryType, 60)}`, lines: collector.lines, warnings };
}
