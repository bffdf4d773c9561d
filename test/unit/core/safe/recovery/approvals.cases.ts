import { confirmedBy } from '../../../../../src/core/safe/recovery/approvals';
import { type Hex } from '../../../../../src/core/eth/bytes';
import { MODULE, party, SAFE } from '../../../../support/recovery-node';

const word = (value: string): Hex => `0x${value.padStart(64, '0')}`;

test('the guardians who confirmed a recovery are those that the module names, in their order', async () => {
  const guardians = [party('1'), party('2'), party('3')];
  const confirmed = [party('3'), party('1')];
  const asked: Hex[] = [];
  const found = await confirmedBy(MODULE.address, SAFE, { newOwners: [party('b')], newThreshold: 1n }, guardians, {
    block: 'latest',
    node: {
      ask: (_method, params, result) => {
        const [{ data }] = params as [{ data: Hex }];
        asked.push(`0x${data.slice(98, 138)}`);
        return Promise.resolve(result.create(word(confirmed.includes(asked.at(-1)!) ? '1' : '0')));
      },
    },
  });
  expect(asked).toEqual(guardians);
  expect(found).toEqual([party('1'), party('3')]);
});
