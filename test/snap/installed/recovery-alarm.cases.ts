import { type Json } from '@metamask/snaps-sdk';
import { type Hex } from 'viem';

import { MODULE_4337 } from '../../../src/core/safe/contracts';
import { recoveryModuleAt, RECOVERY_MODULES } from '../../../src/core/safe/recovery/modules';
import { answersOf, answerTo, type Chain, GUARDED, MODULE, NOW, party, RECOVERING } from '../../support/recovery-node';
import { flat } from '../../support/screen-text';
import { NoAnswer, NodeRefusal, type SimulatedNode, startSimulatedNode } from '../../support/simulated-node';
import { SnapInProcess } from '../../support/wallet/in-process';
import { WalletDouble } from '../../support/wallet/wallet-double';

const CHAIN = 'eip155:31337';
const MODULE_ADDRESS = MODULE.address.toLowerCase();
const ALARM = 'A recovery of an account has begun';
const UNSEEN = 'Keystead could not check whether a recovery';
const WORD: Hex = `0x${'00'.repeat(32)}`;
const NOBODY: Chain = { ...GUARDED, modules: [MODULE_4337.toLowerCase() as Hex] };
/** Begun, with the module of every Safe here. */
const BEGUN: Chain = { ...RECOVERING, modules: [MODULE_4337.toLowerCase() as Hex, ...RECOVERING.modules] };

