import { expect } from '@jest/globals';
import { type Json } from '@metamask/snaps-sdk';
import { type Hex, keccak256 } from 'viem';

import { DAPP, installForDapps } from '../../support/dapp';
import { ALICE, BOB, ME } from '../../support/explaining';
import { flat } from '../../support/screen-text';
import { NoAnswer, NodeRefusal, type SimulatedNode } from '../../support/simulated-node';
import { type ForOneTest, useEmptiedSnap } from '../../support/wallet/emptied';
import { connectedTo, startTakingNode, takenBy } from './sending';

const start = useEmptiedSnap(installForDapps);

let node: SimulatedNode;
beforeEach(async () => {
  node = await startTakingNode();
});
afterEach(() => node.stop());

const receipt = (hash: Hex, status: '0x0' | '0x1') => ({
  transactionHash: hash,
  blockHash: `0x${'bb'.repeat(32)}`,
  blockNumber: '0x11',
  gasUsed: '0x5208',
  status,
  logs: [{ address: ALICE, data: '0x', topics: [`0x${'aa'.repeat(32)}`], logIndex: '0x0', removed: false }],
  from: ME,
});

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

let ids = 0;

/** A connected page, and an id that no other test uses: the snap still has the batches of earlier tests. */
async function connected({ mayKeep = ['batches'], ...test }: ForOneTest = {}) {
  return { ...(await connectedTo(node, await start({ mayKeep, ...test }))), id: `batch-${ids++}` };
}

