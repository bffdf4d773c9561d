import { type Json } from '@metamask/snaps-sdk';

import {
  after,
  CHAIN,
  furnished,
  TIMES,
  TO,
  transactionFrom,
  TYPED_DATA,
  type Accounts,
} from '../support/whole-snap/fixture';
import { testEach } from '../support/whole-snap/matrix';
import { SnapInProcess } from '../support/wallet/in-process';
import { type WalletDouble } from '../support/wallet/wallet-double';

const INTENTS = [{ to: TO, value: '0x1', data: '0x' }];

type Details = Record<'nonce' | 'initCode' | 'callData' | 'dummyPaymasterAndData' | 'dummySignature', string>;

const resultOf = (answer: Json): Json => (answer as { result: Json }).result;

async function preparedIn(world: WalletDouble, { smart }: Accounts) {
  const prepared = await after(world, (session) =>
    session.submit(smart.id, 'eth_prepareUserOperation', INTENTS, CHAIN),
  );
  const answer = await new SnapInProcess(prepared.clone()).submit(smart.id, 'eth_prepareUserOperation', INTENTS, CHAIN);
  const details = resultOf(answer) as Details & { gasLimits: Record<string, string> };
  const draft = {
    sender: smart.address,
    nonce: details.nonce,
    initCode: details.initCode,
    callData: details.callData,
    ...details.gasLimits,
    maxFeePerGas: '0x1',
    maxPriorityFeePerGas: '0x1',
    paymasterAndData: details.dummyPaymasterAndData,
    signature: details.dummySignature,
  };
  const patched = await after(prepared, (session) =>
    session.submit(smart.id, 'eth_patchUserOperation', [draft], CHAIN),
  );
  const patch = resultOf(
    await new SnapInProcess(patched.clone()).submit(smart.id, 'eth_patchUserOperation', [draft], CHAIN),
  );
  return { prepared, draft, patched, final: { ...draft, ...(patch as object) } };
}

async function furnish() {
  const there = await furnished();
  const { accounts, world: sponsored } = await furnished({ paymasterUrl: 'https://paymaster.example/31337' });
  const always = await after(there.world, (session) =>
    session.input({ type: 'FormSubmitEvent', name: 'settings', value: { confirmSignatures: 'always' } }),
  );
  return { ...there, sponsored, always, ...(await preparedIn(sponsored, accounts)) };
}

/** If the bundler does not respond, the gas limits are left to the sender and are not recorded. */
const WITHOUT_LIMITS =
  /fetch eth_estimateUserOperationGas, .*it ends otherwise: "\/state\/prepared\/0\/operation\/gasLimits/u;

describe('requests that sign, with one failing call', () => {
  testEach(
    furnish,
    {
      'at the keyring handler: personal_sign': ({ world, accounts: { eoa } }) => ({
        world,
        run: (session) => session.submit(eoa.id, 'personal_sign', ['0x4869', eoa.address]),
      }),
      'at the keyring handler: personal_sign of a Safe': ({ world, accounts: { safe } }) => ({
        world,
        run: (session) => session.submit(safe.id, 'personal_sign', ['0x4869', safe.address], CHAIN),
      }),
      'at the keyring handler: eth_signTypedData_v4, asked about': ({ always, accounts: { imported } }) => ({
        world: always,
        run: (session) => session.submit(imported.id, 'eth_signTypedData_v4', [imported.address, TYPED_DATA]),
      }),
      'at the keyring handler: eth_signTransaction, asked about': ({ always, accounts: { imported } }) => ({
        world: always,
        run: (session) => session.submit(imported.id, 'eth_signTransaction', [transactionFrom(imported.address)]),
      }),
      'at the keyring handler: eth_prepareUserOperation': ({ sponsored, accounts: { smart } }) => ({
        world: sponsored,
        without: TIMES,
        excepted: WITHOUT_LIMITS,
        run: (session) => session.submit(smart.id, 'eth_prepareUserOperation', INTENTS, CHAIN),
      }),
      'at the keyring handler: eth_patchUserOperation': ({ prepared, accounts: { smart }, draft }) => ({
        world: prepared,
        without: TIMES,
        run: (session) => session.submit(smart.id, 'eth_patchUserOperation', [draft], CHAIN),
      }),
      'at the keyring handler: eth_signUserOperation': ({ patched, accounts: { smart }, final }) => ({
        world: patched,
        run: (session) => session.submit(smart.id, 'eth_signUserOperation', [final], CHAIN),
      }),
      'at the RPC handler: personal_sign': ({ world, accounts: { eoa } }) => ({
        world,
        run: (session) => session.dapp('personal_sign', ['0x4869', eoa.address]),
      }),
      'at the RPC handler: personal_sign of a Safe': ({ world, accounts: { safe } }) => ({
        world,
        run: (session) => session.dapp('personal_sign', ['0x4869', safe.address]),
      }),
      'at the RPC handler: eth_signTypedData_v4': ({ world, accounts: { imported } }) => ({
        world,
        run: (session) => session.dapp('eth_signTypedData_v4', [imported.address, TYPED_DATA]),
      }),
      'at the RPC handler: eth_signTransaction': ({ world, accounts: { eoa } }) => ({
        world,
        run: (session) => session.dapp('eth_signTransaction', [transactionFrom(eoa.address)]),
      }),
      'at the RPC handler: eth_prepareUserOperation': ({ sponsored }) => ({
        world: sponsored,
        without: TIMES,
        excepted: WITHOUT_LIMITS,
        run: (session) => session.dapp('eth_prepareUserOperation', INTENTS),
      }),
      'at the RPC handler: eth_patchUserOperation': ({ prepared, draft }) => ({
        world: prepared,
        without: TIMES,
        run: (session) => session.dapp('eth_patchUserOperation', [draft]),
      }),
      'at the RPC handler: eth_signUserOperation': ({ patched, final }) => ({
        world: patched,
        run: (session) => session.dapp('eth_signUserOperation', [final]),
      }),
    },
    360,
  );
});
