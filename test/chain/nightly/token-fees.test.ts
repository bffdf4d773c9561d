import { type Json } from '@metamask/snaps-sdk';
import { type Address, encodeFunctionData, formatUnits, type Hex, parseAbi, parseUnits } from 'viem';

import { shortAddress } from '../../../src/core/decode/words/names';
import { ENTRY_POINTS } from '../../../src/core/erc4337/entry-points';
import { type ForDapps, installForDapps, LOCAL_PAGE } from '../../support/dapp';
import { flat } from '../../support/screen-text';
import { deployFeeToken, deployTokenPaymaster } from '../../support/chain/contracts';
import { callsOf, recipient, startAccount, statusOf } from '../../support/chain/delegated-account';
import { describeWithPeers } from '../../support/chain/peers';
import { CHAIN, must } from '../../support/chain/smart-wallet';
import { startTokenPaymasterService, type TokenPaymasterService } from '../../support/chain/token-paymaster-service';
import { startWorld, type World } from '../../support/chain/world';

const TOKEN_ABI = parseAbi([
  'function mint(address to, uint256 amount)',
  'function approve(address spender, uint256 amount) returns (bool)',
  'function transfer(address to, uint256 amount) returns (bool)',
  'function balanceOf(address owner) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
]);
const fee = (amount: string): bigint => parseUnits(amount, 6);

const VERSIONS = ['0.7', '0.8', '0.9'] as const;
type Version = (typeof VERSIONS)[number];
type Account = { readonly keystead: ForDapps; readonly address: Hex };

