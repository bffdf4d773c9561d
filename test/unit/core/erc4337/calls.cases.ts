import { toCalls } from '../../../../src/core/erc4337/calls';
import { DELEGATED_KINDS } from '../../../../src/core/erc4337/simple-account/delegated';
import { KINDS } from '../../../../src/core/kinds';
import { type InvalidParamsError } from '../../../../src/core/errors';

const SOMEBODY = `0x${'ab'.repeat(20)}` as const;
const ZERO = `0x${'00'.repeat(20)}` as const;
const call = { to: SOMEBODY, value: 5n, data: '0x1234' } as const;

describe('the calls of an account that cannot create contracts', () => {
  it('are the intents, in order', () => {
    const other = { ...call, value: 0n, data: '0x' } as const;
    expect(toCalls([call, other], 'a Safe')).toEqual([call, other]);
  });

  it('may send value to the zero address, which creates no contract', () => {
    const burnt = { ...call, to: ZERO, data: '0x' } as const;
    expect(toCalls([burnt], 'a Safe')).toEqual([burnt]);
  });

  it.each([
    ['without a recipient', null],
    ['with the zero address as recipient', ZERO],
  ])('are not data %s, which asks for a creation', (_how, to) => {
    expect(() => toCalls([call, { ...call, to }], 'a Safe')).toThrow(
      expect.objectContaining({ field: 'intents[1].to' }) as InvalidParamsError,
    );
  });

  it.each([
    ['a SimpleAccount', KINDS['simple-account-0.7']],
    ['a Safe', KINDS['safe-0.7']],
    ['an upgraded account', DELEGATED_KINDS['0.8']],
  ])('are refused by the name of the account: %s', (who, kind) => {
    for (const to of [null, ZERO])
      expect(() => kind.encodeCalls([{ ...call, to }])).toThrow(`: ${who} cannot create contracts`);
  });
});
