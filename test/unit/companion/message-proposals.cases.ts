import { hashMessage, hashTypedData, type Hex, stringToHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

import { nodeOf } from '../../../src/companion/model/node';
import { type AnyWallet } from '../../../src/companion/model/any-wallet';
import {
  keepProposal,
  linkPartOf,
  listProposals,
  openedProposal,
  openLinkPart,
} from '../../../src/companion/model/proposals';
import {
  checkSignatures,
  signatureOfMessage,
  signWithAccount,
  signWithWallet,
} from '../../../src/companion/model/sign-proposal';
import { type SnapClient } from '../../../src/companion/model/snap-client';
import { collectedFor } from '../../../src/core/safe/owners/collected';
import { withSignature } from '../../../src/core/schemas/owner-signatures';
import { newMessage } from '../../../src/core/schemas/safe-message';
import { newProposal } from '../../../src/core/schemas/safe-proposal';
import { emptyBrowserStorage } from '../../support/companion/browser-storage';
import { DEVNET, SAFE } from '../../support/companion/samples';
import { type LocalServer, reply, serveJsonRpc } from '../../support/json-rpc-server';

const OWN = privateKeyToAccount(`0x${'17'.repeat(32)}`);
const CO_OWNER = privateKeyToAccount(`0x${'18'.repeat(32)}`);
const FORMER = privateKeyToAccount(`0x${'19'.repeat(32)}`);
const lower = (address: string): Hex => address.toLowerCase() as Hex;
const safe = lower(SAFE.address);
const account = { ...SAFE, options: { ...SAFE.options, owner: OWN.address } };
const MESSAGE = stringToHex('Sign in');
const SITE = 'https://dapp.example';
const message = newMessage({ message: MESSAGE }, safe, 31_337n);
const current = { owners: [lower(OWN.address), lower(CO_OWNER.address)], threshold: 2 };

const by = async (owner: typeof OWN, hash = message.hash) => ({
  address: lower(owner.address),
  isContract: false,
  signature: await owner.sign({ hash }),
});

/** The snap, with a message that a site asked for and the own key signed. */
async function snapWithMessage(): Promise<SnapClient> {
  const { signature } = await by(OWN);
  const facts = { origin: SITE, account: SAFE.address, chainId: DEVNET.chainId, at: 1, hash: message.hash };
  return { dapp: () => Promise.resolve([{ ...facts, message: MESSAGE, signature }]) } as unknown as SnapClient;
}

describe('a message that waits for owners', () => {
  beforeEach(() => {
    emptyBrowserStorage();
  });
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'localStorage');
  });

  it('is that of the snap, with the site that asked; a link that names another site has no say', async () => {
    const client = await snapWithMessage();
    const [listed] = await listProposals(client, [account]);
    expect(listed).toEqual({
      ...withSignature(message, await by(OWN)),
      wasPrepared: true,
      site: SITE,
    });
    const linked = await openLinkPart(linkPartOf(withSignature(message, await by(CO_OWNER))));
    expect(linked).not.toHaveProperty('site');
    const opened = await openedProposal(linked, client, [account]);
    expect(opened.proposal.signatures).toHaveLength(2);
    expect(opened.proposal.site).toBe(SITE);
  });

  it('was prepared here only if this page did it, not because it was kept', async () => {
    const client = { dapp: () => Promise.resolve([]) } as unknown as SnapClient;
    const operation = newProposal(
      {
        ...{ sender: safe, nonce: 1n, initCode: '0x', callData: '0x', paymasterAndData: '0x', signature: '0x' },
        ...{ callGasLimit: 1n, verificationGasLimit: 1n, preVerificationGas: 1n },
        ...{ maxFeePerGas: 1n, maxPriorityFeePerGas: 1n },
      },
      31_337n,
    );
    await keepProposal(operation);
    expect((await listProposals(client, []))[0]?.wasPrepared).toBe(false);
    await keepProposal(operation, { isOwn: true });
    await keepProposal(operation);
    expect((await listProposals(client, []))[0]?.wasPrepared).toBe(true);
  });
});

