import { getCode, getGasPrice } from 'viem/actions';

import { type Explanation, type Line, type RecipientFacts } from '../../core/decode/explanation';
import { explainUserOperation } from '../../core/decode/explain/user-operation';
import { text } from '../../core/decode/words/lines';
import { endTime, utcTime } from '../../core/decode/words/time';
import { KINDS } from '../../core/erc4337/kinds';
import { PROPOSAL_ENTRY_POINT, type SafeProposal } from '../../core/schemas/safe-proposal';
import { accountName } from './account-name';
import { type Contact } from './contacts';
import { type NodeClient } from './node';
import { type Account, type Chain } from './types';
import { numberOf } from './units';

/** The facts about a proposal that are not in it. */
export type ProposalFacts = {
  /** How many owners must sign. */
  readonly threshold: number;
  /** Keystead prepared it on this device. A file or a link from elsewhere was not. */
  readonly wasPrepared: boolean;
  readonly accounts: readonly Account[];
  readonly chains: readonly Chain[];
  /** Seconds since 1970. */
  readonly now: bigint;
  /** Of the network's node, in wei; absent if it does not say. */
  readonly gasPrice?: bigint | undefined;
  /** Absent if nothing was looked up. */
  readonly recipients?: RecipientFacts;
};

const ownNames = (accounts: readonly Account[]): Readonly<Record<string, string>> =>
  Object.fromEntries(accounts.map((account) => [account.address.toLowerCase(), accountName(account)]));

/** This page does not know where the account has sent to before, so a new recipient is one that it does not know. */
const ofThisPage = (line: Line): Line =>
  /^New recipients?$/u.test(line.label)
    ? text(line.label, 'Neither an account of yours nor a contact. Compare the address with what you expect.')
    : line;

/** Explains a proposal with the decoder and the judge of the snap, from the same object that the owners sign. */
export function explainProposal(
  { operation, chainId, validity: { validAfter, validUntil } }: SafeProposal,
  { threshold, wasPrepared, accounts, chains, now, gasPrice, recipients }: ProposalFacts,
): Explanation {
  const { title, decodeCalls } = KINDS['safe-0.7'];
  const explanation = explainUserOperation(
    operation,
    {
      place: { version: '0.7', entryPoint: PROPOSAL_ENTRY_POINT, chainId },
      accountTitle: title,
      calls: decodeCalls(operation.callData),
      wasPrepared,
      funds: undefined,
      ...(threshold > 1 && { signaturesNeeded: threshold }),
    },
    {
      signer: operation.sender,
      now,
      ...(gasPrice !== undefined && { gasPrice }),
      ...(recipients && { recipients }),
      chainId,
      names: ownNames(accounts),
      networks: Object.fromEntries(chains.map((chain) => [numberOf(chain.chainId).toString(), chain])),
    },
  );
  return {
    ...explanation,
    main: [
      ...explanation.main.map(ofThisPage),
      text('Valid from', validAfter === 0 ? 'now on' : utcTime(BigInt(validAfter))),
      text('Valid until', validUntil === 0 ? 'no limit' : endTime(BigInt(validUntil), now)),
    ],
  };
}

/** The code of so many different addresses is looked up. */
const MAX_LOOK_UPS = 20;

/**
 * Explains a proposal with what the network's node says: its price per gas, and which of the called addresses have
 * code. Recipients are compared with the own accounts and the contacts. Nothing is simulated. What the node does not
 * say is left out.
 */
export async function lookedUpExplanation(
  proposal: SafeProposal,
  facts: Omit<ProposalFacts, 'gasPrice' | 'recipients'> & { readonly contacts: readonly Contact[] },
  node: NodeClient,
): Promise<Explanation> {
  const met = explainProposal(proposal, facts).open?.met ?? [];
  const called = [...new Set(met.filter(({ how }) => how === 'called').map(({ address }) => address))];
  const [gasPrice, ...codes] = await Promise.all([
    getGasPrice(node).catch(() => undefined),
    ...called.slice(0, MAX_LOOK_UPS).map((address) =>
      getCode(node, { address }).then(
        (code = '0x') => [[address, code !== '0x'] as const],
        () => [],
      ),
    ),
  ]);
  const recipients = {
    used: facts.contacts.map(({ address }) => address),
    own: ownNames(facts.accounts),
    hasCode: Object.fromEntries(codes.flat()),
  };
  return explainProposal(proposal, { ...facts, gasPrice, recipients });
}
