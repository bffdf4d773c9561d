import { NodeClient } from '../../clients/node';
import { type Outcome } from '../../core/decode/effects/outcome';
import { type Explanation, type Line, type PreviewedBy, type RecipientFacts } from '../../core/decode/explanation';
import { explainUserOperation } from '../../core/decode/explain/user-operation';
import { text } from '../../core/decode/words/lines';
import { endTime, utcTime } from '../../core/decode/words/time';
import { KINDS } from '../../core/kinds';
import { previewedBy } from '../../core/decode/previewed-by';
import { type SafeMessage } from '../../core/schemas/safe-message';
import { PROPOSAL_ENTRY_POINT, type SafeProposal } from '../../core/schemas/safe-proposal';
import { isSameAddress } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { type OwnFacts, readOwnFacts } from '../../core/safe/recovery/own-state';
import { factsOf } from '../../simulation/node-facts';
import { simulate } from '../../simulation/simulate';
import { type Contact } from './contacts';
import { type SnapClient } from './snap-client';
import { type Account, type Chain } from './types';
import { chainNameOf } from '../../core/schemas/chain';
import { numberOf } from './units';

/** The facts about a proposal that are not in it. */
export type ProposalFacts = {
  /** The number of owners that must sign. */
  readonly threshold: number;
  /** Keystead prepared it on this device. A file or a link from elsewhere was not. */
  readonly wasPrepared: boolean;
  readonly accounts: readonly Account[];
  readonly chains: readonly Chain[];
  /** Seconds since 1970. */
  readonly now: bigint;
  /** Of the network's node, in wei; absent if it does not say. */
  readonly gasPrice?: bigint | undefined;
  /** The outcome of its calls in a simulation; absent if they were not simulated. */
  readonly outcome?: Outcome | undefined;
  /** The node that simulated them. */
  readonly node?: PreviewedBy;
  /** Absent if nothing was looked up. */
  readonly recipients?: RecipientFacts;
  /** What changes of owners and guardians are compared with. */
  readonly own?: OwnFacts | undefined;
};

const ownNames = (accounts: readonly Account[]): Readonly<Record<string, string>> =>
  Object.fromEntries(accounts.map((account) => [account.address.toLowerCase(), account.name]));

/** This page does not know where the account has sent to before, so a new recipient is one that it does not know. */
const ofThisPage = (line: Line): Line =>
  /^New recipients?$/u.test(line.label)
    ? text(line.label, 'Neither an account of yours nor a contact. Compare the address with what you expect.')
    : line;

/** Explains a proposal with the decoder and the judge of the snap, from the same object that the owners sign. */
export function explainProposal(
  { operation, chainId, validity: { validAfter, validUntil } }: SafeProposal,
  { threshold, wasPrepared, accounts, chains, now, gasPrice, outcome, node, recipients, own }: ProposalFacts,
): Explanation {
  const { title, decodeCalls } = KINDS['safe-0.7'];
  const ownKey = accounts.find(({ address }) => isSameAddress(address, operation.sender))?.options.owner;
  const explanation = explainUserOperation(
    operation,
    {
      domain: { version: '0.7', entryPoint: PROPOSAL_ENTRY_POINT, chainId },
      accountTitle: title,
      calls: decodeCalls(operation.callData),
      wasPrepared,
      funds: undefined,
      ...(typeof ownKey === 'string' && { ownKey: ownKey as Hex }),
      ...(threshold > 1 && { signaturesNeeded: threshold }),
    },
    {
      signer: operation.sender,
      now,
      ...(gasPrice !== undefined && { gasPrice }),
      ...(outcome && { outcome }),
      ...(node && { node }),
      ...(recipients && { recipients }),
      ...(own && { own }),
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

/**
 * Explains a proposal with the preview of the snap: its calls are simulated on the network's node, which is also asked
 * for its price per gas and which of the called addresses have code. Recipients are compared with the own accounts and
 * the contacts. What the node does not say is said or left out.
 */
export async function previewedProposal(
  proposal: SafeProposal,
  facts: Omit<ProposalFacts, 'gasPrice' | 'recipients' | 'outcome' | 'node' | 'own'> & {
    readonly contacts: readonly Contact[];
  },
  chain: Pick<Chain, 'rpcUrl' | 'nodeFrom'>,
): Promise<Explanation> {
  const { simulation, own: question, counterparties = [] } = explainProposal(proposal, facts).unresolved ?? {};
  const node = new NodeClient({ url: chain.rpcUrl });
  const [outcome, { gasPrice, hasCode }, own] = await Promise.all([
    simulation && simulate(simulation, node),
    factsOf(counterparties, node),
    question && readOwnFacts(question, node),
  ]);
  const used = facts.contacts.map(({ address }) => address);
  const contacts = Object.fromEntries(facts.contacts.map(({ address, name }) => [address.toLowerCase(), name]));
  const recipients = { used, own: ownNames(facts.accounts), contacts, hasCode };
  return explainProposal(proposal, { ...facts, gasPrice, outcome, node: previewedBy(chain), recipients, own });
}

/**
 * Has the snap explain a message, as it does when a site asks it to sign one.
 *
 * @param origin - The site that asks; undefined if that is not known.
 */
export const explainedMessage = (
  { content, safe, chainId }: SafeMessage,
  origin: string | undefined,
  client: SnapClient,
): Promise<Explanation> =>
  client.dapp('keystead_explainMessage', {
    account: safe,
    safe,
    chainId: chainNameOf(chainId),
    ...(origin !== undefined && { origin }),
    ...content,
  });
