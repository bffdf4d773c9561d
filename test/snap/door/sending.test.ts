import { expect } from '@jest/globals';
import { type KeyringAccount } from '@metamask/keyring-api';
import { type Json } from '@metamask/snaps-sdk';
import { type Hex, keccak256, parseTransaction, recoverTransactionAddress, stringToHex } from 'viem';

import { DAPP, type ForDapps, installForDapps } from '../../helpers/dapp';
import { ALICE, BOB, ME } from '../../helpers/explaining';
import { textOf } from '../../helpers/screen-text';
import { NoAnswer, NodeRefusal, type SimulatedNode, startSimulatedNode } from '../../helpers/simulated-node';

const KEY = '0x4af1bceebf7f3634ec3cff8a2c38e51178d5d4ce585c52d6043e5e2cc3418bb0';
const CHAIN = 'eip155:31337';
const flat = (content: unknown): string => textOf(content).replace(/\s+/gu, ' ');

let node: SimulatedNode;
beforeEach(async () => {
  node = await startSimulatedNode({ eth_sendRawTransaction: ([raw]) => keccak256(raw as Hex) });
});
afterEach(() => node.stop());

/** The transactions that the node was given. */
const taken = (): Hex[] =>
  node.asked.flatMap(({ method, params }) => (method === 'eth_sendRawTransaction' ? [params[0] as Hex] : []));

const receipt = (hash: Hex, status: '0x0' | '0x1') => ({
  transactionHash: hash,
  blockHash: `0x${'bb'.repeat(32)}`,
  blockNumber: '0x11',
  gasUsed: '0x5208',
  status,
  logs: [{ address: ALICE, data: '0x', topics: [`0x${'aa'.repeat(32)}`], logIndex: '0x0', removed: false }],
  from: ME,
});

async function connected(wallet: Parameters<typeof installForDapps>[0] = {}): Promise<ForDapps> {
  const keystead = await installForDapps(wallet);
  await keystead.create({ privateKey: KEY });
  await keystead.approve('keystead_setChain', { chainId: CHAIN, rpcUrl: node.url, bundlerUrl: node.url });
  await keystead.connect();
  node.asked.length = 0;
  return keystead;
}

const calls = (fields: Record<string, Json> = {}) => [
  {
    version: '2.0.0',
    chainId: '0x7a69',
    atomicRequired: false,
    from: ME,
    calls: [{ to: ALICE, value: '0x1' }],
    ...fields,
  },
];

