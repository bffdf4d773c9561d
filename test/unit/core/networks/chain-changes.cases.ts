import { chainChanges } from '../../../../src/core/networks/chain-changes';
import { type ChainName } from '../../../../src/core/schemas/chain';
import { toChainConfiguration } from '../../../../src/core/schemas/chain-configuration';

type Details = { readonly name?: string; readonly symbol?: string; readonly explorerUrl?: string };

const chain = (chainId: ChainName, details: Details = {}) =>
  toChainConfiguration(
    { chainId, rpcUrl: 'https://rpc.example', bundlerUrl: 'https://bundler.example', ...details },
    'params',
  );

/** The rows for what a network is called. */
const rows = (...[before, after]: Parameters<typeof chainChanges>) =>
  chainChanges(before, after).filter(({ label }) => /name|symbol|explorer/u.test(label));

const details = { name: 'Devnet', symbol: 'KEY', explorerUrl: 'https://explorer.example' };

describe('the settings of a network', () => {
  it('include what it is called, first', () => {
    const changes = chainChanges(undefined, chain('eip155:31337', details));
    expect(changes.map(({ label, after }) => [label, after])).toEqual([
      ['Network name', 'Devnet'],
      ['Currency symbol', 'KEY'],
      ['RPC URL', 'https://rpc.example'],
      ['Bundler URL', 'https://bundler.example'],
      ['Entry point', '0x0000000071727De22E5E9d8BAf0edAc6f37da032'],
      ['Entry point version', '0.7'],
      ['Block explorer', 'https://explorer.example'],
    ]);
  });

  it('show the old name beside the new one', () => {
    expect(rows(chain('eip155:31337', { name: 'Old' }), chain('eip155:31337', { symbol: 'KEY' }))).toEqual([
      { label: 'Network name', before: 'Old', after: 'not set' },
      { label: 'Currency symbol', before: 'not set', after: 'KEY' },
    ]);
  });

  it('say which name and symbol are ignored, for a known network and for an imitation', () => {
    expect(rows(undefined, chain('eip155:137', { name: 'Ethereum', symbol: 'ETH' })).map(({ after }) => after)).toEqual(
      ['Polygon (“Ethereum” is ignored)', 'POL (“ETH” is ignored)'],
    );
    expect(rows(undefined, chain('eip155:137', { name: 'Polygon', symbol: 'POL' })).map(({ after }) => after)).toEqual([
      'Polygon',
      'POL',
    ]);
    expect(rows(undefined, chain('eip155:31337', { name: 'Ethereum' })).map(({ after }) => after)).toEqual([
      'Network 31337 (“Ethereum” is ignored: it resembles Ethereum (chain 1))',
    ]);
  });
});

test('the entry point is a setting of a network only with a bundler, before or after', () => {
  const labels = (...[before, after]: Parameters<typeof chainChanges>) =>
    chainChanges(before, after).map(({ label }) => label);
  const plain = toChainConfiguration({ chainId: 'eip155:31337', rpcUrl: 'https://rpc.example' }, 'params');
  const ofBundler = ['RPC URL', 'Bundler URL', 'Entry point', 'Entry point version'];
  expect(labels(undefined, plain)).toEqual(['RPC URL']);
  expect(labels(plain, plain)).toEqual(['RPC URL']);
  expect(labels(plain, chain('eip155:31337'))).toEqual(ofBundler);
  expect(labels(chain('eip155:31337'), plain)).toEqual(ofBundler);
});

test('what a setting was is said only where there was a network, and where it differs', () => {
  const before = (...[old, fresh]: Parameters<typeof chainChanges>) =>
    chainChanges(old, fresh).flatMap((one) => (one.before === undefined ? [] : [[one.label, one.before]]));
  const [first, second] = [chain('eip155:31337', { name: 'Old' }), chain('eip155:31337', { name: 'New' })];
  expect(before(undefined, second)).toEqual([]);
  expect(before(second, second)).toEqual([]);
  expect(before(first, second)).toEqual([['Network name', 'Old']]);
});
