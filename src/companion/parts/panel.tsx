import { type ComponentChildren, type VNode } from 'preact';

type Props = {
  /** The id of the heading, which names the panel. */
  readonly id: string;
  readonly title: string;
  readonly class?: string;
  readonly children: ComponentChildren;
};

/** A part of a page, under a heading of its own. */
export const Panel = ({ id, title, class: style = 'panel', children }: Props): VNode => (
  <section class={style} aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children}
  </section>
);