describe('eth_sendTransaction', () => {
  it('fills in nonce, gas and fees, shows the transaction, and sends what was signed', async () => {
    const { dapp } = await connected();
    const request = dapp('eth_sendTransaction', [{ from: ME, to: ALICE, value: '0x1' }]);
    const screen = await request.getInterface();
    for (const part of [`Asked by ${DAPP}`, ALICE, CHAIN, 'Nonce 5', 'Max fee per gas 3 gwei', 'Gas limit 21000'])
      expect(flat(screen.content)).toContain(part);
    expect(taken()).toEqual([]);
    await screen.ok();
    const [raw] = [...taken(), ...(await request.then(() => taken()))].slice(-1);
    expect((await request).response).toEqual({ result: keccak256(raw!) });
    expect(parseTransaction(raw!)).toMatchObject({
      type: 'eip1559',
      chainId: 31337,
      nonce: 5,
      gas: 21_000n,
      maxFeePerGas: 3_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
      to: ALICE.toLowerCase(),
      value: 1n,
    });
    expect(await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })).toBe(ME);
  });

  it('sends nothing if it is refused', async () => {
    const { dapp } = await connected();
    const request = dapp('eth_sendTransaction', [{ from: ME, to: ALICE }]);
    await (await request.getInterface()).cancel();
    expect((await request).response.error).toMatchObject({ code: 4001 });
    expect(taken()).toEqual([]);
  });

  it.each<[string, object, Record<string, unknown>]>([
    ['a gas price makes it a legacy one', { gasPrice: '0x77359400' }, { type: 'legacy', gasPrice: 2_000_000_000n }],
    [
      'with an access list, one of EIP-2930',
      { gasPrice: '0x1', accessList: [{ address: BOB, storageKeys: [] }] },
      { type: 'eip2930' },
    ],
    [
      'what is given holds',
      { nonce: '0x9', gas: '0x7530', maxFeePerGas: '0x64', maxPriorityFeePerGas: '0x1' },
      { nonce: 9, gas: 30_000n, maxFeePerGas: 100n, maxPriorityFeePerGas: 1n },
    ],
    [
      'a tip alone is added to the base fee',
      { maxPriorityFeePerGas: '0x1' },
      { maxFeePerGas: 2_000_000_001n, maxPriorityFeePerGas: 1n },
    ],
    ['a tip is not above the most', { maxFeePerGas: '0x64' }, { maxFeePerGas: 100n, maxPriorityFeePerGas: 100n }],
    ['input is data', { input: '0x1234' }, { data: '0x1234' }],
  ])('%s', async (_name, fields, expected) => {
    const { approve } = await connected();
    expect((await approve('eth_sendTransaction', [{ from: ME, to: ALICE, ...fields }])).error).toBeUndefined();
    expect(parseTransaction(taken()[0]!)).toMatchObject(expected);
  });

  it('uses the gas price on a chain without base fee, and where a node has no method for the tip', async () => {
    const { approve } = await connected();
    node.answers.eth_gasPrice = () => '0x77359400';
    node.answers.eth_maxPriorityFeePerGas = () => {
      throw new NodeRefusal('no such method', -32601);
    };
    await approve('eth_sendTransaction', [{ from: ME, to: ALICE }]);
    node.answers.eth_getBlockByNumber = () => ({});
    await approve('eth_sendTransaction', [{ from: ME, to: ALICE }]);
    expect(taken().map((raw) => parseTransaction(raw))).toMatchObject([
      { type: 'eip1559', maxPriorityFeePerGas: 1_000_000_000n },
      { type: 'legacy', gasPrice: 2_000_000_000n },
    ]);
  });

  it('hands a revert on as the node tells it, and asks nobody', async () => {
    const { ask } = await connected();
    node.answers.eth_estimateGas = () => {
      throw new NodeRefusal('execution reverted', 3, '0x08c379a0');
    };
    const { error } = await ask('eth_sendTransaction', [{ from: ME, to: ALICE }]);
    expect(error).toMatchObject({ code: 3, message: 'execution reverted', data: { data: '0x08c379a0' } });
  });

  it('gives no nonce to two sites at once', async () => {
    const { connect, dapp } = await connected();
    await connect('https://other.example');
    node.answers.eth_getTransactionCount = () => `0x${(5 + taken().length).toString(16)}`;
    const [first, second] = [DAPP, 'https://other.example'].map((origin) =>
      dapp('eth_sendTransaction', [{ from: ME, to: ALICE }], origin),
    );
    await (await first!.getInterface()).ok();
    await first;
    await (await second!.getInterface()).ok();
    await second;
    expect(taken().map((raw) => parseTransaction(raw).nonce)).toEqual([5, 6]);
  });

  it('goes by its own hash if the node answers another one, and says that it is unclear', async () => {
    const { approve, snap } = await connected();
    node.answers.eth_sendRawTransaction = () => `0x${'12'.repeat(32)}`;
    const home = async () => flat((await snap.onHomePage()).getInterface().content);
    expect((await approve('eth_sendTransaction', [{ from: ME, to: ALICE }])).result).toBe(keccak256(taken()[0]!));
    expect(await home()).toContain('Status unclear: nothing answered');
    node.answers.eth_getTransactionByHash = ([hash]) => ({ hash: hash as Hex });
    expect((await approve('eth_sendTransaction', [{ from: ME, to: BOB }])).result).toBe(keccak256(taken()[1]!));
    expect(await home()).toMatch(/Status waiting to be included.*Status unclear/u);
  });

  it('trusts no node that is of another chain', async () => {
    const { ask } = await connected();
    node.answers.eth_chainId = () => '0x1';
    const { error } = await ask('eth_sendTransaction', [{ from: ME, to: ALICE }]);
    expect(error?.message).toContain('must be a node of chain 31337');
    expect((await ask('eth_sendTransaction', [{ from: ME, chainId: '0x1' }])).error?.message).toContain(
      'transaction.chainId: must be the chain of the site',
    );
  });
});

