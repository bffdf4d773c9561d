import { Address, Banner, Box, CollapsibleSection, Heading, type JSXElement, Row, Text } from '@metamask/snaps-sdk/jsx';

import { AddressRow, brief, group, Screen, TextRow } from '../../src/snap/screens/parts';

/** A screen as its parts come, which MetaMask draws badly, and as Keystead puts them. */
export type DrawnBadly = { readonly name: string; readonly before: JSXElement; readonly now: JSXElement };

const OWN = '0xC72E67790B356e391Ec48446F9A1724b9932A6af';
const PAYMASTER_DATA = `0x${'8f2a61d3'.repeat(20)}`;
const SYMBOL = 'CLAIM_YOUR_AIRDROP_AT_EXAMPLE_COM_BEFORE_IT_ENDS';

const address = <Address address={OWN} truncate={false} displayName={false} />;
const rest = Array.from({ length: 14 }, (_, index) => <Text>{`Call ${index + 1} of the batch`}</Text>);

export const DRAWN_BADLY: readonly DrawnBadly[] = [
  {
    name: 'rows',
    before: (
      <Box>
        <Heading>Send a batch</Heading>
        <Row label="Account">{address}</Row>
        <Row label="Network">
          <Text>Keystead devnet</Text>
        </Row>
        {rest}
      </Box>
    ),
    now: (
      <Screen>
        <Heading>Send a batch</Heading>
        <AddressRow label="Account" address={OWN} />
        <TextRow label="Network" text="Keystead devnet" />
        {rest}
      </Screen>
    ),
  },
  {
    name: 'hex',
    before: (
      <Box>
        <Heading>Who pays the fee</Heading>
        <Row label="Paymaster data">
          <Text>{PAYMASTER_DATA}</Text>
        </Row>
      </Box>
    ),
    now: (
      <Screen>
        <Heading>Who pays the fee</Heading>
        <TextRow label="Paymaster data" text={PAYMASTER_DATA} />
      </Screen>
    ),
  },
  {
    name: 'section',
    before: (
      <Box>
        <Heading>Raw data</Heading>
        <CollapsibleSection label={`1 ${PAYMASTER_DATA}`}>
          <Text>Inside</Text>
        </CollapsibleSection>
      </Box>
    ),
    now: (
      <Screen>
        <Heading>Raw data</Heading>
        <CollapsibleSection label={brief(`1 ${PAYMASTER_DATA}`)}>
          <Text>Inside</Text>
        </CollapsibleSection>
      </Screen>
    ),
  },
  {
    name: 'empty',
    before: (
      <Box>
        <Heading>Connect a site</Heading>
        <Box>{[]}</Box>
        <Box>{[]}</Box>
        <Text>The site sees the address of this account.</Text>
      </Box>
    ),
    now: (
      <Screen>
        <Heading>Connect a site</Heading>
        {group()}
        {group()}
        <Text>The site sees the address of this account.</Text>
      </Screen>
    ),
  },
  {
    name: 'banner',
    before: (
      <Box>
        <Banner title={`${SYMBOL} is not on any list`} severity="warning">
          <Text>Its name proves nothing.</Text>
        </Banner>
      </Box>
    ),
    now: (
      <Screen>
        <Banner title="Not on any list" severity="warning">
          <Text>{`${SYMBOL}: its name proves nothing.`}</Text>
        </Banner>
      </Screen>
    ),
  },
];
