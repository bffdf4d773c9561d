import { Address, Banner, Row, type SnapComponent, Text } from '@metamask/snaps-sdk/jsx';

import { visible } from '../explain/text';
import { type Hex } from '../eth/bytes';

/** A full address, never shortened: the middle is where look-alikes differ. */
export const AddressRow: SnapComponent<{ label: string; address: Hex }> = ({ label, address }) => (
  <Row label={label}>
    <Address address={address} truncate={false} displayName={false} />
  </Row>
);

/** Who asks. */
export const OriginRow: SnapComponent<{ origin: string }> = ({ origin }) => (
  <Row label="Asked by">
    <Text>{visible(origin)}</Text>
  </Row>
);

/** Something to read twice. */
export const Warning: SnapComponent<{ title: string; text: string }> = ({ title, text }) => (
  <Banner title={title} severity="warning">
    <Text>{text}</Text>
  </Banner>
);