describe('wallet_sendCalls', () => {
  it.each<[number, string, Record<string, Json>]>([
    [-32602, 'version: must be', { version: '1.0' }],
    [-32602, 'chainId: must be a chain id', { chainId: '0x07a69' }],
    [-32602, 'atomicRequired', { atomicRequired: 'yes' }],
    [-32602, 'calls', { calls: [] }],
    [-32602, 'id: must be text', { id: 'x'.repeat(8195) }],
    [-32602, 'value: must be', { calls: [{ to: ALICE, value: '1' }] }],
    [-32602, 'is not a known field', { calls: [{ to: ALICE, gas: '0x1' }] }],
    [4100, 'not connected', { from: BOB }],
    [5700, '"paymasterService" is not supported', { capabilities: { paymasterService: { url: 'https://p.example' } } }],
    [5700, '"flow" is not supported', { calls: [{ to: ALICE, capabilities: { flow: { optional: false } } }] }],
    [5710, 'eip155:10 is not set up', { chainId: '0xa' }],
    [5740, 'must be at most 10', { calls: Array.from({ length: 11 }, () => ({ to: ALICE })) }],
    [5740, 'must be at most 131072 bytes', { calls: [{ to: ALICE, data: `0x${'00'.repeat(131_072)}` }] }],
    [5760, 'atomicRequired', { atomicRequired: true, calls: [{ to: ALICE }, { to: BOB }] }],
  ])('is refused with %d: %s', async (code, sentence, fields) => {
    const { ask } = await connected();
    const { error } = await ask('wallet_sendCalls', calls(fields));
    expect(error).toMatchObject({ code });
    expect(error!.message).toContain(sentence);
    expect(taken()).toEqual([]);
  });

  it('does without a capability that is optional', async () => {
    const { approve } = await connected();
    const capabilities = { paymasterService: { url: 'https://p.example', optional: true }, other: { optional: true } };
    expect((await approve('wallet_sendCalls', calls({ capabilities, id: 'mine' }))).result).toEqual({ id: 'mine' });
    expect(node.asked.every(({ method }) => !method.startsWith('pm_'))).toBe(true);
  });

  it('takes an id once, of each site; the id that it makes itself cannot be guessed', async () => {
    const { ask, approve, connect } = await connected();
    expect((await approve('wallet_sendCalls', calls({ id: '0x12' }))).result).toEqual({ id: '0x12' });
    expect((await ask('wallet_sendCalls', calls({ id: '0x12' }))).error).toMatchObject({ code: 5720 });
    const other = 'https://other.example';
    await connect(other);
    expect((await ask('wallet_getCallsStatus', ['0x12'], other)).error).toMatchObject({ code: 5730 });
    expect((await approve('wallet_sendCalls', calls({ id: '0x12' }), other)).result).toEqual({ id: '0x12' });
    const made = await approve<{ id: string }>('wallet_sendCalls', calls());
    expect(made.result!.id).toMatch(/^0x[0-9a-f]{64}$/u);
  });

  it('sends none of several unless each is agreed to', async () => {
    const { dapp } = await connected();
    const request = dapp('wallet_sendCalls', calls({ calls: [{ to: ALICE }, { to: BOB }] }));
    const first = await request.getInterface();
    expect(flat(first.content)).toContain(ALICE);
    await first.ok();
    const second = await request.getInterface();
    expect(flat(second.content)).toContain(BOB);
    await second.cancel();
    expect((await request).response.error).toMatchObject({ code: 4001 });
    expect(taken()).toEqual([]);
  });

  it('says which call cannot be estimated before those in front of it are carried out', async () => {
    const { ask, dapp } = await connected();
    node.answers.eth_estimateGas = ([draft]) => {
      if ((draft as { to: string }).to === BOB) throw new NodeRefusal('execution reverted', 3);
      return '0x5208';
    };
    const request = dapp('wallet_sendCalls', calls({ calls: [{ to: ALICE }, { to: BOB }] }));
    await (await request.getInterface()).ok();
    expect((await request).response.error?.message).toContain('calls[1]: would fail as things are now');
    expect((await ask('wallet_getCapabilities', [ME])).result).toEqual({
      '0x7a69': { atomic: { status: 'unsupported' } },
    });
  });
});

