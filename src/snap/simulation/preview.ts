import { type PreviewNode } from './node';
import { type Outcome, type Simulation } from '../../core/decode/effects/outcome';
import { type Explanation, type Met, type RecipientFacts, type Viewpoint } from '../../core/decode/explanation';
import { type Hex } from '../../core/eth/bytes';
import { BytesStruct, QuantityAnswerStruct } from '../../core/schemas/hex';
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

/** What a node says of a network besides the outcome of calls. What it does not say in time is left out. */
type NodeFacts = {
  /** Whether the contracts that are sent data exist. */
  readonly hasCode: RecipientFacts['hasCode'];
  /** The price per gas that the node suggests, in wei. */
  readonly gasPrice?: bigint;
};

async function factsOf(met: readonly Met[], node: PreviewNode | undefined): Promise<NodeFacts> {
  if (node === undefined) return { hasCode: {} };
  const called = [...new Set(met.filter(({ how }) => how === 'called').map(({ address }) => address))];
  const controller = new AbortController();
  const { signal } = controller;
  const hasCode: Record<string, boolean> = {};
  let gasPrice: bigint | undefined;
  const lookUps = called.slice(0, MAX_LOOK_UPS).map(async (address) => {
    const code = await node.ask('eth_getCode', [address, 'latest'], BytesStruct, signal).catch(() => undefined);
    if (code !== undefined) hasCode[address] = code !== '0x';
  });
  lookUps.push(
    node.ask('eth_gasPrice', [], QuantityAnswerStruct, signal).then(
      (price) => {
        gasPrice = BigInt(price);
      },
      () => undefined,
    ),
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, TIME_LIMIT);
  });
  await Promise.race([Promise.all(lookUps), late]);
  clearTimeout(timer);
  controller.abort();
  return { hasCode: { ...hasCode }, ...(gasPrice !== undefined && { gasPrice }) };
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
  const others = Promise.all([
    outcomeOf(simulation, node),
    factsOf(met, node),
    met.length === 0 ? [] : sources.used(signer),
  ]).then(([outcome, { hasCode, gasPrice }, used]) => ({
    recipients: { used, own, hasCode },
    ...(gasPrice !== undefined && { gasPrice }),
    ...(outcome && { outcome }),
  }));
  return library.complete(explanation, others);
}
