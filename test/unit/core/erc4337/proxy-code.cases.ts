import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { KINDS } from '../../../../src/core/kinds';
import { PROXY_06, PROXY_07, PROXY_08 } from '../../../../src/core/erc4337/simple-account/proxy-code';
import { type Hex } from '../../../../src/core/eth/bytes';

type Prepared = { readonly contracts: Readonly<Record<string, { readonly code: Hex }>> };

const { contracts } = JSON.parse(
  readFileSync(join(__dirname, '../../../../src/devnet/chain/contracts.json'), 'utf8'),
) as Prepared;

it.each([
  ['simple-account-0.6', PROXY_06],
  ['simple-account-0.7', PROXY_07],
  ['simple-account-0.8', PROXY_08],
] as const)('the creation code of the proxies of %s is the one that the deployed factory carries', (kind, code) => {
  const factory = contracts[KINDS[kind].factory.toLowerCase()]?.code;
  expect(factory).toContain(code.slice(2));
});
