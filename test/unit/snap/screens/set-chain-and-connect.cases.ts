import { ENTRY_POINTS } from '../../../../src/core/erc4337/entry-points';
import { type ChainConfiguration } from '../../../../src/core/schemas/chain-configuration';
import { ConnectScreen } from '../../../../src/snap/screens/connect';
import { SetChainScreen } from '../../../../src/snap/screens/set-chain';
import { textOf } from '../../../support/screen-text';

const after: ChainConfiguration = {
  ...{ chainId: 'eip155:31337', rpcUrl: 'http://localhost:1/node', bundlerUrl: 'http://localhost:2/bundler' },
  ...{ entryPoint: ENTRY_POINTS['0.7'], entryPointVersion: '0.7', name: 'Devnet' },
};

describe('the dialog that adds a network', () => {
  it('shows the services before its one warning', () => {
    const shown = textOf(SetChainScreen({ before: undefined, after, origin: 'http://localhost:8000' }));
    const [rows, warning, ...more] = shown.split('Only use services that you trust');
    expect(more).toEqual([]);
    for (const url of [after.rpcUrl, after.bundlerUrl ?? '']) expect(rows).toContain(url);
    expect(rows).toContain('Keystead does not know this network, which your own machine serves.');
    expect(warning).toContain('it can say untrue things');
    expect(shown.length).toBeLessThan(800);
  });
});

describe('the dialog that connects', () => {
  const props = { accounts: [], most: 1, created: undefined, network: undefined };
  it.each([
    ['the own page', 'http://localhost:8000', true],
    ['a site', 'https://dapp.example', false],
  ])('%s says what it gets', (_who, origin, isOwnPage) => {
    const shown = textOf(ConnectScreen({ ...props, origin, isOwnPage }));
    expect(shown.includes('The site will see the addresses you choose')).toBe(!isOwnPage);
    expect(shown.includes('This page manages your accounts.')).toBe(isOwnPage);
    expect(shown).toContain('You are asked each time.');
  });
});
