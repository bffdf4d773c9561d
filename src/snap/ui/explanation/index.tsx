import { Box, Copyable, Divider, Heading, type JSXElement, Text } from '@metamask/snaps-sdk/jsx';

import { type Explanation, type Line, type Section } from '../../../core/decode/types';
import { AddressRow, DangerBanner, TextRow, Warning } from '../parts';

const lineRow = (line: Line): JSXElement => {
  if (line.kind === 'address') return <AddressRow label={line.label} address={line.value} />;
  // A quotation names its source, outside the quotation marks.
  const label = line.kind === 'quote' ? `${line.label} (quoted: ${line.source})` : line.label;
  return <TextRow label={label} text={line.kind === 'quote' ? `“${line.value}”` : line.value} />;
};

/** Nested sections as a flat list with numbers: 1, 1.1, 1.2. */
function sectionRows(sections: readonly Section[], prefix: string): JSXElement[] {
  return sections.flatMap(({ title, lines, sections: inner }, index) => {
    const number = `${prefix}${index + 1}`;
    return [
      <Box>
        <Divider />
        <Heading size="sm">{`${number}  ${title}`}</Heading>
        {lines.map(lineRow)}
      </Box>,
      ...sectionRows(inner, `${number}.`),
    ];
  });
}

const WARNING = 'Warning';

/** Dangers and warnings, which come first on a screen. */
export const Cautions = ({ dangers, warnings }: Explanation): JSXElement => (
  <Box>
    {dangers.map(({ text }) => (
      <DangerBanner text={text} />
    ))}
    {warnings.map((warning) => (
      <Warning title={WARNING} text={warning} />
    ))}
  </Box>
);

/** The rows and sections of an explanation, and its body to copy. */
export const Details = ({ lines, sections, body }: Explanation): JSXElement => (
  <Box>
    {lines.map(lineRow)}
    {sectionRows(sections, '')}
    {body === undefined ? null : (
      <Box>
        <Divider />
        <Text>{body.label}</Text>
        <Copyable value={body.text} />
      </Box>
    )}
  </Box>
);
