import { type Hex, hashTypedData } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

import { type AnyWallet } from '../../../src/companion/model/any-wallet';
import { explainProposal, previewedProposal } from '../../../src/companion/model/explain-proposal';
import { nodeOf } from '../../../src/companion/model/node';
import {
  addSignatures,
  forgetProposal,
  keepProposal,
  linkPartOf,
  listProposals,
  openedProposal,
  openLinkPart,
  openProposal,
} from '../../../src/companion/model/proposals';
import {
  checkSignatures,
  operationsBefore,
  signatureFrom,
  signWithWallet,
  standingProblem,
} from '../../../src/companion/model/sign-proposal';
import { type SnapClient } from '../../../src/companion/model/snap-client';
import { ownerChangeCall } from '../../../src/core/safe/owners/changes';
import { collectedFor, messageSignature } from '../../../src/core/safe/owners/collected';
import { KINDS } from '../../../src/core/kinds';
import { writeProposal } from '../../../src/core/schemas/any-proposal';
import { mergedWith, withSignature } from '../../../src/core/schemas/owner-signatures';
import { newProposal, proposalTypedData } from '../../../src/core/schemas/safe-proposal';
import { fromUserOperation } from '../../../src/core/schemas/user-operation';
import { emptyBrowserStorage } from '../../support/companion/browser-storage';
import { DEVNET, SAFE } from '../../support/companion/samples';
import { type LocalServer, reply, serveJsonRpc } from '../../support/json-rpc-server';

const OWN = privateKeyToAccount(`0x${'17'.repeat(32)}`);
const CO_OWNER = privateKeyToAccount(`0x${'18'.repeat(32)}`);
const CONTRACT: Hex = `0x${'cc'.repeat(20)}`;
const byContract = { address: CONTRACT, isContract: true, signature: '0x1234' } as const;
/** False signatures in the name of the contract, as many as a file may hold. */
const claims = [0, 1, 2, 3].map((index) => ({ ...byContract, signature: `0x0${index}` as const }));
const lower = (address: string): Hex => address.toLowerCase() as Hex;
const sender = lower(SAFE.address);
const account = { ...SAFE, options: { ...SAFE.options, owner: OWN.address } };

const change = ownerChangeCall(
  sender,
  { owners: [lower(OWN.address), lower(CO_OWNER.address)], threshold: 2 },
  { kind: 'threshold', threshold: 1 },
);
const OPERATION = {
  sender,
  nonce: 3n,
  initCode: '0x',
  callData: KINDS['safe-0.7'].encodeCalls([change]),
  callGasLimit: 100_000n,
  verificationGasLimit: 200_000n,
  preVerificationGas: 50_000n,
  maxFeePerGas: 20n,
  maxPriorityFeePerGas: 10n,
  paymasterAndData: '0x',
  signature: '0x',
} as const;
const proposal = newProposal(OPERATION, 31_337n);

const known = { threshold: 2, wasPrepared: true, accounts: [account], chains: [DEVNET], now: 1n };

const signatureOf = async (owner: typeof OWN) => ({
  address: lower(owner.address),
  isContract: false,
  signature: await owner.sign({ hash: proposal.hash }),
});

/** The snap, with the proposal that it signed with the account's own key. */
async function snapWithProposal(): Promise<SnapClient> {
  const { signature } = await signatureOf(OWN);
  const operation = fromUserOperation({ ...OPERATION, signature: `0x${'00'.repeat(12)}${signature.slice(2)}` });
  const proposed = [
    { id: '1', origin: 'https://dapp.example', account: sender, chainId: DEVNET.chainId, at: 1, operation },
  ];
  return { dapp: () => Promise.resolve(proposed) } as unknown as SnapClient;
}

