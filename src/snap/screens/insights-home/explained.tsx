import { Button, type GenericSnapElement, type JSXElement, Text } from '@metamask/snaps-sdk/jsx';

import { cancellationOf } from '../../../core/ledger/signed/cancel';
import { type Kept } from '../../../core/ledger/signed/kept';
import { cancellationWords } from '../../../core/ledger/signed/words';
import { networkTitle } from '../../../core/networks/network';
import { chainIdOf, type ChainName } from '../../../core/schemas/chain';
import { type HomeSigned, signedSections } from '../home/signed';
import { Warning } from '../parts';
import { callRows } from './calls';

/** The prefixes of buttons: a network, or a hash and an account with a space between, follows. */
export const CHECK = 'check:';
export const NOT_SIGNED = 'not-signed:';

/** What was explained and may have been signed. */
export type ExplainedProps = {
  readonly signed: HomeSigned;
  /** The networks whose nodes can say more. */
  readonly networks: readonly ChainName[];
  /** Why a node said nothing. */
  readonly failure?: string | undefined;
};

function cancelRows(kept: Kept): GenericSnapElement[] {
  const cancellation = cancellationOf(kept);
  return [
    ...(cancellation.kind === 'calls'
      ? callRows(cancellation.calls, 'If you signed it, to cancel it', kept.chainId)
      : [<Text>{cancellationWords(cancellation) ?? ''}</Text>]),
    <Button name={`${NOT_SIGNED}${kept.hash} ${kept.account}`}>I did not sign this</Button>,
  ];
}

/** What was explained and may still count, the dangerous ones first, with what cancels each. */
export const explainedSections = ({ signed, networks, failure }: ExplainedProps): JSXElement | null =>
  signedSections(signed, {
    about:
      'Whoever has such a signature can use it without asking you. Keystead Insights is not told what you sign: it lists what it explained, and you may have rejected some of it. What you signed before it was installed, or in another wallet, is not here.',
    when: 'Explained',
    more: cancelRows,
    end: [
      ...(failure === undefined ? [] : [<Warning title="Nothing was checked" text={failure} />]),
      ...networks.map((chainId) => (
        <Button name={`${CHECK}${chainId}`}>{`Check on ${networkTitle(chainIdOf(chainId))} what was used`}</Button>
      )),
    ],
  });
