import { getAddress } from 'viem';

type Element = { readonly type: string; readonly props: Readonly<Record<string, unknown>> };

const isElement = (value: unknown): value is Element =>
  typeof value === 'object' && value !== null && 'type' in value && 'props' in value;

const inlineOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(inlineOf).join('');
  if (!isElement(value)) return '';
  const { type, props } = value;
  return type === 'Address' ? getAddress(props.address as `0x${string}`) : inlineOf(props.children ?? props.value);
};

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
      return [inlineOf(props.children)];
    case 'Copyable':
      return [String(props.value)];
    case 'Checkbox':
      return [`[${props.checked === true ? 'x' : ' '}] ${String(props.label)}`];
    default:
      return openPart(props.children);
  }
}
