import { encodeFunctionData, type Hex, parseAbi, parseEther, toHex } from 'viem';

import { prepareOperation } from '../../../src/companion/model/passkey-operation';
import { type Chain } from '../../../src/companion/model/types';
import { splitPaymasterAndData } from '../../../src/core/erc4337/packed-fields';
import { NodeRefusal, type SimulatedNode, startSimulatedNode } from '../../support/simulated-node';

const SAFE: Hex = `0x${'5a'.repeat(20)}`;
const PAYMASTER: Hex = `0x${'9a'.repeat(20)}`;
const OWNERS = [
  { address: `0x${'0a'.repeat(20)}`, isContract: false },
  { address: `0x${'0b'.repeat(20)}`, isContract: true },
] as const;
const PAID = [{ to: `0x${'11'.repeat(20)}`, value: parseEther('1'), data: '0x' }] as const;
const BALANCE_OF = encodeFunctionData({
  abi: parseAbi(['function balanceOf(address) view returns (uint256)']),
  args: [SAFE],
});

describe('an operation that a passkey is to sign', () => {
  let services: SimulatedNode;
  let balance: bigint;
  beforeEach(async () => {
    balance = 0n;
    services = await startSimulatedNode({
      // Next nonce 7, and no deposit.
      eth_call: ([call]) => toHex((call as { data: Hex }).data === BALANCE_OF ? 0n : 7n, { size: 32 }),
      eth_getBalance: () => toHex(balance),
      eth_estimateUserOperationGas: () => ({
        callGasLimit: '0x10000',
        verificationGasLimit: '0x20000',
        preVerificationGas: '0xc000',
        paymasterVerificationGasLimit: '0x5000',
      }),
      pm_getPaymasterStubData: () => ({
        paymaster: PAYMASTER,
        paymasterData: '0x00ff',
        paymasterPostOpGasLimit: '0x1',
      }),
      pm_getPaymasterData: () => ({ paymaster: PAYMASTER, paymasterData: '0x600d' }),
    });
  });
  afterEach(() => services.stop());

  const prepare = async (threshold = 1, more: Partial<Chain> = { paymasterUrl: services.url }) => {
    const chain = { chainId: 'eip155:31337', rpcUrl: services.url, bundlerUrl: services.url, ...more } as const;
    return (await prepareOperation(SAFE, { kinds: OWNERS, threshold }, PAID, chain)).operation;
  };
  const asked = (): readonly string[] =>
    services.asked.map(({ method }) => method).filter((method) => method.startsWith('pm_'));

  it('is not prepared without the sponsorship that the network’s service refuses', async () => {
    balance = parseEther('5');
    services.answers.pm_getPaymasterStubData = () => {
      throw new NodeRefusal('not you', -32000);
    };
    await expect(prepare()).rejects.toThrow('does not sponsor this operation: not you');
  });

  it('is not prepared with paymaster data that is no address', async () => {
    services.answers.pm_getPaymasterData = () => ({ paymaster: '0x12', paymasterData: '0x' });
    await expect(prepare()).rejects.toThrow('paymaster');
  });

  it('is sponsored, of an account that could not pay, with the gas that the bundler estimated', async () => {
    const { nonce, paymasterAndData } = await prepare();
    expect(nonce).toBe(7n);
    expect(splitPaymasterAndData(paymasterAndData, '0.7')).toEqual({
      paymaster: PAYMASTER,
      paymasterVerificationGasLimit: 24_576n,
      paymasterPostOpGasLimit: 1n,
      paymasterData: '0x600d',
    });
    expect(asked()).toEqual(['pm_getPaymasterStubData', 'pm_getPaymasterData']);
  });

  it('is sponsored by what a service says at once and calls final', async () => {
    services.answers.pm_getPaymasterStubData = () => ({
      paymaster: PAYMASTER,
      paymasterData: '0xf17a',
      paymasterVerificationGasLimit: '0x2710',
      paymasterPostOpGasLimit: '0x0',
      isFinal: true,
    });
    expect(splitPaymasterAndData((await prepare()).paymasterAndData, '0.7')).toMatchObject({
      paymasterVerificationGasLimit: 10_000n,
      paymasterData: '0xf17a',
    });
    expect(asked()).toEqual(['pm_getPaymasterStubData']);
  });

  it.each<[string, number, Partial<Chain>]>([
    ['the network has no paymaster service', 1, {}],
    ['the sponsorship would expire before all owners have signed', 2, { paymasterUrl: 'http://127.0.0.1:1' }],
  ])('is paid by the account where %s', async (_where, threshold, more) => {
    await expect(prepare(threshold, more)).rejects.toThrow('does not have enough');
    balance = parseEther('5');
    expect((await prepare(threshold, more)).paymasterAndData).toBe('0x');
    expect(asked()).toEqual([]);
  });

  it('needs a bundler', async () => {
    await expect(
      prepareOperation(SAFE, { kinds: OWNERS, threshold: 1 }, PAID, {
        chainId: 'eip155:31337',
        rpcUrl: services.url,
      }),
    ).rejects.toThrow('no bundler');
  });
});
