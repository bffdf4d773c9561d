import { type Delegation } from '../../../src/core/methods/results';
import { delegateName, takeBack } from '../../../src/companion/model/delegations';
import { SnapClient } from '../../../src/companion/model/snap-client';

const HASH = `0x${'11'.repeat(32)}` as const;
const DELEGATION: Delegation = {
  account: '0xC72E67790B356e391Ec48446F9A1724b9932A6af',
  chainId: 'eip155:31337',
  delegate: '0xe6Cae83BdE06E4c305530e199D7217f42808555B',
  isKnown: true,
};
const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

it.each([
  ['Simple7702Account 0.8', {}],
  ['Simple7702Account 0.9', { delegate: '0xa46cc63eBF4Bd77888AA327837d20b23A63a56B5' }],
  ['0x7099…79C8, which you added', { delegate: OTHER }],
  ['Unknown code', { delegate: OTHER, isKnown: false }],
  // On the list, but with other code on this network.
  ['Unknown code', { isKnown: false }],
] as const)('calls a delegate "%s"', (name, change) => {
  expect(delegateName({ ...DELEGATION, ...change })).toBe(name);
});

describe('takeBack', () => {
  /** A snap that takes a delegation back and then finds the given ones, with a record of what happens in order. */
  function start(hash: string | null, left: readonly Delegation[] = []) {
    const events: unknown[] = [];
    const request = <T>(_how: string, params?: unknown): Promise<T> => {
      const { method, params: inner } = (params as { request: { method: string; params?: unknown } }).request;
      events.push(inner === undefined ? method : [method, inner]);
      return Promise.resolve((method === 'keystead_getDelegations' ? left : hash) as T);
    };
    const provider = { request: () => Promise.resolve(null) };
    const wallet = { name: 'Wallet', rdns: 'io.metamask.flask', isSimulated: false, isFlask: true, provider, request };
    const steps = {
      wait: (sent: string) => {
        events.push(`wait ${sent}`);
        return Promise.resolve();
      },
      onSent: (sent: string) => events.push(`sent ${sent}`),
    };
    return { events, taking: takeBack(new SnapClient(wallet, 'npm:keystead'), DELEGATION, steps) };
  }
  const ASKED = [
    'keystead_takeBackDelegation',
    { chainId: 'eip155:31337', address: '0xC72E67790B356e391Ec48446F9A1724b9932A6af' },
  ];

  it('waits for the transaction, and looks whether the delegation is gone', async () => {
    // The account may run something on another network, and another account on this one.
    const others: readonly Delegation[] = [
      { ...DELEGATION, chainId: 'eip155:1' },
      { ...DELEGATION, account: OTHER },
    ];
    const { events, taking } = start(HASH, others);
    expect(await taking).toMatch(/^Taken back\./u);
    expect(events).toEqual([ASKED, `sent ${HASH}`, `wait ${HASH}`, 'keystead_getDelegations']);
  });

  it('fails if the account still runs the contract', async () => {
    const account = DELEGATION.account.toLowerCase() as Delegation['account'];
    await expect(start(HASH, [{ ...DELEGATION, account }]).taking).rejects.toThrow(/still runs the contract/u);
  });

  it('waits for nothing if there is no delegation any more', async () => {
    const { events, taking } = start(null);
    expect(await taking).toMatch(/^This was taken back before\./u);
    expect(events).toEqual([ASKED]);
  });
});
