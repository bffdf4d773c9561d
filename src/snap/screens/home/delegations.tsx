import { Box, Button, Divider, Heading, type JSXElement, Section, Text } from '@metamask/snaps-sdk/jsx';

import { contractName } from '../../../core/decode/words/known-contracts';
import { type Hex } from '../../../core/eth/bytes';
import { AddressRow, TextRow, Warning } from '../parts';

/** The prefix of a button's name; the chain and the account follow, with a space between them. */
export const TAKE_BACK = 'take-back:';

/** The contract to which an account is delegated on a network (EIP-7702). */
export type HomeDelegation = {
  readonly account: Hex;
  readonly accountName: string;
  readonly chainId: string;
  readonly networkTitle: string;
  readonly delegate: Hex;
  readonly isKnown: boolean;
};

/** Names the contract, if Keystead knows it, like every row of a contract. */
function labelOf(delegate: Hex): string {
  const name = contractName(delegate);
  return name === undefined ? 'Contract' : `Contract (${name})`;
}

/** The delegations of accounts, each with a button to take it back; nothing if there are none. */
export const delegationSections = (delegations: readonly HomeDelegation[]): JSXElement | null =>
  delegations.length === 0 ? null : (
    <Box>
      <Divider />
      <Heading>Upgraded accounts</Heading>
      <Text>
        These accounts run the code of a contract (EIP-7702). Taking that back costs a network fee. If an account cannot
        pay it, another of your accounts pays.
      </Text>
      {delegations.map(({ account, accountName, chainId, networkTitle, delegate, isKnown }) => (
        <Section>
          <AddressRow label={accountName} address={account} />
          <TextRow label="Network" text={networkTitle} />
          <AddressRow label={labelOf(delegate)} address={delegate} />
          {isKnown ? null : (
            <Warning
              title="Unknown code"
              text="Keystead does not know this contract, which controls everything the account holds on this network. Keystead sends no user operations for it. If you did not choose it, take it back."
            />
          )}
          <Button name={`${TAKE_BACK}${chainId} ${account}`}>Take back</Button>
        </Section>
      ))}
    </Box>
  );
