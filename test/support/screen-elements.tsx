import { Banner, type JSXElement, Text } from '@metamask/snaps-sdk/jsx';

/** The banner of a danger. */
export const danger = (text: string, title = 'Danger'): JSXElement => (
  <Banner title={title} severity="danger">
    <Text>{text}</Text>
  </Banner>
);

/** All elements of a screen, however deep. */
export function elementsOf(element: unknown): JSXElement[] {
  if (Array.isArray(element)) return element.flatMap(elementsOf);
  if (typeof element !== 'object' || element === null) return [];
  const { props } = element as JSXElement;
  return [element as JSXElement, ...elementsOf((props as { children?: unknown }).children)];
}
