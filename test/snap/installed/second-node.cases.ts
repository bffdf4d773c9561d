import { type Hex } from 'viem';

import { MODULE_4337 } from '../../../src/core/safe/contracts';
import { answersOf, answerWithout, type Chain, GUARDED, MODULE, party, RECOVERING } from '../../support/recovery-node';
import { flat } from '../../support/screen-text';
import { NoAnswer, type SimulatedNode, startSimulatedNode } from '../../support/simulated-node';
import { SnapInProcess } from '../../support/wallet/in-process';
import { WalletDouble } from '../../support/wallet/wallet-double';

const CHAIN = 'eip155:31337';
const ALARM = 'A recovery of an account has begun';
const ENDED = 'A recovery has ended';
const DISPUTE = 'The nodes of a network contradict each other';
const UNSEEN = 'could not check whether a recovery has begun';
const LOST = 'Your key no longer controls an account';
const JOB = 'lookForRecoveries';
const modules = [MODULE_4337.toLowerCase() as Hex, MODULE.address.toLowerCase() as Hex];
/** A node says that a recovery goes on, or that there is none. */
const begun = (owner: Hex): Chain => ({ ...RECOVERING, modules, owners: [owner] });
const quiet = (owner: Hex): Chain => ({ ...GUARDED, modules, owners: [owner], nonce: 1n });

type Says = (owner: Hex) => Chain;

