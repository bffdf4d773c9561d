import { encodeFunctionData, type Hex, parseAbi } from 'viem';

import { ledgerSource, latestState } from '../../../src/clients/ledger-node';
import { NodeClient } from '../../../src/clients/node';
import { lowerCase } from '../../../src/core/eth/bytes';
import { candidatesIn } from '../../../src/core/ledger/candidates';
import { unpackLogs } from '../../../src/core/ledger/packed-logs';
import { type Permission, permissionsAt } from '../../../src/core/ledger/permissions';
import { revokeCalls } from '../../../src/core/ledger/revoke';
import { scan, type ScanProgress } from '../../../src/core/ledger/scan';
import { PERMIT2 } from '../../../src/core/simulation/asset-logs';
import { typedData } from '../../support/explaining';
import { UNISWAPX_MARKETS } from '../../support/chain/markets/uniswapx';
import {
  ACCOUNT,
  describeWithMarkets,
  FILLER,
  type Markets,
  OTHER,
  signOrder,
  startMarkets,
  USDC,
  WETH,
} from '../../support/chain/markets/world';

const END = 2n ** 48n - 1n;
const ABI = parseAbi([
  'struct Details { address token; uint160 amount; uint48 expiration; uint48 nonce; }',
  'struct Single { Details details; address spender; uint256 sigDeadline; }',
  'function permit(address owner, Single permitSingle, bytes signature)',
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
  'function transferFrom(address from, address to, uint160 amount, address token)',
]);
const DETAILS = 'PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)';
const SINGLE = `PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)${DETAILS}`;

describeWithMarkets('permissions in Permit2 itself', () => {
  let markets: Markets;
  beforeAll(async () => {
    markets = await startMarkets();
    // UniswapX brings the code of Permit2 that is deployed on every network.
    await UNISWAPX_MARKETS[0]!.deploy(markets);
  }, 300_000);
  afterAll(() => markets.stop());

  const call = (data: Hex) => ({ to: PERMIT2, value: 0n, data });
  const take = (spender: Hex, token: Hex) =>
    markets.rpc('eth_call', [
      {
        from: spender,
        to: PERMIT2,
        data: encodeFunctionData({ abi: ABI, functionName: 'transferFrom', args: [ACCOUNT, spender, 1n, token] }),
      },
      'latest',
    ]);

  async function inPermit2(): Promise<readonly Permission[]> {
    const node = new NodeClient({ url: markets.url });
    const account = lowerCase(ACCOUNT);
    let last: ScanProgress | undefined;
    for await (const progress of scan(account, ledgerSource(node))) last = progress;
    const logs = unpackLogs(last!.state().logs);
    const { permissions, unread } = await permissionsAt(
      candidatesIn(logs, account),
      logs,
      account,
      await latestState(node),
    );
    expect(unread).toEqual([]);
    return permissions.filter(({ kind }) => kind === 'permit2');
  }

  test('are listed, by an approval and by a signed permit, and what takes them back ends unused permits too', async () => {
    const permit = (nonce: number): Hex => {
      const details = { token: WETH, amount: 7n, expiration: Number(END), nonce };
      const signature = signOrder(
        typedData(
          SINGLE,
          { name: 'Permit2', chainId: 1, verifyingContract: PERMIT2 },
          { details: { ...details, amount: '7' }, spender: OTHER, sigDeadline: `${END}` },
        ),
      );
      const single = { details, spender: OTHER, sigDeadline: END };
      return encodeFunctionData({ abi: ABI, functionName: 'permit', args: [ACCOUNT, single, signature] });
    };
    const approval = (amount: bigint, end: bigint) =>
      call(encodeFunctionData({ abi: ABI, functionName: 'approve', args: [USDC, FILLER, amount, Number(end)] }));
    // One that has ended is not listed.
    await markets.send(ACCOUNT, approval(5n, 1n));
    expect(await inPermit2()).toEqual([]);
    await markets.send(ACCOUNT, approval(5n, END));
    await markets.send(FILLER, call(permit(0)));
    const before = await inPermit2();
    const [usdc, weth, filler, other] = [USDC, WETH, FILLER, OTHER].map(lowerCase);
    expect(
      new Set(before.map(({ token, spender, amount, takeable, nonce }) => [token, spender, amount, takeable, nonce])),
    ).toEqual(
      new Set([
        [usdc, filler, 5n, 5n, 0n],
        [weth, other, 7n, 7n, 1n],
      ]),
    );
    await take(FILLER, USDC);
    await take(OTHER, WETH);
    for (const one of revokeCalls(before)) await markets.send(ACCOUNT, one);
    expect(await inPermit2()).toEqual([]);
    await expect(take(FILLER, USDC)).rejects.toThrow();
    await expect(take(OTHER, WETH)).rejects.toThrow();
    // It was signed for the nonce that was next, and nobody used it.
    await expect(markets.send(OTHER, call(permit(1)))).rejects.toThrow();
    await markets.send(OTHER, call(permit(2)));
    expect(await inPermit2()).toHaveLength(1);
  }, 120_000);
});
