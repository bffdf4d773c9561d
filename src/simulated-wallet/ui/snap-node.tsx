import { type ComponentChildren, createContext, type FunctionComponent, h, type VNode } from 'preact';
import { useContext } from 'preact/hooks';

import { type SnapChildren, type SnapElement } from '../interfaces';

/** The properties of a component, as the snap sends them. */
export type SnapProps = SnapElement['props'];
export type SnapComponent = FunctionComponent<SnapProps>;

/** The known components, by name. */
export const ComponentsContext = createContext<Readonly<Record<string, SnapComponent>>>({});

const SHORT_ADDRESS = /(0x[\da-f]{4}…[\da-f]{4})/iu;

/** A short address stays on one line: browsers may break lines after its dots. */
const unbroken = (text: string): ComponentChildren =>
  text.split(SHORT_ADDRESS).map((part, index) => (index % 2 === 0 ? part : <span class="unbroken">{part}</span>));

/** Renders elements, text and lists of them from a snap. An unknown component is reported rather than left out. */
export function SnapNode({ children }: { readonly children?: SnapChildren | undefined }): VNode {
  const components = useContext(ComponentsContext);
  const renderNode = (node: SnapChildren | undefined): ComponentChildren => {
    if (node === null || node === undefined || typeof node === 'boolean') return null;
    if (typeof node === 'string') return unbroken(node);
    if (Array.isArray(node)) return node.map((child) => renderNode(child as SnapChildren));
    const { type, props, key } = node as SnapElement;
    const Component = components[type];
    if (Component === undefined) return <p class="text error">This wallet cannot show the component “{type}”.</p>;
    return h(Component, { ...props, key } as SnapProps);
  };
  return <>{renderNode(children)}</>;
}
