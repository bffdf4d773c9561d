import { type VNode } from 'preact';

import { isSmart } from '../model/account-name';
import { networkOfChain } from '../model/network';
import { useViewing } from '../model/session';
import { type Account } from '../model/types';
import { Copyable } from './copyable';
import { Modal } from './modal';
import { QrCode } from './qr-code';

/** On which networks an account can be paid: what is sent to a smart account elsewhere is out of reach. */
function useWhere({ scopes, ...account }: Account): string {
  const { chains } = useViewing();
  if (!isSmart(account)) return 'Works on every Ethereum network.';
  const names = chains
    .filter(({ chainId }) => (scopes as readonly string[]).includes(chainId))
    .map((chain) => networkOfChain(chain).name);
  return names.length === 0
    ? 'Its network is not set up here. Add the network before you send anything to it.'
    : `Send to it on ${names.join(' and ')} only. On other networks, nobody can use what arrives here.`;
}

/** Shows an account's address for somebody who pays: as a QR code and as text. */
export function Receive({ account, onClose }: { readonly account: Account; readonly onClose: () => void }): VNode {
  const name = account.name;
  const where = useWhere(account);
  return (
    <Modal title={`Receive with ${name}`} onClose={onClose}>
      <QrCode text={account.address} label={`QR code of the address of ${name}`} />
      <Copyable label="Address" value={account.address} />
      <p class="hint">{where}</p>
    </Modal>
  );
}
