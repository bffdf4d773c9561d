import { type Hex, parseEther } from 'viem';

import { type BundlerAdapter, startBundlerAdapter } from '../../src/devnet/bundler-adapter';
import { ACCOUNT_VERSIONS, ENTRY_POINTS } from '../../src/erc4337/entry-points';
import { connectSnapKeyring, startController } from './support/metamask';
import { describeWithPeers } from './support/peers';
import { CHAIN } from './support/smart-wallet';
import { startWorld, type World } from './support/world';

const RECIPIENT: Hex = `0x${'77'.repeat(20)}`;

describeWithPeers("MetaMask's UserOperationController", () => {
  let world: World;
  let adapter: BundlerAdapter;

  beforeAll(async () => {
    world = await startWorld();
    adapter = await startBundlerAdapter({ bundlerUrl: world.bundlerUrl });
  });
  afterAll(async () => {
    await adapter.stop();
    await world.stop();
  });

  it.each(
    ACCOUNT_VERSIONS.flatMap((version) => [
      { version, sponsored: false },
      { version, sponsored: true },
    ]),
  )(
    'prepares, patches, signs and sends at entry point $version (sponsored: $sponsored)',
    async ({ version, sponsored }) => {
      const { keystead, keyring, shown } = await connectSnapKeyring();
      const change = keystead.send('keystead_setChain', {
        chainId: CHAIN,
        rpcUrl: world.rpcUrl,
        bundlerUrl: adapter.url,
        entryPointVersion: version,
        ...(sponsored && { paymasterUrl: world.paymasterUrl }),
      });
      await (await change.getInterface()).ok();
      expect((await change).response).not.toHaveProperty('error');

      const options = { type: 'eip155:erc4337', chainId: CHAIN, entryPointVersion: version };
      const account = await keyring.createAccount('npm:keystead' as never, options);
      const address = account.address as Hex;
      if (!sponsored) await world.chain.setBalance({ address, value: parseEther('1') });

      const { controller, stop } = startController(keyring, ENTRY_POINTS[version], world.rpcUrl);
      try {
        const before = await world.chain.getBalance({ address: RECIPIENT });
        const value = sponsored ? 0n : 5n;
        const operation = await controller.addUserOperation(
          { from: address, to: RECIPIENT, data: '0x', value: `0x${value.toString(16)}` },
          { networkClientId: 'anvil', origin: 'https://dapp.example' },
        );
        await operation.transactionHash();
        expect(controller.state.userOperations[operation.id]).toMatchObject({ status: 'confirmed' });
        expect((await world.chain.getBalance({ address: RECIPIENT })) - before).toBe(value);
        expect(await world.chain.getCode({ address })).toBeDefined();
        expect(shown).toHaveLength(1);
      } finally {
        await stop();
      }
    },
  );
});
