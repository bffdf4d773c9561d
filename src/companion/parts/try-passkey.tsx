import { type VNode } from 'preact';

import { signWithPasskey } from '../model/credential';
import { nodeOf } from '../model/node';
import { tryPasskey } from '../model/passkey-owner';
import { keepPasskey, type Passkey } from '../model/passkeys';
import { type Chain } from '../model/types';
import { useAction } from '../model/use-action';
import { ActionButton } from './action-button';
import { ActionStatus } from './action-status';

type Props = { readonly passkey: Passkey; readonly chain: Chain };

/** Has a passkey sign once, to see whether the network accepts that. */
export function TryPasskey({ passkey, chain }: Props): VNode {
  const action = useAction('Look for the browser’s dialog.');
  const attempt = async (): Promise<undefined> => {
    await tryPasskey(passkey, (hash) => signWithPasskey(passkey, hash), nodeOf(chain));
    keepPasskey({ ...passkey, hasSigned: true });
  };
  return (
    <>
      <ActionButton action={action} class="small" work={attempt}>
        Try the passkey
      </ActionButton>
      <ActionStatus action={action} />
    </>
  );
}