describe('a recovery that has begun', () => {
  let node: SimulatedNode;
  let chain: Chain;
  let lies: Record<string, Hex>;
  /** The address of the Safe's key, and whether it is not an owner any more. */
  let owner: Hex;
  let isLost: boolean;
  let code: Hex;
  /** One of the real modules, if it is on the network. */
  let listed: Hex | undefined;
  beforeEach(async () => {
    chain = BEGUN;
    lies = {};
    owner = party('a');
    isLost = false;
    code = '0x1234';
    listed = undefined;
    node = await startSimulatedNode({
      eth_getCode: () => code,
      eth_getStorageAt: () => `0x${'1'.padStart(64, '0')}`,
      eth_getBalance: () => '0xde0b6b3a7640000',
      eth_call: ([call]) => {
        const { to, data } = call as { to: Hex; data: Hex };
        const answers = { '': WORD, ...answersOf({ ...chain, owners: isLost ? chain.owners : [owner] }), ...lies };
        // None of the real modules is here, unless a test says so.
        return recoveryModuleAt(to) === undefined || to === listed ? answerTo(data, answers) : '0x';
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
    const account = (await snap.keyring('keyring_createAccount', { options })) as {
      id: string;
      address: Hex;
      options: { owner: Hex };
    };
    ({ owner } = account.options);
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
  function silence(): void {
    node.answers.eth_call = () => {
      throw new NoAnswer();
    };
  }
  function refuse(): void {
    node.answers.eth_call = () => {
      throw new NodeRefusal('too many requests', -32005);
    };
  }
  const asked = (method: string): number => node.asked.filter((request) => request.method === method).length;

  it('is said before anything else on the home page, with everything that it changes', async () => {
    const started = await start();
    const page = await home(started.snap);
    expect(page.indexOf(ALARM)).toBe(0);
    expect(page).toContain('From 2027-01-15 09:00:00 UTC on, anyone can finish this');
    expect(page).toContain(`Address ${started.address}`);
    expect(page.toLowerCase()).toContain(`new owner ${party('b')}`);
    expect(page).toContain('Signatures required after that 1');
    expect(JSON.stringify(await started.snap.home())).toContain(buttonFor(started.address));
  });

  it.each<[string, () => void]>([
    ['has no module', () => (chain = { ...NOBODY, guardians: [] })],
    ['has a module, but no recovery', () => (chain = { ...GUARDED })],
    ['has a module that is not one for recovery', () => (lies.getRecoveryRequest = WORD)],
    [
      'is not deployed',
      () => {
        lies = { getModulesPaginated: '0x', getOwners: '0x' };
        code = '0x';
      },
    ],
  ])('is not said of an account that %s', async (_what, change) => {
    change();
    const { snap } = await start();
    const page = await home(snap);
    expect(page).not.toContain(ALARM);
    expect(page).not.toContain(UNSEEN);
    await snap.cron('lookForRecoveries');
    expect(await home(snap)).not.toContain(ALARM);
  });

  it.each<[string, () => void]>([
    ['does not answer', () => silence()],
    ['refuses to answer', () => refuse()],
    ['answers nonsense about the modules', () => (lies.getModulesPaginated = WORD)],
    ['answers that there is no Safe, whose code it has', () => (lies = { getModulesPaginated: '0x', getOwners: '0x' })],
    [
      'answers nonsense about a known module',
      () => {
        listed = RECOVERY_MODULES[1]!.address.toLowerCase() as Hex;
        chain = { ...NOBODY };
        lies.getRecoveryRequest = WORD;
      },
    ],
  ])('is not denied if the node %s at the first look, but said to be unknown', async (_what, change) => {
    const started = await start();
    change();
    expect(await home(started.snap)).toContain(UNSEEN);
    expect(await home(started.snap)).not.toContain(ALARM);
    await started.snap.cron('lookForRecoveries');
    expect(started.wallet.dialogs).toEqual([]);
    expect(await started.snap.keyring('keystead_getRecoveries')).toEqual([
      { account: started.address.toLowerCase(), chainId: CHAIN, notice: 'unseen', nodes: [new URL(node.url).host] },
    ]);
    // A dialog of the account asks again, and says it too.
    const snap = new SnapInProcess(started.wallet, 'built');
    await snap.keyring('keyring_exportAccount', { id: started.id });
    expect(started.wallet.dialogs[0]!.text).toContain(UNSEEN);
    expect(started.wallet.dialogs[0]!.text).toContain('Export');
  });

  it('is said to be unknown in one line for each network, whatever the number of accounts', async () => {
    const { snap } = await start();
    for (const index of [1, 2]) {
      const options = { type: 'eip155:erc4337', chainId: CHAIN, kind: 'safe-0.7', index };
      await snap.keyring('keyring_createAccount', { options });
    }
    silence();
    const page = await home(snap);
    expect(page.split(UNSEEN)).toHaveLength(2);
    expect(page).toContain('Keystead could not check whether a recovery has begun on Network 31337: the node at ');
    // Each account is looked at again all the same.
    expect(await snap.keyring('keystead_getRecoveries')).toHaveLength(3);
  });

  it('is said at the next dialog, if the node answers again', async () => {
    const started = await start();
    const answer = node.answers.eth_call!;
    silence();
    await started.snap.cron('lookForRecoveries');
    node.answers.eth_call = answer;
    const snap = new SnapInProcess(started.wallet, 'built');
    await snap.keyring('keyring_exportAccount', { id: started.id });
    expect(started.wallet.dialogs[0]!.text.indexOf(ALARM)).toBe(0);
    expect(started.wallet.dialogs[0]!.text).not.toContain(UNSEEN);
  });

  it('is not hidden by another module that cannot be read', async () => {
    chain = { ...BEGUN };
    listed = RECOVERY_MODULES[1]!.address.toLowerCase() as Hex;
    const answer = node.answers.eth_call!;
    node.answers.eth_call = (params) => {
      const [{ to }] = params as [{ to: Hex }];
      return to === listed ? WORD : answer(params);
    };
    const { snap } = await start();
    const page = await home(snap);
    expect(page.indexOf(ALARM)).toBe(0);
    expect(page).toContain(UNSEEN);
  });

  it('is said if it began through a known module while that is disabled, and can be cancelled', async () => {
    listed = RECOVERY_MODULES[1]!.address.toLowerCase() as Hex;
    chain = { ...BEGUN, modules: NOBODY.modules };
    const started = await start();
    expect((await home(started.snap)).indexOf(ALARM)).toBe(0);
    await press(started.snap, buttonFor(started.address).replace(MODULE_ADDRESS, listed));
    const [sent] = node.asked.find(({ method }) => method === 'eth_sendUserOperation')!.params as [{ callData: Hex }];
    expect(sent.callData).toContain(listed.slice(2));
  });

  describe('through one of two modules', () => {
    const OTHER = RECOVERY_MODULES[1]!.address.toLowerCase() as Hex;
    /** Both modules are enabled; their recoveries differ. */
    const both = (first: Chain, second: Chain): void => {
      listed = OTHER;
      chain = { ...BEGUN, modules: [...BEGUN.modules, OTHER] };
      const answer = node.answers.eth_call!;
      const requestOf = (of: Chain): Hex => answersOf(of).getRecoveryRequest!;
      node.answers.eth_call = (params) => {
        const [{ to, data }] = params as [{ to: Hex; data: Hex }];
        const asked = data.startsWith('0x4f9a28b9') ? { [MODULE_ADDRESS]: first, [OTHER]: second }[to] : undefined;
        return asked === undefined ? answer(params) : requestOf(asked);
      };
    };
    const SECOND: Chain = { ...BEGUN, newOwners: [party('c')] };
    const buttonsOn = async (snap: SnapInProcess): Promise<string[]> =>
      [...JSON.stringify(await snap.home()).matchAll(/cancel-recovery:[^"]*/gu)].map(([name]) => name);
    const sentCalls = (): Hex[] =>
      node.asked
        .filter(({ method }) => method === 'eth_sendUserOperation')
        .map(({ params }) => (params as [{ callData: Hex }])[0].callData);

    it.each<[string, Chain, Chain, string, string]>([
      ['the first', BEGUN, GUARDED, MODULE_ADDRESS, OTHER],
      ['the second', GUARDED, SECOND, OTHER, MODULE_ADDRESS],
    ])('is said once and cancelled in that one: %s', async (_which, first, second, begun, quiet) => {
      both(first, second);
      const started = await start();
      expect((await home(started.snap)).split(ALARM)).toHaveLength(2);
      const button = `cancel-recovery:${CHAIN} ${started.address.toLowerCase()} ${begun}`;
      expect(await buttonsOn(started.snap)).toEqual([button]);
      await press(started.snap, button);
      const [sent] = sentCalls();
      expect(sent).toContain(begun.slice(2));
      expect(sent).not.toContain(quiet.slice(2));
    });

    it('is said for each if both have begun, and cancelling one leaves the alarm of the other', async () => {
      both(BEGUN, SECOND);
      const started = await start();
      const page = (await home(started.snap)).toLowerCase();
      expect(page.split(ALARM.toLowerCase())).toHaveLength(3);
      for (const owner of ['b', 'c']) expect(page).toContain(`new owner ${party(owner)}`);
      expect(await buttonsOn(started.snap)).toHaveLength(2);
      await started.snap.cron('lookForRecoveries');
      expect(started.wallet.dialogs).toHaveLength(1);
      expect(started.wallet.dialogs[0]!.text.split(ALARM)).toHaveLength(3);
      both(GUARDED, SECOND);
      const after = (await home(started.snap)).toLowerCase();
      expect(after).toContain(`new owner ${party('c')}`);
      expect(after).not.toContain(party('b'));
      // One of the two is over, but the account is not out of danger.
      expect(after.indexOf(ALARM.toLowerCase())).toBe(0);
    });
  });

  it('does not pass as cancelled when it was finished', async () => {
    const started = await start();
    await home(started.snap);
    chain = { ...GUARDED, modules: BEGUN.modules, owners: [party('b')], nonce: 1n };
    isLost = true;
    const page = await home(started.snap);
    expect(page.indexOf('Your key no longer controls an account')).toBe(0);
    expect(page).not.toContain('ended without effect');
    const snap = new SnapInProcess(started.wallet, 'built');
    await snap.keyring('keyring_exportAccount', { id: started.id });
    expect(started.wallet.dialogs.at(-1)!.text.indexOf('Your key no longer controls an account')).toBe(0);
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
    // The modules and owners of the Safe, its module, and those that Keystead knows.
    expect(await calls(again)).toBe(3 + RECOVERY_MODULES.length);
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
    // Nobody is reassured in a dialog that asks for a decision.
    expect(started.wallet.dialogs[0]!.text).not.toContain('ended');
  });

  it.each<[string, () => void]>([
    ['the node does not answer', () => silence()],
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
    expect(text).toContain('Cancel the recovery that would give the account to');
    expect(text).toContain("Asked by Keystead's home page in MetaMask");
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
    expect(started.wallet.dialogs[0]!.text).toContain('Cancel the recovery that would give the account to');
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
