import * as wagmi2 from '@wagmi/core';
import { http, recoverMessageAddress } from 'viem';
import { foundry } from 'viem/chains';
import * as wagmi3 from 'wagmi-core-3';

import { DELEGATES } from '../../../src/core/erc4337/delegates';
import { delegationCode } from '../../../src/core/eth/authorization';
import { announceKeystead } from '../../../src/provider';
import { DEVELOPMENT_CHAIN } from '../../support/development-chain';
import { textOf } from '../../support/screen-text';
import { openDappPage } from '../../support/chain/dapp-page';
import { describeWithPeers } from '../../support/chain/peers';
import { startWorld, type World } from '../../support/chain/world';

const RECIPIENT = `0x${'7'.repeat(40)}` as const;

/** The functions used here have the same names in both versions. */
const VERSIONS: [string, typeof wagmi2][] = [
  ['2', wagmi2],
  ['3', wagmi3 as unknown as typeof wagmi2],
];

describeWithPeers('wagmi with the announced provider, without a custom connector', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(async () => {
    await world.stop();
  });

  describe.each(VERSIONS)('version %s', (_version, wagmi) => {
    const { createConfig, connect, disconnect, getAccount, getCapabilities, sendCalls } = wagmi;
    const { sendTransaction, signMessage, waitForCallsStatus, waitForTransactionReceipt } = wagmi;

    /** A page set up as wagmi's documentation shows, with the provider announced in it. */
    async function openWagmi(account: 'eoa' | '0.8') {
      const page = await openDappPage(world, account);
      const { stop } = announceKeystead();
      const config = createConfig({
        chains: [DEVELOPMENT_CHAIN],
        transports: { [foundry.id]: http(world.rpcUrl) },
        pollingInterval: 50,
        storage: null,
      });
      const connector = config.connectors.find(({ id }) => id === 'app.keystead')!;
      const close = (): void => {
        stop();
        page.close();
      };
      return { page, config, connector, close };
    }

    it('connects, signs, sends and disconnects', async () => {
      const { page, config, connector, close } = await openWagmi('eoa');
      expect(connector).toMatchObject({ name: 'Keystead', type: 'injected' });
      expect(await connect(config, { connector })).toEqual({ accounts: [page.address], chainId: foundry.id });
      const message = 'Hello from a dapp';
      const signature = await signMessage(config, { message });
      expect(await recoverMessageAddress({ message, signature })).toBe(page.address);
      const hash = await sendTransaction(config, { to: RECIPIENT, value: 1n });
      expect(await waitForTransactionReceipt(config, { hash })).toMatchObject({ status: 'success' });
      page.refuseNext();
      await expect(signMessage(config, { message })).rejects.toMatchObject({ name: 'UserRejectedRequestError' });
      await disconnect(config);
      expect(getAccount(config).status).toBe('disconnected');
      expect(await connector.getAccounts()).toEqual([]);
      close();
    });

    it('sends the calls of a smart account as one batch (EIP-5792)', async () => {
      const { page, config, connector, close } = await openWagmi('0.8');
      await connect(config, { connector });
      expect(await getCapabilities(config)).toMatchObject({ [foundry.id]: { atomic: { status: 'supported' } } });
      const call = { to: RECIPIENT, value: 2n };
      const { id } = await sendCalls(config, { calls: [call, call], forceAtomic: true });
      const { status, receipts } = await waitForCallsStatus(config, { id, pollingInterval: 50 });
      expect({ status, receipts: receipts?.length }).toEqual({ status: 'success', receipts: 1 });
      expect(page.shown).toHaveLength(2);
      close();
    });

    it('sends the calls of an externally owned account as one batch, which upgrades it first (EIP-7702)', async () => {
      const { page, config, connector, close } = await openWagmi('eoa');
      const { address } = page;
      // The account is the same for both versions.
      await world.chain.setCode({ address, bytecode: '0x' });
      await connect(config, { connector });
      const atomic = async () => (await getCapabilities(config))[foundry.id]?.atomic;
      const call = { to: RECIPIENT, value: 2n };
      for (const before of ['ready', 'supported']) {
        expect(await atomic()).toEqual({ status: before });
        const balance = await world.chain.getBalance({ address: RECIPIENT });
        const { id } = await sendCalls(config, { calls: [call, call, call], forceAtomic: true });
        const done = await waitForCallsStatus(config, { id, pollingInterval: 50 });
        expect(done).toMatchObject({ status: 'success', statusCode: 200, atomic: true });
        expect(done.receipts).toHaveLength(1);
        expect((await world.chain.getBalance({ address: RECIPIENT })) - balance).toBe(6n);
        const code = await world.chain.getCode({ address });
        expect(code?.toLowerCase()).toBe(delegationCode(DELEGATES['0.8']));
      }
      const [, first, second] = page.shown.map(({ content }) => textOf(content));
      expect(first).toContain('This upgrades your account');
      expect(second).not.toContain('This upgrades your account');
      page.refuseNext();
      await expect(sendCalls(config, { calls: [call, call], forceAtomic: true })).rejects.toMatchObject({
        cause: { name: 'UserRejectedRequestError' },
      });
      close();
    });
  });
});
