import { type VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { isAddress } from 'viem';

import { isSmart } from '../model/account-name';
import { contacts } from '../model/contacts';
import { InvalidFieldError } from '../model/errors';
import { networkOfChain } from '../model/network';
import { nodeOf } from '../model/node';
import {
  type Asset,
  assertAtOnce,
  assetOf,
  assetsOf,
  emptyRow,
  payerText,
  mostOf,
  readTransfers,
  type Row,
  type Transfer,
} from '../model/send';
import { useViewing } from '../model/session';
import { type Account, type Chain } from '../model/types';
import { type Usable } from '../model/usable';
import { counted, formatAmount, parseAmount, plainAmount } from '../model/units';
import { useAction } from '../model/use-action';
import { useChainTokens } from '../model/use-chain-tokens';
import { usePortfolio } from '../model/use-portfolio';
import { AccountChoice } from './account-choice';
import { ActionStatus } from './action-status';
import { Choice } from './choice';
import { Field } from './field';
import { NetworkChoice } from './total';

const MAX_CALLS = 10;

type Props = {
  readonly chain: Chain;
  /** The accounts that can send on this network, and how many cannot. */
  readonly able: readonly Usable[];
  readonly hidden: number;
  /** The address of the sending account. */
  readonly from: string;
  readonly rows: readonly Row[];
  readonly onFrom: (address: string) => void;
  readonly onRows: (rows: readonly Row[]) => void;
  readonly onReview: (transfers: readonly Transfer[], from: Usable) => Promise<void> | void;
};

type RowProps = {
  readonly row: Row;
  readonly index: number;
  readonly count: number;
  readonly assets: readonly Asset[];
  readonly suggestions: readonly { readonly value: string; readonly label: string }[];
  /** The balance of the asset; undefined while it is not known. */
  readonly balance: bigint | undefined;
  /** The error of one of the fields, if it is in this row. */
  readonly invalid: InvalidFieldError | undefined;
  readonly onChange: (row: Row) => void;
  readonly onMax: () => void;
  readonly onRemove: () => void;
};

function SendRow(props: RowProps): VNode {
  const { row, index, count, assets, suggestions, balance, invalid, onChange, onMax, onRemove } = props;
  const { symbol, decimals, token } = assetOf(row, assets);
  const fieldOf = (part: 'to' | 'amount' | 'data') => {
    const name = `${part}-${row.id}`;
    return {
      name,
      error: invalid?.field === name ? invalid.message : undefined,
      value: row[part],
      onInput: (value: string) => onChange({ ...row, [part]: value }),
    };
  };
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (invalid?.field === `data-${row.id}` && details.current !== null) details.current.open = true;
  }, [invalid]);
  return (
    <fieldset>
      <legend>{count === 1 ? 'Transfer' : `Call ${index + 1}`}</legend>
      <Field label="To" {...fieldOf('to')} placeholder="0x…, contact or ENS name" suggestions={suggestions} />
      <div class="fields">
        <Choice
          label="Token"
          name={`token-${row.id}`}
          value={row.token}
          onChange={(value) => onChange({ ...row, token: value, data: '' })}
          options={assets.map((asset) => [asset.token?.address ?? '', asset.symbol])}
        />
        <Field
          label={`Amount (${symbol})`}
          {...fieldOf('amount')}
          placeholder="0.0"
          numeric
          required={row.data === ''}
          hint={balance === undefined ? 'Balance: …' : `Balance: ${formatAmount(balance, decimals)} ${symbol}`}
        >
          <button type="button" class="small" disabled={balance === undefined} onClick={onMax}>
            Max<span class="visually-hidden"> amount of {symbol}</span>
          </button>
        </Field>
      </div>
      {token === undefined ? (
        <details ref={details}>
          <summary>Data, for a contract</summary>
          <Field label="Data" {...fieldOf('data')} placeholder="0x" required={false} />
        </details>
      ) : null}
      {count === 1 ? null : (
        <button type="button" class="quiet" onClick={onRemove}>
          Remove call {index + 1}
        </button>
      )}
    </fieldset>
  );
}

/** Says what becomes of several calls. */
const howCallsAreSent = (account: Account | undefined): string =>
  account === undefined || isSmart(account)
    ? 'All calls are one user operation: either all of them succeed or none does.'
    : 'If the account is upgraded (EIP-7702), either all calls succeed or none does. Otherwise each is a transaction of its own, one after another. Keystead asks you before it upgrades the account.';

