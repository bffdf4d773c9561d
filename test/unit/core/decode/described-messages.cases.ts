import { compileDescriptors } from '../../../../scripts/contract-metadata/descriptors';
import { type Source, type SourceField } from '../../../../scripts/contract-metadata/source';
import { type Viewpoint } from '../../../../src/core/decode/explanation';
import { NO_METADATA } from '../../../../src/core/decode/metadata/contract-metadata';
import { type Hex } from '../../../../src/core/eth/bytes';
import { BOB, codesOf, explainTyped, typedData, USDC, VIEW } from '../../../support/explaining';

const CONTRACT: Hex = '0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D';
const deployments = [{ chainId: 1, address: CONTRACT }];

/** A view with one description of a message. */
function viewOf(type: string, fields: readonly SourceField[], domain?: object): Viewpoint {
  const { shards, unsupported } = compileDescriptors({
    'registry/site/message.json': {
      context: { eip712: { deployments, ...(domain && { domain }) } },
      display: { formats: { [type]: { intent: 'Collect reward', fields } } },
    } as Source,
  });
  expect(unsupported).toEqual([]);
  const none = Object.fromEntries([...'0123456789abcdef'].map((digit) => [digit, null]));
  return { ...VIEW, contractMetadata: { ...NO_METADATA, shards: { ...none, ...shards }, tokens: {} } };
}

const DOMAIN = { name: 'Rewards', version: '1', chainId: 1, verifyingContract: CONTRACT };
const FIELDS = [{ path: 'count', label: 'Count', format: 'raw' }];

describe('a description of a message', () => {
  const titled = (domain: Readonly<Record<string, unknown>>, wanted?: object): string =>
    explainTyped(
      typedData('Voucher(uint256 count)', domain, { count: 5 }),
      viewOf('Voucher(uint256 count)', FIELDS, wanted),
    ).title;
  const DESCRIBED = 'Sign “Collect reward” for 0x7a25…488D';
  const UNKNOWN = 'Sign typed data “Voucher”';

  it('is for its contract, on its network', () => {
    expect(titled(DOMAIN)).toBe(DESCRIBED);
    expect(titled({ ...DOMAIN, chainId: 5 })).toBe(UNKNOWN);
    expect(titled({ ...DOMAIN, verifyingContract: BOB })).toBe(UNKNOWN);
    expect(titled({ name: 'Rewards', version: '1', chainId: 1 })).toBe(UNKNOWN);
    expect(titled({ name: 'Rewards', version: '1', verifyingContract: CONTRACT })).toBe(UNKNOWN);
  });

  it('is for its domain, member by member', () => {
    expect(titled(DOMAIN, { name: 'Rewards', version: '1' })).toBe(DESCRIBED);
    expect(titled(DOMAIN, { name: 'Rewards', version: '2' })).toBe(UNKNOWN);
    expect(titled({ ...DOMAIN, name: 'Others' }, { name: 'Rewards' })).toBe(UNKNOWN);
    const { version: _version, ...unversioned } = DOMAIN;
    expect(titled(unversioned, { version: '1' })).toBe(UNKNOWN);
  });

  it('of a permission gives all that is more than can exist, whoever gets it', () => {
    const codes = (name: string): string[] => {
      const type = `${name}(uint256 amount)`;
      const fields = [{ path: 'amount', label: 'Amount', format: 'tokenAmount', params: { token: USDC } }];
      const message = { amount: ((1n << 256n) - 1n).toString() };
      return codesOf(explainTyped(typedData(type, DOMAIN, message), viewOf(type, fields)));
    };
    expect(codes('ApproveAll')).toEqual(['unlimited-approval']);
    expect(codes('Voucher')).toEqual([]);
  });
});
