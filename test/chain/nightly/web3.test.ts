import { verifyMessage, verifyTypedData } from 'ethers';
import { type Address } from 'viem';
import { foundry } from 'viem/chains';
import Web3 from 'web3';

import { ENTRY_POINTS } from '../../../src/core/erc4337/entry-points';
import { createKeysteadProvider } from '../../../src/provider';
import { whileBlocksCome } from '../../support/chain/blocks';
import { type DappPage, openDappPage } from '../../support/chain/dapp-page';
import { describeWithPeers } from '../../support/chain/peers';
import { startWorld, type World } from '../../support/chain/world';

const recipient = (digit: string): Address => `0x${digit.repeat(40)}`;

const TYPED_DATA = {
  domain: { name: 'Dapp', version: '1', chainId: foundry.id },
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ],
    Order: [
      { name: 'maker', type: 'address' },
      { name: 'amount', type: 'uint256' },
    ],
  },
  primaryType: 'Order',
  message: { maker: recipient('3'), amount: '1000000000000000000000' },
};

/** The entry point holds deposits, as a token holds balances. */
const DEPOSITS = [
  {
    type: 'function',
    name: 'balanceOf',
    stateMutability: 'view',
    inputs: [{ name: 'account', type: 'address' }],
    outputs: [{ name: '', type: 'uint256' }],
  },
  {
    type: 'function',
    name: 'depositTo',
    stateMutability: 'payable',
    inputs: [{ name: 'account', type: 'address' }],
    outputs: [],
  },
  {
    type: 'function',
    name: 'getSenderAddress',
    stateMutability: 'nonpayable',
    inputs: [{ name: 'initCode', type: 'bytes' }],
    outputs: [],
  },
  { type: 'error', name: 'SenderAddressResult', inputs: [{ name: 'sender', type: 'address' }] },
  {
    type: 'event',
    name: 'Deposited',
    inputs: [
      { name: 'account', type: 'address', indexed: true },
      { name: 'totalDeposit', type: 'uint256', indexed: false },
    ],
  },
] as const;

describeWithPeers('web3.js with the provider, the built snap, a real chain and a real bundler', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(async () => {
    await world.stop();
  });

  async function connect(account: 'eoa' | '0.7') {
    const page = await openDappPage(world, account);
    const web3 = new Web3(createKeysteadProvider({ chainId: foundry.id }));
    web3.eth.transactionPollingInterval = 50;
    expect(await web3.eth.requestAccounts()).toEqual([page.address]);
    return { page, web3 };
  }

  describe('with an externally owned account', () => {
    let page: DappPage;
    let web3: Web3;
    beforeAll(async () => {
      ({ page, web3 } = await connect('eoa'));
    });
    afterAll(() => {
      page.close();
    });

    it('is told that there are no subscriptions, in words that it reads as such', async () => {
      const refused: unknown = await Promise.resolve(web3.eth.subscribe('newBlockHeaders')).catch(
        (error: unknown) => error,
      );
      expect(JSON.stringify(refused, Object.getOwnPropertyNames(refused))).toContain(
        'the method eth_subscribe does not exist/is not available',
      );
    });

    it('reads the accounts, the network and the balance', async () => {
      expect(await web3.eth.getAccounts()).toEqual([page.address]);
      expect(await web3.eth.getChainId()).toBe(BigInt(foundry.id));
      expect(await web3.eth.net.getId()).toBe(BigInt(foundry.id));
      expect(await web3.eth.getBalance(page.address)).toBe(await world.chain.getBalance({ address: page.address }));
    });

    it('signs a message and typed data', async () => {
      const message = 'Hello from a dapp';
      expect(verifyMessage(message, await web3.eth.personal.sign(message, page.address, ''))).toBe(page.address);
      const { domain, types, message: order } = TYPED_DATA;
      const typed = await web3.eth.signTypedData(page.address, TYPED_DATA);
      expect(verifyTypedData(domain, { Order: types.Order }, order, typed)).toBe(page.address);
    });

    it('sends a transaction and waits for its receipt', async () => {
      const before = await web3.eth.getBalance(recipient('a'));
      const sent = web3.eth.sendTransaction({ from: page.address, to: recipient('a'), value: 11n });
      expect(await whileBlocksCome(world.chain, sent)).toMatchObject({
        status: 1n,
        from: page.address.toLowerCase(),
      });
      expect((await web3.eth.getBalance(recipient('a'))) - before).toBe(11n);
    });

    it('calls a contract, writes to it and reads its events', async () => {
      const contract = new web3.eth.Contract(DEPOSITS, ENTRY_POINTS['0.7']);
      const depositOf = (): Promise<bigint> => contract.methods.balanceOf(recipient('b')).call();
      expect(await depositOf()).toBe(0n);
      const sent = contract.methods.depositTo(recipient('b')).send({ from: page.address, value: '12' });
      const receipt = await whileBlocksCome(world.chain, sent);
      expect(receipt.events?.Deposited?.returnValues).toMatchObject({ totalDeposit: 12n });
      expect(await depositOf()).toBe(12n);
      const events = await contract.getPastEvents('Deposited', { fromBlock: 0, filter: { account: recipient('b') } });
      expect(events).toHaveLength(1);
    });

    it('decodes the revert reason of a contract', async () => {
      const contract = new web3.eth.Contract(DEPOSITS, ENTRY_POINTS['0.7']);
      const call = contract.methods.getSenderAddress(recipient('1')).call();
      await expect(call).rejects.toMatchObject({ cause: { errorName: 'SenderAddressResult' } });
    });

    it('reports a rejection with 4001', async () => {
      page.refuseNext();
      const sent = web3.eth.sendTransaction({ from: page.address, to: recipient('a'), value: 1n });
      await expect(sent).rejects.toMatchObject({ code: 4001 });
      page.refuseNext();
      await expect(web3.eth.personal.sign('no', page.address, '')).rejects.toMatchObject({ code: 4001 });
    });
  });

  describe('with a smart account', () => {
    it('sends a transaction as a user operation', async () => {
      const { page, web3 } = await connect('0.7');
      const sent = web3.eth.sendTransaction({ from: page.address, to: recipient('c'), value: 13n });
      expect(await whileBlocksCome(world.chain, sent)).toMatchObject({ status: 1n });
      expect(await web3.eth.getBalance(recipient('c'))).toBe(13n);
      page.close();
    });
  });
});
