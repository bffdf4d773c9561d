import { type KeyringAccount } from '@metamask/keyring-api';
import { type Hex, parseEther } from 'viem';

import { BundlerClient } from '../../../src/clients/bundler';
import { fundsFor } from '../../../src/clients/entry-point';
import { NodeClient } from '../../../src/clients/node';
import { ENTRY_POINTS } from '../../../src/core/erc4337/entry-points';
import { toUserOperation } from '../../../src/core/schemas/user-operation';
import {
  answers,
  answersAnotherId,
  answersHtml,
  answersTooMuch,
  type Fault,
  type FaultyService,
  hangsUp,
  neverAnswers,
  on,
  refuses,
  startFaultyService,
} from '../../support/chain/faulty';
import { describeWithPeers } from '../../support/chain/peers';
import { onlyNightly } from '../../support/nightly';
import {
  CHAIN,
  type Details,
  installSmartWallet,
  must,
  operationOf,
  type SmartWallet,
} from '../../support/chain/smart-wallet';
import { PHRASES, sharedWorld } from '../../support/chain/shared-world';
import { type World } from '../../support/chain/world';

const INTENT = { to: `0x${'77'.repeat(20)}`, value: '0x1', data: '0x' } as const;
const none: Fault = () => false;

describeWithPeers('faults of the services', () => {
  let world: World;
  let node: FaultyService;
  let bundler: FaultyService;
  let wallet: SmartWallet;

  beforeAll(async () => {
    world = await sharedWorld();
    node = await startFaultyService(world.rpcUrl);
    bundler = await startFaultyService(world.bundlerUrl);
    wallet = await installSmartWallet(world, PHRASES.faults);
  });
  afterAll(async () => {
    await node.stop();
    await bundler.stop();
  });
  beforeEach(() => {
    node.fault = none;
    bundler.fault = none;
  });

  const services = () => ({ chainId: CHAIN, rpcUrl: node.url, bundlerUrl: bundler.url });

  describe('when a chain is set up', () => {
    const refusal = async (change: Record<string, string> = {}) => {
      const { error } = await wallet.call('keystead_setChain', { ...services(), ...change });
      expect((await wallet.call('keystead_getChains')).result).toEqual([]);
      return error?.message;
    };

    it.each<readonly [string, Fault, RegExp]>([
      ['is down', on('eth_chainId', hangsUp), /^The bundler at 127\.0\.0\.1:\d+ could not be reached\.$/u],
      [
        'is of another chain',
        on('eth_chainId', answers('0x1')),
        /^bundlerUrl: must be a bundler for chain 31337, but .* serves chain 1\.$/u,
      ],
      [
        'answers with another id',
        on('eth_chainId', answersAnotherId),
        /returned a response to another request than eth_chainId/u,
      ],
      [
        'answers with HTML',
        on('eth_supportedEntryPoints', answersHtml),
        /did not return JSON \(HTTP 503, text\/html\)/u,
      ],
      ['answers with megabytes', on('eth_supportedEntryPoints', answersTooMuch), /returned more than 2097152 bytes/u],
      [
        'answers with another form',
        on('eth_supportedEntryPoints', answers('all')),
        /a malformed result for eth_supportedEntryPoints/u,
      ],
      [
        'does not support the entry point',
        on('eth_supportedEntryPoints', answers([`0x${'12'.repeat(20)}`])),
        /^entryPoint: the bundler at .* does not support 0x0000000071727De22E5E9d8BAf0edAc6f37da032; it supports 0x1212/u,
      ],
      ...onlyNightly(['does not answer in time', on('eth_chainId', neverAnswers), /did not respond within 10 s/u]),
    ])('is refused if the bundler %s', async (_name, fault, sentence) => {
      bundler.fault = fault;
      expect(await refusal()).toMatch(sentence);
    });

    it('is refused if the node is of another chain', async () => {
      node.fault = on('eth_chainId', answers('0xa'));
      expect(await refusal()).toMatch(
        /^rpcUrl: must be a node for chain 31337, but the node at .* serves chain 10\.$/u,
      );
    });

    it('is refused for a factory that computes other addresses, or is none', async () => {
      const factory = world.paymasters['0.7'];
      expect(await refusal({ factory })).toMatch(/did not return the account address/u);
      node.fault = on('eth_call', answers(`0x${'11'.repeat(32)}`));
      expect(await refusal({ factory })).toMatch(/did not return an address/u);
      node.fault = on('eth_call', answers(`0x${'00'.repeat(12)}${'11'.repeat(20)}`));
      expect(await refusal({ factory })).toMatch(/^params\.factory: must be a SimpleAccount 0\.7 factory/u);
    });
  });

  describe('when an operation is prepared', () => {
    let account: KeyringAccount;
    let index = 0;

    beforeEach(async () => {
      must(await wallet.setChain(services()));
      account = await wallet.createSmart('0.7', index++);
      await world.chain.setBalance({ address: account.address as Hex, value: parseEther('1') });
    });
    const refusal = async () => (await wallet.prepare(account, [INTENT])).error?.message;

    it.each<[string, Fault, RegExp]>([
      [
        'does not tell the code',
        on('eth_getCode', refuses(-32000, 'header not found')),
        /^the node at .* rejected eth_getCode: header not found/iu,
      ],
      ['answers nonsense for the code', on('eth_getCode', answers('0x123')), /a malformed result for eth_getCode/u],
      ['answers null for the code', on('eth_getCode', answers(null)), /a malformed result for eth_getCode/u],
      ['does not tell the nonce', on('eth_call', refuses(3, 'execution reverted')), /did not return the nonce of 0x/u],
      [
        'has no entry point',
        on('eth_call', answers('0x')),
        /did not return the nonce of 0x.*: the expected contract is not deployed there on this chain/u,
      ],
      ['is of another chain', on('eth_chainId', answers('0x1')), /^rpcUrl: must be a node for chain 31337/u],
      ['hangs up', on('eth_getCode', hangsUp), /^The node at .* could not be reached\.$/u],
      ['answers with HTML', on('eth_call', answersHtml), /did not return JSON/u],
    ])('it is an error, and never a wrong initCode, if the node %s', async (_name, fault, sentence) => {
      node.fault = fault;
      expect(await refusal()).toMatch(sentence);
    });

    it.each<readonly [string, Fault]>([
      ['is down', on('eth_estimateUserOperationGas', hangsUp)],
      ...onlyNightly(['does not answer in time', on('eth_estimateUserOperationGas', neverAnswers)]),
    ])('the gas limits are left out if the bundler %s', async (_name, fault) => {
      bundler.fault = fault;
      const details = must(await wallet.prepare(account, [INTENT]));
      expect(details).not.toHaveProperty('gasLimits');
      expect(details).toMatchObject({ nonce: '0x0', initCode: expect.stringMatching(/^0x91e60e/u) as string });
    });

    it.each<[string, Fault, RegExp]>([
      ['answers with HTML', on('eth_estimateUserOperationGas', answersHtml), /did not return JSON \(HTTP 503/u],
      ['answers with another id', on('eth_estimateUserOperationGas', answersAnotherId), /the id differs/u],
      ['answers with megabytes', on('eth_estimateUserOperationGas', answersTooMuch), /more than 2097152 bytes/u],
      [
        'answers with another form',
        on('eth_estimateUserOperationGas', answers({ callGasLimit: 'much' })),
        /a malformed result for eth_estimateUserOperationGas/u,
      ],
    ])('it is an error, and no gas limits of the wallet, if the bundler %s', async (_name, fault, sentence) => {
      bundler.fault = fault;
      expect(await refusal()).toMatch(sentence);
    });

    it('it is refused in words if the bundler says that the call would fail', async () => {
      const noFunctionOfTheEntryPoint = { to: ENTRY_POINTS['0.7'], value: '0x0', data: '0xdeadbeef' } as const;
      const { error } = await wallet.prepare(account, [noFunctionOfTheEntryPoint]);
      expect(error?.message).toMatch(/^The call would fail on the network\./u);
    });

    it('it is the same when it is prepared twice, and either can be signed', async () => {
      const first = must(await wallet.prepare(account, [INTENT]));
      expect(must(await wallet.prepare(account, [INTENT]))).toEqual(first);
      const other = must(await wallet.prepare(account, [{ ...INTENT, value: '0x2' }]));
      expect(other.nonce).toBe(first.nonce);
      for (const details of [first, other])
        expect(must(await wallet.sign(account, operationOf(account.address, details)))).toMatch(/^0x[0-9a-f]{130}$/u);
    });

    it('it is refused if the paymaster does not sponsor it, when it is prepared or patched', async () => {
      const paymaster = { ...services(), paymasterUrl: world.paymasterUrl };
      must(await wallet.setChain({ ...paymaster, paymasterContext: { refuse: true } }));
      const refused =
        /^paymasterUrl: the paymaster service at .* does not sponsor this operation: the budget of this policy is spent \(-32002\)$/u;
      expect(await refusal()).toMatch(refused);
      must(await wallet.setChain({ ...paymaster, paymasterContext: {} }));
      const operation = operationOf(account.address, must(await wallet.prepare(account, [INTENT])));
      must(await wallet.setChain({ ...paymaster, paymasterContext: { refuse: true } }));
      expect((await wallet.patch(account, operation)).error?.message).toMatch(refused);
    });
  });

  describe('when an operation is sent', () => {
    let account: KeyringAccount;

    beforeAll(async () => {
      must(await wallet.setChain(services()));
      account = await wallet.createSmart('0.7', 100);
      await world.chain.setBalance({ address: account.address as Hex, value: parseEther('1') });
    });

    it('that was included already, the bundler says so and it is put into words', async () => {
      const operation = await wallet.signedOperation(account, [INTENT]);
      await wallet.include(operation, '0.7');
      await expect(wallet.include(operation, '0.7')).rejects.toThrow(
        /^(The nonce is not the account's next one|The account is already deployed)/u,
      );
    });

    it('whose sender is not deployed and brings no initCode, it is put into words', async () => {
      const fresh = await wallet.createSmart('0.7', 101);
      await world.chain.setBalance({ address: fresh.address as Hex, value: parseEther('1') });
      const details: Details = must(await wallet.prepare(fresh, [INTENT]));
      const operation = { ...operationOf(fresh.address, details), initCode: '0x' as const };
      expect((await wallet.submit(fresh.id, 'eth_signUserOperation', [operation], CHAIN)).response).toMatchObject({
        error: { message: expect.stringMatching(/^userOperation\.initCode: must not change after/u) as string },
      });
      await expect(wallet.include(operation, '0.7')).rejects.toThrow(/^The account is not deployed/u);
    });

    it('of an account without money, it says what it needs and what there is', async () => {
      const poor = await wallet.createSmart('0.7', 102);
      const operation = await wallet.signedOperation(poor, [{ ...INTENT, value: '0x0' }]);
      const wire = toUserOperation(operation);
      const place = wallet.placeOf('0.7');
      const funds = () => fundsFor(new NodeClient({ url: world.rpcUrl }), wire, place);
      await expect(wallet.bundler.sendUserOperation(wire, place, { funds })).rejects.toThrow(
        /^The account cannot pay for the operation\. It needs 0\.00\d+ ETH and has 0 ETH \(0 ETH in the account, 0 ETH deposited/u,
      );
    });

    it('to a bundler that answers another hash, it fails', async () => {
      const operation = await wallet.signedOperation(account, [INTENT]);
      const faulty = await startFaultyService(world.bundlerUrl);
      faulty.fault = on('eth_sendUserOperation', answers(`0x${'12'.repeat(32)}`));
      try {
        const client = new BundlerClient({ url: faulty.url });
        await expect(client.sendUserOperation(toUserOperation(operation), wallet.placeOf('0.7'))).rejects.toThrow(
          /returned the hash 0x1212.*, but the operation's hash is 0x/u,
        );
      } finally {
        await faulty.stop();
      }
    });
  });
});
