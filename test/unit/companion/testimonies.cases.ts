import { agreedOn, lostAccount, testimoniesOn } from '../../../src/companion/model/recovery';
import { type Chain } from '../../../src/companion/model/types';
import { type Hex } from '../../../src/core/eth/bytes';
import { answersOf, answerTo, GUARDED, MODULE, MODULE_CODE, NOW, RECOVERING, SAFE } from '../../support/recovery-node';
import { NoAnswer, type SimulatedNode, startSimulatedNode } from '../../support/simulated-node';

describe('what two nodes say of a Safe', () => {
  let says: (typeof GUARDED)[];
  let nodes: SimulatedNode[];
  let chain: Chain & { readonly secondRpcUrl: string };
  beforeEach(async () => {
    says = [GUARDED, GUARDED];
    nodes = await Promise.all(
      [0, 1].map((which) =>
        startSimulatedNode({
          eth_getCode: () => MODULE_CODE,
          // One is a block behind.
          eth_getBlockByNumber: () => ({ number: '0x10', timestamp: `0x${(NOW - BigInt(which)).toString(16)}` }),
          eth_call: ([call]) => answerTo((call as { data: Hex }).data, answersOf(says[which]!)),
        }),
      ),
    );
    const [rpcUrl, secondRpcUrl] = nodes.map(({ url }) => url) as [string, string];
    chain = { chainId: 'eip155:31337', rpcUrl, secondRpcUrl };
  });
  afterEach(() => Promise.all(nodes.map((node) => node.stop())));

  const host = (which: number): string => new URL(nodes[which]!.url).host;
  const ask = () => testimoniesOn(SAFE, chain, [MODULE]);
  const agree = () => agreedOn(SAFE, chain, [MODULE]);
  const silence = (which: number): void => {
    for (const method of ['eth_call', 'eth_getCode'])
      nodes[which]!.answers[method] = () => {
        throw new NoAnswer();
      };
  };

  it.each([0, 1])('is told apart if node %i denies a recovery', async (liar) => {
    says = [RECOVERING, RECOVERING];
    says[liar] = { ...GUARDED, nonce: 1n };
    const said = await ask();
    expect(said.map((one) => one?.hosts)).toEqual([[host(0)], [host(1)]]);
    const pending = said.map((one) => one?.situation?.recoveries[0]?.state.pending !== undefined);
    expect(pending).toEqual([liar === 1, liar === 0]);
    await expect(agree()).rejects.toThrow(`contradict each other: ${host(0)}, ${host(1)}. One is wrong or behind.`);
  });

  it.each([0, 1])('is not taken for agreement if node %i is silent', async (which) => {
    silence(which);
    const said = await ask();
    expect(said.map((one) => one?.situation === undefined)).toEqual([which === 0, which === 1]);
    await expect(agree()).rejects.toThrow(
      `Keystead could not read the account: the node at ${host(which)} does not answer.`,
    );
  });

  it('is not agreement if both are silent', async () => {
    [0, 1].forEach(silence);
    expect(await ask()).toEqual([{ hosts: [host(0), host(1)], situation: undefined }]);
    await expect(agree()).rejects.toThrow(`the nodes at ${host(0)} and ${host(1)} do not answer`);
  });

  it('is said by both names if they agree, though not in the same block', async () => {
    const [said, other] = await ask();
    expect(said).toMatchObject({ hosts: [host(0), host(1)], situation: { isDeployed: true } });
    expect(other).toBeUndefined();
    expect((await agree()).hosts).toEqual([host(0), host(1)]);
  });

  it('is said by one name if there is one node', async () => {
    const { secondRpcUrl: _second, ...alone } = chain;
    expect((await testimoniesOn(SAFE, alone, [MODULE])).map((one) => one?.hosts)).toEqual([[host(0)]]);
    expect((await agreedOn(SAFE, alone, [MODULE])).hosts).toEqual([host(0)]);
  });

  const lost = (rpcUrl: string, module = MODULE) =>
    lostAccount({ safe: SAFE, module: module.address }, { chainId: 'eip155:31337', rpcUrl }, [MODULE]);

  it('is the account that the phrase was lost of, if it has the module of the sheet', async () => {
    expect(await lost(chain.rpcUrl)).toMatchObject({ module: MODULE, hosts: [host(0)], state: { nonce: 0n } });
    const other = { ...MODULE, address: SAFE };
    await expect(lost(chain.rpcUrl, other)).rejects.toThrow('does not have the account with the recovery module of');
  });

  it('is refused with a number of recoveries that it chose, so that two of them have the same six words', async () => {
    says[0] = { ...GUARDED, nonce: 100n };
    expect((await lost(chain.rpcUrl)).state.nonce).toBe(100n);
    says[0] = { ...GUARDED, nonce: 101n };
    await expect(lost(chain.rpcUrl)).rejects.toThrow('nonce: must be at most 100');
  });
});
