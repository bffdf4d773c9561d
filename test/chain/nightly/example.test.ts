import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { transformSync } from 'esbuild';
import * as viem from 'viem';
import * as chains from 'viem/chains';

import * as keystead from '../../../src/provider';
import { openDappPage } from '../../support/chain/dapp-page';
import { describeWithPeers } from '../../support/chain/peers';
import { startWorld } from '../../support/chain/world';

type Hex = `0x${string}`;
type Example = { payBoth: (alice: Hex, bob: Hex) => Promise<{ account: Hex; status: string; transaction: Hex }> };

const MODULES: Readonly<Record<string, unknown>> = { viem, 'viem/chains': chains, 'keystead/provider': keystead };

/** Loads the README's example as a module, with its code unchanged and its imports resolved to the packages. */
function runExample(): Example {
  const page = readFileSync(join(__dirname, '../../../README.md'), 'utf8');
  const [, code] = /^```js\n(.*?)^```$/msu.exec(page)!;
  expect(code!.trim().split('\n').length).toBeLessThanOrEqual(20);
  const example = { exports: {} };
  const run = new Function('require', 'module', transformSync(code!, { format: 'cjs' }).code) as (
    require: (name: string) => unknown,
    module: { exports: object },
  ) => void;
  run((name) => MODULES[name], example);
  return example.exports as Example;
}

describeWithPeers('the example of the README', () => {
  it('pays both recipients', async () => {
    const world = await startWorld();
    const dapp = await openDappPage(world, '0.7');
    const alice: Hex = `0x${'1'.repeat(39)}a`;
    const bob: Hex = `0x${'2'.repeat(39)}b`;
    const { account, status, transaction } = await runExample().payBoth(alice, bob);
    expect({ account, status }).toEqual({ account: dapp.address, status: 'success' });
    expect(await world.chain.getTransactionReceipt({ hash: transaction })).toMatchObject({ status: 'success' });
    for (const [address, ether] of [
      [alice, '0.1'],
      [bob, '0.2'],
    ] as const)
      expect(await world.chain.getBalance({ address })).toBe(viem.parseEther(ether));
    dapp.close();
    await world.stop();
  });
});
