import { type VNode } from 'preact';

import { networkOfChain } from '../model/network';
import { passkeyTitle } from '../model/passkey-title';
import { passkeyLink, passkeys } from '../model/passkeys';
import { Panel } from './panel';

/** The accounts that a passkey of this browser opens, without a wallet. */
export const PasskeyChoice = (): VNode | null => {
  const known = passkeys.use();
  if (known.length === 0) return null;
  return (
    <Panel id="passkeys" title="Passkeys of this browser" class="card">
      <ul class="plain">
        {known.map((passkey) => (
          <li key={passkeyLink(passkey)}>
            <a href={passkeyLink(passkey)}>
              {passkey.name} on {networkOfChain(passkey.chain).name}
            </a>{' '}
            <span class="hint">{passkeyTitle(passkey)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
};
