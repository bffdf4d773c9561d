import { type Hex, parseEther, type PublicClient, recoverMessageAddress, recoverTypedDataAddress, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';

import { type Companion, type Kind } from '../../support/browser/companion';
import { nodeOf } from '../../support/browser/devnet-node';
import { describeCompanion } from '../../support/browser/fixture';

const newAddress = (): Hex => privateKeyToAddress(generatePrivateKey());
const HALF = toHex(parseEther('0.5'));

describeCompanion('accounts of the simulated wallet, used by a page', (fixture) => {
  let node: PublicClient;
  let companion: Companion;

  beforeAll(async () => {
    node = await nodeOf(fixture().world);
  });

  /** @returns An account with 10 ETH, connected to the page in the wallet. */
  const connected = async (kind: Kind): Promise<Hex> => {
    companion = await fixture().ready();
    await companion.addToWallet();
    const address = (await companion.createAccount(kind)) as Hex;
    await companion.askFaucet(address);
    const connecting = companion.ask('eth_requestAccounts');
    await companion.answerWallet('Connect accounts', address, 'Connect');
    expect(await connecting).toEqual({ result: [address] });
    return address;
  };

  it('signs a message that the wallet has shown; viem recovers the signer', async () => {
    const address = await connected('eoa');
    const signing = companion.ask('personal_sign', [toHex('Hello, Ünïcode'), address]);
    await companion.answerWallet('Sign a message', 'Hello, Ünïcode', 'Confirm');
    const signature = (await signing).result as Hex;
    expect(await recoverMessageAddress({ message: 'Hello, Ünïcode', signature })).toBe(address);
  });

  it('signs typed data, as an object or as JSON', async () => {
    const address = await connected('eoa');
    const typedData = {
      domain: { name: 'A site', chainId: 31337 },
      primaryType: 'Note',
      types: {
        EIP712Domain: [
          { name: 'name', type: 'string' },
          { name: 'chainId', type: 'uint256' },
        ],
        Note: [{ name: 'text', type: 'string' }],
      },
      message: { text: 'Hello' },
    } as const;
    for (const data of [typedData, JSON.stringify(typedData)]) {
      const signing = companion.ask('eth_signTypedData_v4', [address, data]);
      await companion.answerWallet('Sign typed data', 'A site', 'Confirm');
      // No rule reads a Note, so the snap asks too.
      await companion.answer('Hello', 'Approve');
      const signature = (await signing).result as Hex;
      expect(await recoverTypedDataAddress({ ...typedData, signature } as never)).toBe(address);
    }
  });

  it('sends a transaction from an externally owned account, and creates a contract', async () => {
    const address = await connected('eoa');
    const to = newAddress();
    const sending = companion.ask('eth_sendTransaction', [{ from: address, to, value: HALF }]);
    await companion.answerWallet('Send a transaction', to, 'Confirm');
    const hash = (await sending).result as Hex;
    expect((await node.waitForTransactionReceipt({ hash })).status).toBe('success');
    expect(await node.getBalance({ address: to })).toBe(parseEther('0.5'));
    expect(await node.getTransaction({ hash })).toMatchObject({ from: address.toLowerCase(), type: 'eip1559' });

    // Init code that deploys the single byte 01.
    const creating = companion.ask('eth_sendTransaction', [{ from: address, data: '0x600160005360016000f3' }]);
    await companion.answerWallet('Send a transaction', 'New contract', 'Confirm');
    const created = await node.waitForTransactionReceipt({ hash: (await creating).result as Hex });
    expect(await node.getCode({ address: created.contractAddress! })).toBe('0x01');
  });

  it('does nothing after a rejection, and serves only connected accounts', async () => {
    const address = await connected('eoa');
    const signing = companion.ask('personal_sign', [toHex('Hello'), address]);
    await companion.answerWallet('Sign a message', 'Hello', 'Reject');
    expect(await signing).toMatchObject({ code: 4001 });

    const to = newAddress();
    const sending = companion.ask('eth_sendTransaction', [{ from: address, to, value: HALF }]);
    await companion.answerWallet('Send a transaction', to, 'Reject');
    expect(await sending).toMatchObject({ code: 4001 });
    expect(await node.getTransactionCount({ address, blockTag: 'pending' })).toBe(0);

    const other = await companion.createAccount('eoa');
    expect(await companion.ask('personal_sign', [toHex('Hello'), other])).toEqual({
      code: 4100,
      message: 'params[1]: the account is not connected to this site',
    });
    expect(await companion.ask('eth_sendTransaction', [{ from: address, to, value: '1' }])).toEqual({
      code: -32602,
      message: 'params[0].value: must be a hex quantity',
    });
  });

  it('refuses to sign messages with a smart account', async () => {
    const address = await connected('0.7');
    const signing = companion.ask('personal_sign', [toHex('Hello'), address]);
    await companion.answerWallet('Sign a message', 'Hello', 'Confirm');
    expect(await signing).toEqual({ code: 4100, message: `The account ${address} does not have personal_sign.` });
  });

  describe('with a bundler', () => {
    it.each(['0.7', '0.8', '0.9'] as const)('sends user operations from a smart account %s', async (kind) => {
      const address = await connected(kind);
      // The first user operation deploys the account.
      for (const to of [newAddress(), newAddress()]) {
        const sending = companion.ask('eth_sendTransaction', [{ from: address, to, value: HALF }]);
        await companion.answerWallet('Send a user operation', to, 'Confirm');
        await companion.answer(to, 'Approve');
        const { result } = await sending;
        expect((await node.getTransactionReceipt({ hash: result as Hex })).status).toBe('success');
        expect(await node.getBalance({ address: to })).toBe(parseEther('0.5'));
      }
      expect(await node.getCode({ address })).toBeDefined();
    });

    it('sends no user operation that is rejected in the snap', async () => {
      const address = await connected('0.7');
      const to = newAddress();
      const sending = companion.ask('eth_sendTransaction', [{ from: address, to, value: HALF }]);
      await companion.answerWallet('Send a user operation', to, 'Confirm');
      await companion.answer(to, 'Reject');
      expect(await sending).toMatchObject({ code: 4001 });
      expect(await node.getBalance({ address: to })).toBe(0n);
    });
  });
});
