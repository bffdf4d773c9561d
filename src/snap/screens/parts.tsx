import {
  Address,
  Banner,
  Box,
  type BoxProps,
  Copyable,
  type GenericSnapElement,
  Heading,
  type JSXElement,
  Link,
  Row,
  type SnapComponent,
  Text,
} from '@metamask/snaps-sdk/jsx';

import { HOME_PAGE, originCautions } from '../../core/schemas/origin';
import { spelled } from '../../core/decode/words/names';
import { shortened, visible } from '../../core/decode/words/text';
import { type Hex } from '../../core/eth/bytes';
import { explorerLink, type Network, networkOf, networkTitle } from '../../core/networks/network';
import { AddressStruct } from '../../core/schemas/address';
import { type OriginMetadata } from '../../core/schemas/origin-metadata';

/**
 * The elements in whose text MetaMask decodes HTML entities: it would draw “&#8203;” as nothing, and “&rdquo;” as the
 * end of a quotation.
 */
const DECODED = /^(?:Text|Link|Button)$/u;

/** @returns The same elements, so that MetaMask draws each text as it is. */
function encoded(node: unknown, isDecoded = false): unknown {
  if (typeof node === 'string') return isDecoded ? node.replaceAll('&', '&amp;') : node;
  if (Array.isArray(node)) return node.map((one: unknown) => encoded(one, isDecoded));
  const element = node as GenericSnapElement | null;
  if (element?.props?.children === undefined) return node;
  const { props, type } = element;
  return { ...element, props: { ...props, children: encoded(props.children, DECODED.test(type)) } };
}

/**
 * A whole screen, which is in no other: its text is encoded once. In a dialog that is taller than its window, MetaMask
 * shrinks the Rows of the root Box and prints one over another, and its Dividers to nothing. It does not shrink those
 * of an inner Box, so neighbouring Rows share one, and each Divider has one.
 */
export const Screen: SnapComponent<Pick<BoxProps, 'children'>> = ({ children }) => {
  const runs: GenericSnapElement[][] = [];
  for (const part of ([encoded(children)] as unknown[]).flat(Infinity) as readonly (GenericSnapElement | null)[]) {
    const run = runs.at(-1);
    if (part?.type === 'Row' && run?.[0]?.type === 'Row') run.push(part);
    else if (part) runs.push([part]);
  }
  const isShrunk = ([first]: readonly GenericSnapElement[]) => first?.type === 'Row' || first?.type === 'Divider';
  return <Box>{runs.flatMap((run) => (isShrunk(run) ? <Box>{run}</Box> : run))}</Box>;
};

/** Says why something that the person pressed a button for was not done. */
export const NotDoneScreen = ({ title, why }: { readonly title: string; readonly why: string }): JSXElement => (
  <Screen>
    <Heading>{title}</Heading>
    <Text>{visible(why)}</Text>
  </Screen>
);

/** Parts of a screen in a Box; nothing if there are none, because MetaMask leaves a gap for an empty Box. */
export function group(...parts: readonly (GenericSnapElement | null | GenericSnapElement[])[]) {
  const shown = parts.flat().filter((part) => part !== null);
  return shown.length === 0 ? null : <Box>{shown}</Box>;
}

/**
 * Characters that fit into one word of a Row 360 px wide, and into a label with such a word. MetaMask breaks no word
 * there.
 */
const WORD = 24;
const LABEL_AND_WORD = 34;

/**
 * A label of a section or a choice, where MetaMask breaks no word either: long ones end in “…”. A screen with it also
 * shows the whole text.
 */
export const brief = (text: string): string =>
  text.replace(/\S{21,}/gu, (word) => `${Array.from(word).slice(0, 19).join('')}…`);

/** @returns Whether a word does not fit beside the label, so that the whole screen would scroll sideways. */
const isTooLong = (label: string, text: string): boolean => {
  const longest = Math.max(...`${label} ${text}`.split(/\s/u).map((word) => word.length));
  return longest > WORD && label.length + longest > LABEL_AND_WORD;
};

/** A value beside its label, or below it if a word is too long for that. */
const labelled = (label: string, value: GenericSnapElement, text: string) =>
  isTooLong(label, text) ? (
    <Box>
      <Text color="alternative">{label}</Text>
      {value}
    </Box>
  ) : (
    <Row label={label}>{value}</Row>
  );

/** An address in full. It is never shortened, because lookalikes differ in the middle. */
export const AddressRow: SnapComponent<{ label: string; address: Hex }> = ({ label, address }) =>
  labelled(label, <Address address={spelled(address)} truncate={false} displayName={false} />, '');

