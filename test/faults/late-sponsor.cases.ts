import { type Json } from '@metamask/snaps-sdk';

import { CHAIN, configuration, furnished, TO } from '../support/whole-snap/fixture';
import { SnapInProcess } from '../support/wallet/in-process';

test('patching asks a paymaster service that was set up after the preparation', async () => {
  const { world, accounts } = await furnished();
  const { id, address } = accounts.smart;
  const session = new SnapInProcess(world);
  const submit = async (method: string, params: Json[]) => {
    const answer = await session.submit(id, method, params, CHAIN);
    return (answer as { result: Record<string, Json> }).result;
  };
  const intents = [{ to: TO, value: '0x1', data: '0x' }];
  const { nonce, initCode, callData, gasLimits, dummySignature, dummyPaymasterAndData } = await submit(
    'eth_prepareUserOperation',
    intents,
  );
  expect(dummyPaymasterAndData).toBe('0x');

  await session.keyring('keystead_setChain', configuration(31337, { paymasterUrl: 'https://paymaster.example/31337' }));
  const operation = {
    sender: address,
    nonce,
    initCode,
    callData,
    ...(gasLimits as object),
    maxFeePerGas: '0x1',
    maxPriorityFeePerGas: '0x1',
    paymasterAndData: '0x',
    signature: dummySignature,
  } as Json;
  const { paymasterAndData } = await submit('eth_patchUserOperation', [operation]);
  expect(paymasterAndData).toMatch(/^0x[0-9a-f]{40}/u);
});
