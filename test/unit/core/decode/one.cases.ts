import { seal, unseal } from '../../../../src/snap/account/backup/seal';
import { toTransaction } from '../../../../src/core/schemas/transaction';
import { explainTransaction } from '../../../../src/core/decode/explain/transaction';
import { shortened } from '../../../../src/core/decode/words/text';
import { ALICE, BOB, explainTyped, saying, transaction, typedData, USDC, VIEW } from '../../../support/explaining';
import { BATCH, DAI, details, PERMIT2, SOON } from './typed-rows';

const CHAIN = { chainId: 1 };

describe('a count of one is in the singular', () => {
  it.each<[string, () => string, string]>([
    [
      'a value without a line',
      () =>
        saying(
          explainTyped(typedData('List(uint8[] numbers)', CHAIN, { numbers: Array.from({ length: 100 }, () => 1) })),
        ),
      'Signed but not shown here: 1 more value.',
    ],
    [
      'a value that is not signed',
      () => saying(explainTyped(typedData('Note(uint8 number)', CHAIN, { number: 1, more: 2 }))),
      'Not signed and not shown: 1 value of the request that its types do not declare.',
    ],
    ['a character', () => shortened('abc', 2), 'ab… (1 more character)'],
    [
      'an entry of a list',
      () =>
        saying(
          explainTyped(
            typedData(
              BATCH,
              { ...CHAIN, name: 'Name', version: '1', verifyingContract: PERMIT2 },
              {
                details: Array.from({ length: 21 }, () => details(DAI, 1n, SOON)),
                spender: BOB,
                sigDeadline: SOON,
              },
            ),
          ),
        ),
      'Not shown: 1 more item',
    ],
    [
      'an address of an access list',
      () => {
        const accessList = [{ address: ALICE, storageKeys: [] }];
        return saying(explainTransaction(toTransaction(transaction({ to: USDC, accessList }) as never), VIEW));
      },
      'Access list: 1 address',
    ],
  ])('%s', (_what, say, expected) => {
    expect(`${say()}\n`).toContain(`${expected}\n`);
  });

  it.each<[string, string, unknown, RegExp]>([
    ['a byte', 'bytes1', '0x1234', /must be exactly 1 byte$/u],
    ['an item', 'uint8[1]', [1, 2], /must have exactly 1 item$/u],
  ])('%s in an error about typed data', (_what, type, value, refusal) => {
    expect(() => explainTyped(typedData(`Odd(${type} value)`, CHAIN, { value }))).toThrow(refusal);
  });

  it('a byte in an error about a backup', async () => {
    const secret = new Uint8Array(32);
    const file = await seal('{}', secret);
    await expect(unseal(file!.subarray(0, 1), secret)).rejects.toThrow('it has only 1 byte');
  });
});
