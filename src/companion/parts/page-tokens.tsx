import { type VNode } from 'preact';

import { useSession } from '../model/session';
import { keepTokens, tokensOnlyHere, watchedTokens } from '../model/tokens';
import { counted } from '../model/units';
import { useAction } from '../model/use-action';
import { ActionLine } from './action-button';
import { ActionStatus } from './action-status';
import { Panel } from './panel';

/** The tokens that are watched on this page alone, with the way to have them in backups; nothing without any. */
export function PageTokens(): VNode | null {
  const { client, accounts, chains, tokens, refresh } = useSession();
  const action = useAction('Look for Keystead’s dialog, and approve or reject there.');
  const only = tokensOnlyHere(watchedTokens.use(), tokens, chains);
  const [account] = accounts;
  if (only.length === 0 || account === undefined)
    return action.message === undefined ? null : <ActionStatus action={action} />;
  return (
    <Panel id="page-tokens" title={`${counted(only.length, 'token')} only on this page`}>
      <p>
        {only.map(({ symbol }) => symbol).join(', ')}: a backup does not have what only this page knows. Keystead asks
        about each before it watches it too.
      </p>
      <ActionLine
        action={action}
        work={async () => {
          try {
            await keepTokens(client, only, account.address);
          } finally {
            await refresh();
          }
          return 'The next backup has them too.';
        }}
      >
        Add to backups
      </ActionLine>
    </Panel>
  );
}
