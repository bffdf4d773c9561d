import { Box, Divider, Heading, type JSXElement, Row, Section, Text } from '@metamask/snaps-sdk/jsx';

import { type Hex } from '../../eth/bytes';
import { chainChanges } from '../../explain/chain-configuration';
import { visible } from '../../explain/text';
import { type ChainConfiguration } from '../../wire/chain-configuration';
import { AddressRow, OriginRow } from '../parts';

/** A screen holds no more of each; the rest is counted. */
const MAX_ROWS = 50;

type Account = { readonly address: Hex; readonly label?: string; readonly smart?: { readonly kind: string } };

type Props = {
  readonly origin: string;
  readonly cid: string;
  readonly url: string;
  readonly createdAt: string;
  /** What will be added, and nothing else. */
  readonly accounts: readonly Account[];
  readonly chains: readonly ChainConfiguration[];
  /** The addresses whose private keys come out of the backup. */
  readonly isImported: ReadonlySet<Hex>;
};

function kindOf({ address, smart }: Account, isImported: ReadonlySet<Hex>): string {
  const key = isImported.has(address) ? 'its private key is in the backup' : 'its key comes from your recovery phrase';
  return smart === undefined ? `Account; ${key}` : `Smart account (${visible(smart.kind)}); ${key}`;
}

const more = (count: number): JSXElement | null =>
  count > MAX_ROWS ? <Text>{`and ${count - MAX_ROWS} more`}</Text> : null;

/** Before a backup is restored: what will be added. */
export const RestoreScreen = ({ origin, cid, url, createdAt, accounts, chains, isImported }: Props): JSXElement => (
  <Box>
    <Heading>Restore a backup</Heading>
    <OriginRow origin={origin} />
    <Row label="Made">
      <Text>{createdAt}</Text>
    </Row>
    <Row label="Comes from">
      <Text>{visible(url)}</Text>
    </Row>
    <Text>{`CID: ${cid}`}</Text>
    <Text>This will be added. What you have stays as it is.</Text>
    <Divider />
    <Text>{`Accounts: ${accounts.length}`}</Text>
    {accounts.slice(0, MAX_ROWS).map((account) => (
      <Section>
        {account.label === undefined ? null : <Text>{visible(account.label)}</Text>}
        <AddressRow label="Account" address={account.address} />
        <Text>{kindOf(account, isImported)}</Text>
      </Section>
    ))}
    {more(accounts.length)}
    <Divider />
    <Text>{`Chains: ${chains.length}`}</Text>
    {chains.slice(0, MAX_ROWS).map((chain) => (
      <Section>
        <Text>{chain.chainId}</Text>
        {chainChanges(undefined, chain).map(({ label, after }) => (
          <Text>{`${label}: ${visible(after)}`}</Text>
        ))}
      </Section>
    ))}
    {more(chains.length)}
  </Box>
);