describe('the signature of an account with several owners', () => {
  let node: LocalServer;
  let verdict: Hex = '0x';
  let asked: { readonly to: Hex; readonly data: Hex } | undefined;
  beforeAll(async () => {
    node = await serveJsonRpc(({ id, method, params }, response) => {
      if (method === 'eth_call') [asked] = params as [typeof asked];
      reply(response, { id, result: method === 'eth_call' ? verdict : '0x' });
    });
  });
  afterAll(() => node.stop());
  const chain = () => ({ ...DEVNET, rpcUrl: node.url });
  const client = () => nodeOf(chain());

  it.each<[string, Hex]>([
    ['says no', `0xffffffff${'0'.repeat(56)}`],
    ['answers with the value of the older function', `0x20c13b0b${'0'.repeat(56)}`],
    ['says something after the answer', `0x1626ba7e${'0'.repeat(55)}1`],
    ['answers nothing', '0x'],
  ])('is not handed out if the account %s', async (_what, answer) => {
    verdict = answer;
    const signatures = [await by(OWN), await by(CO_OWNER)];
    await expect(signatureOfMessage(message, signatures, current, client())).rejects.toThrow(/does not accept/u);
  });

  it('is not made of too few signatures, nor of one by a former owner', async () => {
    verdict = `0x1626ba7e${'0'.repeat(56)}`;
    asked = undefined;
    for (const second of [await by(OWN), await by(FORMER)]) {
      const signatures = [await by(OWN), second].filter(
        ({ address }, index, all) => all.findIndex((one) => one.address === address) === index,
      );
      await expect(signatureOfMessage(message, signatures, current, client())).rejects.toThrow(/1 more signature/u);
    }
    expect(asked).toBeUndefined();
    expect(collectedFor([await by(FORMER)], current)).toMatchObject({ strangers: [lower(FORMER.address)], missing: 2 });
  });

  it('is that of its owners, in the order of their addresses, once the account accepts it', async () => {
    verdict = `0x1626ba7e${'0'.repeat(56)}`;
    const signatures = [await by(OWN), await by(CO_OWNER)];
    const joined = await signatureOfMessage(message, [...signatures].reverse(), current, client());
    const ascending = [...signatures].sort((one, other) => (BigInt(one.address) < BigInt(other.address) ? -1 : 1));
    expect(joined).toBe(`0x${ascending.map(({ signature }) => signature.slice(2)).join('')}`);
    expect(asked?.to).toBe(safe);
    expect(asked?.data).toContain(hashMessage('Sign in').slice(2));
  });

  it('does not count what was signed for another network or another Safe', async () => {
    for (const other of [
      newMessage(message.content, safe, 1n),
      newMessage(message.content, CO_OWNER.address, 31_337n),
    ]) {
      const replayed = withSignature(message, await by(CO_OWNER, other.hash));
      expect((await checkSignatures(replayed, current, client())).invalid).toEqual([lower(CO_OWNER.address)]);
    }
  });

  it('comes from the own key through the snap, which gets all that is signed; its answer is checked', async () => {
    const requests: unknown[] = [];
    let signer = OWN;
    const snap = {
      dapp: async (method: string, params: unknown) => {
        requests.push([method, params]);
        return (await by(signer)).signature;
      },
    } as unknown as SnapClient;
    const place = { client: snap, chain: chain(), node: client() };
    expect(await signWithAccount(message, account, lower(OWN.address), place)).toEqual(await by(OWN));
    expect(requests).toEqual([
      ['keystead_signAsOwner', { account: SAFE.address, safe, chainId: DEVNET.chainId, message: MESSAGE }],
    ]);
    signer = FORMER;
    await expect(signWithAccount(message, account, lower(OWN.address), place)).rejects.toThrow(
      `must be the one of ${OWN.address} for this proposal`,
    );
  });

  it('comes from another wallet, which signs SafeMessage for this Safe and network', async () => {
    const wallet: AnyWallet = {
      id: '1',
      name: 'Other wallet',
      request: async <T>(method: string, params?: unknown) => {
        if (method === 'eth_chainId') return '0x7a69' as T;
        if (method !== 'eth_signTypedData_v4') return [CO_OWNER.address] as T;
        const data = JSON.parse((params as string[])[1]!) as Parameters<typeof hashTypedData>[0];
        expect(data).toMatchObject({
          primaryType: 'SafeMessage',
          domain: { chainId: 31_337, verifyingContract: safe },
        });
        return (await CO_OWNER.sign({ hash: hashTypedData(data) })) as T;
      },
    };
    const place = { wallet, chain: chain(), node: client() };
    expect(await signWithWallet(message, current.owners, place)).toEqual(await by(CO_OWNER));
  });
});
