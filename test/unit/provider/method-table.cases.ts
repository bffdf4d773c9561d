import { METHODS, type Traits, traitsOf } from '../../../src/provider/method-table';
import { RPC_METHODS, WHILE_LOCKED } from '../../../src/snap/rpc';
import { NODE_READS } from '../../../src/snap/rpc/node-reads';
import { answerOf, SnapInProcess } from '../../support/wallet/in-process';
import { WalletDouble } from '../../support/wallet/wallet-double';

const CHAIN = 'eip155:31337';
const TYPED_DATA = {
  types: { EIP712Domain: [], Vote: [{ name: 'isFor', type: 'bool' }] },
  primaryType: 'Vote',
  domain: {},
  message: { isFor: true },
};
const TABLE = Object.entries(METHODS as Readonly<Record<string, Traits>>);
const isRead = (name: string): boolean => Object.hasOwn(NODE_READS, name);

describe('the tables of methods of the provider and of the snap', () => {
  it('have the same methods: what the provider sends to the snap exists there', () => {
    const sent = TABLE.filter(([, { needsNode, from }]) => needsNode !== true && from === undefined);
    expect(sent.map(([name]) => name).filter((name) => !Object.hasOwn(RPC_METHODS, name))).toEqual([]);
    const answeredFrom = TABLE.flatMap(([, { from }]) => from?.[0] ?? []);
    expect(answeredFrom.filter((name) => !Object.hasOwn(RPC_METHODS, name))).toEqual([]);
    // A method that only nodes have must not reach the snap.
    expect(TABLE.filter(([name, { needsNode }]) => needsNode === true && Object.hasOwn(RPC_METHODS, name))).toEqual([]);
  });

  it('and what the snap has is treated by the provider, as reads of the node or not', () => {
    const names = Object.keys(RPC_METHODS);
    const own = names.filter((name) => !isRead(name));
    expect(own.filter((name) => !Object.hasOwn(METHODS, name))).toEqual([]);
    expect(names.filter((name) => (traitsOf(name).to === 'node') !== isRead(name))).toEqual([]);
  });

  it('agree on what is answered before the page is connected, and while the wallet is locked', () => {
    const isAnswered = ({ known, unconnected, installs }: Traits) =>
      known !== undefined || unconnected !== undefined || installs === true;
    const answered = Object.keys(WHILE_LOCKED).filter((name) => isAnswered(traitsOf(name)));
    expect(answered).toEqual(Object.keys(WHILE_LOCKED));
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
