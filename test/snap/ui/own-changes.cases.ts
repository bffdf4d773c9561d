import { expect } from '@jest/globals';
import { type KeyringAccount } from '@metamask/keyring-api';
import { encodeFunctionData, type Hex, pad, parseAbi, toHex } from 'viem';

import { MODULE_4337, SIGNER_FACTORY } from '../../../src/core/safe/contracts';
import { ownerChangeCall } from '../../../src/core/safe/owners/changes';
import { createSignerCall } from '../../../src/core/safe/passkey/signer';
import { type Call } from '../../../src/core/erc4337/user-operation';
import { cancelRecovery, setGuardians } from '../../../src/core/safe/recovery/calls';
import { RECOVERY_MODULES } from '../../../src/core/safe/recovery/modules';
import { ALICE, BOB } from '../../support/explaining';
import { openPart } from '../../support/open-part';
import { makePasskey } from '../../support/passkey';
import { answersOf, answerTo, GUARDED } from '../../support/recovery-node';
import { NodeRefusal, type SimulatedNode, startSimulatedNode } from '../../support/simulated-node';
import { SnapInProcess } from '../../support/wallet/in-process';
import { COMPANION } from '../../support/wallet/program';
import { WalletDouble } from '../../support/wallet/wallet-double';

const CHAIN = 'eip155:31337';
const CAROL: Hex = '0x66666666666666666666666666666666DEaDbeef';
const MODULE = RECOVERY_MODULES[3]!.address;
/** The signer of a passkey, as the factory answers. */
const SIGNER: Hex = '0x9999999999999999999999999999999999999999';
/** Words that a dialog may have before its details. */
const MOST = 60;

const SIMULATED = { status: '0x1', gasUsed: '0x5208', returnData: pad('0x1'), logs: [] };

/** The answers of a network to a Safe with these owners, guardians and recovery. */
type Network = {
  readonly isDeployed: boolean;
  readonly owners: readonly Hex[];
  readonly threshold: bigint;
  readonly guardians: readonly Hex[];
  readonly newOwners: readonly Hex[];
};

function startNode(network: () => Network): Promise<SimulatedNode> {
  const answerCall = (to: Hex, data: Hex): Hex => {
    const { owners, threshold, guardians, newOwners } = network();
    if (data.startsWith('0xe75235b8')) return pad(toHex(threshold));
    if (data.startsWith('0x35567e1a')) return pad('0x0');
    if (data.startsWith('0xa541d91a')) return to.toLowerCase() === SIGNER_FACTORY.toLowerCase() ? pad(SIGNER) : '0x';
    const answers = answersOf({
      ...GUARDED,
      modules: guardians.length === 0 ? [MODULE_4337] : [MODULE, MODULE_4337],
      owners,
      guardians,
      threshold: guardians.length === 0 ? 0n : 2n,
      ...(newOwners.length > 0 && { newOwners, newThreshold: 1n, approvals: 2n, executeAfter: 1_700_172_800n }),
    });
    return answerTo(data, answers);
  };
  return startSimulatedNode({
    eth_getCode: ([at]) => {
      // The code of the modules is not public.
      if (RECOVERY_MODULES.some(({ address }) => address.toLowerCase() === (at as string).toLowerCase()))
        throw new NodeRefusal('busy', -32000);
      return network().isDeployed ? '0x60' : '0x';
    },
    eth_getStorageAt: () => pad(toHex(network().threshold)),
    eth_getBalance: () => '0xde0b6b3a7640000',
    eth_gasPrice: () => '0x3b9aca00',
    eth_call: ([call]) => {
      const { to, data } = call as { to: Hex; data: Hex };
      return answerCall(to, data);
    },
    eth_simulateV1: ([request]) =>
      (request as { blockStateCalls: { calls: unknown[] }[] }).blockStateCalls.map(({ calls }) => ({
        calls: calls.map(() => SIMULATED),
      })),
    eth_estimateUserOperationGas: () => ({
      callGasLimit: '0x10000',
      verificationGasLimit: '0x60000',
      preVerificationGas: '0xc000',
    }),
  });
}

