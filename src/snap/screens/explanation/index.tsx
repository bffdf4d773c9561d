import {
  Box,
  CollapsibleSection,
  Copyable,
  Divider,
  Heading,
  type JSXElement,
  Section,
  Text,
} from '@metamask/snaps-sdk/jsx';

import { type Explanation, type Line, type Section as Part } from '../../../core/decode/explanation';
import { MESSAGE_LINES } from '../../../core/decode/words/text';
import { AddressRow, brief, DangerBanner, group, TextRow, Warning } from '../parts';

/** The element of a component of ours. */
type Shown = ReturnType<typeof TextRow>;

const lineRow = (line: Line): Shown => {
  if (line.kind === 'address') return <AddressRow label={line.label} address={line.value} />;
  // A quotation names its source, outside the quotation marks.
  const label = line.kind === 'quote' ? `${line.label} (quoted: ${line.source})` : line.label;
  return <TextRow label={label} text={line.kind === 'quote' ? `“${line.value}”` : line.value} />;
};

/** Nested sections as a flat list with numbers: 1.1, 1.2, 1.2.1. */
function innerRows(sections: readonly Part[], prefix: string): Shown[] {
  return sections.flatMap(({ title, lines, sections: inner }, index) => {
    const number = `${prefix}${index + 1}`;
    return [
      <Box>
        <Divider />
        <Heading size="sm">{`${number}  ${title}`}</Heading>
        {lines.map(lineRow)}
      </Box>,
      ...innerRows(inner, `${number}.`),
    ];
  });
}

const sectionBox = ({ title, lines, sections }: Part, index: number): Shown => {
  const label = brief(title);
  return (
    <CollapsibleSection label={`${index + 1}  ${label}`}>
      {group(label === title ? null : <Text>{title}</Text>, lines.map(lineRow), innerRows(sections, `${index + 1}.`))}
    </CollapsibleSection>
  );
};

const WARNING = 'Warning';

/** Dangers and warnings, which come first on a screen. */
export const Cautions = ({ dangers, warnings }: Explanation): JSXElement | null =>
  group(
    dangers.map(({ text }) => <DangerBanner text={text} />),
    warnings.map((warning) => <Warning title={WARNING} text={warning} />),
  );

/** A message, line by line, in a frame that tells it from the words of the screen. */
function frame(message: string): JSXElement {
  const lines = message.split('\n');
  if (lines.length > MESSAGE_LINES) lines.push(lines.splice(MESSAGE_LINES).join('\n'));
  return (
    <Section>
      {lines.map((line) => (
        <Text>{line}</Text>
      ))}
    </Section>
  );
}

/**
 * The assets that the account gives and gets, and the permissions that it gives; who gets it; and what a message says.
 */
export const Outcome = ({ changes, main, body }: Explanation): JSXElement | null =>
  group(
    changes.map(lineRow),
    main.map(lineRow),
    body?.isMessage === true ? (
      <Box>
        <Text color="alternative">{body.label}</Text>
        {frame(body.text)}
      </Box>
    ) : null,
  );

/** The network and its fee. */
export const NetworkRows = ({ network, fee }: Explanation): JSXElement | null =>
  group(
    network === undefined ? null : <TextRow label="Network" text={network} />,
    fee === undefined ? null : <TextRow label="Network fee" text={fee} />,
  );

/** Everything else that is signed, collapsed: call by call, the remaining rows, and raw data to copy. */
export const Details = ({ lines, sections, body }: Explanation): JSXElement | null =>
  group(
    sections.map(sectionBox),
    lines.length === 0 ? null : (
      <CollapsibleSection label="Details">
        <Box>{lines.map(lineRow)}</Box>
      </CollapsibleSection>
    ),
    body === undefined || body.isMessage === true ? null : (
      <CollapsibleSection label={body.label}>
        <Copyable value={body.text} />
      </CollapsibleSection>
    ),
  );
