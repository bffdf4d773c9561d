import { type Hex, parseEther } from 'viem';

import { ACCOUNT_VERSIONS, ENTRY_POINTS } from '../../../src/core/erc4337/entry-points';
import { whileBlocksCome } from '../../support/chain/blocks';
import { type ChainService, startChainService } from '../../support/chain/chain-service';
import { connectSnapKeyring, startController } from '../../support/chain/metamask';
import { describeWithPeers } from '../../support/chain/peers';
import { PHRASES, sharedWorld } from '../../support/chain/shared-world';
import { CHAIN } from '../../support/chain/smart-wallet';
import { type World } from '../../support/chain/world';

const RECIPIENT: Hex = `0x${'77'.repeat(20)}`;

describeWithPeers("MetaMask's UserOperationController, with the chain service as its node and bundler", () => {
  let world: World;
  let service: ChainService;

  beforeAll(async () => {
    world = await sharedWorld();
    service = await startChainService(world);
  });
  afterAll(() => service.stop());

  it.each(
    ACCOUNT_VERSIONS.flatMap((version) => [
      { version, sponsored: false },
      { version, sponsored: true },
    ]),
  )(
    'prepares, patches, signs and sends at entry point $version (sponsored: $sponsored)',
    async ({ version, sponsored }) => {
      const { keystead, keyring, shown } = await connectSnapKeyring(PHRASES.controller);
      const change = keystead.send('keystead_setChain', {
        chainId: CHAIN,
        rpcUrl: service.url,
        bundlerUrl: service.url,
        entryPointVersion: version,
        ...(sponsored && { paymasterUrl: world.paymasterUrl }),
      });
      await (await change.getInterface()).ok();
      expect((await change).response).not.toHaveProperty('error');

      const options = { type: 'eip155:erc4337', chainId: CHAIN, entryPointVersion: version };
      const account = await keyring.createAccount('npm:keystead' as never, options);
      const address = account.address as Hex;
      if (!sponsored) await world.chain.setBalance({ address, value: parseEther('1') });

      const { controller, stop } = startController(keyring, ENTRY_POINTS[version], service.url);
      try {
        const before = await world.chain.getBalance({ address: RECIPIENT });
        const value = sponsored ? 0n : 5n;
        const operation = await controller.addUserOperation(
          { from: address, to: RECIPIENT, data: '0x', value: `0x${value.toString(16)}` },
          { networkClientId: 'anvil', origin: 'https://dapp.example' },
        );
        await whileBlocksCome(world.chain, operation.transactionHash());
        expect(controller.state.userOperations[operation.id]).toMatchObject({ status: 'confirmed' });
        expect((await world.chain.getBalance({ address: RECIPIENT })) - before).toBe(value);
        expect(await world.chain.getCode({ address })).toBeDefined();
        expect(shown).toHaveLength(1);
      } finally {
        await stop();
      }
    },
  );

  it("passes the bundler's own refusals on as they are", async () => {
    const zero = '0x0';
    const common = {
      ...{ sender: RECIPIENT, nonce: zero, callData: '0x', signature: `0x${'11'.repeat(65)}` },
      ...{ callGasLimit: zero, verificationGasLimit: '0xf4240', preVerificationGas: zero },
      ...{ maxFeePerGas: zero, maxPriorityFeePerGas: zero },
    };
    const refusal = async (url: string, operation: object): Promise<unknown> => {
      const params = [operation, ENTRY_POINTS['0.7']];
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_estimateUserOperationGas', params });
      const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      return ((await response.json()) as { error?: unknown }).error;
    };
    const direct = await refusal(world.bundlerUrl, common);
    expect(direct).toMatchObject({ message: expect.stringContaining('AA20') as string });
    const asSentByMetaMask = { ...common, initCode: '0x', paymasterAndData: '0x' };
    expect(await refusal(service.url, asSentByMetaMask)).toEqual(direct);
  });
});
