import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Json } from '@metamask/snaps-sdk';
import {
  createTestClient,
  createWalletClient,
  type Hex,
  http,
  numberToHex,
  pad,
  parseEther,
  publicActions,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';

import { type Anvil, startAnvil } from '../../src/devnet/anvil';
import { writeFirstState } from '../../src/devnet/chain/state';
import { perRun } from '../support/nightly';
import { answerOf, SnapInProcess } from '../support/wallet/in-process';
import { WalletDouble } from '../support/wallet/wallet-double';
import { directBundler } from '../support/faults/direct-bundler';
import { type FaultProxy, seeded, type Service, startFaultProxy } from '../support/faults/fault-proxy';

const CHAIN_ID = 31337;
const CHAIN = `eip155:${CHAIN_ID}`;
const SENDS = perRun(30, 500);
const SEED = 44;
const MINUTE = 60_000;
/** Not every node has them, and previews take time. */
const MISSING = ['eth_simulateV1', 'debug_traceCall', 'eth_createAccessList'];

/** Takes what its account gets, in the same transaction: `call(THIEF, selfbalance())`. */
const THIEF: Hex = `0x${'7f'.repeat(20)}`;
const SWEEPER: Hex = `0x${'5e'.repeat(20)}`;
const SWEEPER_CODE: Hex = `0x5f5f5f5f4773${THIEF.slice(2)}5af100`;
const VICTIM_KEY: Hex = `0x${'b0'.repeat(32)}`;
/** The fourth account of anvil's test phrase. */
const SENDER_KEY: Hex = '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6';

/** What a site wants to be paid: once, to an address of its own. */
type Payment = { readonly from: Hex; readonly to: Hex; readonly value: bigint; id: string | undefined; tries: number };

describe('sending through services that forget, repeat, delay and refuse in their own words', () => {
  let folder: string;
  let anvil: Anvil;
  let node: FaultProxy;
  let bundler: FaultProxy;
  const random = seeded(SEED);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'keystead-'));
    const state = join(folder, 'chain.json');
    writeFirstState(state);
    anvil = await startAnvil({ state });
    const real: Service = async (request) => {
      if (MISSING.includes(request.method)) return { error: { code: -32601, message: 'no such method' } };
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(anvil.url, { method: 'POST', headers, body: JSON.stringify(request) });
      const { result, error } = (await answer.json()) as { result?: unknown; error?: object };
      return error === undefined ? { result } : { error };
    };
    node = await startFaultProxy(real, random);
    bundler = await startFaultProxy(directBundler(anvil.url, CHAIN_ID), random);
    node.isFaulty = bundler.isFaulty = false;
  });
  afterAll(async () => {
    await node.stop();
    await bundler.stop();
    await anvil.stop();
    rmSync(folder, { recursive: true });
  });

  it('rejecting calls that upgrade the account is the rejected upgrade of EIP-5792', async () => {
    const wallet = new WalletDouble();
    wallet.services = [node.url, bundler.url];
    const snap = new SnapInProcess(wallet);
    await snap.keyring('keystead_setChain', { chainId: CHAIN, rpcUrl: node.url });
    const { address } = (await snap.keyring('keyring_createAccount', { options: {} })) as { address: Hex };
    await snap.dapp('eth_requestAccounts');
    const calls = [{ to: SWEEPER }, { to: THIEF }];
    const chainId = numberToHex(CHAIN_ID);
    const send = (atomicRequired: boolean) =>
      answerOf(snap.dapp('wallet_sendCalls', [{ version: '2.0.0', chainId, from: address, atomicRequired, calls }]));
    wallet.show = () => false;
    expect((await send(true)).error).toMatchObject({ code: 5750 });
    expect((await send(false)).error).toMatchObject({ code: 4001 });
    expect(await snap.dapp('wallet_getCapabilities', [address])).toMatchObject({
      [chainId]: { atomic: { status: 'ready' } },
    });
  });

  it('another account pays for taking back the delegation of one whose money a sweeper takes', async () => {
    const chain = createTestClient({ mode: 'anvil', transport: http(anvil.url) }).extend(publicActions);
    const wallet = new WalletDouble();
    wallet.services = [node.url, bundler.url];
    const snap = new SnapInProcess(wallet);
    await snap.keyring('keystead_setChain', { chainId: CHAIN, rpcUrl: node.url });
    const create = (options: Record<string, Json>) => snap.keyring('keyring_createAccount', { options });
    const { address: victim } = (await create({ privateKey: VICTIM_KEY })) as { address: Hex };
    const { address: payer } = (await create({})) as { address: Hex };
    await chain.setBalance({ address: payer, value: 0n });

    // Somebody got an authorization signed, and sweeps what arrives.
    await chain.setCode({ address: SWEEPER, bytecode: SWEEPER_CODE });
    const signer = privateKeyToAccount(VICTIM_KEY);
    const authorization = await signer.signAuthorization({ chainId: CHAIN_ID, contractAddress: SWEEPER, nonce: 0 });
    const send = async (request: object) => {
      const hash = await createWalletClient({
        account: privateKeyToAccount(SENDER_KEY),
        transport: http(anvil.url),
      }).sendTransaction({ chain: { ...foundry, id: CHAIN_ID }, ...request } as never);
      await chain.waitForTransactionReceipt({ hash, pollingInterval: 20 });
    };
    await send({ to: victim, authorizationList: [authorization] });
    const balance = (address: Hex) => chain.getBalance({ address });
    await send({ to: victim, value: parseEther('1') });
    expect([await balance(victim), await balance(THIEF)]).toEqual([0n, parseEther('1')]);

    const takeBack = () =>
      answerOf<Hex>(snap.keyring('keystead_takeBackDelegation', { chainId: CHAIN, address: victim }));
    wallet.dialogs.length = 0;
    const { error } = await takeBack();
    expect(error?.message).toContain('None of your accounts can pay the network fee.');
    expect(wallet.dialogs).toEqual([]);

    await chain.setBalance({ address: payer, value: parseEther('1') });
    const { result: hash } = await takeBack();
    expect(wallet.dialogs).toHaveLength(1);
    // The screen shows the account that pays, and names the one that is freed.
    expect(wallet.dialogs[0]!.text).toContain(`Address ${payer}`);
    expect(wallet.dialogs[0]!.text).toMatch(/This takes back the upgrade \(EIP-7702\) of (?!your account)/u);
    const { status, from } = await chain.waitForTransactionReceipt({ hash: hash!, pollingInterval: 20 });
    expect([status, from]).toEqual(['success', payer.toLowerCase()]);
    expect(await chain.getCode({ address: victim })).toBeUndefined();
    await send({ to: victim, value: parseEther('1') });
    expect([await balance(victim), await balance(THIEF)]).toEqual([parseEther('1'), parseEther('1')]);
    expect((await takeBack()).result).toBeNull();
  });

  it(`${SENDS} payments: nothing is sent twice, nothing is lost, and the network contradicts no final status`, async () => {
    const chain = createTestClient({ mode: 'anvil', transport: http(anvil.url) }).extend(publicActions);
    const wallet = new WalletDouble();
    wallet.services = [node.url, bundler.url];
    const snap = new SnapInProcess(wallet);
    await snap.keyring('keystead_setChain', { chainId: CHAIN, rpcUrl: node.url, bundlerUrl: bundler.url });
    const smart = { type: 'eip155:erc4337', chainId: CHAIN, entryPointVersion: '0.7' };
    const accounts: { address: Hex; id: string }[] = [];
    for (const options of [{}, {}, {}, smart, smart, smart])
      accounts.push((await snap.keyring('keyring_createAccount', { options })) as { address: Hex; id: string });
    wallet.choice = accounts.map(({ id }) => id);
    await snap.dapp('eth_requestAccounts');
    for (const { address } of accounts) await chain.setBalance({ address, value: parseEther('1000') });

    const paid = async ({ to }: Payment) => chain.getBalance({ address: to });
    /** Final statuses that the network contradicts. */
    const contradicted: string[] = [];
    const open = new Set<Payment>();
    const statuses = new Map<number, number>();

    /** Asks the snap what became of a payment, as the site does, which pays again if it was not included. */
    async function follow(payment: Payment): Promise<void> {
      const { status } = (await snap.dapp('wallet_getCallsStatus', [payment.id!])) as { status: number };
      if (status === 100) return;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const isPaid = (await paid(payment)) > 0n;
      if (isPaid !== (status === 200)) contradicted.push(`${status} of ${payment.to}, ${isPaid ? '' : 'not '}paid`);
      open.delete(payment);
      if (status === 400) await pay(payment);
    }

    /** Pays, and pays again if the snap says that nothing was sent. */
    async function pay(payment: Payment): Promise<void> {
      for (;;) {
        payment.tries += 1;
        const call = { to: payment.to, value: numberToHex(payment.value) };
        const terms = { version: '2.0.0', chainId: numberToHex(CHAIN_ID), atomicRequired: true };
        const { result, error } = await answerOf<{ id: string }>(
          snap.dapp('wallet_sendCalls', [{ ...terms, from: payment.from, calls: [call] }] as Json),
        );
        if (error !== undefined) {
          if (payment.tries > 50) throw new Error(`never sent: ${error.message}`);
          continue;
        }
        payment.id = result!.id;
        open.add(payment);
        return;
      }
    }

    async function lookUp(): Promise<void> {
      wallet.clock.now += 20 * MINUTE;
      await snap.cron();
      for (const payment of [...open]) await follow(payment);
    }

    node.isFaulty = bundler.isFaulty = true;
    const payments: Payment[] = [];
    for (let at = 0; at < SENDS; at++) {
      const { address: from } = accounts[Math.floor(random() * accounts.length)]!;
      const payment = {
        from,
        to: pad(numberToHex(0xfeed_0000 + at), { size: 20 }),
        value: BigInt(at + 1),
        id: undefined,
        tries: 0,
      };
      payments.push(payment);
      await pay(payment);
      // What was held up arrives now or later, in between.
      if (random() < 0.2) await node.deliver();
      if (random() < 0.2) await bundler.deliver();
      if (at % 10 === 9) await lookUp();
    }
    const faults = [...node.occurred.keys(), ...bundler.occurred.keys()];

    node.isFaulty = bundler.isFaulty = false;
    await node.deliver();
    await bundler.deliver();
    // A request that was lost stays open until its nonce is used, which the next payment of its account does.
    for (let round = 0; round < 50 && open.size > 0; round++) {
      for (const { address: from } of accounts) {
        const more = {
          from,
          to: pad(numberToHex(0xbeef_0000 + payments.length), { size: 20 }),
          value: 1n,
          id: undefined,
          tries: 0,
        };
        payments.push(more);
        await pay(more);
      }
      await lookUp();
    }

    expect(contradicted).toEqual([]);
    const wrong = [];
    for (const payment of payments) {
      const amount = await paid(payment);
      if (amount !== payment.value) wrong.push(`${payment.to}: ${amount}, not ${payment.value}`);
    }
    expect(wrong).toEqual([]);
    expect([...open]).toEqual([]);
    // Every fault occurred, and so did final statuses of each kind that it can lead to.
    expect(new Set(faults).size).toBe(13);
    expect(statuses.get(200)).toBe(payments.length);
    expect(statuses.get(400)).toBeGreaterThan(SENDS / 20);
  }, 1_200_000);
});
