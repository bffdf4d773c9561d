import { Divider, Heading, type JSXElement, Text } from '@metamask/snaps-sdk/jsx';

import { type DeclaredToken } from '../../../core/decode/effects/outcome';
import { quotable, quotableAgain } from '../../../core/decode/words/text';
import { type Hex } from '../../../core/eth/bytes';
import { AddressRow, OriginRow, Screen, TextRow, Warning } from '../parts';

/** The most of a site's symbol that is shown. */
const MAX_CLAIM = 40;

type Props = {
  readonly origin: string;
  readonly networkTitle: string;
  readonly address: Hex;
  /** The statement of the contract about itself. */
  readonly token: DeclaredToken;
  /** The statement of the site, where it makes one. */
  readonly claimed: { readonly symbol?: string | undefined; readonly decimals?: number | undefined };
  /** Whether the symbol is that of another token, which Keystead knows. */
  readonly isCopy: boolean;
};

/**
 * Asks before a token is watched. The contract's own symbol and decimals count; where the site names others, both show.
 */
export const WatchAssetScreen = ({ origin, networkTitle, address, token, claimed, isCopy }: Props): JSXElement => {
  const differences = [
    claimed.symbol === undefined || claimed.symbol === token.symbol
      ? []
      : [
          `The site calls it “${quotable(claimed.symbol, MAX_CLAIM)}”, its contract calls it “${quotableAgain(token.symbol)}”.`,
        ],
    claimed.decimals === undefined || claimed.decimals === token.decimals
      ? []
      : [`The site says ${claimed.decimals} decimals, its contract says ${token.decimals}.`],
  ].flat();
  return (
    <Screen>
      <Heading>Watch a token</Heading>
      {isCopy ? (
        <Warning
          title="This may be a worthless copy"
          text={`Keystead knows a token with the symbol “${quotableAgain(token.symbol)}” at another address. This is not that token.`}
        />
      ) : null}
      {differences.length === 0 ? null : (
        <Warning title="The site describes it differently" text={differences.join(' ')} />
      )}
      <OriginRow origin={origin} />
      <Divider />
      <TextRow label="Symbol" text={token.symbol} />
      <TextRow label="Decimals" text={String(token.decimals)} />
      <AddressRow label="Token contract" address={address} />
      <TextRow label="Network" text={networkTitle} />
      <Divider />
      <Text>
        Anyone can create a token with any symbol. Watching one does not make it genuine: compare the address with a
        source that you trust.
      </Text>
    </Screen>
  );
};