describe('wallet_sendCalls', () => {
  it.each<[number, string, Record<string, Json>]>([
    [-32602, 'version: must be', { version: '1.0' }],
    [-32602, 'chainId: must be a chain id', { chainId: '0x07a69' }],
    [-32602, 'atomicRequired', { atomicRequired: 'yes' }],
    [-32602, 'calls: must be a non-empty list', { calls: [] }],
    [-32602, 'id: must be text', { id: 'x'.repeat(8195) }],
    [-32602, 'calls[0].value: must be', { calls: [{ to: ALICE, value: '1' }] }],
    [-32602, 'calls[1].data: must be bytes', { calls: [{ to: ALICE }, { to: ALICE, data: '0x1' }] }],
    [-32602, 'calls[1].to: must be an address', { calls: [{ to: ALICE }, { to: 'x' }] }],
    [-32602, 'calls[0].gas: is not a known field', { calls: [{ to: ALICE, gas: '0x1' }] }],
    [4100, 'not connected', { from: BOB }],
    [5700, '"paymasterService" is not supported', { capabilities: { paymasterService: { url: 'https://p.example' } } }],
    [5700, '"flow" is not supported', { calls: [{ to: ALICE, capabilities: { flow: { optional: false } } }] }],
    [5700, '"" is not supported', { calls: [{ to: ALICE, capabilities: { '': {} } }] }],
    [5710, 'eip155:10 is not set up', { chainId: '0xa' }],
    [5740, 'must be at most 10', { calls: Array.from({ length: 11 }, () => ({ to: ALICE })) }],
    [5740, 'must have at most 131072 bytes', { calls: [{ to: ALICE, data: `0x${'00'.repeat(131_072)}` }] }],
    [5760, 'atomicRequired', { atomicRequired: true, calls: [{ to: ALICE }, { to: BOB }] }],
  ])('is refused with %d: %s', async (code, sentence, fields) => {
    const { ask } = await connected();
    // No delegate is deployed, so no account can be upgraded.
    node.answers.eth_getCode = () => '0x';
    const { error } = await ask('wallet_sendCalls', calls(fields));
    expect(error).toMatchObject({ code });
    expect(error!.message).toContain(sentence);
    // The field as named by the site.
    if (code === -32602) expect(error!.message.indexOf(sentence)).toBe(0);
    expect(takenBy(node)).toEqual([]);
  });

  it('ignores an optional capability', async () => {
    const { approve } = await connected();
    const capabilities = { paymasterService: { url: 'https://p.example', optional: true }, other: { optional: true } };
    expect((await approve('wallet_sendCalls', calls({ capabilities, id: 'mine' }))).result).toEqual({ id: 'mine' });
    expect(node.asked.every(({ method }) => !method.startsWith('pm_'))).toBe(true);
  });

  it('accepts an id once per site; generated ids cannot be guessed', async () => {
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

  it('sends none of several unless the user approves each', async () => {
    const { dapp } = await connected();
    const request = dapp('wallet_sendCalls', calls({ calls: [{ to: ALICE }, { to: BOB }] }));
    const first = await request.getInterface();
    expect(flat(first.content)).toContain(ALICE);
    await first.ok();
    const second = await request.getInterface();
    expect(flat(second.content)).toContain(BOB);
    await second.cancel();
    expect((await request).response.error).toMatchObject({ code: 4001 });
    expect(takenBy(node)).toEqual([]);
  });

  it('names a call that cannot be estimated before earlier ones are executed', async () => {
    const { ask, dapp } = await connected();
    node.answers.eth_estimateGas = ([draft]) => {
      if ((draft as { to: string }).to === BOB) throw new NodeRefusal('execution reverted', 3);
      return '0x5208';
    };
    const request = dapp('wallet_sendCalls', calls({ calls: [{ to: ALICE }, { to: BOB }] }));
    await (await request.getInterface()).ok();
    expect((await request).response.error?.message).toContain('calls[1]: would fail in the current state');
    node.answers.eth_getCode = () => '0x';
    expect((await ask('wallet_getCapabilities', [ME])).result).toEqual({
      '0x7a69': { atomic: { status: 'unsupported' } },
    });
  });
});

describe('the status of calls', () => {
  it.each<[number, ('0x0' | '0x1')[], number]>([
    [200, ['0x1', '0x1'], 2],
    [500, ['0x0', '0x0'], 2],
    [600, ['0x1', '0x0'], 2],
  ])('%d after %j', async (code, statuses, receipts) => {
    const { ask, approve, id } = await connected();
    await approve('wallet_sendCalls', calls({ id, calls: [{ to: ALICE }, { to: BOB }] }), DAPP, 2);
    const pending = { version: '2.0.0', id, chainId: '0x7a69', status: 100, atomic: false };
    expect((await ask('wallet_getCallsStatus', [id])).result).toEqual({
      ...pending,
      capabilities: { keystead: { state: 'handed-over', message: 'Sent. The network has not shown it yet.' } },
    });
    const hashes = takenBy(node).map((raw) => keccak256(raw));
    node.answers.eth_getTransactionReceipt = ([hash]) => receipt(hash as Hex, statuses[hashes.indexOf(hash as Hex)]!);
    const { result } = await ask<{ receipts: { transactionHash: Hex; logs: object[] }[] }>('wallet_getCallsStatus', [
      id,
    ]);
    expect(result).toMatchObject({ ...pending, status: code });
    expect(result!.receipts.map(({ transactionHash }) => transactionHash)).toEqual(hashes.slice(0, receipts));
    expect(Object.keys(result!.receipts[0]!).sort()).toEqual(
      ['blockHash', 'blockNumber', 'gasUsed', 'logs', 'status', 'transactionHash'].sort(),
    );
    expect(result!.receipts[0]!.logs).toEqual([{ address: ALICE, data: '0x', topics: [`0x${'aa'.repeat(32)}`] }]);
    // A final status is stored, and the network may still correct it: nothing is sent for that.
    node.asked.length = 0;
    expect((await ask('wallet_getCallsStatus', [id])).result).toEqual(result);
    expect(node.asked.filter(({ method }) => method.startsWith('eth_send'))).toEqual([]);
  });

  it('is 600 if the node accepted only some of them', async () => {
    const { ask, approve, id } = await connected();
    node.answers.eth_sendRawTransaction = ([raw]) => {
      if (takenBy(node).length > 1) throw new NodeRefusal('too many', -32000);
      return keccak256(raw as Hex);
    };
    await approve('wallet_sendCalls', calls({ id, calls: [{ to: ALICE }, { to: BOB }] }), DAPP, 2);
    node.answers.eth_getTransactionReceipt = ([hash]) => receipt(hash as Hex, '0x1');
    expect((await ask('wallet_getCallsStatus', [id])).result).toMatchObject({ status: 600 });
  });

  it.each<[string, number, ('0x0' | '0x1')[]]>([
    ['all went out', 200, ['0x1', '0x1']],
    ['one of them failed', 600, ['0x1', '0x0']],
  ])('is unclear after no answer, not unsent, until it is known: %s', async (_name, code, statuses) => {
    const { ask, approve, dapp, id } = await connected();
    node.answers.eth_sendRawTransaction = ([raw]) => {
      if (takenBy(node).length > 1) throw new NoAnswer();
      return keccak256(raw as Hex);
    };
    node.answers.eth_getTransactionByHash = () => null;
    await approve('wallet_sendCalls', calls({ id, calls: [{ to: ALICE }, { to: BOB }] }), DAPP, 2);
    const hashes = takenBy(node).map((raw) => keccak256(raw));
    expect(hashes).toHaveLength(2);
    node.answers.eth_getTransactionReceipt = ([hash]) => (hash === hashes[0] ? receipt(hashes[0]!, '0x1') : null);
    expect((await ask('wallet_getCallsStatus', [id])).result).toMatchObject({ status: 100, receipts: [{}] });
    const request = dapp('wallet_showCallsStatus', [id]);
    const screen = await request.getInterface();
    for (const part of ['Unknown. There was no answer', ...hashes]) expect(flat(screen.content)).toContain(part);
    await screen.ok();
    await request;
    node.answers.eth_getTransactionReceipt = ([hash]) => receipt(hash as Hex, statuses[hashes.indexOf(hash as Hex)]!);
    const { result } = await ask('wallet_getCallsStatus', [id]);
    expect(result).toMatchObject({ status: code, receipts: hashes.map((transactionHash) => ({ transactionHash })) });
  });

  it('is unclear without a response, and nothing is sent after that', async () => {
    const { ask, approve, id } = await connected();
    node.answers.eth_sendRawTransaction = () => {
      throw new NoAnswer();
    };
    await approve('wallet_sendCalls', calls({ id, calls: [{ to: ALICE }, { to: BOB }] }), DAPP, 2);
    expect(takenBy(node)).toHaveLength(1);
    expect((await ask('wallet_getCallsStatus', [id])).result).toMatchObject({ status: 100 });
    node.answers.eth_getTransactionReceipt = ([hash]) => receipt(hash as Hex, '0x1');
    expect((await ask('wallet_getCallsStatus', [id])).result).toMatchObject({ status: 600 });
  });

  it('is shown to the user on request, but not to other sites', async () => {
    const { ask, approve, connect, dapp, id } = await connected();
    await approve('wallet_sendCalls', calls({ id }));
    const request = dapp('wallet_showCallsStatus', [id]);
    const screen = await request.getInterface();
    expect(screen.type).toBe('alert');
    for (const part of [
      'Status of your calls',
      'Sent. The network has not shown it yet.',
      DAPP,
      'Network Network 31337 Calls',
      keccak256(takenBy(node)[0]!),
    ])
      expect(flat(screen.content)).toContain(part);
    await screen.ok();
    expect((await request).response).toEqual({ result: null });
    await connect('https://other.example');
    for (const unseen of [id, 'unknown'])
      expect((await ask('wallet_showCallsStatus', [unseen], 'https://other.example')).error).toMatchObject({
        code: 5730,
      });
  });

  it('is on the home page, looked up by a background event and by a button', async () => {
    const later = { id: 'later', date: '2999-01-01T00:00:00Z', request: { method: 'lookUpBatches' } };
    const scheduled: Json[] = [];
    const cancelled: Json[] = [];
    const { approve, snap } = await connected({
      mayKeep: [],
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
    // The earlier event replaces the later one.
    expect(cancelled).toEqual([{ id: 'later' }]);
    const event = async (method: string) =>
      ((await snap.onBackgroundEvent({ method })) as unknown as { response: unknown }).response;
    const home = async () => flat((await snap.onHomePage()).getInterface().content);
    expect(await home()).toContain('Status Sent. The network has not shown it yet.');
    scheduled.length = 0;
    expect(await event('lookUpBatches')).toEqual({ result: null });
    expect(scheduled).toEqual([scheduling]);
    node.answers.eth_getTransactionReceipt = ([hash]) => receipt(hash as Hex, '0x1');
    scheduled.length = 0;
    await event('lookUpBatches');
    expect(scheduled).toEqual([]);
    expect(await home()).toContain('Status Confirmed.');

    await approve('eth_sendTransaction', [{ from: ME, to: ALICE }]);
    const page = (await snap.onHomePage()).getInterface();
    node.answers.eth_getTransactionReceipt = ([hash]) => receipt(hash as Hex, '0x0');
    await page.clickElement('look-up');
    expect(await home()).toContain('Status Failed: it was included but reverted, so nothing was done.');
    expect(await event('other')).toMatchObject({ error: { code: -32601 } });
  });
});
