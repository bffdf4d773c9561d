import {
  Banner,
  Box,
  Button,
  Dropdown,
  Field,
  Form,
  type GenericSnapElement,
  Heading,
  Input,
  Option,
  Section,
  Text,
} from '@metamask/snaps-sdk/jsx';

import { utcTime } from '../../../core/decode/words/time';
import { counted } from '../../../core/eth/units';
import { networkTitle } from '../../../core/networks/network';
import { chainIdOf, type ChainName } from '../../../core/schemas/chain';
import { isSameRecovery } from '../../../core/watch/changes';
import { changeWords } from '../../../core/watch/words';
import { type Noticed, type Watched } from '../../../core/watch/watched';
import { AddressRow, TextRow, Warning } from '../parts';

/** The form and its field, and the prefixes of buttons: the network and the account follow, with a space between. */
export const WATCH_FORM = 'watch';
export const ADDRESS_FIELD = 'watched-address';
export const NETWORK_FIELD = 'watched-network';
export const SEEN = 'seen:';
export const UNWATCH = 'unwatch:';

/** Milliseconds after which a look is late: the node has not answered for some of them. */
const LATE = 6 * 3_600_000;

const timeOf = (milliseconds: number): string => utcTime(BigInt(Math.floor(milliseconds / 1000)));
const networkOf = ({ chainId }: Watched): string => networkTitle(chainIdOf(chainId));

function noticedBanner({ change, at }: Noticed): GenericSnapElement {
  const { title, text, rows } = changeWords(change);
  return (
    <Box>
      <Banner title={title} severity={change.kind === 'recovery-ended' ? 'info' : 'danger'}>
        <Text>{text}</Text>
      </Banner>
      {rows.map(({ label, address }) => (
        <AddressRow label={label} address={address} />
      ))}
      <TextRow label="Noticed" text={timeOf(at)} />
    </Box>
  );
}

/** What changed in the watched accounts, before everything else on a page. */
export const watchAlarms = (watched: readonly Watched[]): GenericSnapElement[] =>
  watched
    .filter(({ noticed }) => noticed.length > 0)
    .map((one) => (
      <Section>
        <Text fontWeight="bold">A watched account has changed</Text>
        <AddressRow label="Account" address={one.account} />
        <TextRow label="Network" text={networkOf(one)} />
        {one.noticed.map(noticedBanner)}
        {one.dropped === 0 ? null : <Text>{`${counted(one.dropped, 'earlier change')} cannot be shown.`}</Text>}
        <Text>Your wallet's node says so. Compare it with the account's own page before you act.</Text>
        <Button name={`${SEEN}${one.chainId} ${one.account} ${one.noticed.at(-1)?.at ?? 0}`}>I have seen this</Button>
      </Section>
    ));

function stateText({ state }: Watched): string {
  if (state.kind === 'key')
    return state.delegate === null
      ? 'An account with a key'
      : 'An account with a key, which runs the code of a contract';
  return `A Safe: ${BigInt(state.threshold)} of ${counted(state.owners.length, 'owner')} must sign`;
}

function pendingRecoveries({ state, noticed }: Watched): GenericSnapElement[] {
  if (state.kind === 'key') return [];
  // What was just noticed is said above.
  const said = noticed.flatMap(({ change }) => change.recovery ?? []);
  const others = state.recoveries.filter((recovery) => !said.some(isSameRecovery(recovery)));
  return others.map((recovery) => {
    const { text, rows } = changeWords({ kind: 'recovery', recovery });
    return (
      <Box>
        <Warning title="A recovery is pending" text={text} />
        {rows.map(({ label, address }) => (
          <AddressRow label={label} address={address} />
        ))}
      </Box>
    );
  });
}

const watchedSection = (one: Watched, now: number): GenericSnapElement => (
  <Section>
    <AddressRow label="Account" address={one.account} />
    <TextRow label="Network" text={networkOf(one)} />
    <Text>{stateText(one)}</Text>
    {pendingRecoveries(one)}
    {now - one.seenAt > LATE ? (
      <Warning
        title="Not checked for hours"
        text="Your wallet's node of this network has not answered, or the account does not answer as before. Check that MetaMask still has the network."
      />
    ) : null}
    <TextRow label="Last checked" text={timeOf(one.seenAt)} />
    <Button name={`${UNWATCH}${one.chainId} ${one.account}`}>Stop watching</Button>
  </Section>
);

/** What the section shows. */
export type WatchProps = {
  readonly watched: readonly Watched[];
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The networks to choose from; the first one is chosen. */
  readonly networks: readonly ChainName[];
  /** Why an account is not watched. */
  readonly refusal?: string | undefined;
};

/** The accounts that are watched, and the form for another one. */
export const watchSections = ({ watched, now, networks, refusal }: WatchProps): GenericSnapElement[] => [
  <Heading>Accounts that it watches</Heading>,
  <Text>
    Add a Safe of yours, or of your family or company, or an account with a key. About every hour, it looks who controls
    it, also while MetaMask is locked, and notifies you if that changes or a recovery begins.
  </Text>,
  ...watched.map((one) => watchedSection(one, now)),
  <Form name={WATCH_FORM}>
    <Field label="Network">
      <Dropdown name={NETWORK_FIELD}>
        {networks.map((chainId) => (
          <Option value={chainId}>{networkTitle(chainIdOf(chainId))}</Option>
        ))}
      </Dropdown>
    </Field>
    <Field label="Address" error={refusal}>
      <Input name={ADDRESS_FIELD} placeholder="0x…" />
    </Field>
    <Button type="submit" name="add-watched">
      Watch it
    </Button>
  </Form>,
];
