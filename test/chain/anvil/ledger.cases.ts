import fc from 'fast-check';
import { encodeFunctionData, erc20Abi, erc721Abi, type Hex, parseAbi, parseEventLogs, type RpcLog } from 'viem';
import { readContract } from 'viem/actions';

import { ledgerSource, latestState } from '../../../src/clients/ledger-node';
import { lowerCase } from '../../../src/core/eth/bytes';
import { MAX_UINT256 } from '../../../src/core/eth/units';
import { tryCanary } from '../../../src/core/ledger/canary';
import { candidatesIn } from '../../../src/core/ledger/candidates';
import { historyOf } from '../../../src/core/ledger/history';
import { holdingCandidates, holdingsAt, usedTokens } from '../../../src/core/ledger/holdings';
import { type Permission, permissionsAt } from '../../../src/core/ledger/permissions';
import { unpackLogs } from '../../../src/core/ledger/packed-logs';
import { placeOf } from '../../../src/core/ledger/placed-log';
import { revokeCalls } from '../../../src/core/ledger/revoke';
import { type LogSource, scan, type ScanState } from '../../../src/core/ledger/scan';
import { DEPLOYER } from '../../support/chain/anvil-rpc';
import { chainClient } from '../../support/chain/contracts';
import { handleOperation, prepay } from '../../support/chain/handled-operation';
import { describeWithPeers } from '../../support/chain/peers';
import { type Holder, type PreviewWorld, startPreviewWorld, UNIT } from '../../support/chain/preview-world';
import { perRun } from '../../support/nightly';

const EVENTS = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
  'event ApprovalForAll(address indexed owner, address indexed operator, bool approved)',
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
  'event Deposit(address indexed dst, uint256 wad)',
  'event Withdrawal(address indexed src, uint256 wad)',
  'event Lockdown(address indexed owner, address token, address spender)',
  'event NonceInvalidation(address indexed owner, address indexed token, address indexed spender, uint48 newNonce, uint48 oldNonce)',
  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
]);
/** Events with the names of others, and more topics. */
const NFT_EVENTS = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 indexed id)',
  'event Approval(address indexed owner, address indexed spender, uint256 indexed id)',
]);
const PERMIT2_EVENTS = parseAbi([
  'event Approval(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration)',
]);

const lower = (text: string): string => text.toLowerCase();

/** A node that answers for a few blocks at a time, in front of the real one. */
const limited = (source: LogSource, most: bigint): LogSource => ({
  ...source,
  logs: async (topics, range, signal) =>
    range.to - range.from >= most ? { refusal: 'block range too large' } : source.logs(topics, range, signal),
});

async function scanned(account: Hex, source: LogSource) {
  let state: ScanState | undefined;
  for await (const progress of scan(account, source)) state = progress.state();
  if (state === undefined) throw new Error('a scan reports its progress');
  return { searched: state.searched, logs: unpackLogs(state.logs) };
}

/** One of the kinds of transactions; some of them fail, which is part of it. */
type Step = readonly [kind: number, who: number, other: number, amount: bigint];
const KINDS = 16;
/** The kinds of calls that an account makes itself; the others are ways to make them, and spam. */
const OWN_KINDS = 13;
const SPAM_LOGS = 240n;
/** Delegates itself in each transaction that sends a batch to itself (EIP-7702). */
const DELEGATED = 'upgraded';
/** Has user operations. */
const OPERATING = 'simple-account-0.8';
/** The accounts that are checked every day; at night, all are. */
const DAILY = [DELEGATED, OPERATING, 'eoa', 'safe-0.7'];
const HONEST = ['gold', 'usd', 'noReturn', 'weth', 'nft', 'items'] as const;

