/** All text of a screen. */
export function textOf(element: unknown): string {
  if (typeof element === 'string') return element;
  if (Array.isArray(element)) return element.map(textOf).join(' ');
  if (typeof element !== 'object' || element === null) return '';
  const { props } = element as { props: Record<string, unknown> };
  return Object.values(props).map(textOf).join(' ');
}

/** The same on one line. */
export const flat = (content: unknown): string => textOf(content).replace(/\s+/gu, ' ');
