import { Button, Divider, Heading, type JSXElement, Section, Text } from '@metamask/snaps-sdk/jsx';

import { type Hex } from '../../../core/eth/bytes';
import { chainChanges } from '../../../core/networks/chain-changes';
import { networkTitle } from '../../../core/networks/network';
import { chainIdOf, type ChainName } from '../../../core/schemas/chain';
import { ownName, visible } from '../../../core/decode/words/text';
import { type Contact } from '../../../core/accounts/contact';
import { type ChainConfiguration } from '../../../core/schemas/chain-configuration';
import { accountRows, OriginRow, Screen, SettingRow, TextRow } from '../parts';

/** Limits of a page, since the wallet limits the text of a screen. An entry that exceeds MAX_TEXT gets its own page. */
const MAX_ROWS = 50;
const MAX_TEXT = 20_000;

/** The prefix of the names of the paging buttons; the page number follows. */
export const PAGE = 'page:';

type Account = { readonly address: Hex; readonly name: string; readonly isImported: boolean };

type Plan = {
  /** Everything that will be added. */
  readonly accounts: readonly Account[];
  readonly chains: readonly ChainConfiguration[];
  readonly contacts: readonly (Contact & { readonly before: string | undefined })[];
  readonly tokens: readonly { readonly chainId: ChainName; readonly address: Hex; readonly symbol: string }[];
  /** Signatures that others can use. */
  readonly signed: readonly { readonly account: Hex; readonly title: string; readonly origin: string }[];
  /** The accounts that get another name. */
  readonly renamed: readonly { readonly address: Hex; readonly before: string; readonly name: string }[];
  /** The entries that will not be added, and why. */
  readonly skipped: readonly { readonly what: string; readonly reason: string }[];
};

/** An account or network of the backup, as a page shows it. */
type Entry = {
  readonly account?: Account;
  readonly rows?: readonly { readonly label: string; readonly value: string }[];
  readonly note?: string;
};

const entriesOf = ({ accounts, chains, contacts, renamed, signed, tokens, skipped }: Plan): Entry[] => [
  ...accounts.map((account) => ({
    account,
    note: account.isImported ? 'Its private key is in the backup.' : 'Its key comes from your recovery phrase.',
  })),
  ...chains.map((chain) => ({
    rows: [
      { label: 'Network', value: networkTitle(chainIdOf(chain.chainId), chain) },
      ...chainChanges(undefined, chain).map(({ label, after }) => ({ label, value: after })),
    ],
  })),
  ...renamed.map(({ address, before, name }) => ({
    rows: [
      { label: 'New name', value: ownName(name) },
      { label: 'Old name', value: before },
      { label: 'Address', value: address },
    ],
  })),
  ...contacts.map(({ address, before, name }) => ({
    rows: [
      { label: 'Contact', value: ownName(name) },
      ...(before === undefined ? [] : [{ label: 'Old name', value: ownName(before) }]),
      { label: 'Address', value: address },
    ],
  })),
  ...tokens.map(({ address, chainId, symbol }) => ({
    rows: [
      { label: 'Watched token', value: symbol },
      { label: 'Network', value: networkTitle(chainIdOf(chainId)) },
      { label: 'Token contract', value: address },
    ],
  })),
  ...signed.map(({ account, title, origin }) => ({
    rows: [
      { label: 'Signed', value: visible(title) },
      { label: 'Account', value: account },
      { label: 'Site', value: visible(origin) },
    ],
  })),
  ...skipped.map(({ what, reason }) => ({ rows: [{ label: 'Not added', value: what }], note: visible(reason) })),
];

/** @returns Everything that a restore adds or leaves out, split into pages that fit a screen; at least one page. */
export function restorePages(plan: Plan): Entry[][] {
  const pages: Entry[][] = [[]];
  let room = MAX_TEXT;
  for (const entry of entriesOf(plan)) {
    const { length } = JSON.stringify(entry);
    const page = pages.at(-1);
    if (page === undefined || (page.length > 0 && (page.length >= MAX_ROWS || length > room))) {
      pages.push([entry]);
      room = MAX_TEXT;
    } else page.push(entry);
    room -= length;
  }
  return pages;
}

type Props = Plan & {
  readonly origin: string;
  /** Undefined for a file that the page has. */
  readonly source: { readonly cid: string; readonly url: string } | undefined;
  readonly createdAt: string;
  readonly pages: readonly (readonly Entry[])[];
  /** The page that is shown, from 0. */
  readonly page: number;
};

const pageButton = (to: number, title: string, pages: Props['pages']): JSXElement | null =>
  pages[to] === undefined ? null : <Button name={`${PAGE}${to}`}>{title}</Button>;

/** What is counted at the top of the screen. */
const COUNTED = [
  ['accounts', 'Accounts'],
  ['chains', 'Networks'],
  ['renamed', 'New names'],
  ['contacts', 'Contacts'],
  ['tokens', 'Watched tokens'],
  ['signed', 'Signatures that may still count'],
  ['skipped', 'Not added'],
] as const satisfies (readonly [keyof Plan, string])[];

/** Asks before a backup is restored. Shows what will be added, page by page. */
export const RestoreScreen = (props: Props): JSXElement => {
  const { origin, source, createdAt, pages, page } = props;
  return (
    <Screen>
      <Heading>Restore a backup</Heading>
      <OriginRow origin={origin} />
      <TextRow label="Created" text={createdAt} />
      {source === undefined ? (
        <TextRow label="From" text="a file" />
      ) : (
        <TextRow label="Storage service" text={visible(source.url)} />
      )}
      {source === undefined ? null : <TextRow label="CID" text={source.cid} />}
      <Text>
        The following will be added. Your existing accounts and settings do not change, except for these names.
      </Text>
      <Divider />
      {COUNTED.map(([part, label]) =>
        props[part].length === 0 ? null : <TextRow label={label} text={`${props[part].length}`} />,
      )}
      {pages.length === 1 ? null : (
        <Text>{`Page ${page + 1} of ${pages.length}. If you approve, everything on all pages is added. Check each page.`}</Text>
      )}
      {(pages[page] ?? []).map(({ account, rows = [], note }) => (
        <Section>
          {account === undefined ? null : accountRows(account)}
          {rows.map(SettingRow)}
          {note === undefined ? null : <Text>{note}</Text>}
        </Section>
      ))}
      {pageButton(page - 1, 'Previous page', pages)}
      {pageButton(page + 1, 'Next page', pages)}
    </Screen>
  );
};
