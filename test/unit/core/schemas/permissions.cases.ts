import { PermissionsStruct, wantedAccounts } from '../../../../src/core/schemas/calls';
import { parse } from '../../../../src/core/structs/struct';

const A = `0x${'a1'.repeat(20)}`;
const B = `0x${'b2'.repeat(20)}`;
const wanted = (request: unknown) => wantedAccounts(parse(PermissionsStruct, [{ eth_accounts: request }], 'params'));

describe('the accounts that a site names', () => {
  it('can be in the form of EIP-2255, or in that of an answer', () => {
    expect(wanted({ restrictReturnedAccounts: [A, B] })).toEqual([A, B]);
    expect(wanted({ caveats: [{ type: 'filterResponse', value: [B] }] })).toEqual([B]);
    expect(wanted({ restrictReturnedAccounts: [A], caveats: [{ type: 'filterResponse', value: [B] }] })).toEqual([A]);
  });

  it.each([
    [{}],
    [{ restrictReturnedAccounts: A }],
    [{ restrictReturnedAccounts: ['everybody'] }],
    [{ caveats: [] }],
    [{ caveats: [{ value: 'everybody' }] }],
    [{ caveats: [{ value: [A] }, { value: [B] }] }],
  ])('are none in %j', (request) => {
    expect(wanted(request)).toEqual([]);
  });
});
