import { type PreviewNode } from './node';
import { type Outcome, type Simulation } from '../../core/decode/effects/outcome';
import { type Explanation, type Met, type RecipientFacts, type Viewpoint } from '../../core/decode/explanation';
import { type Hex } from '../../core/eth/bytes';
import { BytesStruct } from '../../core/schemas/hex';
import { type Library } from '../contract-metadata/library';
import { simulate, TIME_LIMIT } from './simulate';

/** What a preview asks: a node, and where an account has sent to before. */
export type PreviewSources = {
  /** @returns The node of a network with a short time limit, or undefined if there is none. */
  readonly node: (chainId: bigint) => Promise<PreviewNode | undefined>;
  /** @returns The addresses that the account has sent to. Never rejects. */
  readonly used: (account: Hex) => Promise<readonly Hex[]>;
};

export type PreviewDeps = { readonly library: Library; readonly sources: PreviewSources };

/** The code of so many different addresses is looked up. */
const MAX_LOOK_UPS = 20;

/** Whether the contracts that are sent data exist; undefined where the node does not say. */
async function codeOf(met: readonly Met[], node: PreviewNode | undefined): Promise<RecipientFacts['hasCode']> {
  if (node === undefined) return {};
  const called = [...new Set(met.filter(({ how }) => how === 'called').map(({ address }) => address))];
  const controller = new AbortController();
  const found: Record<string, boolean> = {};
  const lookUps = called.slice(0, MAX_LOOK_UPS).map(async (address) => {
    const code = await node
      .ask('eth_getCode', [address, 'latest'], BytesStruct, controller.signal)
      .catch(() => undefined);
    if (code !== undefined) found[address] = code !== '0x';
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, TIME_LIMIT);
  });
  await Promise.race([Promise.all(lookUps), late]);
  clearTimeout(timer);
  controller.abort();
  return { ...found };
}

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
 * @param view - What the explanation was made with.
 */
export async function preview(
  explanation: Explanation,
  { signer, names: own = {} }: Viewpoint,
  { library, sources }: PreviewDeps,
): Promise<Explanation> {
  const { simulation, met = [] } = explanation.open ?? {};
  const node = simulation && (await sources.node(simulation.chainId).catch(() => undefined));
  const [completed, outcome, hasCode, used] = await Promise.all([
    library.complete(explanation),
    outcomeOf(simulation, node),
    codeOf(met, node),
    met.length === 0 ? [] : sources.used(signer),
  ]);
  if (completed.open === undefined) return completed;
  return library.complete(completed.open.again({ ...(outcome && { outcome }), recipients: { used, own, hasCode } }));
}
