import { type VNode } from 'preact';
import { type Address } from 'viem';

import { createSignerCall, signerAddress } from '../../core/erc4337/safe/passkey/signer';
import { type Call } from '../../core/erc4337/user-operation';
import { nodeOf } from '../model/node';
import { passkeySupport } from '../model/passkey-network';
import { assertRoomForPasskey, createCredential, keepPasskey, signerOf } from '../model/passkeys';
import { type Chain } from '../model/types';
import { useAction } from '../model/use-action';
import { ActionStatus } from './action-status';

type Props = {
  readonly safe: Address;
  readonly name: string;
  readonly chain: Chain;
  /** The signer of the new passkey, and the call that creates it. */
  readonly onCreated: (signer: Address, create: Call) => void;
};

const hex = (number: bigint): `0x${string}` => `0x${number.toString(16)}`;

/** Makes a passkey, and goes on to make it an owner. */
export function AddPasskey({ safe, name, chain, onCreated }: Props): VNode {
  const action = useAction('Look for the browser’s dialog.');
  const add = async (): Promise<undefined> => {
    assertRoomForPasskey({ safe, name, chain });
    const { factory, verifiers } = await passkeySupport(nodeOf(chain));
    const { credentialId, point } = await createCredential(name);
    const passkey = { factory: factory.address, verifiers, x: hex(point.x), y: hex(point.y) };
    const signer = signerAddress(signerOf(passkey), factory.code);
    keepPasskey({ ...passkey, credentialId, safe, name, chain, signer });
    onCreated(signer, createSignerCall(signerOf(passkey)));
  };
  return (
    <details>
      <summary>Add a passkey</summary>
      <p>
        A passkey is kept by your device or password manager and unlocked with your fingerprint, face or PIN. With it,
        this page opens the account alone, without a wallet, if one signature is enough.
      </p>
      <p>
        It works only in this browser and on pages of <strong>{location.hostname}</strong>, and every page there can ask
        for it. If that domain is gone, so is the passkey: keep another owner. To depend on no domain but your own, put
        this page on it first. Keystead's page “If you lose a phrase or a device” says how.
      </p>
      <p>
        The passkey becomes an owner in one operation, which Keystead shows you first. The account pays its network fee.
      </p>
      <div class="actions">
        <button
          type="button"
          aria-disabled={action.isBusy}
          onClick={() => {
            action.run(add);
          }}
        >
          Create a passkey
        </button>
      </div>
      <ActionStatus action={action} />
    </details>
  );
}
