import fc from 'fast-check';
import { encodeFunctionData, type Hex, parseAbi } from 'viem';

import { latestState } from '../../../src/clients/ledger-node';
import { NodeClient } from '../../../src/clients/node';
import { explainTypedData } from '../../../src/core/decode/explain/typed-data';
import { type Call } from '../../../src/core/erc4337/user-operation';
import { lowerCase, toHex } from '../../../src/core/eth/bytes';
import { type TypedData, typedDataDigest } from '../../../src/core/eth/typed-data';
import { cancellationOf } from '../../../src/core/ledger/signed/cancel';
import { formOf } from '../../../src/core/ledger/signed/form';
import { type Kept, keptMessage } from '../../../src/core/ledger/signed/kept';
import { type Status, statusesAt } from '../../../src/core/ledger/signed/status';
import { COW_MARKET } from '../../support/chain/markets/cow';
import { INCH_MARKET } from '../../support/chain/markets/inch';
import { SEAPORT_MARKETS } from '../../support/chain/markets/seaport';
import { UNISWAPX_MARKETS } from '../../support/chain/markets/uniswapx';
import {
  ACCOUNT,
  describeWithMarkets,
  FILLER,
  type Markets,
  type Placed,
  signOrder,
  startMarkets,
  USDC,
  WETH,
} from '../../support/chain/markets/world';
import { typedData } from '../../support/explaining';
import { perRun } from '../../support/nightly';

/**
 * Random signatures of every protocol whose state a network tells are left alone, used or cancelled, on the protocols'
 * own contracts. What is said of each in the end has to be what was done with it.
 */

const MARKETS = [...SEAPORT_MARKETS, ...UNISWAPX_MARKETS, COW_MARKET, INCH_MARKET];
const PERMIT2: Hex = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
const END = 2n ** 48n - 1n;
const ABI = parseAbi([
  'struct Details { address token; uint160 amount; uint48 expiration; uint48 nonce; }',
  'struct Single { Details details; address spender; uint256 sigDeadline; }',
  'struct Batch { Details[] details; address spender; uint256 sigDeadline; }',
  'function permit(address owner, Single permitSingle, bytes signature)',
  'function permit(address owner, Batch permitBatch, bytes signature)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
]);
const PERMIT = 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)';
const DETAILS = 'PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)';

type Action = 'leave' | 'use' | 'cancel';
/** What was signed, what it should be, and how it would be used. */
type Signature = { readonly kept: Kept; expected: Status; readonly use?: Call; readonly group?: string };

