import {
  Button,
  Divider,
  type GenericSnapElement,
  Heading,
  type JSXElement,
  Section,
  Spinner,
  Text,
} from '@metamask/snaps-sdk/jsx';

import { contractName } from '../../../core/decode/words/known-contracts';
import { utcTime } from '../../../core/decode/words/time';
import { quotable } from '../../../core/decode/words/text';
import { type Hex } from '../../../core/eth/bytes';
import { counted } from '../../../core/eth/units';
import { type Found, MAX_SHOWN } from '../../../core/ledger/found';
import { type Permission } from '../../../core/ledger/permissions';
import { revokeCalls } from '../../../core/ledger/revoke';
import { type BlockRange } from '../../../core/ledger/searched';
import {
  canarySentence,
  endOf,
  type NamedToken,
  permissionTitle,
  searchedWords,
  STUCK,
  takeableWords,
  warningSentence,
} from '../../../core/ledger/words';
import { networkTitle } from '../../../core/networks/network';
import { chainIdOf, type ChainName } from '../../../core/schemas/chain';
import { AddressRow, Screen, TextRow, Warning } from '../parts';
import { callRows } from './calls';

/** The prefix of buttons: a network, an account and the first permission follow, with spaces; and the name of one. */
export const SEARCH = 'search:';
export const BACK = 'back';

const MAX_QUOTE = 200;

/** An account that was asked for something, and what was searched for it. */
export type AskedAccount = { readonly account: Hex; readonly searched: readonly BlockRange[] };

/** The accounts whose permissions can be looked up. */
export type AskedProps = {
  readonly asked: readonly AskedAccount[];
  /** The selected network; undefined if the wallet does not say. */
  readonly chainId: ChainName | undefined;
};

const searchButton = (account: Hex, chainId: ChainName, text: string, from = 0) => (
  <Button name={`${SEARCH}${chainId} ${account} ${from}`}>{text}</Button>
);

/** The accounts that requests were for, each with a button that looks for who may take what. */
export const askedSections = ({ asked, chainId }: AskedProps): GenericSnapElement[] =>
  asked.length === 0
    ? []
    : [
        <Heading>Who may take what</Heading>,
        <Text>
          Approvals that you gave earlier still hold until you take them back. Keystead Insights looks for them on the
          network that was used last, through your wallet. It does not see those on other networks, and none of accounts
          that nobody has asked for anything since it was installed.
        </Text>,
        ...asked.map(({ account, searched }) => (
          <Section>
            <AddressRow label="Account" address={account} />
            {searched.length === 0 ? null : <TextRow label="Searched" text={searchedWords(searched)} />}
            {chainId === undefined
              ? null
              : searchButton(account, chainId, `Search on ${networkTitle(chainIdOf(chainId))}`)}
          </Section>
        )),
        <Divider />,
      ];

/** While a search goes on. */
export const SearchingScreen = (): JSXElement => (
  <Screen>
    <Heading>Searching</Heading>
    <Spinner />
    <Text>This takes up to a minute.</Text>
  </Screen>
);

/** What a search found, or why it found nothing. */
export type FoundProps = {
  readonly account: Hex;
  readonly chainId: ChainName;
  readonly found: { readonly failure: string } | Found;
};

function permissionSection(
  permission: Permission,
  token: NamedToken | undefined,
  chainId: ChainName,
): GenericSnapElement {
  const { kind, spender, since, isStuck, warnings } = permission;
  const end = endOf(permission);
  const today = takeableWords(permission, token);
  const name = contractName(spender);
  return (
    <Section>
      <Text fontWeight="bold">{permissionTitle(permission, token)}</Text>
      <AddressRow label={kind === 'nft' || kind === 'collection' ? 'Collection' : 'Token'} address={permission.token} />
      <AddressRow label="Can be taken by" address={spender} />
      {name === undefined ? null : <TextRow label="Called" text={name} />}
      {kind === 'permit2' ? <TextRow label="Through" text="Permit2" /> : null}
      <TextRow label="Since" text={since.time === undefined ? `block ${since.block}` : utcTime(since.time)} />
      {end === undefined ? null : <TextRow label="Until" text={utcTime(end)} />}
      {today === undefined ? null : <Text>{today}</Text>}
      {warnings.length === 0 ? null : (
        <Warning title="Do you still need it?" text={warnings.map(warningSentence).join(' ')} />
      )}
      {isStuck === true ? <Text>{STUCK}</Text> : callRows(revokeCalls([permission]), 'To take it back', chainId)}
    </Section>
  );
}

function foundParts({ account, chainId, found }: FoundProps): GenericSnapElement[] {
  if ('failure' in found) return [<Warning title="Nothing was searched" text={found.failure} />];
  const { node, searched, refusal, requestsLeft, canary, permissions, from, unread, leftOut, tokens } = found;
  const end = from + MAX_SHOWN;
  const sentence = canarySentence(canary, node);
  return [
    <Text>{`Searched ${searchedWords(searched)} at ${node}.`}</Text>,
    canary.kind === 'found' ? <Text>{sentence}</Text> : <Warning title="Do not rely on this" text={sentence} />,
    ...(refusal === undefined
      ? []
      : [<Text>{`The node searches no older blocks: “${quotable(refusal, MAX_QUOTE)}”`}</Text>]),
    ...(leftOut === 0
      ? []
      : [<Text>{`At least ${counted(leftOut, 'older permission')} were not looked at: there are too many.`}</Text>]),
    ...(unread === 0
      ? []
      : [<Text>{`${counted(unread, 'contract')} did not say what they allow. They are not in this list.`}</Text>]),
    ...(permissions.length === 0
      ? [
          <Text>
            {canary.kind === 'missing' || leftOut + unread > 0
              ? 'No permission was found that still holds.'
              : 'In the blocks that were searched, nothing gives a permission that still holds.'}{' '}
            Permissions that were signed and not used yet leave no trace on the network.
          </Text>,
        ]
      : permissions.slice(from, end).map((one) => permissionSection(one, tokens[one.token], chainId))),
    ...(permissions.length > end ? [searchButton(account, chainId, `Show ${permissions.length - end} more`, end)] : []),
    searchButton(account, chainId, requestsLeft > 0 ? 'Search further back' : 'Search again'),
  ];
}

/** Who may take what from an account on a network, what puts most at risk first. */
export const PermissionsScreen = (props: FoundProps): JSXElement => (
  <Screen>
    <Heading>Who may take what</Heading>
    <AddressRow label="Account" address={props.account} />
    <TextRow label="Network" text={networkTitle(chainIdOf(props.chainId))} />
    {foundParts(props)}
    <Button name={BACK}>Back</Button>
  </Screen>
);
