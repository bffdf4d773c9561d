import { BrowserProvider, Contract, getAddress, isError, type Signer, verifyMessage, verifyTypedData } from 'ethers';
import { foundry } from 'viem/chains';

import { createKeysteadProvider } from '../../../src/provider';
import { ENTRY_POINTS } from '../../../src/core/erc4337/entry-points';
import { whileBlocksCome } from '../../support/chain/blocks';
import { type DappPage, openDappPage } from '../../support/chain/dapp-page';
import { describeWithPeers } from '../../support/chain/peers';
import { startWorld, type World } from '../../support/chain/world';

const recipient = (digit: string): `0x${string}` => `0x${digit.repeat(40)}`;

const DOMAIN = { name: 'Dapp', version: '1', chainId: foundry.id };
const TYPES = {
  Order: [
    { name: 'maker', type: 'address' },
    { name: 'amount', type: 'uint256' },
  ],
};
const ORDER = { maker: recipient('3'), amount: 10n ** 21n };

describeWithPeers('ethers with the provider, the built snap, a real chain and a real bundler', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(async () => {
    await world.stop();
  });

  async function connect(account: 'eoa' | '0.7') {
    const page = await openDappPage(world, account);
    // Transactions are mined faster than the 250 ms for which ethers caches balances.
    const ethers = new BrowserProvider(createKeysteadProvider({ chainId: foundry.id }), undefined, {
      cacheTimeout: -1,
    });
    ethers.pollingInterval = 50;
    return { page, ethers, signer: (await ethers.getSigner()) as Signer };
  }

  describe('with an externally owned account', () => {
    let page: DappPage;
    let ethers: BrowserProvider;
    let signer: Signer;
    beforeAll(async () => {
      ({ page, ethers, signer } = await connect('eoa'));
    });
    afterAll(() => {
      ethers.destroy();
      page.close();
    });

    it('connects: getSigner installs the snap and opens a dialog', async () => {
      expect(await signer.getAddress()).toBe(page.address);
      expect(page.shown).toHaveLength(1);
      expect((await ethers.getNetwork()).chainId).toBe(BigInt(foundry.id));
      expect((await ethers.listAccounts()).map(({ address }) => address)).toEqual([page.address]);
    });

    it('signs a message and typed data', async () => {
      const message = 'Hello from a dapp';
      expect(verifyMessage(message, await signer.signMessage(message))).toBe(page.address);
      const typed = await signer.signTypedData(DOMAIN, TYPES, ORDER);
      expect(verifyTypedData(DOMAIN, TYPES, ORDER, typed)).toBe(page.address);
    });

    it('sends a transaction and waits for it', async () => {
      const before = await ethers.getBalance(recipient('a'));
      const sent = await signer.sendTransaction({ to: recipient('a'), value: 11n });
      expect(await whileBlocksCome(world.chain, sent.wait())).toMatchObject({ status: 1, from: page.address });
      expect((await ethers.getBalance(recipient('a'))) - before).toBe(11n);
    });

    it('hears of events of a contract and of blocks, by polling', async () => {
      const contract = new Contract(
        ENTRY_POINTS['0.7'],
        [
          'function depositTo(address account) payable',
          'event Deposited(address indexed account, uint256 totalDeposit)',
        ],
        signer,
      );
      const heard = new Promise((resolve) => {
        void contract.on('Deposited', (account: string) => {
          resolve(account);
        });
      });
      const block = new Promise((resolve) => {
        void ethers.once('block', resolve);
      });
      // The subscription has begun once the first block was seen.
      await whileBlocksCome(world.chain, block);
      await contract.getFunction('depositTo')(recipient('d'), { value: 5n });
      expect(await whileBlocksCome(world.chain, heard)).toBe(getAddress(recipient('d')));
      await contract.removeAllListeners();
    });

    it('reports a rejection as ACTION_REJECTED', async () => {
      page.refuseNext();
      const refused: unknown = await signer.signMessage('no').catch((error: unknown) => error);
      expect(isError(refused, 'ACTION_REJECTED')).toBe(true);
    });

    it('decodes the revert reason of a contract', async () => {
      const contract = new Contract(
        ENTRY_POINTS['0.7'],
        ['function getSenderAddress(bytes initCode)', 'error SenderAddressResult(address sender)'],
        ethers,
      );
      const refused: unknown = await contract
        .getFunction('getSenderAddress')
        .staticCall(recipient('1'))
        .catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: 'CALL_EXCEPTION', revert: { name: 'SenderAddressResult' } });
    });
  });

  describe('with a smart account', () => {
    it('sends a transaction as a user operation', async () => {
      const { page, ethers, signer } = await connect('0.7');
      expect(await signer.getAddress()).toBe(page.address);
      const sent = await signer.sendTransaction({ to: recipient('b'), value: 12n });
      expect(await whileBlocksCome(world.chain, sent.wait())).toMatchObject({ status: 1 });
      expect(await ethers.getBalance(recipient('b'))).toBe(12n);
      ethers.destroy();
      page.close();
    });
  });
});
