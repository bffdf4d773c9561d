import { type Hex } from 'viem';

import { previewedProposal } from '../../../src/companion/model/explain-proposal';
import { KINDS } from '../../../src/core/kinds';
import { newProposal } from '../../../src/core/schemas/safe-proposal';
import { NATIVE_TRANSFERS, TRANSFER_TOPIC } from '../../../src/core/simulation/asset-logs';
import { type SimulatedNode } from '../../support/simulated-node';
import { DEVNET, SAFE } from '../../support/companion/samples';
import { OPERATION } from '../../support/user-operation';
import { startSimulatingNode, word } from '../snap/explain/support';

const sender = SAFE.address.toLowerCase() as Hex;
const CONTRACT: Hex = `0x${'cc'.repeat(20)}`;
const ETHER = 10n ** 18n;

describe('the preview of a proposal', () => {
  /** What the call really does: it takes 7 ETH, which its data does not say, or it fails. */
  let does: 'takes' | 'fails';
  let server: SimulatedNode;
  beforeAll(async () => {
    const log = {
      address: NATIVE_TRANSFERS,
      topics: [TRANSFER_TOPIC, word(sender), word(CONTRACT)],
      data: word(7n * ETHER),
    };
    ({ server } = await startSimulatingNode((_received, part) => {
      if (does === 'fails') return 'fails';
      return part === 'call' ? { logs: [log] } : { returns: word(part === 'before' ? 9n * ETHER : 2n * ETHER) };
    }));
    Object.assign(server.answers, { eth_getCode: () => '0x60', eth_gasPrice: () => '0x14' });
  });
  afterAll(() => server.stop());

  const callData = KINDS['safe-0.7'].encodeCalls([{ to: CONTRACT, value: 0n, data: '0x12345678' }]);
  const gas = { callGasLimit: 10n ** 5n, verificationGasLimit: 10n ** 5n, preVerificationGas: 50_000n };
  const proposal = newProposal({ ...OPERATION, ...gas, maxFeePerGas: 20n, sender, callData }, 31_337n);
  const previewed = () =>
    previewedProposal(
      proposal,
      { threshold: 2, wasPrepared: false, accounts: [SAFE], chains: [DEVNET], contacts: [], now: 1n },
      { rpcUrl: server.url },
    );

  it('shows what the called contract takes, whatever the calls say', async () => {
    does = 'takes';
    const { changes, main, dangers } = await previewed();
    expect(changes).toContainEqual(expect.objectContaining({ value: '7 ETH' }));
    expect(main).toContainEqual(
      expect.objectContaining({
        label: 'Preview',
        value: expect.stringMatching(/^Simulated by 127\.0\.0\.1:\d+\.$/u) as string,
      }),
    );
    expect(dangers).toEqual([]);
  });

  it('says that it cannot succeed, as a danger', async () => {
    does = 'fails';
    expect((await previewed()).dangers.map(({ code }) => code)).toEqual(['cannot-succeed']);
  });

  it('says so if the node serves another network, and shows nothing that it simulates', async () => {
    does = 'takes';
    const { eth_chainId: chainId } = server.answers;
    server.answers.eth_chainId = () => '0x1';
    const { changes, main } = await previewed();
    server.answers.eth_chainId = chainId!;
    expect(changes).toEqual([]);
    expect(main).toContainEqual(
      expect.objectContaining({
        label: 'Preview',
        value: 'Changes could not be simulated: the node serves another network.',
      }),
    );
  });
});
