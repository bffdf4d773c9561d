import { type VNode } from 'preact';
import { type Hex } from 'viem';

import { type Owner } from '../../core/safe/owners/owners';
import { type OwnerSignature } from '../../core/safe/owners/signatures';
import { isIn, isSameAddress } from '../../core/eth/address';
import { accountOf, type AnyProposal } from '../../core/schemas/any-proposal';
import { contentHash } from '../../core/schemas/safe-message';
import { isSmart } from '../model/account-name';
import { nodeOf } from '../model/node';
import { passkeyTitle } from '../model/passkey-title';
import { passkeys } from '../model/passkeys';
import { useAnyWallets } from '../model/use-any-wallets';
import { useSession } from '../model/session';
import { signAsAnyPasskey, signAsPasskey, signWithAccount, signWithWallet } from '../model/sign-proposal';
import { type Account, type Chain } from '../model/types';

type Props = {
  readonly proposal: AnyProposal;
  readonly chain: Chain;
  /** The owners that have not signed. */
  readonly waiting: readonly Owner[];
  readonly isBusy: boolean;
  readonly onSign: (sign: () => Promise<OwnerSignature>) => void;
};

/** @returns The address of the key with which an account of Keystead can sign for a Safe. */
const keyFor = ({ address, options: { owner } }: Account, safe: Hex): string =>
  isSameAddress(address, safe) && typeof owner === 'string' ? owner : address;

/** A button for each way in which an owner that has not signed can sign here. */
export function SignButtons({ proposal, chain, waiting, isBusy, onSign }: Props): VNode {
  const { client, accounts } = useSession();
  const wallets = useAnyWallets();
  const node = nodeOf(chain);
  const safe = accountOf(proposal);
  const owners = waiting.map(({ address }) => address);
  const known = passkeys.read().filter(({ signer }) => isIn(owners, signer));
  const others = waiting.some(({ isContract }) => !isContract) ? wallets : [];
  const button = (key: string, text: string, sign: () => Promise<OwnerSignature>): VNode => (
    <button type="button" key={key} aria-disabled={isBusy} onClick={() => onSign(sign)}>
      {text}
    </button>
  );
  return (
    <>
      {accounts.flatMap((account) => {
        const key = keyFor(account, safe);
        const isKey = !isSmart(account) || isSameAddress(account.address, safe);
        const owner = isKey ? owners.find((each) => isSameAddress(each, key)) : undefined;
        return owner === undefined
          ? []
          : button(account.id, `Sign with ${account.name}${isSmart(account) ? '’s own key' : ''}`, () =>
              signWithAccount(proposal, account, owner, { client, chain, node }),
            );
      })}
      {known.map((passkey) =>
        button(passkey.signer, `Sign with ${passkeyTitle(passkey)}`, () => signAsPasskey(proposal, passkey, node)),
      )}
      {waiting.some(
        ({ address, isContract }) => isContract && !known.some(({ signer }) => isSameAddress(signer, address)),
      )
        ? button('passkey', 'Sign with a passkey', () => signAsAnyPasskey(proposal, owners, { chain, node }))
        : null}
      {others.map((wallet) =>
        button(wallet.id, `Sign with an account of ${wallet.name}`, () =>
          signWithWallet(proposal, owners, { wallet, chain, node }),
        ),
      )}
      {others.length === 0 || 'operation' in proposal ? null : (
        <p class="hint">
          Another wallet shows only SafeMessage with the hash of the message above. Compare it:{' '}
          <span class="address">{contentHash(proposal.content)}</span>
        </p>
      )}
    </>
  );
}
