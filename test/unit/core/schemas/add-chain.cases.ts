import { ENTRY_POINTS } from '../../../../src/core/erc4337/entry-points';
import { addedChain, AddChainStruct } from '../../../../src/core/schemas/add-chain';
import { parse } from '../../../../src/core/structs/struct';

const NODE = 'https://node.example/';
const EXPLORER = 'https://explorer.example';
const added = (fields: Record<string, unknown>, mayUse: (url: string) => boolean = () => true) =>
  addedChain(
    parse(AddChainStruct, [{ chainId: '0x7a69', rpcUrls: [NODE], ...fields }], 'params', ['chain'])[0],
    mayUse,
  );

describe('a network that a site adds', () => {
  it('has what the site says about it, and nothing else', () => {
    const least = { chainId: 'eip155:31337', rpcUrl: NODE, entryPoint: ENTRY_POINTS['0.7'], entryPointVersion: '0.7' };
    expect(added({})).toStrictEqual(least);
    expect(added({ chainName: 'Devnet' })).toStrictEqual({ ...least, name: 'Devnet' });
    expect(added({ nativeCurrency: { symbol: 'DEV', decimals: 18 } })).toStrictEqual({ ...least, symbol: 'DEV' });
    expect(added({ blockExplorerUrls: [EXPLORER] })).toStrictEqual({ ...least, explorerUrl: EXPLORER });
  });

  it('has the first URLs that Keystead can use and that the site may name', () => {
    const first = 'https://first.example/';
    const mayUse = (url: string) => url !== first;
    expect(added({ rpcUrls: ['wss://node.example/', first, NODE] })).toMatchObject({ rpcUrl: first });
    expect(added({ rpcUrls: ['wss://node.example/', first, NODE] }, mayUse)).toMatchObject({ rpcUrl: NODE });
    expect(added({ blockExplorerUrls: ['ftp://explorer.example', first, EXPLORER] }, mayUse)).toMatchObject({
      explorerUrl: EXPLORER,
    });
    expect(added({ blockExplorerUrls: ['ftp://explorer.example', first] }, mayUse)).not.toHaveProperty('explorerUrl');
  });

  it('is refused without a node that can be used, and tells the two reasons apart', () => {
    expect(() => added({ rpcUrls: ['wss://node.example/'] })).toThrow(/chain\.rpcUrls: one of them must be an https/u);
    expect(() => added({}, () => false)).toThrow(/chain\.rpcUrls: one of them must not be a local address/u);
  });
});