describe('the proposals that a page keeps', () => {
  let storage: Map<string, string>;
  beforeEach(() => {
    storage = emptyBrowserStorage();
  });
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'localStorage');
  });

  it('are those of the snap, with the signature of its key, and those that were opened', async () => {
    const client = await snapWithProposal();
    const other = newProposal({ ...OPERATION, nonce: 4n }, 31_337n);
    await keepProposal(other);
    const list = await listProposals(client, [account]);
    expect(list.map(({ hash }) => hash)).toEqual([proposal.hash, other.hash]);
    expect(list[0]?.signatures).toEqual([await signatureOf(OWN)]);
    forgetProposal(other);
    expect(await listProposals(client, [account])).toHaveLength(1);
  });

  it('gather the signatures of every copy', async () => {
    await addSignatures(proposal, [await signatureOf(CO_OWNER)]);
    const [listed] = await listProposals(await snapWithProposal(), [account]);
    expect(listed?.signatures.map(({ address }) => address).sort()).toEqual(
      [lower(OWN.address), lower(CO_OWNER.address)].sort(),
    );
    const kept = await keepProposal(withSignature(proposal, await signatureOf(OWN)));
    expect(kept.signatures).toHaveLength(2);
  });

  it('are not what a link brings, until it is signed or kept', async () => {
    const client = await snapWithProposal();
    const later = newProposal({ ...OPERATION, nonce: 4n }, 31_337n);
    const signature = await OWN.sign({ hash: later.hash });
    const other = withSignature(later, { address: lower(OWN.address), isContract: false, signature });
    const before = new Map(storage);
    const linked = await openLinkPart(linkPartOf(other));
    expect(await openedProposal(linked, client, [account])).toEqual({
      proposal: { ...other, wasPrepared: false },
      isKept: false,
    });
    expect(storage).toEqual(before);
    await keepProposal(linked);
    expect(await openedProposal(linked, client, [account])).toMatchObject({ isKept: true });
  });

  it('are shown with the signatures that a copy adds, of which none takes the place of one that is known', async () => {
    const client = await snapWithProposal();
    const copy = withSignature(withSignature(proposal, claimOf(OWN)), await signatureOf(CO_OWNER));
    const opened = await openedProposal(copy, client, [account]);
    expect(opened).toMatchObject({ isKept: false, proposal: { wasPrepared: true } });
    expect(opened.proposal.signatures).toEqual([await signatureOf(OWN), claimOf(OWN), await signatureOf(CO_OWNER)]);
    expect(await openedProposal(proposal, client, [account])).toMatchObject({ isKept: true });
    expect(storage.size).toBe(0);
  });

  const claimOf = (owner: typeof OWN, signature: Hex = '0x00') => ({
    address: lower(owner.address),
    isContract: true,
    signature,
  });

  it('lose no signature to a copy that has another one of the same owner', async () => {
    const honest = await signatureOf(CO_OWNER);
    await keepProposal(withSignature(proposal, honest));
    const kept = await keepProposal(withSignature(proposal, claimOf(CO_OWNER)));
    expect(kept.signatures).toEqual([honest, claimOf(CO_OWNER)]);
    expect((await keepProposal(kept)).signatures).toHaveLength(2);
  });

  it('keep a true signature of a contract behind four false ones, which go once the network was asked', async () => {
    const client = await snapWithProposal();
    const honest = { ...byContract, signature: '0x1234' } as const;
    await keepProposal(mergedWith(proposal, { signatures: claims }));
    const opened = await openedProposal(withSignature(proposal, honest), client, []);
    expect(opened.proposal.signatures).toEqual([...claims, honest]);
    expect((await keepProposal(opened.proposal, { refused: claims })).signatures).toEqual([honest]);
    // Where the network was not asked, nothing that was kept is dropped without a word.
    await expect(keepProposal(mergedWith(proposal, { signatures: claims }))).rejects.toThrow(/more than 4 signatures/u);
    expect((await listProposals(client, []))[0]?.signatures).toEqual([honest]);
  });

  it('are one of each key, in whatever form they come, so that they can be read again', async () => {
    const honest = await signatureOf(CO_OWNER);
    const other = { ...honest, signature: `0x${'22'.repeat(64)}1b` as const };
    await keepProposal(withSignature(proposal, honest));
    expect((await keepProposal(withSignature(proposal, other))).signatures).toEqual([honest]);
  });

  it('take a verified signature in place of a claim, and drop the signatures that do not count', async () => {
    await keepProposal(withSignature(withSignature(proposal, claimOf(CO_OWNER)), byStranger(1)));
    const honest = await signatureOf(CO_OWNER);
    const kept = await addSignatures(proposal, [honest], [byStranger(1)]);
    expect(kept.signatures).toEqual([honest]);
  });

  const byStranger = (index: number) => ({
    address: `0xee${index.toString(16).padStart(38, '0')}` as const,
    isContract: true,
    signature: '0x00' as const,
  });

  it('stay as they are if one more signature would make them unreadable', async () => {
    const full = Array.from({ length: 200 }, (_, index) => byStranger(index)).reduce(withSignature, proposal);
    await keepProposal(full);
    const honest = await signatureOf(CO_OWNER);
    await expect(addSignatures(full, [honest])).rejects.toThrow(/signatures.*at most 200/u);
    await expect(addSignatures(proposal, [claimOf(OWN, `0x${'00'.repeat(8193)}`)])).rejects.toThrow(/8192 bytes/u);
    const client = { dapp: () => Promise.resolve([]) } as unknown as SnapClient;
    expect((await listProposals(client, [account]))[0]?.signatures).toHaveLength(200);
    expect((await addSignatures(full, [honest], full.signatures)).signatures).toEqual([honest]);
  });

  it('are at most 50', async () => {
    for (let nonce = 1n; nonce <= 50n; nonce++) await keepProposal(newProposal({ ...OPERATION, nonce }, 31_337n));
    await expect(keepProposal(newProposal({ ...OPERATION, nonce: 51n }, 31_337n))).rejects.toThrow(/at most 50/u);
    await keepProposal(newProposal({ ...OPERATION, nonce: 50n }, 31_337n));
  });

  it('were prepared by Keystead only if the snap says so', async () => {
    await keepProposal(newProposal({ ...OPERATION, nonce: 4n }, 31_337n));
    const list = await listProposals(await snapWithProposal(), [account]);
    expect(list.map(({ wasPrepared }) => wasPrepared)).toEqual([true, false]);
  });

  it('travel in a file and in a link', async () => {
    const signed = withSignature(proposal, await signatureOf(OWN));
    const link = `https://page.example/#/proposals/open/${linkPartOf(signed)}`;
    expect(await openProposal(link)).toEqual(signed);
    expect(await openProposal(` ${link}\n`)).toEqual(signed);
    expect(await openProposal(writeProposal(signed))).toEqual(signed);
    expect(await openLinkPart(linkPartOf(signed))).toEqual(signed);
  });

  it('are none if a link is cut off or is another page', async () => {
    const part = linkPartOf(proposal);
    await expect(openLinkPart(part.slice(0, -5))).rejects.toThrow(/^proposal: must be/u);
    await expect(openLinkPart('%%%')).rejects.toThrow(/whole link/u);
    await expect(openProposal('https://page.example/#/send')).rejects.toThrow('proposal: must be JSON');
  });

  it('are explained by the decoder and the judge of the snap', () => {
    const { title, dangers, lines } = explainProposal(proposal, known);
    expect(title).toContain('From now on any owner can sign alone');
    expect(dangers.map(({ code }) => code)).toEqual(['account-administration']);
    expect(lines).toContainEqual({
      kind: 'text',
      label: 'Signatures',
      value: '2 owners must sign before it can be sent',
    });
  });
});

