import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { linkTo } from '../model/route';
import { rpc } from '../model/json-rpc';
import { readCall } from '../model/read-fields';
import { useSession } from '../model/session';
import { type CallsStatus, type Chain } from '../model/types';
import { hexChainOf } from '../model/units';
import { useAction } from '../model/use-action';
import { AccountChoice } from '../parts/account-choice';
import { ActionStatus } from '../parts/action-status';
import { Empty } from '../parts/empty';
import { Choice, Field, valuesOf } from '../parts/field';
import { SentCalls } from '../parts/sent-calls';

const MAX_CALLS = 10;

/** Reads a transaction's receipt as the status of a batch of one call (EIP-5792). */
async function transactionStatus(chain: Chain, hash: string): Promise<CallsStatus> {
  const receipt = await rpc<NonNullable<CallsStatus['receipts']>[number] | null>(
    chain.rpcUrl,
    'eth_getTransactionReceipt',
    [hash],
  );
  if (receipt === null) return { id: hash, status: 100 };
  return { id: hash, status: receipt.status === '0x1' ? 200 : 500, receipts: [receipt] };
}

/** Sends a transaction or a batch of calls, and follows it to its receipts. */
export function Send({ address }: { readonly address: string | undefined }): VNode {
  const { client, accounts, chains } = useSession();
  const [rows, setRows] = useState<readonly number[]>([0]);
  const [sent, setSent] = useState<{ readonly id: string; readonly lookUp: () => Promise<CallsStatus> }>();
  const action = useAction();
  const [first] = chains;
  if (accounts.length === 0 || first === undefined)
    return (
      <>
        <h1>Send</h1>
        <Empty title={accounts.length === 0 ? 'No accounts yet' : 'No networks yet'}>
          <p>{accounts.length === 0 ? 'Create an account to send from.' : 'Add a network to send on.'}</p>
          <a class="button" href={linkTo(accounts.length === 0 ? 'accounts' : 'settings')}>
            {accounts.length === 0 ? 'Create an account' : 'Add a network'}
          </a>
        </Empty>
      </>
    );

  const send = async (values: Readonly<Record<string, string>>): Promise<string> => {
    const { account = '' } = values;
    const chain = chains.find(({ chainId }) => chainId === values.chainId) ?? first;
    const calls = rows.map((row, index) => {
      const fields = { to: values[`to-${row}`], value: values[`value-${row}`], data: values[`data-${row}`] };
      return readCall(fields, rows.length === 1 ? '' : ` (call ${index + 1})`);
    });
    const chainId = hexChainOf(chain.chainId);
    await client.useAccount(account);
    await client.useChain(chainId);
    const [only] = calls;
    // A bundler's transaction carries many user operations and succeeds even if one of them fails, so for a smart
    // account only the batch's status tells the outcome.
    const isSmart = accounts.some((one) => one.address === account && one.type === 'eip155:erc4337');
    if (calls.length === 1 && only !== undefined && !isSmart) {
      const hash = await client.dapp<string>('eth_sendTransaction', [{ from: account, ...only }]);
      setSent({ id: hash, lookUp: () => transactionStatus(chain, hash) });
    } else {
      const request = { version: '2.0.0', from: account, chainId, atomicRequired: false, calls };
      const { id } = await client.dapp<{ id: string }>('wallet_sendCalls', [request]);
      setSent({ id, lookUp: () => client.dapp<CallsStatus>('wallet_getCallsStatus', [id]) });
    }
    return 'Sent.';
  };
  return (
    <>
      <h1>Send</h1>
      <form
        class="panel form"
        onSubmit={(event) => {
          event.preventDefault();
          const values = valuesOf(event.currentTarget);
          setSent(undefined);
          action.run(() => send(values));
        }}
      >
        <div class="fields">
          <AccountChoice label="From" accounts={accounts} value={address} />
          <Choice label="Network" name="chainId">
            {chains.map(({ chainId }) => (
              <option key={chainId} value={chainId}>
                {chainId}
              </option>
            ))}
          </Choice>
        </div>
        {rows.map((row, index) => (
          <fieldset key={row}>
            <legend>{rows.length === 1 ? 'Transaction' : `Call ${index + 1}`}</legend>
            <Field label="To" name={`to-${row}`} placeholder="0x…" />
            <div class="fields">
              <Field label="Amount (ETH)" name={`value-${row}`} value="0" />
              <Field label="Data" name={`data-${row}`} value="0x" required={false} />
            </div>
            {rows.length === 1 ? null : (
              <button
                type="button"
                class="quiet"
                onClick={() => {
                  setRows(rows.filter((each) => each !== row));
                }}
              >
                Remove call {index + 1}
              </button>
            )}
          </fieldset>
        ))}
        <div class="actions">
          <button type="submit" class="main" aria-disabled={action.isBusy}>
            {rows.length === 1 ? 'Send transaction' : `Send ${rows.length} calls`}
          </button>
          <button
            type="button"
            disabled={rows.length >= MAX_CALLS}
            onClick={() => {
              setRows([...rows, Math.max(...rows) + 1]);
            }}
          >
            Add a call
          </button>
        </div>
        <ActionStatus action={action} />
        {sent === undefined ? null : <SentCalls key={sent.id} id={sent.id} lookUp={sent.lookUp} />}
      </form>
      <p class="hint">
        A smart account sends all calls in one user operation: either all of them succeed or none does. An externally
        owned account sends each call as its own transaction, one after another.
      </p>
    </>
  );
}
