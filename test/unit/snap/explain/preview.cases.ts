import { type Explanation, type Found, type Viewpoint } from '../../../../src/core/decode/explanation';
import { type Library } from '../../../../src/snap/explain/metadata/library';
import { type PreviewNode } from '../../../../src/simulation/node';
import { preview } from '../../../../src/snap/explain/preview';

const ME = `0x${'aa'.repeat(20)}` as const;
const CONTRACT = `0x${'bb'.repeat(20)}` as const;

describe('a preview', () => {
  it('does not wait for the code of contracts on a node that never responds', async () => {
    jest.useFakeTimers();
    const node: PreviewNode = {
      url: 'https://node.example',
      ask: () => new Promise(() => undefined),
      chainId: () => Promise.resolve(1n),
    };
    const explainWith = jest.fn((): Explanation => ({}) as Explanation);
    const explanation = {
      unresolved: {
        simulation: { chainId: 1n, account: ME, calls: [] },
        counterparties: [{ address: CONTRACT }],
        explainWith,
      },
    } as unknown as Explanation;
    const library = {
      complete: async (one: Explanation, others?: Promise<Found>) => one.unresolved!.explainWith((await others)!),
    } as Library;
    const sources = {
      node: () => Promise.resolve({ node, by: { name: 'node.example' } }),
      used: () => Promise.resolve([]),
    };
    const done = preview(explanation, { signer: ME } as Viewpoint, { library, sources });
    await jest.advanceTimersByTimeAsync(2_500);
    await done;
    jest.useRealTimers();
    expect(explainWith).toHaveBeenCalledWith(
      expect.objectContaining({ recipients: { used: [], own: {}, contacts: {}, hasCode: {} } }),
    );
  }, 5_000);
});
