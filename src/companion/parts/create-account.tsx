import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { recommendedKind } from '../../core/accounts/choices';
import { useChosenChain } from '../model/chosen-chain';
import { COMMON_KINDS, createAccount, optionsFor, OTHER_KINDS } from '../model/create-account';
import { networkOfChain } from '../model/network';
import { linkTo } from '../model/route';
import { useSession } from '../model/session';
import { useAction } from '../model/use-action';
import { ActionForm } from './action-form';
import { Choice } from './choice';
import { Field } from './field';
import { Panel } from './panel';

type KindsProps = { readonly kind: string; readonly recommended: string; readonly onChoose: (kind: string) => void };

/** The kinds of account, and what each cannot do. */
export function KindChoice({ kind, recommended, onChoose }: KindsProps): VNode {
  const choice = ({ value, title, hint, limits }: (typeof COMMON_KINDS)[number]): VNode => (
    <label key={value} class="choice card-choice">
      <input type="radio" name="kind" value={value} checked={kind === value} onChange={() => onChoose(value)} />
      <span>
        {title} {value === recommended ? <span class="badge">Recommended</span> : null}
        <span class="hint">{hint}</span>
        <span class="hint">{limits}</span>
      </span>
    </label>
  );
  return (
    <fieldset>
      <legend>Account type</legend>
      {COMMON_KINDS.map(choice)}
      <details open={OTHER_KINDS.some(({ value }) => value === kind)}>
        <summary>Other kinds</summary>
        {OTHER_KINDS.map(choice)}
      </details>
    </fieldset>
  );
}

/** The network of a smart account. Nothing to choose with one network. */
export function ChainOfAccount({ kind }: { readonly kind: string }): VNode | null {
  const { chains } = useSession();
  const chosen = useChosenChain();
  if (kind === 'eoa' || chains.length < 2) return null;
  return (
    <Choice
      label="Network of the account"
      name="chainId"
      value={chosen?.chainId}
      options={chains.map((chain) => [chain.chainId, networkOfChain(chain).name])}
    />
  );
}

/** @returns Creates an account with a label, and returns its name. @param onCreated - Called with its address. */
export function useCreate(onCreated?: (address: string) => void) {
  const { client, refresh } = useSession();
  return async (options: Parameters<typeof createAccount>[1], label: string): Promise<string> => {
    const { id } = await createAccount(client, options, label);
    const created = (await refresh()).accounts.find((account) => account.id === id);
    if (created !== undefined) onCreated?.(created.address);
    return created?.name ?? 'the account';
  };
}

/** Creates an account from the recovery phrase. @param onCreated - Called with the new account's address. */
export function CreateAccount({ onCreated }: { readonly onCreated?: (address: string) => void }): VNode {
  const { chains } = useSession();
  const create = useCreate(onCreated);
  const recommended = recommendedKind(useChosenChain());
  const [chosen, setChosen] = useState<string>();
  const kind = chosen ?? recommended;
  const [made, setMade] = useState(0);
  const action = useAction();
  return (
    <Panel id="create" title="New account">
      <p class="hint">Your recovery phrase restores it, at the same address.</p>
      <ActionForm
        action={action}
        submit="Create account"
        isMain
        beside={chains.length === 0 ? <a href={linkTo('settings')}>Add a network to create smart accounts</a> : null}
        work={async ({ chainId = chains[0]?.chainId, label = '' }) => {
          const name = await create(optionsFor(kind, chainId), label);
          setMade(made + 1);
          return `Created ${name}.`;
        }}
      >
        <KindChoice
          kind={kind}
          recommended={recommended}
          onChoose={(value) => {
            setChosen(value);
            action.forget();
          }}
        />
        <ChainOfAccount kind={kind} />
        <Field
          key={made}
          label="Name (optional)"
          name="label"
          required={false}
          hint="At most 64 characters. You can change it later."
        />
      </ActionForm>
    </Panel>
  );
}
