import { type Json } from '@metamask/snaps-sdk';
import { type Hex } from 'viem';

import { MODULE_4337 } from '../../src/core/erc4337/safe/contracts';
import { answersOf, answerTo, type Chain, GUARDED, MODULE, NOW, party, RECOVERING } from '../support/recovery-node';
import { flat } from '../support/screen-text';
import { NoAnswer, type SimulatedNode, startSimulatedNode } from '../support/simulated-node';
import { SnapInProcess } from '../support/wallet/in-process';
import { WalletDouble } from '../support/wallet/wallet-double';

const CHAIN = 'eip155:31337';
const MODULE_ADDRESS = MODULE.address.toLowerCase();
const ALARM = 'A recovery of this account has begun';
const WORD: Hex = `0x${'00'.repeat(32)}`;
const NOBODY: Chain = { ...GUARDED, modules: [MODULE_4337.toLowerCase() as Hex] };
/** Begun, with the module of every Safe here. */
const BEGUN: Chain = { ...RECOVERING, modules: [MODULE_4337.toLowerCase() as Hex, ...RECOVERING.modules] };

describe('a recovery that has begun', () => {
  let node: SimulatedNode;
  let chain: Chain;
  let lies: Record<string, Hex>;
  beforeEach(async () => {
    chain = BEGUN;
    lies = {};
    node = await startSimulatedNode({
      eth_getCode: () => '0x1234',
      eth_getBalance: () => '0xde0b6b3a7640000',
      eth_call: ([call]) => {
        const answer = answerTo((call as { data: Hex }).data, { ...answersOf(chain), ...lies });
        return answer === '0x' ? WORD : answer;
      },
      eth_estimateUserOperationGas: () => ({
        callGasLimit: '0x10000',
        verificationGasLimit: '0x60000',
        preVerificationGas: '0xc000',
      }),
      eth_sendUserOperation: () => `0x${'ab'.repeat(32)}`,
    });
  });
  afterEach(() => node.stop());

  /** The built snap with a Safe. The person approves everything. */
  async function start() {
    const wallet = new WalletDouble();
    wallet.services = [new URL(node.url).origin];
    const snap = new SnapInProcess(wallet, 'built');
    await snap.keyring('keystead_setChain', { chainId: CHAIN, rpcUrl: node.url, bundlerUrl: node.url });
    const options = { type: 'eip155:erc4337', chainId: CHAIN, kind: 'safe-0.7', index: 0 };
    const account = (await snap.keyring('keyring_createAccount', { options })) as { id: string; address: Hex };
    wallet.dialogs.length = 0;
    return { snap, wallet, ...account };
  }
  const home = async (snap: SnapInProcess): Promise<string> => flat(await snap.home());
  const buttonFor = (address: Hex): string => `cancel-recovery:${CHAIN} ${address.toLowerCase()} ${MODULE_ADDRESS}`;
  const press = (snap: SnapInProcess, name: string) => snap.input({ type: 'ButtonClickEvent', name });
  const sign = (snap: SnapInProcess, { id, address }: { id: string; address: Hex }): Promise<Json> =>
    snap.submit(
      id,
      'eth_signTypedData_v4',
      [
        address,
        {
          types: { EIP712Domain: [], Note: [{ name: 'text', type: 'string' }] },
          primaryType: 'Note',
          domain: {},
          message: { text: 'hello' },
        },
      ],
      CHAIN,
    );
  const asked = (method: string): number => node.asked.filter((request) => request.method === method).length;

  it('is said before anything else on the home page, with everything that it changes', async () => {
    const started = await start();
    const page = await home(started.snap);
    expect(page.indexOf(ALARM)).toBe(0);
    expect(page).toContain('From 2027-01-15 09:00:00 UTC on, anyone can finish it');
    expect(page).toContain(`Address ${started.address}`);
    expect(page.toLowerCase()).toContain(`new owner ${party('b')}`);
    expect(page).toContain('Required signatures 1');
    expect(JSON.stringify(await started.snap.home())).toContain(buttonFor(started.address));
  });

  it.each<[string, () => void]>([
    ['has no module', () => (chain = { ...NOBODY, guardians: [] })],
    ['has a module, but no recovery', () => (chain = { ...GUARDED })],
    ['has a module that is not one for recovery', () => (lies.getRecoveryRequest = WORD)],
    ['is not deployed', () => (lies.getModulesPaginated = '0x')],
  ])('is not said of an account that %s', async (_what, change) => {
    change();
    const { snap } = await start();
    expect(await home(snap)).not.toContain(ALARM);
    await snap.cron('lookForRecoveries');
    expect(await home(snap)).not.toContain(ALARM);
  });

  it('is announced by the cron job, once for each recovery', async () => {
    const { snap, wallet } = await start();
    await snap.cron('lookForRecoveries');
    expect(wallet.dialogs.map(({ text }) => text.indexOf(ALARM))).toEqual([0]);
    await snap.cron('lookForRecoveries');
    expect(wallet.dialogs).toHaveLength(1);
    chain = { ...BEGUN, executeAfter: NOW + 7200n };
    await snap.cron('lookForRecoveries');
    expect(wallet.dialogs).toHaveLength(2);
  });

  it('is not looked for while the wallet is locked, which would ask for the password', async () => {
    const { snap, wallet } = await start();
    wallet.locked = true;
    const before = node.asked.length;
    await snap.cron('lookForRecoveries');
    expect(node.asked).toHaveLength(before);
    expect(wallet.dialogs).toEqual([]);
  });

  it('is said first in every dialog of the account, also after a restart', async () => {
    const started = await start();
    await started.snap.cron('lookForRecoveries');
    started.wallet.dialogs.length = 0;
    const snap = new SnapInProcess(started.wallet, 'built');
    await sign(snap, started);
    await snap.keyring('keyring_exportAccount', { id: started.id });
    // Without the alarm, a plain message that MetaMask has asked about takes no dialog of the snap.
    await snap.submit(started.id, 'personal_sign', ['0x68656c6c6f', started.address], CHAIN);
    expect(started.wallet.dialogs).toHaveLength(3);
    for (const { text } of started.wallet.dialogs) expect(text.indexOf(ALARM)).toBe(0);
    const { text } = started.wallet.dialogs[0]!;
    expect(text).toContain('reject this request and press “Cancel recovery”');
  });

  it('is asked of the network for a dialog only if the account has a module, and once in ten minutes', async () => {
    const started = await start();
    const calls = async (work: () => Promise<unknown>): Promise<number> => {
      const before = asked('eth_call');
      await work();
      return asked('eth_call') - before;
    };
    const dialog = () => started.snap.keyring('keyring_exportAccount', { id: started.id });
    expect(await calls(dialog)).toBe(0);
    await started.snap.cron('lookForRecoveries');
    const snap = new SnapInProcess(started.wallet, 'built');
    const again = () => snap.keyring('keyring_exportAccount', { id: started.id });
    expect(await calls(again)).toBe(1);
    expect(await calls(again)).toBe(0);
  });

  it('is over in the next dialog after it was cancelled', async () => {
    const started = await start();
    await started.snap.cron('lookForRecoveries');
    chain = { ...BEGUN, ...GUARDED, modules: BEGUN.modules, nonce: 1n };
    started.wallet.dialogs.length = 0;
    const snap = new SnapInProcess(started.wallet, 'built');
    await sign(snap, started);
    expect(started.wallet.dialogs[0]!.text).not.toContain(ALARM);
  });

  it.each<[string, () => void]>([
    [
      'the node does not answer',
      () => {
        node.answers.eth_call = () => {
          throw new NoAnswer();
        };
      },
    ],
    ['the node answers nonsense', () => (lies.getRecoveryRequest = '0x1234')],
    ['the module was disabled, which does not end it', () => (chain = { ...BEGUN, modules: NOBODY.modules })],
  ])('is still said when %s', async (_what, change) => {
    const { snap } = await start();
    expect(await home(snap)).toContain(ALARM);
    change();
    expect(await home(snap)).toContain(ALARM);
    await snap.cron('lookForRecoveries');
    expect(await home(snap)).toContain(ALARM);
  });

  it('is cancelled from the home page, in an operation of the account', async () => {
    const started = await start();
    await started.snap.home();
    await press(started.snap, buttonFor(started.address));
    const { text } = started.wallet.dialogs[0]!;
    expect(text).toContain('Cancel a recovery');
    expect(text).toContain("Asked by Keystead's home page");
    expect(text).not.toContain('reject this request');
    const [sent] = node.asked.find(({ method }) => method === 'eth_sendUserOperation')!.params as [{ callData: Hex }];
    expect(sent.callData).toContain(MODULE_ADDRESS.slice(2));
    expect(sent.callData).toContain('0ba234d6');
  });

  it('is cancelled from the companion page, in a dialog that asks nobody to reject it', async () => {
    const started = await start();
    await started.snap.cron('lookForRecoveries');
    started.wallet.dialogs.length = 0;
    const place = { chainId: CHAIN, address: started.address, module: MODULE_ADDRESS };
    await started.snap.keyring('keystead_cancelRecovery', place);
    expect(started.wallet.dialogs.map(({ text }) => text.includes('reject this request'))).toEqual([false]);
    expect(started.wallet.dialogs[0]!.text).toContain('Cancel a recovery');
  });

  it('is not cancelled if the person rejects that, or if the account has no such module', async () => {
    const started = await start();
    await started.snap.home();
    const params = { chainId: CHAIN, address: started.address, module: party('9') };
    await expect(started.snap.keyring('keystead_cancelRecovery', params)).rejects.toThrow(
      'module: the account has no such recovery module on this network.',
    );
    await press(started.snap, buttonFor(started.address).replace(MODULE_ADDRESS, party('9')));
    expect(started.wallet.dialogs.at(-1)!.text).toContain('The recovery was not cancelled');
    started.wallet.onRequest = ({ method }) => {
      if (method === 'snap_dialog') started.wallet.plan({ at: 0, fault: 'declined' });
    };
    await press(started.snap, buttonFor(started.address));
    expect(asked('eth_sendUserOperation')).toBe(0);
  });

  it('is listed for the companion page', async () => {
    const { snap, address } = await start();
    expect(await snap.keyring('keystead_getRecoveries')).toEqual([
      {
        account: address.toLowerCase(),
        chainId: CHAIN,
        module: MODULE_ADDRESS,
        pending: {
          newOwners: [party('b')],
          more: 0,
          newThreshold: '0x1',
          executeAfter: `0x${(NOW + 3600n).toString(16)}`,
        },
      },
    ]);
  });
});
