import { type JSXElement } from '@metamask/snaps-sdk/jsx';

import { elementsOf } from './screen-elements';

/**
 * The longest word that MetaMask shows beside any label 360 px wide, and the most characters of a label with a word; it
 * breaks none there, and the screen scrolls sideways.
 */
export const LONGEST_WORD = 24;
const LABEL_AND_WORD = 34;

/** The longest word that fits into the label of a section, a checkbox or a radio button, or the title of a banner. */
export const LONGEST_LABEL_WORD = 20;

/** The label that MetaMask does not break, of a section, a checkbox or a radio button, and the title of a banner. */
function choiceLabelOf({ type, props }: JSXElement): string {
  const { label, title, children } = props as Readonly<Partial<Record<'label' | 'title', string>>> & {
    children?: unknown;
  };
  if (type === 'Banner') return title ?? '';
  if (type === 'CollapsibleSection' || type === 'Checkbox') return label ?? '';
  return type === 'Radio' ? [children].flat(Infinity).join('') : '';
}

const CONTAINERS = ['Box', 'Section', 'CollapsibleSection', 'Form'];

const childrenOf = ({ props }: JSXElement): JSXElement[] =>
  [(props as { children?: unknown }).children]
    .flat(Infinity)
    .filter((child): child is JSXElement => typeof child === 'object' && child !== null);

const longWordIn = (text: string, label: string): string | undefined =>
  text.split(/\s/u).find((word) => word.length > LONGEST_WORD && label.length + word.length > LABEL_AND_WORD);

/** The texts in a Row that MetaMask does not break. */
const textsOf = (row: JSXElement): string[] => [
  (row.props as { label: string }).label,
  ...childrenOf(row)
    .filter(({ type }) => type === 'Text')
    .flatMap(({ props }) => [(props as { children?: unknown }).children].flat(Infinity))
    .filter((child): child is string => typeof child === 'string'),
];

/**
 * Finds what MetaMask would draw badly: a Row in the root Box, which it prints over its neighbours, or a Divider there,
 * which it omits; an empty container, for which it leaves a gap; and a word in a Row or a label that is wider than the
 * window.
 */
export function layoutFaults(screen: JSXElement): string[] {
  const faults = childrenOf(screen)
    .filter(({ type }) => type === 'Row' || type === 'Divider')
    .map((part) => `a ${part.type} in the root Box: ${textsOf(part)[0] ?? ''}`);
  for (const element of elementsOf(screen)) {
    if (CONTAINERS.includes(element.type) && childrenOf(element).length === 0) faults.push(`an empty ${element.type}`);
    const long = choiceLabelOf(element)
      .split(/\s/u)
      .find((word) => Array.from(word).length > LONGEST_LABEL_WORD);
    if (long !== undefined) faults.push(`a long word in the label of a ${element.type}: ${long}`);
    if (element.type !== 'Row') continue;
    const [label = '', ...texts] = textsOf(element);
    const word = [label, ...texts].map((text) => longWordIn(text, label)).find(Boolean);
    if (word !== undefined) faults.push(`a long word in a Row: ${word}`);
  }
  return faults;
}
