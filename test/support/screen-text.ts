/** The elements in whose text MetaMask decodes HTML entities. */
const DECODED: readonly unknown[] = ['Text', 'Bold', 'Italic', 'Link', 'Button'];

/**
 * @param parent - The type of the element that contains a text.
 * @returns A text as MetaMask draws it.
 * @throws If MetaMask would draw another text than the one that the snap was given.
 */
export function drawn(text: string, parent: unknown): string {
  if (!DECODED.includes(parent)) return text;
  if (/&(?!amp;)/u.test(text)) throw new Error(`MetaMask may decode a part of “${text}”.`);
  return text.replaceAll('&amp;', '&');
}

/** All text of a screen, as MetaMask draws it. */
export function textOf(element: unknown, parent?: unknown): string {
  if (typeof element === 'string') return drawn(element, parent);
  if (Array.isArray(element)) return element.map((one) => textOf(one, parent)).join(' ');
  if (typeof element !== 'object' || element === null) return '';
  const { props, type } = element as { props: Record<string, unknown>; type?: unknown };
  return Object.entries(props)
    .map(([name, value]) => textOf(value, name === 'children' ? type : undefined))
    .join(' ');
}

/** The same on one line. */
export const flat = (content: unknown): string => textOf(content).replace(/\s+/gu, ' ');
