/** What JSX is compiled to: a component is a function that makes its element. TypeScript lets nothing else be used as one. */
export const jsx = <Props, Element>(component: (props: Props) => Element, props: Props): Element => component(props);

export { jsx as jsxs };
