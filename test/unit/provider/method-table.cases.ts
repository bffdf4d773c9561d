import { SITE_READS } from '../../../src/core/methods/node-reads';
import { SITE_METHODS, type SiteMethodName } from '../../../src/core/methods/sites';
import { FURTHER_METHODS, traitsOf } from '../../../src/provider/method-table';
import { answerOf, SnapInProcess } from '../../support/wallet/in-process';
import { WalletDouble } from '../../support/wallet/wallet-double';

const CHAIN = 'eip155:31337';
const TYPED_DATA = {
  types: { EIP712Domain: [], Vote: [{ name: 'isFor', type: 'bool' }] },
  primaryType: 'Vote',
  domain: {},
  message: { isFor: true },
};

describe('the provider treats methods', () => {
  it.each(['__proto__', 'constructor', 'toString'])(
    'named like a member of every object (%s) as unknown ones',
    (name) => {
      expect(traitsOf(name)).toEqual({ to: 'snap', asks: true });
    },
  );

  it('of the table as the table says, and reads of the node as such', () => {
    for (const [name, traits] of Object.entries(SITE_METHODS))
      expect([name, traitsOf(name)]).toEqual([name, expect.objectContaining({ to: 'snap', ...traits })]);
    for (const name of SITE_READS) expect([name, traitsOf(name).to]).toEqual([name, 'node']);
  });

  it('that only nodes have apart from those of the snap', () => {
    const further = Object.keys(FURTHER_METHODS).filter((name) => !(SITE_READS as readonly string[]).includes(name));
    expect(further.filter((name) => Object.hasOwn(SITE_METHODS, name))).toEqual([]);
    expect(FURTHER_METHODS.eth_coinbase.from[0] satisfies SiteMethodName).toBe('eth_accounts');
  });

  it('that are answered while the wallet is locked before the page is connected, too', () => {
    const answered = Object.entries(SITE_METHODS).flatMap(([name, { locked }]) => (locked ? [traitsOf(name)] : []));
    expect(answered).toHaveLength(4);
    for (const { known, unconnected, connects } of answered)
      expect(known !== undefined || unconnected !== undefined || connects === true).toBe(true);
  });
});

describe('positional parameters beyond those of a standard', () => {
  it('are ignored, except by methods that sign or send', async () => {
    const snap = new SnapInProcess(new WalletDouble());
    await snap.keyring('keystead_setChain', { chainId: CHAIN, rpcUrl: 'https://node.example/31337' });
    const { address } = (await snap.keyring('keyring_createAccount', { options: {} })) as { address: string };
    await snap.dapp('eth_requestAccounts', [{ more: 1 }]);
    const ask = (method: string, ...params: (string | object)[]) => answerOf(snap.dapp(method, params as never));
    // As lists of chains send it.
    const chain = { chainId: '0x7a69', chainName: 'Development', rpcUrls: ['https://node.example/31337'] };
    for (const [method, ...params] of [
      ['eth_accounts'],
      ['eth_chainId'],
      ['net_version'],
      ['wallet_addEthereumChain', chain],
      ['wallet_switchEthereumChain', { chainId: '0x7a69' }],
      ['wallet_getPermissions'],
      ['wallet_requestPermissions', { eth_accounts: {} }],
      ['wallet_getCapabilities', address, ['0x7a69']],
      ['wallet_revokePermissions', { eth_accounts: {} }],
    ] as const)
      expect({ method, error: (await ask(method, ...params, address)).error }).toEqual({ method, error: undefined });
    await snap.dapp('eth_requestAccounts');
    expect((await ask('wallet_getCallsStatus', 'a', address)).error).toMatchObject({ code: 5730 });
    for (const [method, ...params] of [
      ['personal_sign', '0x6869', address, 'password'],
      ['eth_signTypedData_v4', address, TYPED_DATA],
      ['eth_sendTransaction', { from: address, to: address }],
      ['wallet_sendCalls', { version: '2.0.0', chainId: '0x7a69', atomicRequired: false, calls: [{ to: address }] }],
    ] as const)
      expect((await ask(method, ...params, address)).error).toMatchObject({
        code: -32602,
        data: { field: `params[${params.length}]` },
      });
  });
});