describe('a network with two nodes', () => {
  let says: [Says, Says];
  let owner: Hex;
  let nodes: SimulatedNode[];
  beforeEach(async () => {
    says = [begun, begun];
    owner = party('a');
    nodes = await Promise.all(
      [0, 1].map((which) =>
        startSimulatedNode({
          eth_getCode: () => '0x1234',
          eth_call: ([call]) => answerWithout(call as { to: Hex; data: Hex }, answersOf(says[which]!(owner))),
        }),
      ),
    );
  });
  afterEach(() => Promise.all(nodes.map((node) => node.stop())));

  const host = (which: number): string => new URL(nodes[which]!.url).host;
  const silence = (which: number): void => {
    nodes[which]!.answers.eth_call = () => {
      throw new NoAnswer();
    };
  };

  /** The built snap with a Safe on a network of so many nodes. The person approves everything. */
  async function start(count = 2) {
    const wallet = new WalletDouble();
    wallet.services = nodes.map(({ url }) => new URL(url).origin);
    const snap = new SnapInProcess(wallet, 'built');
    const secondRpcUrl = nodes[1]!.url;
    const network = { chainId: CHAIN, rpcUrl: nodes[0]!.url, bundlerUrl: nodes[0]!.url };
    await snap.keyring('keystead_setChain', { ...network, ...(count === 2 && { secondRpcUrl }) });
    const options = { type: 'eip155:erc4337', chainId: CHAIN, kind: 'safe-0.7', index: 0 };
    const account = (await snap.keyring('keyring_createAccount', { options })) as {
      id: string;
      options: { owner: Hex };
    };
    ({ owner } = account.options);
    const asked = wallet.dialogs.map(({ text }) => text);
    wallet.dialogs.length = 0;
    const home = async (): Promise<string> => flat(await snap.home());
    const raised = async (): Promise<string[]> => {
      wallet.dialogs.length = 0;
      await snap.cron(JOB);
      return wallet.dialogs.map(({ text }) => text);
    };
    return { snap, asked, home, raised, ...account };
  }

  describe('of which one lies', () => {
    it.each([0, 1])(
      'still raises the alarm if node %i denies the recovery, and says which node says what',
      async (liar) => {
        says[liar] = quiet;
        const { home, raised } = await start();
        const page = await home();
        expect(page).toContain(ALARM);
        expect(page).toContain(DISPUTE);
        expect(page).toContain(
          `Safe 1 on Network 31337 has begun, the node at ${host(1 - liar)} says; the node at ${host(liar)} says that none has.`,
        );
        expect(page).not.toContain(ENDED);
        const [dialog] = await raised();
        expect(dialog).toContain(ALARM);
        expect(dialog).toContain(DISPUTE);
        expect(await raised()).toEqual([]);
      },
    );

    it.each([0, 1])(
      'does not take back an alarm because node %i says that there is no recovery any more',
      async (liar) => {
        const { home, raised } = await start();
        await raised();
        says[liar] = quiet;
        const page = await home();
        expect(page).toContain(ALARM);
        expect(page).not.toContain(ENDED);
        expect((await raised()).join()).toContain(DISPUTE);
      },
    );

    it.each([0, 1])('does not believe node %i alone that the key is still an owner', async (liar) => {
      says = [() => quiet(party('b')), () => quiet(party('b'))];
      says[liar] = quiet;
      const { home, raised } = await start();
      const page = await home();
      expect(page).toContain(
        `controls Safe 1 on Network 31337, the node at ${host(1 - liar)} says; the node at ${host(liar)} says that it does.`,
      );
      expect(page).not.toContain(LOST);
      expect((await raised()).join()).toContain(DISPUTE);
    });

    it('says that they tell of different recoveries', async () => {
      says[1] = (key) => ({ ...begun(key), newOwners: [party('c')] });
      const { home } = await start();
      expect(await home()).toContain(`the nodes at ${host(0)} and ${host(1)} tell of different recoveries`);
    });
  });

  describe('of which one is silent', () => {
    it.each([0, 1])('keeps the alarm that node %i does not confirm, and names the node', async (which) => {
      const { home, raised } = await start();
      await raised();
      says = [quiet, quiet];
      silence(which);
      const page = await home();
      expect(page).toContain(ALARM);
      expect(page).toContain(`${UNSEEN} on Network 31337: the node at ${host(which)} does not answer`);
      expect(page).not.toContain(ENDED);
      expect(page).not.toContain(DISPUTE);
    });

    it('does not take back that the key is lost if the node that said so falls silent', async () => {
      says = [quiet, () => quiet(party('b'))];
      const { home } = await start();
      expect(await home()).toContain(DISPUTE);
      silence(1);
      expect(await home()).toContain(DISPUTE);
    });

    it('raises the alarm of the other', async () => {
      silence(0);
      const { home } = await start();
      expect(await home()).toContain(ALARM);
    });
  });

  it.each([0, 1])('asks node %i nothing more once it serves another chain, and is not reassured', async (which) => {
    const { home, raised } = await start();
    await raised();
    says = [quiet, quiet];
    nodes[which]!.answers.eth_chainId = () => '0x1';
    const page = await home();
    expect(page).toContain(ALARM);
    expect(page).toContain(`the node at ${host(which)} does not answer`);
    expect(page).not.toContain(ENDED);
  });

  it('says that a recovery has ended only with both names, and never in a dialog', async () => {
    const { home, raised, snap, id } = await start();
    await raised();
    says = [quiet, quiet];
    expect(await raised()).toEqual([]);
    const page = await home();
    expect(page).toContain(`${ENDED}, the nodes at ${host(0)} and ${host(1)} say`);
    expect(page).not.toContain(ALARM);
    await snap.keyring('keyring_exportAccount', { id });
    expect(await home()).toContain(ENDED);
    // One that begins takes it back.
    says = [begun, begun];
    expect(await home()).not.toContain(ENDED);
  });

  it('is not contradicted by a notice of another module, or of the owners', async () => {
    const { home, raised } = await start();
    await raised();
    says = [quiet, quiet];
    await home();
    says = [() => quiet(party('b')), () => quiet(party('b'))];
    const page = await home();
    expect(page).toContain(LOST);
    expect(page).toContain(`the nodes at ${host(0)} and ${host(1)} say. If they are not yours`);
    expect(page).not.toContain(ENDED);
  });

  it('is named even if it is the only one', async () => {
    const { home, raised } = await start(1);
    await raised();
    says = [quiet, quiet];
    expect(await raised()).toEqual([]);
    expect(await home()).toContain(`${ENDED}, the node at ${host(0)} says`);
  });

  describe('is set up', () => {
    it('in a dialog that shows both', async () => {
      const { asked } = await start();
      expect(asked[0]).toContain('Second RPC URL');
      expect(asked[0]).toContain(nodes[1]!.url);
    });

    it.each<[string, () => string, string]>([
      ['the same node', () => nodes[0]!.url, 'params.secondRpcUrl: must be on another host than the first node'],
      [
        'another path of it',
        () => `${nodes[0]!.url}/other`,
        'params.secondRpcUrl: must be on another host than the first node',
      ],
      ['no URL', () => 'node', 'params.secondRpcUrl: must be an https URL'],
      [
        'a node of another chain',
        () => {
          nodes[1]!.answers.eth_chainId = () => '0x1';
          return nodes[1]!.url;
        },
        'params.secondRpcUrl: must be a node for chain 31337',
      ],
    ])('not with %s', async (_what, url, message) => {
      const { snap } = await start(1);
      const network = { chainId: CHAIN, rpcUrl: nodes[0]!.url, secondRpcUrl: url() };
      await expect(snap.keyring('keystead_setChain', network)).rejects.toThrow(message);
    });

    it('not by a site, which does not remove it either', async () => {
      const { snap } = await start();
      const site = 'http://localhost:3000';
      const network = { chainId: CHAIN, rpcUrl: nodes[0]!.url };
      await expect(snap.dapp('keystead_setChain', { ...network, secondRpcUrl: nodes[1]!.url }, site)).rejects.toThrow(
        'params.secondRpcUrl: must be absent',
      );
      await snap.dapp('keystead_setChain', { ...network, name: 'Other' }, site);
      const [chain] = (await snap.keyring('keystead_getChains')) as [{ secondRpcUrl: string; name: string }];
      expect(chain).toMatchObject({ name: 'Other', secondRpcUrl: nodes[1]!.url });
    });

    it('still, of two hosts, after a site has named a node on the host of the second', async () => {
      const { snap } = await start();
      const rpcUrl = `${nodes[1]!.url}/of-the-site`;
      await snap.dapp('keystead_setChain', { chainId: CHAIN, rpcUrl }, 'http://localhost:3000');
      const chains = await snap.keyring('keystead_getChains');
      expect(chains).toMatchObject([{ rpcUrl, secondRpcUrl: nodes[0]!.url }]);
    });
  });
});
