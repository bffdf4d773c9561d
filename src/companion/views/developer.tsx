import { type VNode } from 'preact';

import { linkTo } from '../model/route';

const TOOLS = [
  ['sign', 'Sign', 'Signs a message, typed data or a transaction without sending it, and shows the signature.'],
  ['explorer', 'Explorer', 'Looks up transactions, user operations and blocks at your network’s node and bundler.'],
  ['files', 'Files', 'Adds files to your storage service and reads them; every byte is verified against its CID.'],
  ['uncles', 'Uncles', 'Looks up an uncle: a block that was mined but lost to another at its height.'],
] as const;

/** Lists the tools for developers. */
export const Developer = (): VNode => (
  <>
    <h1>Developer</h1>
    <ul class="cards" aria-label="Tools">
      {TOOLS.map(([view, title, what]) => (
        <li class="card" key={view}>
          <h2>
            <a href={linkTo(view)}>{title}</a>
          </h2>
          <p>{what}</p>
        </li>
      ))}
    </ul>
  </>
);
