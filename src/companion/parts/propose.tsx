import { type VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Address } from 'viem';

import { type Call } from '../../core/erc4337/user-operation';
import { contacts } from '../model/contacts';
import { InvalidFieldError, messageOf } from '../model/errors';
import { nodeOf } from '../model/node';
import { prepareOperation } from '../model/passkey-operation';
import { keepProposal } from '../model/proposals';
import { linkTo } from '../model/route';
import { type SafeState } from '../model/safe';
import { assetsOf, emptyRow, readTransfers } from '../model/send';
import { useSession } from '../model/session';
import { type Chain } from '../model/types';
import { useChainTokens } from '../model/use-chain-tokens';
import { ActionForm } from './action-form';
import { BackButton } from './action-button';
import { Choice } from './choice';
import { Field } from './field';
import { LookupStatus } from './lookup-status';
import { Panel } from './panel';

type Props = { readonly safe: Address; readonly current: SafeState; readonly chain: Chain };

/** Prepares an operation and keeps it in this browser. @returns The link to it. */
async function propose({ safe, current, chain }: Props, calls: readonly Call[]): Promise<string> {
  const proposal = await prepareOperation(safe, current, calls, chain);
  await keepProposal(proposal, { isOwn: true });
  return linkTo('proposals', 'show', proposal.hash);
}

/** Prepares a change of the owners, then opens the proposal, which any owner can sign. */
export function ProposeCall({ call, onBack, ...props }: Props & { readonly call: Call; readonly onBack: () => void }) {
  const [error, setError] = useState<string>();
  useEffect(() => {
    propose(props, [call]).then(
      (link) => {
        location.hash = link;
      },
      (thrown: unknown) => setError(messageOf(thrown)),
    );
  }, []);
  return (
    <>
      <LookupStatus error={error} />
      {error === undefined ? null : <BackButton onBack={onBack} />}
    </>
  );
}

/** Proposes a payment of a Safe to its owners. */
export function ProposePayment(props: Props): VNode {
  const { chain } = props;
  const { accounts } = useSession();
  const known = contacts.use();
  const assets = assetsOf(chain, useChainTokens(chain));
  const [error, setError] = useState<InvalidFieldError>();
  const errorOf = (field: string): string | undefined => (error?.field === field ? error.message : undefined);
  const read = async ({ to = '', token = '', amount = '' }: Readonly<Record<string, string>>): Promise<undefined> => {
    const place = { chain, node: nodeOf(chain), assets, accounts, contacts: known };
    try {
      const transfers = await readTransfers([{ ...emptyRow(0, token), to, amount }], place);
      location.hash = await propose(
        props,
        transfers.map(({ call }) => call),
      );
    } catch (thrown) {
      if (!(thrown instanceof InvalidFieldError)) throw thrown;
      setError(thrown);
    }
  };
  return (
    <Panel id="propose" title="Propose a payment">
      <ActionForm
        busyText="Asking the network…"
        submit="Propose"
        isMain
        work={async (values) => {
          setError(undefined);
          return read(values);
        }}
      >
        <Field label="To" name="to" placeholder="0x…, contact or ENS name" error={errorOf('to-0')} />
        <Choice
          label="Token"
          name="token"
          options={assets.map(({ token, symbol }) => [token?.address ?? '', symbol])}
        />
        <Field label="Amount" name="amount" numeric error={errorOf('amount-0')} />
        <p class="hint">The account pays the network fee.</p>
      </ActionForm>
    </Panel>
  );
}
