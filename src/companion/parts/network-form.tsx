import { type VNode } from 'preact';
import { ActionForm } from './action-form';
import { Choice } from './choice';
import { BundlerField, NodeField, UrlField } from './url-field';

import { type ChainSettings } from '../../core/methods/types';
import { ACCOUNT_VERSIONS } from '../../core/erc4337/entry-points';
import { NETWORK_CHOICES, networkSettings } from '../model/network-settings';
import { useSession } from '../model/session';
import { type Chain } from '../model/types';
import { Field } from './field';

/** Adds a network, or edits one. The snap shows the change and asks first. */
export function NetworkForm({ chain }: { readonly chain?: Chain }): VNode {
  const { client, refresh } = useSession();
  const { rpcUrl, secondRpcUrl, bundlerUrl, entryPointVersion = '0.7', paymasterUrl } = chain ?? {};
  const { name, symbol, explorerUrl } = chain ?? {};
  return (
    <ActionForm
      submit={chain === undefined ? 'Add network' : 'Save network'}
      isMain
      work={async (values) => {
        // The snap says what is missing.
        await client.dapp('keystead_setChain', networkSettings(values, chain) as ChainSettings);
        await refresh();
        return 'Network saved.';
      }}
    >
      {chain === undefined ? (
        <Field
          label="Network name or chain ID"
          name="network"
          placeholder="Ethereum"
          suggestions={NETWORK_CHOICES}
          hint="Choose it from the list, or enter its number"
        />
      ) : null}
      <NodeField value={rpcUrl} />
      <BundlerField value={bundlerUrl} hint="ERC-7769, on the same network; smart accounts cannot send without one" />
      <details>
        <summary>More settings</summary>
        <UrlField
          label="Second node (RPC URL)"
          name="secondRpcUrl"
          value={secondRpcUrl}
          hint="Of another operator: a node that lies about a recovery is then noticed"
        />
        <div class="fields">
          <Choice
            label="Entry point"
            name="entryPointVersion"
            value={entryPointVersion}
            options={ACCOUNT_VERSIONS.map((version) => [version, version])}
          />
          <Field
            label="Paymaster URL"
            name="paymasterUrl"
            required={false}
            value={paymasterUrl}
            hint="ERC-7677, optional"
          />
        </div>
        <div class="fields">
          <Field
            label="Network name"
            name="name"
            required={false}
            value={name}
            hint="Optional; networks in the list keep their names"
          />
          <Field label="Currency symbol" name="symbol" required={false} value={symbol} placeholder="ETH" />
        </div>
        <UrlField label="Block explorer" name="explorerUrl" value={explorerUrl} />
      </details>
    </ActionForm>
  );
}