describeWithMarkets('signatures that are used and cancelled', () => {
  let markets: Markets;
  let now = 0n;
  const signatures: Signature[] = [];
  /** The next nonce of each series in which one signature ends the others. */
  const nonces = new Map<string, bigint>();

  beforeAll(async () => {
    markets = await startMarkets();
    for (const market of MARKETS) await market.deploy(markets);
  }, 300_000);
  afterAll(() => markets.stop());

  const fails = async ({ to, data, value }: Call): Promise<boolean> =>
    markets.rpc('eth_call', [{ from: FILLER, to, data, value: `0x${value.toString(16)}` }, 'latest']).then(
      () => false,
      () => true,
    );

  function keep(data: TypedData): Kept {
    const { usable, title, dangers } = explainTypedData(data, { signer: ACCOUNT, now });
    if (usable === undefined) throw new Error(`“${title}” would not be kept`);
    const hash = toHex(typedDataDigest(data));
    const isDangerous = dangers.length > 0;
    const facts = {
      account: ACCOUNT,
      origin: 'https://dapp.example',
      at: Number(now) * 1000,
      title,
      hash,
      isDangerous,
    };
    // It goes through the state as JSON.
    return JSON.parse(
      JSON.stringify(keptMessage({ ...facts, chainId: 'eip155:1', until: usable.until }, data)),
    ) as Kept;
  }

  async function cancel(kept: Kept): Promise<void> {
    const cancellation = cancellationOf(kept);
    if (cancellation.kind === 'calls') for (const call of cancellation.calls) await markets.send(ACCOUNT, call);
    else if (cancellation.kind === 'signature')
      await markets.send(FILLER, cancellation.callOf(signOrder(cancellation.data)));
    else throw new Error(`nothing cancels “${kept.title}”`);
  }

  /** A nonce was used, so no other signature for it counts. */
  function end(group: string): void {
    nonces.set(group, (nonces.get(group) ?? 0n) + 1n);
    for (const one of signatures) if (one.group === group) one.expected = 'gone';
  }

  async function takeSerial(data: TypedData, group: string, use: (signature: Hex) => Call, action: Action) {
    const one: Signature = { kept: keep(data), expected: 'counts', use: use(signOrder(data)), group };
    signatures.push(one);
    if (action === 'leave') return;
    if (action === 'use') await markets.send(FILLER, one.use!);
    else await cancel(one.kept);
    end(group);
  }

  async function takePermit(action: Action, amount: bigint): Promise<void> {
    const group = 'permit';
    const message = { owner: ACCOUNT, spender: FILLER, value: `${amount}`, nonce: `${nonces.get(group) ?? 0n}` };
    const domain = { name: 'USDC', version: '1', chainId: 1, verifyingContract: USDC };
    const data = typedData(PERMIT, domain, { ...message, deadline: `${END}` });
    const call = (signature: Hex): Call => ({
      to: USDC,
      value: 0n,
      data: encodeFunctionData({
        abi: ABI,
        functionName: 'permit',
        args: [
          ACCOUNT,
          FILLER,
          amount,
          END,
          Number(`0x${signature.slice(130)}`),
          signature.slice(0, 66) as Hex,
          `0x${signature.slice(66, 130)}`,
        ],
      }),
    });
    await takeSerial(data, group, call, action);
  }

  async function takePermit2(action: Action, amount: bigint, isBatch: boolean): Promise<void> {
    // A batch shares the nonce of its first pair with the single ones; its second pair is never used otherwise.
    const nonce = nonces.get('permit2') ?? 0n;
    const details = { token: USDC, amount, expiration: Number(END), nonce: Number(nonce) };
    const second = { ...details, token: WETH, nonce: Number(nonces.get('batch') ?? 0n) };
    const domain = { name: 'Permit2', chainId: 1, verifyingContract: PERMIT2 };
    const name = isBatch ? 'PermitBatch' : 'PermitSingle';
    const type = `${name}(PermitDetails${isBatch ? '[]' : ''} details,address spender,uint256 sigDeadline)${DETAILS}`;
    const inJson = (one: typeof details): object => ({ ...one, amount: `${one.amount}` });
    const data = typedData(type, domain, {
      details: isBatch ? [inJson(details), inJson(second)] : inJson(details),
      spender: FILLER,
      sigDeadline: `${END}`,
    });
    const call = (signature: Hex): Call => {
      const common = { spender: FILLER, sigDeadline: END };
      return {
        to: PERMIT2,
        value: 0n,
        data: isBatch
          ? encodeFunctionData({
              abi: ABI,
              functionName: 'permit',
              args: [ACCOUNT, { ...common, details: [details, second] }, signature],
            })
          : encodeFunctionData({
              abi: ABI,
              functionName: 'permit',
              args: [ACCOUNT, { ...common, details }, signature],
            }),
      };
    };
    await takeSerial(data, 'permit2', call, action);
    if (isBatch && action === 'use') nonces.set('batch', (nonces.get('batch') ?? 0n) + 1n);
  }

  async function takeOrder(placed: Placed, action: Action): Promise<void> {
    await markets.make(placed);
    const signature = signOrder(placed.data);
    const one: Signature = { kept: keep(placed.data), expected: 'counts' };
    expect(formOf(one.kept)).toBeDefined();
    signatures.push(one);
    if (action === 'leave') return;
    if (action === 'use') {
      await markets.fill(placed, signature);
      if (placed.isPart !== true) one.expected = 'gone';
      return;
    }
    await cancel(one.kept);
    one.expected = 'gone';
    expect(await fails(placed.fill(signature))).toBe(true);
  }

  test('each is said to count, or to be gone, as it was done with', async () => {
    const runs = { numRuns: perRun(200, 600), seed: 68 };
    const actions = fc.sample(fc.constantFrom<Action>('leave', 'use', 'cancel'), runs);
    const kinds = fc.sample(fc.nat(MARKETS.length + 3), runs);
    const amounts = fc.sample(fc.bigInt({ min: 1n, max: 10n ** 12n }), runs);
    const orders = MARKETS.map((market) => fc.sample(market.orders, runs));
    for (const [at, action] of actions.entries()) {
      const kind = kinds[at]!;
      const moment = markets.next();
      ({ now } = moment);
      if (kind === 0) await takePermit(action, amounts[at]!);
      else if (kind === 1 || kind === 2) await takePermit2(action, amounts[at]!, kind === 2);
      else if (kind === 3) {
        const nonce = await markets.rpc<Hex>('eth_getTransactionCount', [ACCOUNT, 'latest']);
        const hash: Hex = `0x${at.toString(16).padStart(64, '0')}`;
        const kept: Kept = {
          account: ACCOUNT,
          origin: 'metamask',
          at: 0,
          hash,
          title: 'Run code',
          chainId: 'eip155:1',
          authorization: { address: FILLER, nonce },
        };
        expect(cancellationOf(kept)).toEqual({ kind: 'transaction' });
        signatures.push({ kept, expected: 'counts' });
        if (action === 'cancel') await markets.send(ACCOUNT, { to: ACCOUNT });
      } else await takeOrder(orders[kind - 4]![at]!(moment), action);
    }
    const transactions = BigInt(await markets.rpc<Hex>('eth_getTransactionCount', [ACCOUNT, 'latest']));
    for (const one of signatures) {
      const { authorization } = one.kept;
      if (authorization !== undefined) one.expected = BigInt(authorization.nonce) < transactions ? 'gone' : 'counts';
    }
    const state = await latestState(new NodeClient({ url: markets.url }));
    // Some auctions end with the block that fills them.
    for (const one of signatures) if (BigInt(one.kept.until ?? END) < state.time) one.expected = 'expired';
    const found = await statusesAt(
      signatures.map(({ kept }) => kept),
      lowerCase(ACCOUNT),
      state,
    );
    expect(signatures.map(({ kept: { title } }, at) => [title, found[at]])).toEqual(
      signatures.map(({ kept: { title }, expected }) => [title, expected]),
    );
    // What is said of permits is what the contracts themselves would do.
    for (const { use, expected } of signatures)
      if (use !== undefined) expect(await fails(use)).toBe(expected === 'gone');
    const counted = (status: Status): number => found.filter((one) => one === status).length;
    expect([counted('counts') > 20, counted('gone') > 50, signatures.length]).toEqual([true, true, perRun(200, 600)]);
  }, 900_000);
});