describe('a proposal of another person', () => {
  const ofStranger = { ...known, wasPrepared: false };
  const codesOf = (changed: Partial<typeof OPERATION | { paymasterAndData: Hex }>, gasPrice?: bigint) =>
    explainProposal(newProposal({ ...OPERATION, ...changed }, 31_337n), { ...ofStranger, gasPrice }).dangers.map(
      ({ code }) => code,
    );

  it('is said to come from elsewhere, with a paymaster or without', () => {
    expect(explainProposal(proposal, ofStranger).warnings).toContainEqual(
      expect.stringMatching(/comes from elsewhere/u),
    );
    expect(explainProposal(proposal, known).warnings).not.toContainEqual(
      expect.stringMatching(/comes from elsewhere/u),
    );
  });

  it.each([
    ['now on', 'no limit', 0, 0],
    ['1970-01-01 00:00:09 UTC', '1970-01-01 00:05:00 UTC', 9, 300],
    ['never', 'never', 2 ** 48 - 2, 2 ** 48 - 1],
  ])('says when it is valid: from %s until %s', (from, until, validAfter, validUntil) => {
    const { main } = explainProposal(newProposal(OPERATION, 31_337n, { validAfter, validUntil }), ofStranger);
    expect(main.slice(-2).map(({ value }) => value)).toEqual([from, until]);
  });

  it('cannot be sent before other operations, after its time, or once its nonce is used', () => {
    expect(standingProblem(proposal, -1n, 1n)).toMatch(/sent already/u);
    expect(standingProblem(proposal, 2n, 1n)).toMatch(/only after 2 other operations.*stay valid/u);
    const within = newProposal(OPERATION, 31_337n, { validAfter: 9, validUntil: 2 ** 48 - 1 });
    expect(standingProblem(within, 0n, 1n)).toBe('It is not valid before 1970-01-01 00:00:09 UTC.');
    expect(standingProblem(newProposal(OPERATION, 31_337n, { validAfter: 0, validUntil: 9 }), 0n, 9n)).toMatch(
      /expired/u,
    );
    expect(standingProblem(proposal, 0n, 1n)).toBeUndefined();
  });

  it('is dangerous if it names a paymaster, whatever that may charge', () => {
    expect(codesOf({ paymasterAndData: `0x${'66'.repeat(20)}${'00'.repeat(15)}01${'00'.repeat(15)}01` })).toContain(
      'unknown-paymaster',
    );
  });

  it('is dangerous if its fee is far above what the network asks', () => {
    expect(codesOf({}, 20n)).not.toContain('excessive-fee');
    expect(codesOf({ maxFeePerGas: 10n ** 13n } as never, 20n)).toContain('excessive-fee');
  });
});