describeWithPeers('the ledger of accounts on a chain', () => {
  let world: PreviewWorld;
  beforeAll(async () => {
    world = await startPreviewWorld();
    await prepay(world);
  }, 120_000);
  afterAll(() => world.stop());

  const holderOf = (wanted: string): Holder => world.holders.find(({ name }) => name === wanted)!;

  /** @returns Whether the transaction succeeded. */
  async function take([kind, at, other, amount]: Step): Promise<boolean> {
    const anyone = world.holders[at % world.holders.length]!;
    const isOperation = kind === OWN_KINDS;
    const isDelegated = kind === OWN_KINDS + 1;
    const who = isOperation ? holderOf(OPERATING) : isDelegated ? holderOf(DELEGATED) : anyone;
    const to = world.holders[other % world.holders.length]!.address;
    const { call, contracts } = world;
    if (kind === KINDS - 1) {
      const floods = DAILY.map((name) => call('spam', 'flood', [holderOf(name).address, SPAM_LOGS]));
      for (const flood of floods) if ((await world.send(DEPLOYER, flood)).status !== '0x1') return false;
      return true;
    }
    const spender = [contracts.drainer, contracts.router, contracts.permit2, { address: to }][other % 4]!.address;
    const id = who.firstNft + (amount % 12n);
    const limit = [0n, amount, MAX_UINT256][other % 3]!;
    const end = [0n, 1n, 2n ** 48n - 1n][Number(amount % 3n)]!;
    const calls = [
      () => [call('gold', 'transfer', [to, amount])],
      () => [call('fee', 'transfer', [to, amount]), call('rebasing', 'transfer', [to, amount])],
      () => [call('lying', 'lie', [who.address, amount])],
      () => [call('gold', 'approve', [spender, limit]), call('usd', 'approve', [spender, limit])],
      () => [call('noReturn', 'approve', [spender, limit]), call('fee', 'approve', [spender, limit])],
      () => [call('weth', 'deposit', [], amount), call('weth', 'withdraw', [amount / 2n])],
      () => [call('nft', 'transferFrom', [who.address, to, id])],
      () => [call('nft', 'approve', [spender, id])],
      () => [call(amount % 2n === 0n ? 'nft' : 'items', 'setApprovalForAll', [spender, other % 2 === 0])],
      () => [call('items', 'safeBatchTransferFrom', [who.address, to, [1n, 2n], [amount % 5n, 1n], '0x'])],
      () => [
        call('gold', 'approve', [contracts.permit2.address, limit]),
        call('permit2', 'approve', [contracts.gold.address, spender, amount, end]),
      ],
      () => [call('permit2', 'lockdown', [[{ token: contracts.gold.address, spender }]])],
      () => [
        ...(['gold', 'usd'] as const).map((name) => call(name, 'approve', [contracts.multicall.address, amount])),
        call('multicall', 'aggregate3Value', [
          (['gold', 'usd', 'gold'] as const)
            .map((name, part) => call(name, 'transferFrom', [who.address, to, amount / BigInt(part + 2)]))
            .map(({ to: target, data }) => ({ target, allowFailure: false, value: 0n, callData: data })),
        ]),
      ],
    ][kind < OWN_KINDS ? kind : at % OWN_KINDS]!();
    if (isOperation) return handleOperation(world, calls);
    return who.canExecute(calls) && (await who.execute(calls)).failed === undefined;
  }

  /** The words that each call returns; none of those that fail. */
  async function readAll(calls: readonly { to: Hex; data: Hex }[]): Promise<(readonly bigint[])[]> {
    const { address, abi } = world.contracts.multicall;
    const answers = await readContract(chainClient(world.url), {
      address,
      abi,
      functionName: 'aggregate3Value',
      args: [calls.map(({ to, data }) => ({ target: to, allowFailure: true, value: 0n, callData: data }))],
    });
    return (answers as readonly { success: boolean; returnData: Hex }[]).map(({ success, returnData }) =>
      success ? (returnData.slice(2).match(/.{64}/gu) ?? []).map((word) => BigInt(`0x${word}`)) : [],
    );
  }

  /** Every permission of an account over all tokens and all addresses that any log of the chain names. */
  async function bruteForce(account: Hex, logs: readonly RpcLog[], now: bigint): Promise<Set<string>> {
    const { contracts, url } = world;
    const client = chainClient(url);
    const named = new Set(
      logs.flatMap(({ topics }) =>
        topics.slice(1).flatMap((topic) => (/^0x0{24}(?!0{24})/u.test(topic) ? [`0x${topic.slice(26)}`] : [])),
      ),
    );
    const tokens = [...new Set(logs.map(({ address }) => lower(address) as Hex))];
    const found = new Set<string>();
    const read = async <T>(run: () => Promise<T>): Promise<T | undefined> => run().catch(() => undefined);
    const PERMIT2_READ = parseAbi([
      'function allowance(address, address, address) view returns (uint160, uint48, uint48)',
    ]);
    const operators = parseAbi(['function isApprovedForAll(address, address) view returns (bool)']);
    for (const token of tokens) {
      const pairs = [...named].map((spender) => [account, spender as Hex] as const);
      const answers = await readAll(
        pairs.flatMap((args) => [
          { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args }) },
          { to: token, data: encodeFunctionData({ abi: operators, functionName: 'isApprovedForAll', args }) },
          {
            to: contracts.permit2.address,
            data: encodeFunctionData({
              abi: PERMIT2_READ,
              functionName: 'allowance',
              args: [account, token, args[1]],
            }),
          },
        ]),
      );
      for (const [at, [, spender]] of pairs.entries()) {
        const [[amount = 0n] = [], [isOperator] = [], [inPermit2 = 0n, expires = 0n] = []] = answers.slice(3 * at);
        if (amount > 0n) found.add(`amount ${token} ${spender} ${amount}`);
        if (isOperator === 1n) found.add(`collection ${token} ${spender}`);
        if (inPermit2 > 0n && expires >= now) found.add(`permit2 ${token} ${spender} ${inPermit2}`);
      }
    }
    const nft = { address: contracts.nft.address, abi: erc721Abi } as const;
    for (let id = 0n; id < 1_500n; id++) {
      const owner =
        id % 100n < 20n
          ? await read(() => readContract(client, { ...nft, functionName: 'ownerOf', args: [id] }))
          : undefined;
      if (owner === undefined || lower(owner) !== account) continue;
      const approved = await readContract(client, { ...nft, functionName: 'getApproved', args: [id] });
      if (!/^0x0+$/u.test(approved)) found.add(`nft ${lower(nft.address)} ${lower(approved)} ${id}`);
    }
    return found;
  }

  const nameOf = ({ kind, token, spender, amount, id }: Permission): string =>
    [kind, token, spender, amount ?? id].filter((part) => part !== undefined).join(' ');

  test('after random transactions, it has every event once, and every permission that there is', async () => {
    const steps = fc.sample(fc.tuple(fc.nat(KINDS - 1), fc.nat(), fc.nat(), fc.bigInt(0n, 1_000n * UNIT)), {
      numRuns: perRun(120, 300),
      seed: 68,
    });
    const succeeded = new Set<number>();
    for (const step of steps) if (await take(step)) succeeded.add(step[0]);
    expect(succeeded.size).toBe(KINDS);
    const all = await world.rpc<RpcLog[]>('eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest' }]);
    const block = await chainClient(world.url).getBlock();
    const source = ledgerSource(world.node);
    const state = await latestState(world.node);
    const spam = lower(world.contracts.spam.address);
    for (const holder of perRun(DAILY.map(holderOf), world.holders)) {
      const account = lowerCase(holder.address);
      const ledger = await scanned(account, limited(source, 64n));
      const parsed = [EVENTS, NFT_EVENTS, PERMIT2_EVENTS].flatMap((abi) => parseEventLogs({ abi, logs: all }));
      const own = parsed.filter(({ args, eventName }) => {
        const { from, to, owner, dst, src, sender } = args as Record<string, string | undefined>;
        const ends = eventName.startsWith('Transfer') ? [from, to] : [owner, dst, src, sender];
        return ends.some((one) => one !== undefined && lower(one) === account);
      });
      const places = own.map(({ blockNumber, logIndex }) => `${BigInt(blockNumber)}/${Number(logIndex)}`);
      const found = [...ledger.logs].map(placeOf);
      expect(new Set(found)).toEqual(new Set(places));
      expect(found.length).toBe(new Set(places).size);
      expect(ledger.searched).toEqual([{ from: 0n, to: block.number }]);
      expect(await tryCanary(ledger.searched, ledger.logs, source)).toMatchObject({ kind: 'found' });

      const { permissions, unread } = await permissionsAt(
        candidatesIn(ledger.logs, account),
        ledger.logs,
        account,
        state,
      );
      expect(unread).toEqual([]);
      const held = await holdingsAt(holdingCandidates(ledger.logs, account), account, state);
      const { amounts } = await world.holdingsOf(holder);
      const history = historyOf(ledger.logs, account, usedTokens(ledger.logs, account));
      expect(new Set(history.map(({ transaction }) => transaction)).size).toBe(history.length);
      for (const [name, amount] of amounts) {
        // The others lie, take fees, or change balances without a log.
        if (!HONEST.some((one) => name.includes(world.contracts[one].address))) continue;
        const sum = history
          .flatMap(({ movements }) => movements)
          .filter(({ asset }) => `${asset.kind} ${asset.token}${asset.kind === 'erc20' ? '' : `/${asset.id}`}` === name)
          .reduce((total, { net }) => total + net, 0n);
        expect([name, sum]).toEqual([name, amount]);
      }
      expect(
        new Map(
          held.map(({ kind, token, id, amount }) => [`${kind} ${token}${id === undefined ? '' : `/${id}`}`, amount]),
        ),
      ).toEqual(new Map([...amounts].filter(([name, amount]) => name !== 'native' && amount > 0n)));
      expect(permissions).not.toEqual([]);
      if (DAILY.includes(holder.name))
        expect(own.filter(({ address }) => lower(address) === spam).length).toBeGreaterThanOrEqual(Number(SPAM_LOGS));
      expect(new Set(permissions.map(nameOf))).toEqual(await bruteForce(account, all, block.timestamp));
    }
  }, 600_000);

  test('a Safe takes back everything in one operation, and nothing is left', async () => {
    const safe = world.holders.find(({ name }) => name === 'safe-0.7')!;
    const { call, contracts } = world;
    const account = lowerCase(safe.address);
    const end = 2n ** 48n - 1n;
    const spenders = Array.from({ length: 8 }, (_, at) => `0x${(0xabc0 + at).toString(16).padStart(40, '0')}` as Hex);
    const { failed } = await safe.execute([
      ...spenders.map((spender) => call('gold', 'approve', [spender, MAX_UINT256])),
      ...spenders.map((spender) => call('permit2', 'approve', [contracts.gold.address, spender, 5n, end])),
      ...spenders.slice(0, 3).map((spender) => call('items', 'setApprovalForAll', [spender, true])),
      call('nft', 'setApprovalForAll', [spenders[0], true]),
    ]);
    expect(failed).toBeUndefined();
    const permissions = async (): Promise<readonly Permission[]> => {
      const { logs } = await scanned(account, ledgerSource(world.node));
      return (await permissionsAt(candidatesIn(logs, account), logs, account, await latestState(world.node)))
        .permissions;
    };
    const before = await permissions();
    expect(before.length).toBeGreaterThanOrEqual(20);
    expect(await safe.execute(revokeCalls(before))).toMatchObject({ failed: undefined });
    expect(await permissions()).toEqual([]);
    // A permit that was signed for the former nonce of the pair is dead.
    const client = chainClient(world.url);
    const abi = parseAbi(['function allowance(address, address, address) view returns (uint160, uint48, uint48)']);
    const allowed = await readContract(client, {
      address: contracts.permit2.address,
      abi,
      functionName: 'allowance',
      args: [account, contracts.gold.address, spenders[0]!],
    });
    expect(allowed).toEqual([0n, Number(end), 1]);
  }, 60_000);
  test('an old token that refuses to set an allowance to 0 is taken back all the same', async () => {
    const eoa = holderOf('eoa');
    const { call, contracts } = world;
    const account = lowerCase(eoa.address);
    const spender = lowerCase(contracts.drainer.address);
    expect(await eoa.execute([call('old', 'approve', [spender, 7n])])).toMatchObject({ failed: undefined });
    expect(await eoa.execute([call('old', 'approve', [spender, 0n])])).toMatchObject({ failed: 0 });
    const ofOld = async (): Promise<readonly Permission[]> => {
      const { logs } = await scanned(account, ledgerSource(world.node));
      const state = await latestState(world.node);
      const { permissions } = await permissionsAt(candidatesIn(logs, account), logs, account, state);
      return permissions.filter(({ token }) => token === lowerCase(contracts.old.address));
    };
    const before = await ofOld();
    expect(before).toMatchObject([{ kind: 'amount', spender, amount: 7n, refusesZero: true }]);
    expect(await eoa.execute(revokeCalls(before))).toMatchObject({ failed: undefined });
    expect(await ofOld()).toEqual([]);
  }, 60_000);
});
