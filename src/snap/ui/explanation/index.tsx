import { Box, Copyable, Divider, Heading, type JSXElement, Text } from '@metamask/snaps-sdk/jsx';

import { type Explanation, type Line, type Section } from '../../../core/decode/types';
import { AddressRow, DangerBanner, TextRow, Warning } from '../parts';

const lineRow = (line: Line): JSXElement => {
  if (line.kind === 'address') return <AddressRow label={line.label} address={line.value} />;
  // The words of others carry the name of who says them, outside the quotation.
  const label = line.kind === 'quote' ? `${line.label} (quoted: ${line.source})` : line.label;
  return <TextRow label={label} text={line.kind === 'quote' ? `“${line.value}”` : line.value} />;
};

/** Sections one below the other, numbered as they nest: 1, 1.1, 1.2. */
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

/** Of the module, not of the function: an insight is shown even where the wallet does not give the snap's texts. */
const LOOK_TWICE = 'Look twice';

/** What must be read first. */
export const Cautions = ({ dangers, warnings }: Explanation): JSXElement => (
  <Box>
    {dangers.map(({ text }) => (
      <DangerBanner text={text} />
    ))}
    {warnings.map((warning) => (
      <Warning title={LOOK_TWICE} text={warning} />
    ))}
  </Box>
);

/** What the thing is, in lines, and the whole of it to be copied. */
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