/** The form for what to send, from where and to whom. */
export function SendForm({ chain, able, hidden, from, rows, onFrom, onRows, onReview }: Props): VNode {
  const { accounts, chains, devnet } = useViewing();
  const known = contacts.use();
  const examples = chain.chainId === devnet?.chain.chainId ? (devnet.recipients ?? []) : [];
  const tokens = useChainTokens(chain);
  const senders = able.map(({ account: each }) => each);
  const { portfolio, error } = usePortfolio(chain, senders, tokens);
  const action = useAction('Checking…');
  const assets = assetsOf(chain, tokens);
  const sender = able.find(({ account: { address } }) => address === from);
  const account = sender?.account;
  const holdings = portfolio?.[from.toLowerCase()];
  const node = nodeOf(chain);
  const balanceOf = (row: Row): bigint | undefined => {
    const index = assets.indexOf(assetOf(row, assets));
    return index === 0 ? holdings?.coin : holdings?.tokens[index - 1];
  };
  const suggestions = [
    ...accounts.map((each) => ({ value: each.address, label: `${each.name} (yours)` })),
    ...[...known, ...examples].map(({ name, address }) => ({ value: address, label: name })),
  ];
  const [invalid, setInvalid] = useState<InvalidFieldError>();
  const form = useRef<HTMLFormElement>(null);
  const count = useRef(rows.length);
  useEffect(() => {
    if (rows.length > count.current) {
      const added = form.current?.querySelector('fieldset:last-of-type');
      added?.querySelector('input')?.focus();
      added?.scrollIntoView({ block: 'nearest' });
    }
    count.current = rows.length;
  }, [rows.length]);
  useEffect(() => {
    if (invalid !== undefined) form.current?.querySelector<HTMLInputElement>(`[name="${invalid.field}"]`)?.focus();
  }, [invalid]);
  const replace = (row: Row): void => {
    setInvalid(undefined);
    onRows(rows.map((other) => (other.id === row.id ? row : other)));
  };
  const fillMost = (row: Row): void => {
    const asset = assetOf(row, assets);
    const balance = balanceOf(row);
    if (sender === undefined || balance === undefined) return;
    action.run(async () => {
      const elsewhere = rows
        .filter((other) => other.id !== row.id && other.token === row.token)
        .reduce((total, other) => total + (parseAmount(other.amount, asset.decimals) ?? 0n), 0n);
      const typed = row.to.trim();
      const to = isAddress(typed, { strict: false }) ? typed : undefined;
      const most = (await mostOf(asset, sender, chain, node, balance, to)) - elsewhere;
      replace({ ...row, amount: plainAmount(most > 0n ? most : 0n, asset.decimals) });
    });
  };
  return (
    <>
      <form
        ref={form}
        class="panel form"
        onSubmit={(event) => {
          event.preventDefault();
          setInvalid(undefined);
          action.run(async () => {
            if (sender === undefined) throw new Error('From: none of your accounts can send on this network.');
            try {
              const transfers = await readTransfers(rows, { chain, node, assets, accounts, contacts: known });
              assertAtOnce(rows, transfers, sender.account);
              await onReview(transfers, sender);
            } catch (error) {
              if (!(error instanceof InvalidFieldError)) throw error;
              setInvalid(error);
            }
          });
        }}
      >
        <div class="fields">
          <AccountChoice label="From" accounts={senders} value={from} onChange={onFrom} />
          {chains.length > 1 ? <NetworkChoice chain={chain} /> : null}
        </div>
        {rows.map((row, index) => (
          <SendRow
            key={row.id}
            row={row}
            index={index}
            count={rows.length}
            assets={assets}
            suggestions={suggestions}
            balance={balanceOf(row)}
            invalid={invalid}
            onChange={replace}
            onMax={() => fillMost(row)}
            onRemove={() => onRows(rows.filter(({ id }) => id !== row.id))}
          />
        ))}
        <p class="hint">
          {`You send on ${networkOfChain(chain).name}. `}
          {sender === undefined ? null : `${payerText(sender, chain)} `}
          {hidden === 0 ? null : `${counted(hidden, 'account')} cannot send here. `}
          {rows.length === 1 ? null : howCallsAreSent(account)}
        </p>
        <div class="actions">
          <button type="submit" class="main" aria-disabled={action.isBusy}>
            Review
          </button>
          <button
            type="button"
            disabled={rows.length >= MAX_CALLS}
            onClick={() => onRows([...rows, emptyRow(Math.max(...rows.map(({ id }) => id)) + 1)])}
          >
            Add a call
          </button>
        </div>
        {error === undefined ? null : <p class="status error">{error}</p>}
        <ActionStatus action={action} />
      </form>
    </>
  );
}