describe('the dialogs of own changes, as the Keystead page asks for them', () => {
  let node: SimulatedNode;
  let network: Network;
  let snap: SnapInProcess;
  let account: KeyringAccount;
  let owner: Hex;
  let shown: unknown[];
  beforeEach(async () => {
    network = { isDeployed: false, owners: [], threshold: 0n, guardians: [], newOwners: [] };
    node = await startNode(() => network);
    shown = [];
    const world = new WalletDouble();
    world.services = [new URL(node.url).origin];
    snap = new SnapInProcess(world);
    const chain = { chainId: CHAIN, rpcUrl: node.url, bundlerUrl: node.url, name: 'Testnet', symbol: 'ETH' };
    await snap.dapp('keystead_setChain', chain, COMPANION);
    const options = { type: 'eip155:erc4337', chainId: CHAIN, kind: 'safe-0.7' };
    account = (await snap.keyring('keyring_createAccount', { options })) as unknown as KeyringAccount;
    owner = account.options.owner as Hex;
    await snap.dapp('wallet_requestPermissions', [{ eth_accounts: {} }], COMPANION);
    // Everything is shown, and nothing approved.
    world.show = (content) => {
      shown.push(content);
      return false;
    };
  });
  afterEach(() => node.stop());

  const deployed = (more: Partial<Network> = {}): void => {
    network = { ...network, isDeployed: true, owners: [owner], threshold: 1n, ...more };
  };
  /** The open part of the dialog of some calls. */
  async function openOf(calls: readonly Call[]): Promise<string[]> {
    const sent = calls.map(({ to, value, data }) => ({ to, value: toHex(value), data }));
    const request = { version: '2.0.0', chainId: '0x7a69', from: account.address, atomicRequired: true, calls: sent };
    await expect(snap.dapp('wallet_sendCalls', [request], COMPANION)).rejects.toMatchObject({ code: 4001 });
    return openPart(shown.at(-1));
  }
  const safe = (): Hex => account.address as Hex;
  const guarding = () => ({
    safe: safe(),
    module: MODULE,
    modules: [MODULE_4337],
    owners: [owner],
    guardians: [],
    threshold: 0n,
  });
  const current = () => ({ owners: network.owners, threshold: Number(network.threshold) });

  const CASES: readonly (readonly [string, () => readonly Call[], string, RegExp])[] = [
    [
      'guardians, with the operation that deploys the account',
      () => setGuardians({ guardians: [ALICE, BOB, CAROL], threshold: 2n }, guarding()),
      'Set 3 guardians: any 2 can replace the owner after 3 days',
      /Gets control: 0x66666666666666666666666666666666DEaDbeef/u,
    ],
    [
      'guardians of an account that is deployed',
      () => {
        deployed();
        return setGuardians({ guardians: [ALICE, BOB, CAROL], threshold: 2n }, guarding());
      },
      'Set 3 guardians: any 2 can replace the owner after 3 days',
      /Before: 1 of 1 owner, no guardians, says 127\.0\.0\.1/u,
    ],
    [
      'an owner',
      () => {
        deployed();
        return [ownerChangeCall(safe(), current(), { kind: 'add', owner: ALICE, threshold: 2 })];
      },
      'Add 0xd8dA…6045 as owner: 2 of 2 owners must sign',
      /Before: 1 of 1 owner, says 127\.0\.0\.1/u,
    ],
    [
      'an owner who takes the place of another',
      () => {
        deployed({ owners: [owner, ALICE] });
        return [ownerChangeCall(safe(), current(), { kind: 'replace', owner: ALICE, by: BOB })];
      },
      'Replace owner 0xd8dA…6045 with 0x742d…f44e: either can sign alone',
      /Gets control: 0x742d35Cc6634C0532925a3b844Bc454e4438f44e/u,
    ],
    [
      'the threshold',
      () => {
        deployed({ owners: [owner, ALICE] });
        return [ownerChangeCall(safe(), current(), { kind: 'threshold', threshold: 2 })];
      },
      'From now on 2 of 2 owners must sign',
      /Before: 1 of 2 owners, says 127\.0\.0\.1/u,
    ],
    [
      'a threshold that falls',
      () => {
        deployed({ owners: [owner, ALICE], threshold: 2n });
        return [ownerChangeCall(safe(), current(), { kind: 'threshold', threshold: 1 })];
      },
      'From now on either can sign alone, not 2 as before',
      /\[danger\] Fewer than before are enough\./u,
    ],
    [
      'a passkey as owner',
      () => {
        deployed();
        const { point } = makePasskey();
        const verifiers = `0x0100${'00'.repeat(20)}` as const;
        return [
          createSignerCall({ factory: SIGNER_FACTORY, point, verifiers }),
          ownerChangeCall(safe(), current(), { kind: 'add', owner: SIGNER, threshold: 1 }),
        ];
      },
      'Add a passkey as owner: either can sign alone',
      /Gets control: 0x9999999999999999999999999999999999999999/u,
    ],
    [
      'the cancelling of a recovery',
      () => {
        deployed({ guardians: [ALICE, BOB], newOwners: [CAROL] });
        return [cancelRecovery(MODULE)];
      },
      'Cancel the recovery that would give the account to 0x6666…beef on 16 Nov 2023',
      /Before: 1 of 1 owner, 2 of 2 guardians, a recovery has begun, says 127\.0\.0\.1/u,
    ],
  ];

  it.each(CASES)(`%s: at most ${MOST} words before the details`, async (_what, callsOf, title, row) => {
    const open = await openOf(callsOf());
    expect(open[0]).toBe(`# ${title}`);
    expect(open.join('\n')).toMatch(row);
    const isDanger = row.source.includes('danger');
    expect(open.filter((line) => /^\[(?:danger|warning)\]/u.test(line))).toHaveLength(isDanger ? 1 : 0);
    const words = open.join(' ').split(/\s+/u);
    expect(words.length).toBeLessThanOrEqual(MOST);
  });

  it('another change that looks like one of them: a danger', async () => {
    deployed({ owners: [owner, ALICE], threshold: 2n });
    const [attacker, other] = [CAROL, '0x00000000000000000000000000000000000000cc'] as const;
    const abi = parseAbi(['function enableModule(address)']);
    const calls = [
      ...setGuardians({ guardians: [ALICE, BOB], threshold: 1n }, { ...guarding(), owners: [] }),
      { to: safe(), value: 0n, data: encodeFunctionData({ abi, args: [other] }) },
      ownerChangeCall(safe(), current(), { kind: 'replace', owner, by: attacker }),
    ];
    const open = (await openOf(calls)).join('\n');
    expect(open).toMatch(/\[danger\].*Keystead does not know the code of this module/u);
    expect(open).toContain('One guardian alone can take the account.');
    expect(open).toContain('Keystead can then no longer sign for this account.');
  });
});
