import { ENTRY_POINTS } from '../../../../../src/core/erc4337/entry-points';
import { type Hex } from '../../../../../src/core/eth/bytes';
import { Mutex } from '../../../../../src/core/mutex';
import { MODULE_4337 } from '../../../../../src/core/safe/contracts';
import { isSmart } from '../../../../../src/snap/account/account';
import { isAlarmed } from '../../../../../src/snap/account/alarmed';
import { lookForRecoveries, type LookDeps, recoveriesOf } from '../../../../../src/snap/account/recoveries/look';
import { isAlarm, type RecoveryEntry, RecoveryRepository } from '../../../../../src/snap/account/recoveries/repository';
import { answersOf, answerWithout, type Chain, GUARDED, party, RECOVERING } from '../../../../support/recovery-node';
import { startKeyring } from '../../../../support/wallet/keyring';
import { WalletDouble } from '../../../../support/wallet/wallet-double';

const CHAIN = 'eip155:31337';
const SAFE = party('5');
const OWNER = party('a');
const modules = [MODULE_4337.toLowerCase() as Hex, ...GUARDED.modules];
const QUIET: Chain = { ...GUARDED, modules, owners: [OWNER], nonce: 1n };
const BEGUN: Chain = { ...RECOVERING, modules, owners: [OWNER] };
/** `getRecoveryRequest(address)` of a module. */
const GET_REQUEST = '0x4f9a28b9';
const NODES = ['https://one.example', 'https://two.example'] as const;

type Asked = { readonly id: number; readonly method: string; readonly params: readonly [{ to: Hex; data: Hex }?] };

/** Lets everything go on that waits for nothing outside this process. */
async function settle(): Promise<void> {
  for (let round = 0; round < 100; round++) await new Promise((resolve) => setImmediate(resolve));
}

describe('looking whether a recovery has begun', () => {
  let says: Record<string, Chain>;
  /** Holds a module's answers back that a node has given. */
  let gate: Promise<void> | undefined;
  beforeEach(() => {
    says = { 'one.example': QUIET, 'two.example': QUIET };
    gate = undefined;
    jest.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      const { id, method, params } = JSON.parse(init!.body as string) as Asked;
      const chain = says[new URL(input as string).host]!;
      const result =
        method === 'eth_chainId'
          ? '0x7a69'
          : method === 'eth_getCode'
            ? '0x1234'
            : answerWithout(params[0]!, answersOf(chain));
      if (params[0]?.data.startsWith(GET_REQUEST) === true) await gate;
      return Response.json({ jsonrpc: '2.0', id, result });
    });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  async function start(count: 1 | 2 = 1) {
    const { deps: plain, keyring } = startKeyring({ wallet: new WalletDouble() });
    const entry = { entryPoint: ENTRY_POINTS['0.7'], entryPointVersion: '0.7' } as const;
    const [rpcUrl, secondRpcUrl] = NODES;
    await plain.chains.put({ chainId: CHAIN, rpcUrl, ...entry, ...(count === 2 && { secondRpcUrl }) });
    const stored = new Map<string, unknown>();
    const recoveries = new RecoveryRepository({
      read: (key: string) => Promise.resolve(stored.get(key) ?? null),
      write: (key: string, value: unknown) => Promise.resolve(void stored.set(key, value)),
    } as unknown as ConstructorParameters<typeof RecoveryRepository>[0]);
    const deps: LookDeps = { recoveries, chains: plain.chains, mutations: new Mutex() };
    const all = () => lookForRecoveries([{ address: SAFE, owner: OWNER, chainIds: [CHAIN] }], deps);
    const ofOne = () => recoveriesOf({ address: SAFE, owner: OWNER }, deps);
    return { deps, keyring, accounts: plain.accounts, recoveries, all, ofOne };
  }
  const begun = (entries: readonly RecoveryEntry[]): boolean => entries.some(isAlarm);

  it.each<[string, 'all' | 'ofOne', 'all' | 'ofOne']>([
    ['dialog', 'ofOne', 'all'],
    ['page', 'all', 'ofOne'],
  ])('a slow look for a %s does not take back an alarm that another has found since', async (_what, slow, quick) => {
    const { recoveries, [slow]: first, [quick]: second, all } = await start();
    await all();
    let open = (): void => undefined;
    gate = new Promise((resolve) => {
      open = resolve;
    });
    const before = first();
    await settle();
    says['one.example'] = BEGUN;
    gate = undefined;
    const since = second();
    await settle();
    open();
    await before;
    expect(begun(await since)).toBe(true);
    expect(begun(await recoveries.list())).toBe(true);
  });

  it('counts as an alarm of the account if its nodes contradict each other about the owners', async () => {
    const { all, keyring, accounts } = await start(2);
    says['two.example'] = { ...QUIET, owners: [party('b')] };
    const found = await all();
    expect(found).toContainEqual(
      expect.objectContaining({ notice: 'disputed', nodes: ['two.example'], others: ['one.example'] }),
    );
    const { id } = await keyring.createAccount({ type: 'eip155:erc4337', chainId: CHAIN, kind: 'safe-0.7' });
    const entry = (await accounts.entries()).filter(isSmart).find(({ account }) => account.id === id)!;
    expect(await isAlarmed(entry, { recoveriesOf: () => Promise.resolve(found) })).toBe(true);
    const quiet = found.filter((one) => !('notice' in one));
    expect(await isAlarmed(entry, { recoveriesOf: () => Promise.resolve(quiet) })).toBe(false);
  });
});
