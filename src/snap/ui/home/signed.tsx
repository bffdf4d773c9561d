import { Box, Divider, Heading, type JSXElement, Section, Text } from '@metamask/snaps-sdk/jsx';

import { visible } from '../../../core/decode/words/text';
import { type Hex } from '../../../core/eth/bytes';
import { counted } from '../../../core/eth/units';
import { AddressRow, TextRow } from '../parts';

/** Signatures that others can use. */
export type HomeSigned = {
  readonly open: readonly {
    readonly account: Hex;
    readonly accountName: string;
    readonly title: string;
    readonly networkTitle: string;
    readonly origin: string;
    readonly signedAt: string;
    readonly until: string;
  }[];
  /** How many others a node calls used or cancelled, and the nodes. */
  readonly gone: number;
  readonly nodes: readonly string[];
  readonly dropped: number;
};

/** The page shows no more. Further ones are counted. */
const MAX_SHOWN = 20;

/** Signatures that others can use, with their ends; nothing if there are none. */
export const signedSections = ({ open, gone, nodes, dropped }: HomeSigned): JSXElement | null =>
  open.length + gone + dropped === 0 ? null : (
    <Box>
      <Divider />
      <Heading>Signed and may still count</Heading>
      <Text>
        Whoever has these signatures can use them without asking you. Keystead's page checks on the network which were
        used, and cancels them. Until it does, used ones are listed too.
      </Text>
      {open.slice(0, MAX_SHOWN).map(({ account, accountName, title, networkTitle, origin, signedAt, until }) => (
        <Section>
          <Text fontWeight="bold">{visible(title)}</Text>
          <AddressRow label={accountName} address={account} />
          <TextRow label="Network" text={networkTitle} />
          <TextRow label="Site" text={visible(origin)} />
          <TextRow label="Signed" text={signedAt} />
          <TextRow label="Can be used until" text={until} />
        </Section>
      ))}
      {open.length > MAX_SHOWN ? <Text>{`and ${open.length - MAX_SHOWN} more`}</Text> : null}
      {gone === 0 ? null : (
        <Text>{`${counted(gone, 'more signature')} used or cancelled, according to ${visible(nodes.join(', '))}.`}</Text>
      )}
      {dropped === 0 ? null : (
        <Text>{`${counted(dropped, 'older signature')} may still count too, but there was no room to keep more.`}</Text>
      )}
    </Box>
  );