describe('what became of calls', () => {
  it.each<[number, ('0x0' | '0x1')[], number]>([
    [200, ['0x1', '0x1'], 2],
    [500, ['0x0', '0x0'], 2],
    [600, ['0x1', '0x0'], 2],
  ])('%d after %j', async (code, statuses, receipts) => {
    const { ask, approve } = await connected();
    await approve('wallet_sendCalls', calls({ id: 'a', calls: [{ to: ALICE }, { to: BOB }] }), DAPP, 2);
    const pending = { version: '2.0.0', id: 'a', chainId: '0x7a69', status: 100, atomic: false };
    expect((await ask('wallet_getCallsStatus', ['a'])).result).toEqual(pending);
    const hashes = taken().map((raw) => keccak256(raw));
    node.answers.eth_getTransactionReceipt = ([hash]) => receipt(hash as Hex, statuses[hashes.indexOf(hash as Hex)]!);
    const { result } = await ask<{ receipts: { transactionHash: Hex; logs: object[] }[] }>('wallet_getCallsStatus', [
      'a',
    ]);
    expect(result).toMatchObject({ ...pending, status: code });
    expect(result!.receipts.map(({ transactionHash }) => transactionHash)).toEqual(hashes.slice(0, receipts));
    expect(Object.keys(result!.receipts[0]!).sort()).toEqual(
      ['blockHash', 'blockNumber', 'gasUsed', 'logs', 'status', 'transactionHash'].sort(),
    );
    expect(result!.receipts[0]!.logs).toEqual([{ address: ALICE, data: '0x', topics: [`0x${'aa'.repeat(32)}`] }]);
    // What is done is kept: no service is asked any more.
    node.asked.length = 0;
    expect((await ask('wallet_getCallsStatus', ['a'])).result).toEqual(result);
    expect(node.asked).toEqual([]);
  });

  it('600 if the node took only some of them', async () => {
    const { ask, approve } = await connected();
    node.answers.eth_sendRawTransaction = ([raw]) => {
      if (taken().length > 1) throw new NodeRefusal('too many', -32000);
      return keccak256(raw as Hex);
    };
    await approve('wallet_sendCalls', calls({ id: 'a', calls: [{ to: ALICE }, { to: BOB }] }), DAPP, 2);
    node.answers.eth_getTransactionReceipt = ([hash]) => receipt(hash as Hex, '0x1');
    expect((await ask('wallet_getCallsStatus', ['a'])).result).toMatchObject({ status: 600 });
  });

  it.each<[string, number, ('0x0' | '0x1')[]]>([
    ['all went out', 200, ['0x1', '0x1']],
    ['one of them failed', 600, ['0x1', '0x0']],
  ])('is unclear after no answer, not unsent, until it is known: %s', async (_name, code, statuses) => {
    const { ask, approve, dapp } = await connected();
    node.answers.eth_sendRawTransaction = ([raw]) => {
      if (taken().length > 1) throw new NoAnswer();
      return keccak256(raw as Hex);
    };
    node.answers.eth_getTransactionByHash = () => null;
    await approve('wallet_sendCalls', calls({ id: 'a', calls: [{ to: ALICE }, { to: BOB }] }), DAPP, 2);
    const hashes = taken().map((raw) => keccak256(raw));
    expect(hashes).toHaveLength(2);
    node.answers.eth_getTransactionReceipt = ([hash]) => (hash === hashes[0] ? receipt(hashes[0]!, '0x1') : null);
    expect((await ask('wallet_getCallsStatus', ['a'])).result).toMatchObject({ status: 100, receipts: [{}] });
    const request = dapp('wallet_showCallsStatus', ['a']);
    const screen = await request.getInterface();
    for (const part of ['unclear: nothing answered', ...hashes]) expect(flat(screen.content)).toContain(part);
    await screen.ok();
    await request;
    node.answers.eth_getTransactionReceipt = ([hash]) => receipt(hash as Hex, statuses[hashes.indexOf(hash as Hex)]!);
    const { result } = await ask('wallet_getCallsStatus', ['a']);
    expect(result).toMatchObject({ status: code, receipts: hashes.map((transactionHash) => ({ transactionHash })) });
  });

  it('sends nothing after what is unclear', async () => {
    const { ask, approve } = await connected();
    node.answers.eth_sendRawTransaction = () => {
      throw new NoAnswer();
    };
    await approve('wallet_sendCalls', calls({ id: 'a', calls: [{ to: ALICE }, { to: BOB }] }), DAPP, 2);
    expect(taken()).toHaveLength(1);
    expect((await ask('wallet_getCallsStatus', ['a'])).result).toMatchObject({ status: 100 });
    node.answers.eth_getTransactionReceipt = ([hash]) => receipt(hash as Hex, '0x1');
    expect((await ask('wallet_getCallsStatus', ['a'])).result).toMatchObject({ status: 600 });
  });

  it('is shown to the person on request, and to no other site', async () => {
    const { ask, approve, connect, dapp } = await connected();
    await approve('wallet_sendCalls', calls({ id: 'a' }));
    const request = dapp('wallet_showCallsStatus', ['a']);
    const screen = await request.getInterface();
    expect(screen.type).toBe('alert');
    for (const part of ['Calls that were sent', 'waiting to be included', DAPP, CHAIN, keccak256(taken()[0]!)])
      expect(flat(screen.content)).toContain(part);
    await screen.ok();
    expect((await request).response).toEqual({ result: null });
    await connect('https://other.example');
    for (const id of ['a', 'b'])
      expect((await ask('wallet_showCallsStatus', [id], 'https://other.example')).error).toMatchObject({ code: 5730 });
  });

  it('is on the home page, looked up by a background event and by a button', async () => {
    const later = { id: 'later', date: '2999-01-01T00:00:00Z', request: { method: 'lookUpBatches' } };
    const scheduled: Json[] = [];
    const cancelled: Json[] = [];
    const { approve, snap } = await connected({
      answer: ({ method, params }) => {
        if (method === 'snap_getBackgroundEvents') return cancelled.length === 0 ? [later] : [];
        if (method === 'snap_cancelBackgroundEvent') cancelled.push(params as Json);
        if (method === 'snap_scheduleBackgroundEvent') scheduled.push(params as Json);
        return method.endsWith('BackgroundEvent') ? 'event' : undefined;
      },
    });
    await approve('wallet_sendCalls', calls({ id: 'a' }));
    const scheduling = { duration: 'PT30S', request: { method: 'lookUpBatches' } };
    expect(scheduled).toEqual([scheduling]);
    // The earlier one stands for the later one.
    expect(cancelled).toEqual([{ id: 'later' }]);
    const event = async (method: string) =>
      ((await snap.onBackgroundEvent({ method })) as unknown as { response: unknown }).response;
    const home = async () => flat((await snap.onHomePage()).getInterface().content);
    expect(await home()).toContain('Status waiting to be included');
    scheduled.length = 0;
    expect(await event('lookUpBatches')).toEqual({ result: null });
    expect(scheduled).toEqual([scheduling]);
    node.answers.eth_getTransactionReceipt = ([hash]) => receipt(hash as Hex, '0x1');
    scheduled.length = 0;
    await event('lookUpBatches');
    expect(scheduled).toEqual([]);
    expect(await home()).toContain('Status done');

    await approve('eth_sendTransaction', [{ from: ME, to: ALICE }]);
    const page = (await snap.onHomePage()).getInterface();
    node.answers.eth_getTransactionReceipt = ([hash]) => receipt(hash as Hex, '0x0');
    await page.clickElement('look-up');
    expect(await home()).toContain('Status failed: only the gas was paid');
    expect(await event('other')).toMatchObject({ error: { code: -32601 } });
  });
});

