import {
  Box,
  Divider,
  type GenericSnapElement,
  Heading,
  type JSXElement,
  Section,
  Text,
} from '@metamask/snaps-sdk/jsx';

import { visible } from '../../../core/decode/words/text';
import { counted } from '../../../core/eth/units';
import { type Kept } from '../../../core/ledger/signed/kept';
import { AddressRow, TextRow } from '../parts';

/** Signatures that others can use. */
export type HomeSigned = {
  readonly open: readonly {
    readonly kept: Kept;
    readonly accountName: string;
    readonly networkTitle: string;
    readonly at: string;
    readonly until: string;
  }[];
  /** How many others a node calls used or cancelled, and the nodes. */
  readonly gone: number;
  readonly nodes: readonly string[];
  readonly dropped: number;
};

/** What an edition knows of signatures, and what it adds to the list. */
export type SignedWords = {
  readonly about: string;
  /** What happened at the time that is shown. */
  readonly when: string;
  /** After each. */
  readonly more?: (kept: Kept) => readonly GenericSnapElement[];
  /** After all of them. */
  readonly end?: readonly GenericSnapElement[];
};

const GIVEN: SignedWords = {
  about:
    "Whoever has these signatures can use them without asking you. Keystead's page checks on the network which were used, and cancels them. Until it does, used ones are listed too.",
  when: 'Signed',
};

/** The page shows no more. Further ones are counted. */
const MAX_SHOWN = 20;

/** Signatures that others can use, with their ends; nothing if there are none. */
export const signedSections = (
  { open, gone, nodes, dropped }: HomeSigned,
  { about, when, more, end }: SignedWords = GIVEN,
): JSXElement | null =>
  open.length + gone + dropped === 0 ? null : (
    <Box>
      <Heading>Signed and may still count</Heading>
      <Text>{about}</Text>
      {open.slice(0, MAX_SHOWN).map(({ kept, accountName, networkTitle, at, until }) => (
        <Section>
          <Text fontWeight="bold">{visible(kept.title)}</Text>
          <AddressRow label={accountName} address={kept.account} />
          {kept.forSafe === undefined ? null : <AddressRow label="For the Safe" address={kept.forSafe.address} />}
          <TextRow label="Network" text={networkTitle} />
          <TextRow label="Site" text={visible(kept.origin)} />
          <TextRow label={when} text={at} />
          <TextRow label="Can be used until" text={until} />
          {more?.(kept) ?? null}
        </Section>
      ))}
      {open.length > MAX_SHOWN ? <Text>{`and ${open.length - MAX_SHOWN} more`}</Text> : null}
      {gone === 0 ? null : (
        <Text>{`${counted(gone, 'more signature')} used or cancelled, according to ${visible(nodes.join(', '))}.`}</Text>
      )}
      {dropped === 0 ? null : (
        <Text>{`${counted(dropped, 'older signature')} may still count too, but there was no room to keep more.`}</Text>
      )}
      {end ?? null}
      <Divider />
    </Box>
  );
