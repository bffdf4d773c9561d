import { type VNode } from 'preact';

import { networkOfChain } from '../model/network';
import { passkeyTitle } from '../model/passkey-title';
import { passkeys } from '../model/passkeys';
import { linkTo } from '../model/route';

/** The accounts that a passkey of this browser opens, without a wallet. */
export const PasskeyChoice = (): VNode | null => {
  const known = passkeys.use();
  if (known.length === 0) return null;
  return (
    <section class="card" aria-labelledby="passkeys">
      <h2 id="passkeys">Passkeys of this browser</h2>
      <ul class="plain">
        {known.map((passkey) => (
          <li key={`${passkey.signer} ${passkey.safe}`}>
            <a href={linkTo('passkey', passkey.signer, passkey.safe)}>
              {passkey.name} on {networkOfChain(passkey.chain).name}
            </a>{' '}
            <span class="hint">{passkeyTitle(passkey)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
};
