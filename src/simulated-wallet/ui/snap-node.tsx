import { type ComponentChildren, createContext, type FunctionComponent, h, type VNode } from 'preact';
import { useContext } from 'preact/hooks';

import { type SnapChildren, type SnapElement } from '../interfaces';

/** The properties of a component as a snap writes them. */
export type SnapProps = SnapElement['props'];
export type SnapComponent = FunctionComponent<SnapProps>;

/** The components that there are, by name. */
export const ComponentsContext = createContext<Readonly<Record<string, SnapComponent>>>({});

/** Renders what a snap sent: elements, text, and lists of them. A component that is not known is named, not left out. */
export function SnapNode({ children }: { readonly children?: SnapChildren | undefined }): VNode {
  const components = useContext(ComponentsContext);
  const rendered = (node: SnapChildren | undefined): ComponentChildren => {
    if (node === null || node === undefined || typeof node === 'boolean') return null;
    if (typeof node === 'string') return node;
    if (Array.isArray(node)) return node.map((child) => rendered(child as SnapChildren));
    const { type, props, key } = node as SnapElement;
    const Component = components[type];
    if (Component === undefined) return <p class="text error">This wallet cannot show the component “{type}”.</p>;
    return h(Component, { ...props, key } as SnapProps);
  };
  return <>{rendered(children)}</>;
}
