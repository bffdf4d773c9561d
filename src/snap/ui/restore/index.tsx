import { Box, Button, Divider, Heading, type JSXElement, Section, Text } from '@metamask/snaps-sdk/jsx';

import { type Hex } from '../../../core/eth/bytes';
import { chainChanges } from '../../../core/decode/chain-configuration';
import { ownName, visible } from '../../../core/decode/text';
import { type ChainConfiguration } from '../../../core/schemas/chain-configuration';
import { AddressRow, OriginRow, TextRow } from '../parts';

/** A page holds no more entries, nor characters unless one entry has more: the wallet limits the text of a screen. */
const MAX_ROWS = 50;
const MAX_TEXT = 20_000;

/** What the names of the buttons that turn pages begin with. */
export const PAGE = 'page:';

type Account = { readonly address: Hex; readonly name: string; readonly isImported: boolean };

type Plan = {
  /** What will be added, and nothing else. */
  readonly accounts: readonly Account[];
  readonly chains: readonly ChainConfiguration[];
  /** What will not be, and why. */
  readonly skipped: readonly { readonly what: string; readonly reason: string }[];
};

/** One account or chain of the backup, as a page shows it. */
type Entry = { readonly address?: Hex; readonly lines: readonly string[] };

const entriesOf = ({ accounts, chains, skipped }: Plan): Entry[] => [
  ...accounts.map(({ address, name, isImported }) => ({
    address,
    lines: [
      ownName(name),
      isImported ? 'Its private key is in the backup.' : 'Its key comes from your recovery phrase.',
    ],
  })),
  ...chains.map((chain) => ({
    lines: [
      `Chain ${chain.chainId}`,
      ...chainChanges(undefined, chain).map(({ label, after }) => `${label}: ${visible(after)}`),
    ],
  })),
  ...skipped.map(({ what, reason }) => ({ lines: [`Not added: ${visible(what)}`, visible(reason)] })),
];

/** @returns All of what a restoration adds and leaves out, in pages that a screen can hold; at least one. */
export function restorePages(plan: Plan): Entry[][] {
  const pages: Entry[][] = [[]];
  let room = MAX_TEXT;
  for (const entry of entriesOf(plan)) {
    const length = entry.lines.join('').length;
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
  readonly cid: string;
  readonly url: string;
  readonly createdAt: string;
  readonly pages: readonly (readonly Entry[])[];
  /** Which one is shown, from 0. */
  readonly page: number;
};

const turn = (to: number, title: string, pages: Props['pages']): JSXElement | null =>
  pages[to] === undefined ? null : <Button name={`${PAGE}${to}`}>{title}</Button>;

/** Before a backup is restored: what will be added, page by page. */
export const RestoreScreen = (props: Props): JSXElement => {
  const { origin, cid, url, createdAt, accounts, chains, skipped, pages, page } = props;
  return (
    <Box>
      <Heading>Restore a backup</Heading>
      <OriginRow origin={origin} />
      <TextRow label="Made" text={createdAt} />
      <TextRow label="Comes from" text={visible(url)} />
      <Text>{`CID: ${cid}`}</Text>
      <Text>This will be added. What you have stays as it is.</Text>
      <Divider />
      <Text>{`Accounts: ${accounts.length}`}</Text>
      <Text>{`Chains: ${chains.length}`}</Text>
      {skipped.length === 0 ? null : <Text>{`Not added: ${skipped.length}`}</Text>}
      {pages.length === 1 ? null : (
        <Text>{`Page ${page + 1} of ${pages.length}. If you agree, all pages are added: look at each.`}</Text>
      )}
      {(pages[page] ?? []).map(({ address, lines }) => (
        <Section>
          {address === undefined ? null : <AddressRow label="Address" address={address} />}
          {lines.map((line) => (
            <Text>{line}</Text>
          ))}
        </Section>
      ))}
      {turn(page - 1, 'Page before', pages)}
      {turn(page + 1, 'Next page', pages)}
    </Box>
  );
};
