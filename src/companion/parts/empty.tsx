import { type ComponentChildren, type VNode } from 'preact';

type Props = {
  /** The heading of the view, where there is nothing else in it. */
  readonly heading?: string;
  readonly title: string;
  /** The text of the link that leads on, and where. */
  readonly next?: readonly [text: string, href: string];
  readonly children?: ComponentChildren;
};

/** An empty state: what is missing, and what to do about it. */
export const Empty = ({ heading, title, next, children }: Props): VNode => (
  <>
    {heading === undefined ? null : <h1>{heading}</h1>}
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
      {next === undefined ? null : (
        <a class="button" href={next[1]}>
          {next[0]}
        </a>
      )}
    </div>
  </>
);
