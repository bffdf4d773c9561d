import { type Outcome, type Simulation } from '../../core/decode/effects/outcome';
import { type Explanation, type Viewpoint } from '../../core/decode/explanation';
import { type Hex } from '../../core/eth/bytes';
import { type PreviewNode } from '../../simulation/node';
import { factsOf } from '../../simulation/node-facts';
import { simulate } from '../../simulation/simulate';
import { type Library } from '../contract-metadata/library';

/** The sources of a preview: a node, and the addresses to which an account has sent before. */
export type PreviewSources = {
  /** @returns The node of a network with a short time limit, or undefined if there is none. */
  readonly node: (chainId: bigint) => Promise<PreviewNode | undefined>;
  /** @returns The addresses that the account has sent to. Never rejects. */
  readonly used: (account: Hex) => Promise<readonly Hex[]>;
};

export type PreviewDeps = { readonly library: Library; readonly sources: PreviewSources };

async function outcomeOf(
  simulation: Simulation | undefined,
  node: PreviewNode | undefined,
): Promise<Outcome | undefined> {
  if (simulation === undefined) return undefined;
  if (node === undefined) return { kind: 'unknown', why: 'this network is not set up in Keystead' };
  return simulate(simulation, node);
}

/**
 * Completes an explanation with everything that can be found: metadata, a simulation, and what is known about the
 * recipients. Never fails: what could not be found is said or left out.
 *
 * @param view - What the explanation was made with, or all of it but the names.
 */
export async function preview(
  explanation: Explanation,
  { signer, names: own = {}, networks = {} }: Viewpoint,
  { library, sources }: PreviewDeps,
): Promise<Explanation> {
  const { simulation, met = [] } = explanation.open ?? {};
  const node = simulation && (await sources.node(simulation.chainId).catch(() => undefined));
  const others = Promise.all([
    outcomeOf(simulation, node),
    node && factsOf(met, node),
    met.length === 0 ? [] : sources.used(signer),
  ]).then(([outcome, { hasCode = {}, gasPrice } = {}, used]) => ({
    recipients: { used, own, hasCode },
    ...(gasPrice !== undefined && { gasPrice }),
    ...(outcome && { outcome }),
  }));
  return library.complete(explanation, others, { names: own, networks });
}
