import { type ComponentChildren, createContext, type FunctionComponent, h, type VNode } from 'preact';
import { useContext } from 'preact/hooks';

import { type SnapChildren, type SnapElement } from '../interfaces';

/** The properties of a component, as the snap sends them. */
export type SnapProps = SnapElement['props'];
export type SnapComponent = FunctionComponent<SnapProps>;

/** The known components, by name. */
export const ComponentsContext = createContext<Readonly<Record<string, SnapComponent>>>({});

const SHORT_ADDRESS = /(0x[\da-f]{4}…[\da-f]{4})/iu;

/** Whether the text inside a component is decoded. */
const DecodingContext = createContext(false);

/** A short address stays on one line: browsers may break lines after its dots. */
const unbroken = (text: string): ComponentChildren =>
  text.split(SHORT_ADDRESS).map((part, index) => (index % 2 === 0 ? part : <span class="unbroken">{part}</span>));

/** The components in whose text MetaMask decodes HTML entities. */
const DECODED = ['Text', 'Bold', 'Italic', 'Link', 'Button'];

/** Decodes the entities of a text as the browser does; nothing in it becomes an element. */
function decoded(text: string): string {
  const area = document.createElement('textarea');
  area.innerHTML = text;
  return area.value;
}

/** Renders elements, text and lists of them from a snap. An unknown component is reported rather than left out. */
export function SnapNode({ children }: { readonly children?: SnapChildren | undefined }): VNode {
  const components = useContext(ComponentsContext);
  const decode = useContext(DecodingContext) ? decoded : (text: string): string => text;
  const renderNode = (node: SnapChildren | undefined): ComponentChildren => {
    if (node === null || node === undefined || typeof node === 'boolean') return null;
    if (typeof node === 'string') return unbroken(decode(node));
    if (Array.isArray(node)) return node.map((child) => renderNode(child as SnapChildren));
    const { type, props, key } = node as SnapElement;
    const Component = components[type];
    if (Component === undefined) return <p class="text error">This wallet cannot show the component “{type}”.</p>;
    return (
      <DecodingContext.Provider key={key} value={DECODED.includes(type)}>
        {h(Component, props)}
      </DecodingContext.Provider>
    );
  };
  return <>{renderNode(children)}</>;
}
