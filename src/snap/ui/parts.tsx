import { type OriginMetadata } from '@metamask/snaps-sdk';
import { Address, Banner, Box, type JSXElement, Row, type SnapComponent, Text } from '@metamask/snaps-sdk/jsx';
import { getAddress } from 'viem/utils';

import { originCautions } from '../../core/decode/origin';
import { shortened, visible } from '../../core/decode/text';
import { type Hex } from '../../core/eth/bytes';

/** The spelling of EIP-55, where none was given: one that was given, right or wrong, is part of what is shown. */
const spelt = (address: Hex): Hex => (address === address.toLowerCase() ? getAddress(address) : address);

/** A full address, never shortened: the middle is where look-alikes differ. */
export const AddressRow: SnapComponent<{ label: string; address: Hex }> = ({ label, address }) => (
  <Row label={label}>
    <Address address={spelt(address)} truncate={false} displayName={false} />
  </Row>
);

/** A line with its name. Text from outside must have been made visible. */
export const TextRow: SnapComponent<{ label: string; text: string }> = ({ label, text }) => (
  <Row label={label}>
    <Text>{text}</Text>
  </Row>
);

/** A setting of a configuration, old and new; only what it is where it does not change. */
export const settingRows = (label: string, before: string | undefined, after: string): JSXElement =>
  before === undefined || before === after ? (
    <Box>
      <Text>{label}</Text>
      <Text>{visible(after)}</Text>
    </Box>
  ) : (
    <Box>
      <Text>{`${label} (changed)`}</Text>
      <Text>{`Old: ${visible(before)}`}</Text>
      <Text>{`New: ${visible(after)}`}</Text>
    </Box>
  );

/** Who asks, letter by letter, and what to mind about the name. */
export const OriginRow: SnapComponent<{ origin: string }> = ({ origin }) => {
  const row = <TextRow label="Asked by" text={visible(origin)} />;
  const cautions = originCautions(origin);
  if (cautions.length === 0) return row;
  return (
    <Box>
      {row}
      {cautions.map((caution) => (
        <Warning title="Look at the name" text={caution} />
      ))}
    </Box>
  );
};

/** A screen shows this much of a name that a dapp gives itself. */
const MAX_CLAIM = 300;

/** Who asks by its own account, which the wallet passes on without having verified it. */
export const ClaimedOrigin = ({ transport, selfReportedOrigin }: OriginMetadata): JSXElement => (
  <Box>
    <TextRow label="Says it is" text={shortened(selfReportedOrigin, MAX_CLAIM, visible) || '(no name)'} />
    <Warning
      title="Name not verified"
      text={`The dapp gave this name itself, through “${visible(transport)}”. MetaMask could not verify it: anyone can give any name.`}
    />
    {originCautions(selfReportedOrigin).map((caution) => (
      <Warning title="Look at the name" text={caution} />
    ))}
  </Box>
);

/** Something to read twice. */
export const Warning: SnapComponent<{ title: string; text: string }> = ({ title, text }) => (
  <Banner title={title} severity="warning">
    <Text>{text}</Text>
  </Banner>
);

/** Something that has cost people their money. */
export const DangerBanner: SnapComponent<{ text: string }> = ({ text }) => (
  <Banner title="Danger" severity="danger">
    <Text>{text}</Text>
  </Banner>
);

/** Chains whose stored configuration cannot be read; nothing if there are none. */
export const damagedChains = (names: readonly string[]): JSXElement | null =>
  names.length === 0 ? null : (
    <Warning
      title="Damaged chains"
      text={`What is stored of ${names.join(', ')} cannot be read. Set up again what you use: nothing else is lost.`}
    />
  );