describe('the chain of a site', () => {
  it('is its own, among those that are set up', async () => {
    const { ask, approve, connect } = await connected();
    const other = 'https://other.example';
    await connect(other);
    node.answers.eth_chainId = () => '0xa';
    const optimism = { chainId: '0xa', rpcUrl: node.url, bundlerUrl: node.url };
    expect((await approve('keystead_setChain', optimism)).error).toBeUndefined();
    expect(await ask('wallet_switchEthereumChain', [{ chainId: '0x1' }])).toMatchObject({ error: { code: 4902 } });
    expect(await ask('eth_chainId')).toEqual({ result: '0x7a69' });
    expect(await ask('wallet_switchEthereumChain', [{ chainId: '0xa' }])).toEqual({ result: null });
    expect(await ask('eth_chainId')).toEqual({ result: '0xa' });
    expect(await ask('net_version')).toEqual({ result: '10' });
    expect(await ask('eth_chainId', [], other)).toEqual({ result: '0x7a69' });
    await approve('keystead_removeChain', { chainId: '0xa' });
    expect(await ask('eth_blockNumber')).toMatchObject({ error: { code: 4901 } });
    expect(await ask('eth_blockNumber', [], other)).toEqual({ result: '0x10' });
  });

  it('is none while none is set up: 4900', async () => {
    const { ask, connect, create } = await installForDapps();
    await create();
    await connect();
    for (const method of ['eth_chainId', 'eth_blockNumber'])
      expect((await ask(method, [])).error).toMatchObject({ code: 4900 });
  });

  it('is set up by a site only after the person was asked, and nothing is sent before', async () => {
    const { ask, dapp } = await installForDapps();
    const params = { chainId: CHAIN, rpcUrl: node.url, bundlerUrl: node.url };
    const refused = dapp('keystead_setChain', params);
    const screen = await refused.getInterface();
    for (const part of ['Set up the chain', DAPP, node.url]) expect(flat(screen.content)).toContain(part);
    await screen.cancel();
    expect((await refused).response.error).toMatchObject({ code: 4001 });
    expect(node.asked).toEqual([]);
    const approved = dapp('keystead_setChain', params);
    await (await approved.getInterface()).ok();
    expect((await approved).response.error).toBeUndefined();
    expect(node.asked.length).toBeGreaterThan(0);
    node.answers.eth_chainId = () => '0x1';
    const wrong = dapp('keystead_setChain', params);
    await (await wrong.getInterface()).ok();
    expect((await wrong).response.error).toMatchObject({ data: { code: 'service-failed' } });
    expect((await ask('keystead_getChains')).error).toMatchObject({ code: 4100 });
  });

  it('is told without the addresses of its services, which may hold keys', async () => {
    const { ask } = await connected();
    const answer = await ask('keystead_getChains');
    expect(answer.result).toMatchObject([{ chainId: CHAIN, entryPointVersion: '0.7', hasPaymaster: false }]);
    expect(JSON.stringify(answer)).not.toContain(node.url);
  });
});