describeWithPeers('a fee that is paid in tokens, on a real chain', () => {
  let world: World;
  let token: Address;
  let paymasters: Record<Version, Address>;
  let service: TokenPaymasterService;
  beforeAll(async () => {
    world = await startWorld();
    const { chain } = world;
    token = await deployFeeToken(chain);
    paymasters = {
      '0.7': await deployTokenPaymaster(chain, '0.7'),
      '0.8': await deployTokenPaymaster(chain, '0.8'),
      '0.9': await deployTokenPaymaster(chain, '0.9'),
    };
    service = await startTokenPaymasterService(
      Object.fromEntries(VERSIONS.map((version) => [ENTRY_POINTS[version], paymasters[version]])),
      token,
    );
  });
  afterAll(async () => {
    await service.stop();
    await world.stop();
  });

  /** An account with 100 FEE, without any coins, connected to the local page. */
  async function start(kind: 'smart' | 'delegated', version: Version, change: Record<string, Json>): Promise<Account> {
    const settings = { ...change, entryPointVersion: version };
    const account = kind === 'delegated' ? await startAccount(world, settings, 0n) : await startSmart(settings);
    const hash = await world.chain.writeContract({
      address: token,
      abi: TOKEN_ABI,
      functionName: 'mint',
      args: [account.address, fee('100')],
    });
    await world.chain.waitForTransactionReceipt({ hash });
    return account;
  }

  async function startSmart(settings: { readonly entryPointVersion: Version }): Promise<Account> {
    const keystead = await installForDapps();
    const params = { chainId: CHAIN, rpcUrl: world.rpcUrl, bundlerUrl: world.bundlerUrl, ...settings };
    must(await keystead.approve('keystead_setChain', params, LOCAL_PAGE));
    const { entryPointVersion } = settings;
    const salt = `0x${(++salts).toString(16)}`;
    const account = await keystead.create({ type: 'eip155:erc4337', chainId: CHAIN, entryPointVersion, salt });
    await keystead.connect(LOCAL_PAGE);
    return { keystead, address: account.address as Hex };
  }
  let salts = 0;

  const tokenCall = (functionName: 'approve' | 'transfer', to: Address, amount: bigint) => ({
    to: token,
    data: encodeFunctionData({ abi: TOKEN_ABI, functionName, args: [to, amount] }),
  });
  const read = (functionName: 'balanceOf' | 'allowance', ...addresses: Address[]) =>
    world.chain.readContract({ address: token, abi: TOKEN_ABI, functionName, args: addresses as [Address, Address] });

  /** What changes in FEE while something is done. */
  async function changesOf({ address }: Account, paymaster: Address, work: () => Promise<void>) {
    const stateOf = () =>
      Promise.all([read('balanceOf', address), read('balanceOf', paymaster), read('allowance', address, paymaster)]);
    const before = await stateOf();
    await work();
    const [own, taken, left] = await stateOf();
    return { own: own - before[0], taken: taken - before[1], allowed: before[2], left };
  }

  /** Sends calls, approves, and waits until they are mined. @returns The text of the dialog. */
  async function send({ keystead, address }: Account, change: Record<string, unknown>): Promise<string> {
    const request = keystead.dapp('wallet_sendCalls', callsOf(address, change), LOCAL_PAGE);
    const screen = await request.getInterface();
    await screen.ok();
    const { id } = must((await request).response as never) as { id: string };
    expect(await statusOf(keystead, world.chain, id, LOCAL_PAGE)).toMatchObject({ status: 200, atomic: true });
    return flat(screen.content);
  }

  /** The service and its context, as settings of the network or as a capability of the request. */
  const namedBy = (source: 'network' | 'request', context: Record<string, Json> | undefined) =>
    source === 'network'
      ? { settings: { paymasterUrl: service.url, ...(context && { paymasterContext: context }) }, request: {} }
      : { settings: {}, request: { capabilities: { paymasterService: { url: service.url, context } } } };

  it.each([
    ['smart', '0.7', 'network'],
    ['smart', '0.7', 'request'],
    ['smart', '0.9', 'request'],
    ['delegated', '0.8', 'network'],
    ['delegated', '0.8', 'request'],
    ['delegated', '0.9', 'request'],
  ] as const)(
    'is at most what the dialog says: %s account, entry point %s, by the %s',
    async (kind, version, source) => {
      const { settings, request } = namedBy(source, { token });
      const account = await start(kind, version, settings);
      const paymaster = paymasters[version];
      const who = shortAddress(paymaster);
      service.contexts.length = 0;
      let text = '';
      const first = await changesOf(account, paymaster, async () => {
        const calls = [tokenCall('approve', paymaster, fee('50')), tokenCall('transfer', recipient('5'), fee('3'))];
        text = await send(account, { ...request, calls });
      });
      expect(text).toContain(`Network fee up to 50 FEE, taken by ${who}`);
      expect(text).toContain(`Approval for the fee The calls let ${who} take up to 50 FEE`);
      expect(text).toMatch(
        new RegExp(`You allow 50 FEE \\(symbol chosen by its contract .*to be spent by ${who}`, 'u'),
      );
      expect(text).toContain('Approve spending');
      expect(service.contexts.length).toBeGreaterThan(0);
      for (const context of service.contexts) expect(context).toEqual({ token });
      expect(first.taken).toBeGreaterThan(0n);
      expect(first.taken).toBeLessThanOrEqual(fee('50'));
      expect(first.own).toBe(-(fee('3') + first.taken));
      expect(first.left).toBe(fee('50') - first.taken);
      expect(await world.chain.getBalance({ address: account.address })).toBe(0n);

      // The allowance that is left pays for the next one, so that is not said to be free.
      const second = await changesOf(account, paymaster, async () => {
        text = await send(account, { ...request, calls: [tokenCall('transfer', recipient('5'), fee('3'))] });
      });
      expect(text).toContain(`Sponsored by ${who}: you pay nothing, except tokens that you approved for it`);
      expect(second.taken).toBeGreaterThan(0n);
      expect(second.own).toBe(-(fee('3') + second.taken));

      // Here the last approval of two counts. The dialog adds them up, since it cannot know that of a token.
      const third = await changesOf(account, paymaster, async () => {
        const calls = [tokenCall('approve', paymaster, fee('50')), tokenCall('approve', paymaster, fee('20.5'))];
        text = await send(account, { ...request, calls });
      });
      expect(text).toContain(`Network fee up to 70.5 FEE, taken by ${who}`);
      expect(third.taken).toBeLessThanOrEqual(fee('20.5'));
      expect(formatUnits(third.left + third.taken, 6)).toBe('20.5');
    },
  );

  it.each(['network', 'request'] as const)('is refused by the service without its context: %s', async (source) => {
    const { settings, request } = namedBy(source, undefined);
    const { keystead, address } = await start('delegated', '0.8', settings);
    const { error } = await keystead.ask('wallet_sendCalls', callsOf(address, request), LOCAL_PAGE);
    expect(error).toMatchObject({ code: -32003 });
    expect(error?.message).toContain('context.token: must be a token that is accepted here');
    expect(await world.chain.getCode({ address })).toBeUndefined();
  });

  it('that cannot be taken undoes the calls, and nothing is taken', async () => {
    const { settings } = namedBy('network', { token });
    const account = await start('delegated', '0.8', settings);
    const { keystead, address } = account;
    const changes = await changesOf(account, paymasters['0.8'], async () => {
      const request = callsOf(address, { calls: [tokenCall('transfer', recipient('5'), fee('3'))] });
      const { id } = must(await keystead.approve<{ id: string }>('wallet_sendCalls', request, LOCAL_PAGE));
      expect(await statusOf(keystead, world.chain, id, LOCAL_PAGE)).toMatchObject({ status: 500 });
    });
    expect(changes).toEqual({ own: 0n, taken: 0n, allowed: 0n, left: 0n });
  });
});
