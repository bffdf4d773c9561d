import { Box, Button, Divider, Heading, type JSXElement, Section, Text } from '@metamask/snaps-sdk/jsx';

import { visible } from '../../../core/decode/words/text';
import { TextRow } from '../parts';

/** The prefix of a button's name; the chain follows, and then a digest of the node that the person saw. */
export const VOUCH = 'vouch:';

/** A node that a site added. */
export type HomeNode = {
  readonly networkTitle: string;
  /** Its host. */
  readonly node: string;
  readonly site: string;
  /** The name of the button, without its prefix. */
  readonly button: string;
};

/** The nodes that sites added, each with a button to vouch for it; nothing if there are none. */
export const nodeSections = (nodes: readonly HomeNode[]): JSXElement | null =>
  nodes.length === 0 ? null : (
    <Box>
      <Divider />
      <Heading>Nodes that sites added</Heading>
      <Text>
        These nodes tell Keystead balances, names of tokens and what previews show. Each preview says which site added
        the node, until you vouch for it. Do so only if you know who runs it.
      </Text>
      {nodes.map(({ networkTitle, node, site, button }) => (
        <Section>
          <TextRow label="Network" text={networkTitle} />
          <TextRow label="Node" text={visible(node)} />
          <TextRow label="Added by" text={visible(site)} />
          <Button name={`${VOUCH}${button}`}>I trust this node</Button>
        </Section>
      ))}
    </Box>
  );
