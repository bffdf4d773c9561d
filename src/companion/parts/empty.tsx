import { type ComponentChildren, type VNode } from 'preact';

import { messageOf } from '../model/errors';
import { linkTo } from '../model/route';

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

/** A view that has no network to look on, or else no account to show. */
export const NothingToShow = ({
  heading,
  hasNetwork,
}: {
  readonly heading: string;
  readonly hasNetwork: boolean;
}): VNode => (
  <Empty
    heading={heading}
    title={hasNetwork ? 'No such account' : 'No networks yet'}
    next={hasNetwork ? ['Back to your accounts', linkTo('home')] : ['Add a network', linkTo('settings')]}
  />
);

/** Says why a link cannot be opened. `to` is what it should lead to. */
export const WrongLink = ({
  heading,
  to,
  error,
}: {
  readonly heading: string;
  readonly to: string;
  readonly error: unknown;
}): VNode => (
  <Empty heading={heading} title={`This is not the link to ${to}`}>
    <p>{messageOf(error)}</p>
  </Empty>
);
