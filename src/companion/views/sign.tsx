import { type VNode } from 'preact';
import { useState } from 'preact/hooks';
import { type Address, numberToHex } from 'viem';
import { estimateFeesPerGas, getTransactionCount, signMessage } from 'viem/actions';

import { type TransactionParams } from '../../core/methods/types';
import { estimateGas, nodeOf } from '../model/node';
import { type RpcCall, readCall } from '../model/read-fields';
import { linkTo } from '../model/route';
import { useSession } from '../model/session';
import { type Account, type Chain } from '../model/types';
import { hexChainOf, numberOf } from '../model/units';
import { walletOf } from '../model/wallet-client';
import { useAction } from '../model/use-action';
import { AccountChoice } from '../parts/account-choice';
import { ActionForm } from '../parts/action-form';
import { Choice } from '../parts/choice';
import { Copyable } from '../parts/copyable';
import { Empty } from '../parts/empty';
import { Field } from '../parts/field';

/** Typed data to start from, on the chain given. */
const sampleTypedData = (chainId: number): string =>
  JSON.stringify(
    {
      domain: { name: 'Keystead companion', version: '1', chainId },
      primaryType: 'Note',
      types: {
        EIP712Domain: [
          { name: 'name', type: 'string' },
          { name: 'version', type: 'string' },
          { name: 'chainId', type: 'uint256' },
        ],
        Note: [
          { name: 'to', type: 'address' },
          { name: 'text', type: 'string' },
        ],
      },
      message: { to: '0x000000000000000000000000000000000000dEaD', text: 'Hello' },
    },
    null,
    2,
  );

/** Adds the nonce, gas limit and fees that the chain would accept now. */
async function fillTransaction(call: RpcCall & { readonly from: Address }, chain: Chain): Promise<object> {
  const { from, to, value, data } = call;
  const node = nodeOf(chain);
  const [nonce, gasLimit, { maxFeePerGas, maxPriorityFeePerGas }] = await Promise.all([
    getTransactionCount(node, { address: from, blockTag: 'pending' }),
    estimateGas(node, { from, to, value: BigInt(value), data }),
    estimateFeesPerGas(node),
  ]);
  const quantities = { nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas };
  return {
    type: '0x2',
    chainId: hexChainOf(chain.chainId),
    ...Object.fromEntries(Object.entries(quantities).map(([name, value]) => [name, numberToHex(value)])),
    accessList: [],
    ...call,
  };
}

/**
 * The chain that a smart account signs on. Undefined for an externally owned account: its signature fits every chain.
 */
const chainToSignOn = ({ type, scopes }: Account, chains: readonly Chain[]): string | undefined =>
  type === 'eip155:erc4337'
    ? (chains.find(({ chainId }) => scopes.includes(chainId))?.chainId ?? scopes[0])
    : undefined;

/** The method that an account must have for each kind of signature. */
const METHODS = {
  message: 'personal_sign',
  typed: 'eth_signTypedData_v4',
  transaction: 'eth_signTransaction',
} as const;
type Kind = keyof typeof METHODS;

/** Signs without sending, and shows the signature. */
export function Sign({ address }: { readonly address: string | undefined }): VNode {
  const { client, accounts, chains } = useSession();
  const [kind, setKind] = useState<Kind>('message');
  const [signature, setSignature] = useState<string>();
  const action = useAction();
  const [chain] = chains;
  const able = accounts.filter(({ methods }) => (methods as readonly string[]).includes(METHODS[kind]));
  const offered = able.find((account) => account.address === address) ?? able[0];
  const sampled = (offered && chainToSignOn(offered, chains)) ?? chain?.chainId;
  if (accounts.length === 0)
    return (
      <Empty heading="Sign" title="No accounts yet" next={['Create an account', linkTo('add-account')]}>
        <p>Create an account to sign with.</p>
      </Empty>
    );

  const sign = async (values: Readonly<Record<string, string>>): Promise<unknown> => {
    const account = able.find(({ address: each }) => each === values.account);
    if (account === undefined) throw new Error('None of your accounts can sign this. See the note below.');
    const from = account.address as Address;
    // Report wrong input before the wallet asks anything.
    const call = kind === 'transaction' ? { ...readCall(values), from } : undefined;
    if (call !== undefined && chain === undefined)
      throw new Error('Add a network first: its node supplies the nonce and the fees.');
    await client.useAccount(from);
    const signedOn = chainToSignOn(account, chains);
    if (signedOn !== undefined) await client.useChain(hexChainOf(signedOn));
    const wallet = walletOf(client);
    if (kind === 'message') return signMessage(wallet, { account: from, message: values.message ?? '' });
    // As it was entered: viem's own action would complete it.
    if (call === undefined || chain === undefined)
      return wallet.request({ method: 'eth_signTypedData_v4', params: [from, values.typed ?? ''] });
    const transaction = await fillTransaction(call, chain);
    return { ...transaction, ...(await client.dapp('eth_signTransaction', [transaction as TransactionParams])) };
  };
  return (
    <>
      <h1>Sign</h1>
      <ActionForm
        action={action}
        submit="Sign"
        isMain
        class="panel form"
        below={signature === undefined ? null : <Copyable label="Signature" value={signature} />}
        work={async (values) => {
          setSignature(undefined);
          const result = await sign(values);
          setSignature(typeof result === 'string' ? result : JSON.stringify(result, null, 2));
          return 'Signed.';
        }}
      >
        <div class="fields">
          <AccountChoice label="Account" accounts={able} value={address} />
          <Choice
            label="What to sign"
            name="kind"
            value={kind}
            onChange={(value) => {
              setKind(value as Kind);
              setSignature(undefined);
              action.forget();
            }}
            options={[
              ['message', 'Message'],
              ['typed', 'Typed data'],
              ['transaction', 'Transaction, without sending'],
            ]}
          />
        </div>
        {kind === 'message' ? <Field label="Message" name="message" rows={4} value="Hello from Keystead" /> : null}
        {kind === 'typed' ? (
          <Field
            label="Typed data"
            name="typed"
            rows={12}
            value={sampleTypedData(sampled === undefined ? 1 : Number(numberOf(sampled)))}
            hint="EIP-712 JSON"
          />
        ) : null}
        {kind === 'transaction' ? (
          <>
            <Field label="To" name="to" placeholder="0x…" />
            <Field label="Amount (ETH)" name="value" value="0" />
            <Field label="Data" name="data" value="0x" required={false} />
          </>
        ) : null}
      </ActionForm>
      <p class="hint">
        A SimpleAccount cannot verify signatures (ERC-1271), so it is not listed here; a Safe can. To act with a smart
        account, <a href={linkTo('send')}>send a user operation</a>.
      </p>
    </>
  );
}
