import { type VNode } from 'preact';
import { encode } from 'uqr';

import { isSmart } from '../model/account-name';
import { networkOfChain } from '../model/network';
import { useSession } from '../model/session';
import { type Account } from '../model/types';
import { Copyable } from './copyable';
import { Modal } from './modal';

/** A QR code of a text, dark on white in every theme, because scanners need it so. */
function QrCode({ text, label }: { readonly text: string; readonly label: string }): VNode {
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

/** On which networks an account can be paid: what is sent to a smart account elsewhere is out of reach. */
function useWhere({ scopes, ...account }: Account): string {
  const { chains } = useSession();
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
