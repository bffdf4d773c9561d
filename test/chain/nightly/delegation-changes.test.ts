import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';

import { DELEGATES } from '../../../src/core/erc4337/delegates';
import { ENTRY_POINTS } from '../../../src/core/erc4337/entry-points';
import { delegationCode } from '../../../src/core/eth/authorization';
import { type Answer } from '../../support/wallet/installed';
import { callsOf, recipient, startAccount, statusOf } from '../../support/chain/delegated-account';
import { type FaultyService, startFaultyService } from '../../support/chain/faulty';
import { describeWithPeers } from '../../support/chain/peers';
import { CHAIN, must } from '../../support/chain/smart-wallet';
import { startWorld, type World } from '../../support/chain/world';

type Started = Awaited<ReturnType<typeof startAccount>>;

describeWithPeers('an account that changes while the person is asked (EIP-7702), on a real chain', () => {
  let world: World;
  let node: FaultyService;
  let bundler: FaultyService;
  beforeAll(async () => {
    world = await startWorld();
    node = await startFaultyService(world.rpcUrl);
    bundler = await startFaultyService(world.bundlerUrl);
  });
  afterAll(async () => {
    await bundler.stop();
    await node.stop();
    await world.stop();
  });

  const codeOf = async ({ address }: Started) => (await world.chain.getCode({ address }))?.toLowerCase();

  /** The account's key is in use elsewhere too: a transaction that is not Keystead's. */
  async function sendElsewhere({ privateKey }: Started, call: { to: Hex; data?: Hex }): Promise<void> {
    const account = privateKeyToAccount(privateKey);
    const hash = await world.chain.sendTransaction({ account, ...call });
    await world.chain.waitForTransactionReceipt({ hash });
  }

  /** Somebody else sends an authorization that the key signed elsewhere. */
  async function delegateElsewhere({ privateKey, address }: Started): Promise<void> {
    const nonce = await world.chain.getTransactionCount({ address });
    const authorization = await privateKeyToAccount(privateKey).signAuthorization({
      chainId: foundry.id,
      contractAddress: DELEGATES['0.9'],
      nonce,
    });
    const hash = await world.chain.sendTransaction({ to: recipient('8'), authorizationList: [authorization] });
    await world.chain.waitForTransactionReceipt({ hash });
    expect(await codeOf({ address } as Started)).toBe(delegationCode(DELEGATES['0.9']));
  }

  const moveNonce = (started: Started) => sendElsewhere(started, { to: recipient('9') });
  const INCREMENT_ABI = parseAbi(['function incrementNonce(uint192 key)']);
  const moveOperationNonce = (started: Started) =>
    sendElsewhere(started, {
      to: ENTRY_POINTS['0.8'],
      data: encodeFunctionData({ abi: INCREMENT_ABI, args: [0n] }),
    });

  const CALLS = 'three calls';
  const UNDO = 'taking the delegation back';
  it.each([
    ['operation', 'first', CALLS, 'was used', moveNonce],
    ['operation', 'first', CALLS, 'got another delegate', delegateElsewhere],
    ['operation', 'second', CALLS, 'made an operation', moveOperationNonce],
    ['operation', 'second', CALLS, 'got another delegate', delegateElsewhere],
    ['transaction', 'first', CALLS, 'was used', moveNonce],
    ['transaction', 'first', CALLS, 'got another delegate', delegateElsewhere],
    ['transaction', 'second', CALLS, 'was used', moveNonce],
    ['transaction', 'second', CALLS, 'got another delegate', delegateElsewhere],
    ['transaction', 'second', UNDO, 'was used', moveNonce],
    ['transaction', 'second', UNDO, 'got another delegate', delegateElsewhere],
  ] as const)('signs no %s, the %s time, for %s if the account %s meanwhile', async (way, time, what, _how, change) => {
    const services = { rpcUrl: node.url, bundlerUrl: way === 'operation' ? bundler.url : undefined };
    const started = await startAccount(world, services);
    const { keystead, address } = started;
    if (time === 'second') {
      const { id } = must(await keystead.approve<{ id: string }>('wallet_sendCalls', callsOf(address)));
      expect(await statusOf(keystead, world.chain, id)).toMatchObject({ status: 200, atomic: true });
      expect(await codeOf(started)).toBe(delegationCode(DELEGATES['0.8']));
    }
    const request =
      what === CALLS
        ? keystead.dapp('wallet_sendCalls', callsOf(address))
        : keystead.send('keystead_takeBackDelegation', { chainId: CHAIN, address });
    const screen = await request.getInterface();
    for (const { asked } of [node, bundler]) asked.length = 0;
    await change(started);
    const [code, nonce] = [await codeOf(started), await world.chain.getTransactionCount({ address })];
    await screen.ok();
    const { error } = (await request).response as Answer;
    expect(error?.message).toContain('used or changed on this network in the meantime');
    expect(error?.message).toContain('Nothing was signed');
    expect(node.asked).not.toContain('eth_sendRawTransaction');
    expect(bundler.asked).not.toContain('eth_sendUserOperation');
    expect([await codeOf(started), await world.chain.getTransactionCount({ address })]).toEqual([code, nonce]);
  });
});
