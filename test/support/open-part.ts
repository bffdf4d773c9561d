import { getAddress } from 'viem';

import { drawn } from './screen-text';

type Element = { readonly type: string; readonly props: Readonly<Record<string, unknown>> };

const isElement = (value: unknown): value is Element =>
  typeof value === 'object' && value !== null && 'type' in value && 'props' in value;

/** The labels of a confirmation that other programs may look for. */
const LABELS = ['You send', 'You receive', 'You allow', 'Network fee', 'Network', 'Site', 'To'];

const inlineOf = (value: unknown, parent?: string): string => {
  if (typeof value === 'string') return drawn(value, parent);
  if (Array.isArray(value)) return value.map((one) => inlineOf(one, parent)).join('');
  if (!isElement(value)) return '';
  const { type, props } = value;
  return type === 'Address'
    ? getAddress(props.address as `0x${string}`)
    : inlineOf(props.children ?? props.value, type);
};

/** A value below its label, where a word is too long for a place beside it. */
function labelledBelow(children: unknown): string | undefined {
  if (!Array.isArray(children) || children.length !== 2) return undefined;
  const [label, value] = children.filter(isElement);
  if (label?.type !== 'Text' || !LABELS.includes(inlineOf(label)) || value === undefined) return undefined;
  return `${inlineOf(label)}: ${inlineOf(value)}`;
}

/**
 * What a person sees without opening a section, one row a line: `# title`, `label: value`, `[danger] text` and
 * `[warning] text`. Addresses are in full, as the screen shows them.
 */
export function openPart(content: unknown): string[] {
  if (Array.isArray(content)) return content.flatMap(openPart);
  if (typeof content === 'string') return [content];
  if (!isElement(content)) return [];
  const { type, props } = content;
  switch (type) {
    case 'CollapsibleSection':
      return [];
    case 'Heading':
      return [`# ${inlineOf(props.children)}`];
    case 'Row':
      return [`${String(props.label)}: ${inlineOf(props.children)}`];
    case 'Banner':
      return [`[${String(props.severity)}] ${inlineOf(props.children)}`];
    case 'Text':
      return [inlineOf(props.children, type)];
    case 'Address':
      return [inlineOf(content)];
    case 'Copyable':
      return [String(props.value)];
    case 'Checkbox':
      return [`[${props.checked === true ? 'x' : ' '}] ${String(props.label)}`];
    default: {
      const row = labelledBelow(props.children);
      return row === undefined ? openPart(props.children) : [row];
    }
  }
}
