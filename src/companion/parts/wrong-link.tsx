import { type VNode } from 'preact';

import { messageOf } from '../model/errors';
import { Empty } from './empty';

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
