import { within } from '../clients/within';
import { type Counterparty, type RecipientFacts } from '../core/decode/explanation';
import { BytesStruct, QuantityAnswerStruct } from '../core/structs/hex';
import { type PreviewNode, TIME_LIMIT } from './node';

/** The code of so many different addresses is looked up. */
const MAX_LOOK_UPS = 20;

/** The facts about a network that a node adds to the outcome of calls. What it does not say in time is left out. */
export type NodeFacts = {
  /** Whether the contracts that are sent data, or may spend something, exist. */
  readonly hasCode: RecipientFacts['hasCode'];
  /** The price per gas that the node suggests, in wei. */
  readonly gasPrice?: bigint;
};

/**
 * Asks a node what a judgement needs besides the outcome of calls. Never rejects, and takes 2.5 seconds at most.
 *
 * @param counterparties - Whom a request concerns.
 */
export async function factsOf(counterparties: readonly Counterparty[], node: PreviewNode): Promise<NodeFacts> {
  const isContract = ({ how }: Counterparty): boolean => how === 'called' || how === 'allowed';
  const called = [...new Set(counterparties.filter(isContract).map(({ address }) => address))];
  const hasCode: Record<string, boolean> = {};
  let gasPrice: bigint | undefined;
  const lookUps = (signal: AbortSignal): Promise<void>[] => [
    ...called.slice(0, MAX_LOOK_UPS).map(async (address) => {
      const code = await node.ask('eth_getCode', [address, 'latest'], BytesStruct, signal).catch(() => undefined);
      if (code !== undefined) hasCode[address] = code !== '0x';
    }),
    node.ask('eth_gasPrice', [], QuantityAnswerStruct, signal).then(
      (price) => {
        gasPrice = BigInt(price);
      },
      () => undefined,
    ),
  ];
  await within(
    TIME_LIMIT,
    (signal) => Promise.all(lookUps(signal)),
    () => undefined,
  );
  return { hasCode: { ...hasCode }, ...(gasPrice !== undefined && { gasPrice }) };
}