/** An account, by its one name and its whole address. */
export const accountRows = ({ name, address }: { readonly name: string; readonly address: Hex }) => [
  <TextRow label="Account" text={name} />,
  <AddressRow label="Address" address={address} />,
];

/** A labelled text. Untrusted text must have passed through `visible` before. */
export const TextRow: SnapComponent<{ label: string; text: string }> = ({ label, text }) =>
  labelled(label, <Text>{text}</Text>, text);

/** Hex to copy, such as a hash. MetaMask draws it in grey, so nothing that is signed is shown like this. */
export const CopyRow: SnapComponent<{ label: string; hex: Hex }> = ({ label, hex }) =>
  labelled(label, <Copyable value={hex} />, hex);

/** The value of a setting: a contract as an address, like everywhere else. */
export const SettingRow: SnapComponent<{ label: string; value: string }> = ({ label, value }) =>
  AddressStruct.is(value) ? (
    <AddressRow label={label} address={value} />
  ) : (
    <TextRow label={label} text={visible(value)} />
  );

/** A setting with its old and new value, or with its value alone if it does not change. */
export function settingRows(label: string, before: string | undefined, after: string): JSXElement {
  if (before !== undefined && before !== after)
    return (
      <Box>
        <Text fontWeight="bold">{`${label} (changed)`}</Text>
        <SettingRow label="Old" value={before} />
        <SettingRow label="New" value={after} />
      </Box>
    );
  return <SettingRow label={label} value={after} />;
}

/** The requesting site, with every unusual character of its name made visible, and warnings about the name. */
export const OriginRow: SnapComponent<{ origin: string }> = ({ origin }) => {
  if (origin === HOME_PAGE) return <TextRow label="Asked by" text={HOME_PAGE} />;
  // MetaMask does not say which site asked it.
  if (origin === 'metamask') return <TextRow label="Asked through" text="MetaMask" />;
  const row = <TextRow label="Site" text={visible(origin)} />;
  const cautions = originCautions(origin);
  if (cautions.length === 0) return row;
  return (
    <Box>
      {row}
      {cautions.map((caution) => (
        <Warning title="Check the site's name" text={caution} />
      ))}
    </Box>
  );
};

/** The longest self-reported name that a screen shows. */
const MAX_CLAIM = 300;

/** The name that an app reports for itself, which the wallet passes on without verifying it. */
export const ClaimedOrigin = ({ transport, selfReportedOrigin }: OriginMetadata): JSXElement => (
  <Box>
    <TextRow label="Claimed name" text={shortened(selfReportedOrigin, MAX_CLAIM, visible) || '(no name)'} />
    <Warning
      title="Name not verified"
      text={`The app reported this name itself, through “${visible(transport)}”. MetaMask could not verify it, and any app can claim any name.`}
    />
    {originCautions(selfReportedOrigin).map((caution) => (
      <Warning title="Check the site's name" text={caution} />
    ))}
  </Box>
);

/** Something that deserves attention. */
export const Warning: SnapComponent<{ title: string; text: string }> = ({ title, text }) => (
  <Banner title={title} severity="warning">
    <Text>{text}</Text>
  </Banner>
);

/** A known way of losing assets. */
export const DangerBanner: SnapComponent<{ title?: string; text: string }> = ({ title = 'Danger', text }) => (
  <Banner title={title} severity="danger">
    <Text>{text}</Text>
  </Banner>
);

/** A network in a heading: by its name if Keystead knows it, so that no heading contains words of a site. */
export function networkHeading(chainId: bigint): string {
  const isKnown = networkOf(chainId).source === 'known';
  return isKnown ? networkTitle(chainId) : chainId.toString();
}

/** A page of the network's block explorer; nothing if there is none. */
export function explorerRow(network: Network, what: Parameters<typeof explorerLink>[1], hex: Hex): JSXElement | null {
  const href = explorerLink(network, what, hex);
  return href === undefined ? null : (
    <Text>
      <Link href={href}>{`View on ${new URL(href).host}`}</Link>
    </Text>
  );
}

/**
 * The networks whose stored configuration cannot be read; nothing if there are none.
 *
 * @param result - The rest of the sentence, and what to do.
 */
export const damagedChains = (names: readonly string[], result: string): JSXElement | null =>
  names.length === 0 ? null : (
    <Warning title="Damaged networks" text={`The stored settings of ${names.join(', ')} cannot be read${result}`} />
  );
