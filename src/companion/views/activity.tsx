import { type VNode } from 'preact';

import { Empty } from '../parts/empty';

/** Everything that was signed and sent. */
export const Activity = (): VNode => (
  <>
    <h1>Activity</h1>
    <Empty title="Nothing yet">
      <p>What you sign and send appears here.</p>
    </Empty>
  </>
);
