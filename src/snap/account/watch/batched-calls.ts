import { answersTogether, callTogether, MULTICALL3, type View } from '../../../clients/multicall';
import { ServiceRefusedError } from '../../../core/errors';
import { type Hex } from '../../../core/eth/bytes';
import { type NodeReader, type ReadAt } from '../../../core/safe/recovery/answer';
import { BytesStruct } from '../../../core/structs/hex';

type Waiting = {
  readonly call: View;
  readonly resolve: (answer: Hex) => void;
  readonly reject: (error: unknown) => void;
};

/** What a node says of a call that fails, which Multicall3 does not repeat. */
const reverted = (): ServiceRefusedError =>
  new ServiceRefusedError('The call reverted.', { code: 3, message: 'execution reverted' });

/**
 * Reads contracts at the newest block with few requests: calls that are made at the same time are one `eth_call`
 * through Multicall3, where the network has it. If that request fails though the node answers, each is made by itself:
 * one contract can spend the gas of all, or answer with more than fits.
 *
 * @param node - Asked for everything else as it is.
 * @returns Where to read. A call that reverts is refused with code 3.
 * @throws {ServiceFailedError} If the node does not answer.
 * @throws {ServiceRefusedError} If it refuses.
 */
export async function batchedCalls(node: NodeReader): Promise<ReadAt> {
  const block = 'latest';
  if ((await node.ask('eth_getCode', [MULTICALL3, block], BytesStruct)) === '0x') return { node, block };
  let waiting: Waiting[] = [];

  const send = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    try {
      const together = callTogether(batch.map(({ call }) => call));
      const answers = answersTogether(await node.ask('eth_call', [together, block], BytesStruct), batch.length);
      batch.forEach(({ resolve, reject }, index) => {
        const answer = answers[index];
        if (answer === undefined) reject(reverted());
        else resolve(answer);
      });
    } catch (error) {
      const isAnswering =
        batch.length > 1 &&
        (await node.ask('eth_getCode', [MULTICALL3, block], BytesStruct).then(
          () => true,
          () => false,
        ));
      for (const { call, resolve, reject } of batch)
        if (!isAnswering) reject(error);
        else node.ask('eth_call', [call, block], BytesStruct).then(resolve, reject);
    }
  };

  const call = (one: View): Promise<Hex> =>
    new Promise((resolve, reject) => {
      // A later turn, in which all that was asked at the same time is waiting.
      if (waiting.length === 0) setTimeout(() => void send(), 0);
      waiting.push({ call: one, resolve, reject });
    });

  return {
    block,
    node: {
      ask: async (method, params, result) =>
        method === 'eth_call' ? result.create(await call(params[0] as View)) : node.ask(method, params, result),
    },
  };
}
