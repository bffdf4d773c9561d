import { type Outcome, type Simulation } from '../../core/decode/effects/outcome';
import { type Explanation, type PreviewedBy, type Viewpoint } from '../../core/decode/explanation';
import { isListed } from '../../core/decode/metadata/tokens';
import { type Hex } from '../../core/eth/bytes';
import { readOwnFacts } from '../../core/safe/recovery/own-state';
import { type BaseFee, nextBaseFee } from '../../simulation/base-fee';
import { type PreviewNode } from '../../simulation/node';
import { factsOf } from '../../simulation/node-facts';
import { simulate } from '../../simulation/simulate';
import { type Library } from './metadata/library';

/** A node that previews come from. */
export type NamedNode = { readonly node: PreviewNode; readonly by: PreviewedBy };

/** The sources of a preview: a node, the addresses to which an account has sent before, and the person's contacts. */
export type PreviewSources = {
  /** @returns The node of a network with a short time limit and how screens name it, or undefined if there is none. */
  readonly node: (chainId: bigint) => Promise<NamedNode | undefined>;
  /** @returns The addresses that the account has sent to. Never rejects. */
  readonly used: (account: Hex) => Promise<readonly Hex[]>;
  /** @returns The names of the contacts, by lower-case address. Never rejects. Absent if there can be none. */
  readonly contacts?: () => Promise<Readonly<Record<string, string>>>;
};

export type PreviewDeps = { readonly library: Library; readonly sources: PreviewSources };

async function outcomeOf(
  simulation: Simulation | undefined,
  named: NamedNode | undefined,
  baseFee: Promise<BaseFee>,
  library: Library,
): Promise<Outcome | undefined> {
  if (simulation === undefined) return undefined;
  if (named === undefined) return { kind: 'unknown', why: 'this network is not set up in Keystead' };
  const isKnown = async (token: Hex): Promise<boolean> =>
    isListed(token, simulation.chainId, await library.knownTokens());
  return simulate(simulation, named.node, { baseFee, isKnown });
}

/**
 * Completes an explanation with everything that can be found: metadata, a simulation, and what is known about the
 * recipients. Never fails: what could not be found is said or left out.
 *
 * @param view - What the explanation was made with, or all of it but the names.
 */
export async function preview(
  explanation: Explanation,
  { signer, names: own = {}, networks = {}, smartOn = {} }: Viewpoint,
  { library, sources }: PreviewDeps,
): Promise<Explanation> {
  const { simulation, own: question, counterparties = [] } = explanation.unresolved ?? {};
  const named = simulation && (await sources.node(simulation.chainId).catch(() => undefined));
  const asking = named === undefined ? Promise.resolve(undefined) : nextBaseFee(named.node);
  const others = Promise.all([
    outcomeOf(simulation, named, asking, library),
    asking,
    named && factsOf(counterparties, named.node),
    named && question && readOwnFacts(question, named.node),
    counterparties.length === 0 ? [] : sources.used(signer),
    counterparties.length === 0 ? {} : (sources.contacts?.() ?? {}),
  ]).then(([outcome, baseFee, { hasCode = {}, gasPrice } = {}, ownFacts, used, contacts]) => ({
    recipients: { used, own, contacts, hasCode },
    ...(named && { node: named.by }),
    ...(typeof baseFee === 'bigint' && { baseFee }),
    ...(gasPrice !== undefined && { gasPrice }),
    ...(outcome && { outcome }),
    ...(ownFacts && { own: ownFacts }),
  }));
  return library.complete(explanation, others, { names: own, networks, smartOn });
}