describe('the node reads of a site', () => {
  it('go to the node of its chain as they are, uncles among them', async () => {
    const { ask } = await connected();
    node.answers.eth_getUncleByBlockNumberAndIndex = ([block, index]) => ({ number: block, index });
    node.answers.eth_getUncleCountByBlockHash = () => '0x1';
    expect(await ask('eth_getUncleByBlockNumberAndIndex', ['0x64', '0x0'])).toEqual({
      result: { number: '0x64', index: '0x0' },
    });
    expect(await ask('eth_getUncleCountByBlockHash', [`0x${'12'.repeat(32)}`])).toEqual({ result: '0x1' });
    expect(await ask('eth_blockNumber')).toEqual({ result: '0x10' });
  });

  it('hand on the node’s own error with its data, and are bounded', async () => {
    const { ask } = await connected();
    node.answers.eth_call = () => {
      throw new NodeRefusal('execution reverted: no', 3, '0x08c379a0');
    };
    expect((await ask('eth_call', [{ to: ALICE }, 'latest'])).error).toMatchObject({
      code: 3,
      message: 'execution reverted: no',
      data: { data: '0x08c379a0' },
    });
    node.asked.length = 0;
    for (const params of [{ to: ALICE }, [{ to: ALICE, data: `0x${'00'.repeat(500_000)}` }]])
      expect((await ask('eth_call', params)).error).toMatchObject({ code: -32602 });
    expect(node.asked).toEqual([]);
  });
});

