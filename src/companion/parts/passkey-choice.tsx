import { type VNode } from 'preact';

import { networkOfChain } from '../model/network';
import { passkeys } from '../model/passkeys';
import { linkTo } from '../model/route';

/** The accounts that a passkey of this browser opens, without a wallet. */
export const PasskeyChoice = (): VNode | null => {
  const known = passkeys.use();
  if (known.length === 0) return null;
  return (
    <section class="card" aria-labelledby="passkeys">
      <h2 id="passkeys">Open with a passkey</h2>
      <ul class="plain">
        {known.map(({ signer, safe, name, chain }) => (
          <li key={`${signer} ${safe}`}>
            <a href={linkTo('passkey', signer, safe)}>
              {name} on {networkOfChain(chain).name}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
};