describe('the signatures of a proposal', () => {
  const VALID = `0x20c13b0b${'0'.repeat(56)}`;
  let node: LocalServer;
  let verdict: unknown;
  let asked: readonly unknown[];
  beforeAll(async () => {
    node = await serveJsonRpc(({ id, method, params }, response) => {
      const [first] = (params as typeof params | undefined) ?? [];
      if (verdict === 'silence') response.writeHead(503).end();
      else if (method === 'eth_gasPrice') reply(response, { id, result: '0x14' });
      else if (method === 'eth_getCode') reply(response, { id, result: first === CONTRACT ? '0x6001' : '0x' });
      else if (verdict === 'revert') reply(response, { id, error: { code: 3, message: 'execution reverted' } });
      else if (verdict === 'refusal') reply(response, { id, error: { code: -32005, message: 'limit exceeded' } });
      else
        reply(response, {
          id,
          result: typeof verdict === 'function' ? (verdict as (call: unknown) => unknown)(first) : verdict,
        });
      if (method === 'eth_call') asked = params;
    });
  });
  afterAll(() => node.stop());
  const place = () => ({ ...DEVNET, rpcUrl: node.url });
  const client = () => nodeOf(place());
  const current = { owners: [lower(OWN.address), lower(CO_OWNER.address), CONTRACT], threshold: 2 };
  it.each<[string, unknown, boolean]>([
    ['it says so', VALID, true],
    ['it answers with the value of the newer function', `0x1626ba7e${'0'.repeat(56)}`, false],
    ['it says something after that', `0x20c13b0b${'0'.repeat(55)}1`, false],
    ['it answers nothing', '0x', false],
    ['it reverts', 'revert', false],
  ])('count for a contract only if %s', async (_what, answer, isValid) => {
    verdict = answer;
    const { valid, invalid } = await checkSignatures(withSignature(proposal, byContract), current, client());
    expect([valid, invalid]).toEqual(isValid ? [[byContract], []] : [[], [CONTRACT]]);
    expect(asked).toMatchObject([{ to: CONTRACT }, 'latest']);
  });

  it('of a contract are found behind false ones that came before them, the shortest, and count once', async () => {
    const claim = { ...byContract, signature: '0x00' } as const;
    const padded = { ...byContract, signature: `0x1234${'00'.repeat(100)}` } as const;
    const opened = await openProposal(
      writeProposal(mergedWith(withSignature(proposal, claim), { signatures: [padded, byContract] })),
    );
    verdict = ({ data }: { readonly data: Hex }): string => (data.includes('1234') ? VALID : '0x');
    expect(await checkSignatures(opened, current, client())).toEqual({ valid: [byContract], invalid: [] });
    // Signatures that were not checked together count once for each signer, too.
    expect(collectedFor([byContract, padded], current)).toMatchObject({ valid: [byContract], missing: 1 });
    expect(() => messageSignature([byContract, padded], current)).toThrow(/1 more signature/u);
  });

  it('that are false take a few requests, however many a file holds', async () => {
    const file = mergedWith(proposal, { signatures: claims });
    await expect(
      openProposal(writeProposal(mergedWith(file, { signatures: [{ ...byContract, signature: '0x04' }] }))),
    ).rejects.toThrow('proposal.signatures[4].owner: must not have more than 4 signatures');
    let count = 0;
    verdict = () => {
      count++;
      return '0x';
    };
    expect(await checkSignatures(file, current, client())).toEqual({ valid: [], invalid: [CONTRACT] });
    expect(count).toBe(4);
  });

  it.each<[string, unknown]>([
    ['does not respond', 'silence'],
    ['refuses', 'refusal'],
  ])('are not called false if the node %s', async (_how, answer) => {
    verdict = answer;
    const byOwner = withSignature(proposal, byContract);
    await expect(checkSignatures(byOwner, current, client())).rejects.toThrow();
    await expect(
      signatureFrom(proposal, { address: CONTRACT, isContract: true }, '0x1234', client()),
    ).rejects.not.toThrow(/must be the one of/u);
  });

  it('are not asked for at the node if their signers are not owners', async () => {
    verdict = 'silence';
    const claimed = withSignature(proposal, { ...byContract, address: `0x${'66'.repeat(20)}` });
    expect(await checkSignatures(claimed, current, client())).toEqual({ valid: [], invalid: [] });
  });

  it('come after those of the operations before it', async () => {
    verdict = `0x${'0'.repeat(63)}1`;
    expect(await operationsBefore(proposal, client())).toBe(2n);
  });

  it('are asked for after look-ups: a call to no code, and a fee above the network’s, are dangers', async () => {
    verdict = VALID;
    const calls = [{ to: lower(OWN.address), value: 0n, data: '0x12345678' as const }];
    const callData = KINDS['safe-0.7'].encodeCalls(calls);
    const costly = newProposal({ ...OPERATION, callData, maxFeePerGas: 10n ** 13n }, 31_337n);
    const { dangers } = await previewedProposal(costly, { ...known, accounts: [], contacts: [] }, place());
    expect(dangers.map(({ code }) => code)).toEqual(expect.arrayContaining(['call-without-code', 'excessive-fee']));
  });

  it('are asked for after recipients were compared with the contacts', async () => {
    verdict = VALID;
    const contact: Hex = `0xabcdef${'1'.repeat(28)}abcdef`;
    const alike: Hex = `0xabcdef${'2'.repeat(28)}abcdef`;
    const dangersFor = async (to: Hex) => {
      const callData = KINDS['safe-0.7'].encodeCalls([{ to, value: 1n, data: '0x' }]);
      const facts = { ...known, contacts: [{ name: 'Ann', address: contact }] };
      const { dangers, main } = await previewedProposal(
        newProposal({ ...OPERATION, callData }, 31_337n),
        facts,
        place(),
      );
      return [dangers.map(({ code }) => code), main.some(({ label }) => label === 'New recipient')];
    };
    expect(await dangersFor(contact)).toEqual([[], false]);
    expect(await dangersFor(alike)).toEqual([['address-poisoning'], true]);
  });

  it('are false if the file calls a contract a key, or a key a contract', async () => {
    verdict = VALID;
    const owner = await signatureOf(OWN);
    const claimed = withSignature(withSignature(proposal, { ...byContract, isContract: false }), {
      ...owner,
      isContract: true,
    });
    expect((await checkSignatures(claimed, current, client())).invalid).toEqual([CONTRACT, owner.address]);
  });

  it('of the same operation on another network are refused, in a copy and alone', async () => {
    const elsewhere = newProposal(OPERATION, 1n);
    const owner = { address: lower(CO_OWNER.address), isContract: false };
    const replayed = { ...owner, signature: await CO_OWNER.sign({ hash: elsewhere.hash }) };
    await expect(signatureFrom(proposal, owner, replayed.signature, client())).rejects.toThrow(/for this proposal/u);
    expect((await checkSignatures(withSignature(proposal, replayed), current, client())).invalid).toEqual([
      owner.address,
    ]);
    await expect(openProposal(writeProposal(withSignature(proposal, replayed)))).rejects.toThrow(
      /signatures\[0\]\.signature: must be the owner's signature of hash/u,
    );
    // It is a proposal of its own there, and never counts as a copy of this one.
    expect((await openProposal(writeProposal(withSignature(elsewhere, replayed)))).hash).not.toBe(proposal.hash);
  });

  it('of those who were owners count no longer, and nobody asks the network about them', async () => {
    const signed = withSignature(withSignature(proposal, await signatureOf(OWN)), await signatureOf(CO_OWNER));
    const after = { owners: [lower(OWN.address), CONTRACT], threshold: 2 };
    verdict = VALID;
    const { valid, invalid } = await checkSignatures(signed, after, client());
    expect([valid, invalid]).toEqual([[await signatureOf(OWN)], []]);
    expect(collectedFor(signed.signatures, after)).toMatchObject({
      strangers: [lower(CO_OWNER.address)],
      waiting: [CONTRACT],
      missing: 1,
    });
  });

  it('may come from elsewhere, with v 0 or 1 too, and are refused if they are not the owner’s', async () => {
    const { signature, address } = await signatureOf(CO_OWNER);
    const usual = Number.parseInt(signature.slice(-2), 16);
    const withBit = `${signature.slice(0, -2)}0${usual - 27}`;
    const owner = { address, isContract: false };
    expect(await signatureFrom(proposal, owner, withBit, client())).toEqual({ ...owner, signature });
    const own = { address: lower(OWN.address), isContract: false };
    await expect(signatureFrom(proposal, own, signature, client())).rejects.toThrow(/must be the one of 0x/u);
    await expect(signatureFrom(proposal, own, '0x1', client())).rejects.toThrow(/must be bytes/u);
  });

  it('are made by an account of the wallet on the network of the proposal, from typed data with its hash', async () => {
    const requests: string[] = [];
    let selected = '0x1';
    const wallet = {
      id: '1',
      name: 'MetaMask',
      request: async (method: string, params?: readonly unknown[]) => {
        requests.push(method);
        if (method === 'eth_requestAccounts' || method === 'eth_accounts') return [CONTRACT, CO_OWNER.address];
        if (method === 'wallet_switchEthereumChain') selected = '0x7a69';
        if (method === 'eth_chainId') return selected;
        if (method !== 'eth_signTypedData_v4') return null;
        const typedData = JSON.parse(params?.[1] as string) as Parameters<typeof hashTypedData>[0];
        expect(hashTypedData(typedData)).toBe(proposal.hash);
        expect(typedData).toEqual(proposalTypedData(proposal));
        return CO_OWNER.sign({ hash: hashTypedData(typedData) });
      },
    };
    const place = { wallet: wallet as AnyWallet, chain: DEVNET, node: client() };
    expect(await signWithWallet(proposal, [lower(CO_OWNER.address)], place)).toEqual(await signatureOf(CO_OWNER));
    expect(requests).toContain('wallet_switchEthereumChain');
    expect(requests).not.toContain('wallet_requestPermissions');
    await expect(signWithWallet(proposal, [lower(OWN.address)], place)).rejects.toThrow(/None of the accounts/u);
    expect(requests).toContain('wallet_requestPermissions');
  });
});