describe('a smart account', () => {
  async function withSmartAccount(more: Record<string, Json> = {}) {
    const keystead = await installForDapps();
    await keystead.approve('keystead_setChain', { chainId: CHAIN, rpcUrl: node.url, bundlerUrl: node.url });
    const options = { type: 'eip155:erc4337', chainId: CHAIN, ...more };
    const account = (await keystead.call<KeyringAccount>('keyring_createAccount', { options })).result!;
    await keystead.connect();
    return { ...keystead, account };
  }

  it('says what it can do, on its own chains only', async () => {
    const { ask, account, approve } = await withSmartAccount();
    node.answers.eth_chainId = () => '0xa';
    await approve('keystead_setChain', { chainId: '0xa', rpcUrl: node.url, bundlerUrl: node.url });
    const all = { '0x7a69': { atomic: { status: 'supported' }, paymasterService: { supported: true } } };
    expect((await ask('wallet_getCapabilities', [account.address])).result).toEqual(all);
    expect((await ask('wallet_getCapabilities', [account.address, ['0x7a69', '0x1', '0xa']])).result).toEqual(all);
    expect((await ask('wallet_getCapabilities', [account.address, ['0x1']])).result).toEqual({});
    expect((await ask('wallet_getCapabilities', [BOB])).error).toMatchObject({ code: 4100 });
    await ask('wallet_switchEthereumChain', [{ chainId: '0xa' }]);
    const intent = { to: ALICE, value: '0x0', data: '0x' };
    expect((await ask('eth_prepareUserOperation', [intent])).error).toMatchObject({ code: 4901 });
    expect((await ask('eth_sendTransaction', [{ from: account.address, to: ALICE }])).error).toMatchObject({
      code: 4901,
    });
    const request = { version: '2.0.0', chainId: '0xa', atomicRequired: true, calls: [{ to: ALICE }] };
    expect((await ask('wallet_sendCalls', [request])).error).toMatchObject({ code: 5710 });
  });

  it('is prepared for without telling the site where the bundler is: its address may hold a key', async () => {
    Object.assign(node.answers, {
      eth_getCode: () => '0x',
      eth_call: () => `0x${'00'.repeat(32)}`,
      eth_estimateUserOperationGas: () => ({
        callGasLimit: '0x5208',
        verificationGasLimit: '0x5208',
        preVerificationGas: '0x5208',
      }),
    });
    const { ask } = await withSmartAccount();
    const { result } = await ask('eth_prepareUserOperation', [{ to: ALICE, value: '0x0', data: '0x' }]);
    expect(result).toMatchObject({ nonce: '0x0', gasLimits: {} });
    expect(JSON.stringify(result)).not.toContain(node.url);
  });

  it.each<[number, string, Record<string, Json>]>([
    [5740, 'at most 100', { calls: Array.from({ length: 101 }, () => ({ to: ALICE })) }],
    [5700, '"sessionKeys"', { capabilities: { sessionKeys: {} } }],
    [-32602, 'capabilities.paymasterService.url', { capabilities: { paymasterService: { url: 'http://p.example' } } }],
    [-32602, 'must not be on this machine', { capabilities: { paymasterService: { url: 'http://localhost:1' } } }],
    [-32602, 'to', { calls: [{ data: '0x00' }] }],
  ])('does not send calls that it cannot: %d %s', async (code, sentence, fields) => {
    const { ask } = await withSmartAccount();
    node.asked.length = 0;
    node.answers.eth_getCode = () => '0x60';
    node.answers.eth_call = () => `0x${'00'.repeat(32)}`;
    const request = { version: '2.0.0', chainId: '0x7a69', atomicRequired: true, calls: [{ to: ALICE }], ...fields };
    const { error } = await ask('wallet_sendCalls', [request]);
    expect(error).toMatchObject({ code });
    expect(error!.message).toContain(sentence);
  });

  it('that verifies messages signs none without asking, and holds a sign-in against the origin', async () => {
    const { account, approve, dapp } = await withSmartAccount({ kind: 'safe-0.7' });
    node.answers.eth_getCode = () => '0x60';
    node.answers.eth_call = () => `0x${'00'.repeat(32)}`;
    const signIn = stringToHex(
      `other.example wants you to sign in with your Ethereum account:\n${account.address}\n\n\nURI: https://other.example/\nVersion: 1\nChain ID: 31337\nNonce: 12345678\nIssued At: 2026-01-01T00:00:00Z`,
    );
    for (const [message, says] of [
      [stringToHex('Hello'), 'Hello'],
      [signIn, 'This signs in to another site than the one that asks.'],
    ] as const) {
      const request = dapp('personal_sign', [message, account.address]);
      const screen = await request.getInterface();
      for (const part of [`Asked by ${DAPP}`, says]) expect(flat(screen.content)).toContain(part);
      await screen.cancel();
      expect((await request).response.error).toMatchObject({ code: 4001 });
    }
    const signed = await approve<string>('personal_sign', [stringToHex('Hello'), account.address]);
    expect(signed.result).toMatch(/^0x[0-9a-f]+$/u);
  });

  it('signs nothing if the bundler does not answer', async () => {
    const { ask, account } = await withSmartAccount();
    node.answers.eth_getCode = () => '0x60';
    node.answers.eth_call = () => `0x${'00'.repeat(32)}`;
    node.answers.eth_estimateUserOperationGas = () => 'nonsense';
    const { error } = await ask('eth_sendTransaction', [{ from: account.address, to: ALICE }]);
    expect(error).toMatchObject({ data: { code: 'service-failed' } });
    expect(
      (await ask('eth_sendTransaction', [{ from: account.address, to: ALICE, nonce: '0x1' }])).error?.message,
    ).toContain('transaction.nonce: must be left out');
    expect((await ask('eth_decodeUserOperationCallData', ['0x1234'])).error?.message).toContain('callData: must be');
    expect((await ask('personal_sign', ['0x00', account.address])).error).toMatchObject({ code: -32601 });
  });
});
