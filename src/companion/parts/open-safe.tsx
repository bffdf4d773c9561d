import { type VNode } from 'preact';
import { type Address } from 'viem';

import { networkOfChain } from '../model/network';
import { readAddress } from '../model/read-fields';
import { linkTo } from '../model/route';
import { useSession } from '../model/session';
import { ActionForm } from './action-form';
import { Choice } from './choice';
import { Field } from './field';
import { Panel } from './panel';
import { SetUp } from './set-up';

type ByAddressProps = {
  /** What the address is of. */
  readonly label: string;
  readonly submit: string;
  readonly isMain?: boolean;
  /** The value of each network, with its name. */
  readonly networks: readonly (readonly [value: string, title: string])[];
  /** The link that shows the Safe. */
  readonly link: (safe: Address, network: string) => string;
};

/** Asks for the address of a Safe and its network, and goes there. */
export function SafeByAddress({ label, networks, link, ...button }: ByAddressProps): VNode {
  return (
    <ActionForm
      {...button}
      work={async ({ address, network = '' }) => {
        location.hash = link(readAddress(address, 'Address'), network);
      }}
    >
      <Field label={label} name="address" placeholder="0x…" />
      <Choice label="Network" name="network" options={networks} />
    </ActionForm>
  );
}

/** Opens a Safe for any of its owners, whichever wallet or passkey that is. */
export function OpenSafe(): VNode {
  const { chains } = useSession();
  return (
    <Panel id="open-safe" title="Open a Safe by its address">
      <p class="hint">
        Any owner can propose what it sends and who owns it: an account of Keystead, an account of another wallet, or a
        passkey.
      </p>
      {chains.length === 0 ? (
        <SetUp />
      ) : (
        <SafeByAddress
          label="Address of the Safe"
          submit="Open the Safe"
          networks={chains.map((chain) => [chain.chainId, networkOfChain(chain).name])}
          link={(safe, chainId) => linkTo('owners', safe, chainId)}
        />
      )}
    </Panel>
  );
}
