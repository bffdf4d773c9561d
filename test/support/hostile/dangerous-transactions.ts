import { encodeFunctionData, type Hex, maxUint256, parseAbi } from 'viem';

import { type DangerCode } from '../../../src/core/decode/effects/dangers';
import { type HostileCase, warned } from './case';
import { ME, OTHER } from './people';
import { EIP1559, LEGACY } from './transaction';

const call = (signature: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: parseAbi([`function ${signature}`] as string[]), args } as never);

const TRANSFER = call('transfer(address,uint256)', [OTHER, 1n]);
const DRAIN = call('setApprovalForAll(address,bool)', [OTHER, true]);
const SAFE_CALL = 'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)' as const;
const ZERO = `0x${'00'.repeat(20)}`;

let nested = DRAIN;
for (let depth = 0; depth < 4; depth++) nested = call('multicall(bytes[])', [[nested]]);
let bottomless: Hex = '0xdeadbeef';
for (let depth = 0; depth < 30; depth++) bottomless = call('multicall(bytes[])', [[bottomless]]);

const CALLS: readonly (readonly [name: string, data: Hex, danger: DangerCode])[] = [
  ['an unlimited approval', call('approve(address,uint256)', [OTHER, maxUint256]), 'unlimited-approval'],
  [
    'an approval just below the limit',
    call('approve(address,uint256)', [OTHER, maxUint256 - 1n]),
    'unlimited-approval',
  ],
  ['a raised allowance', call('increaseAllowance(address,uint256)', [OTHER, maxUint256]), 'unlimited-approval'],
  ['an approval of all tokens', DRAIN, 'approval-for-all'],
  ['the same four calls deep', nested, 'approval-for-all'],
  ['calls thirty deep', bottomless, 'not-fully-read'],
  ['a thousand calls', call('multicall(bytes[])', [Array.from({ length: 1000 }, () => TRANSFER)]), 'not-fully-read'],
  ['a transfer of everything', call('transfer(address,uint256)', [OTHER, maxUint256]), 'everything'],
  ['a transfer with a truncated address', TRANSFER.slice(0, 60) as Hex, 'malformed-call'],
  ['an approval with a dirty address', `0x095ea7b3${'ff'.repeat(64)}`, 'malformed-call'],
  ['a change of owner', call('transferOwnership(address)', [OTHER]), 'account-administration'],
  ['an upgrade', call('upgradeTo(address)', [OTHER]), 'account-administration'],
  [
    'a delegatecall of a Safe',
    call(SAFE_CALL, [OTHER, 0n, '0x12345678', 1, 0n, 0n, 0n, ZERO, ZERO, '0x']),
    'delegatecall',
  ],
  [
    'an approval by a permit that never expires',
    call('permit(address,address,uint256,uint256,uint8,bytes32,bytes32)', [
      ME,
      OTHER,
      1n,
      maxUint256,
      27,
      `0x${'11'.repeat(32)}`,
      `0x${'11'.repeat(32)}`,
    ]),
    'never-expires',
  ],
];

/** Transactions that are signed, with the warning that must be shown first. */
export const DANGEROUS_TRANSACTIONS: readonly HostileCase<unknown>[] = [
  ...CALLS.map(([name, data, danger]) => warned(name, [{ ...EIP1559, value: '0x0', data }], danger)),
  warned('value to a contract that does not exist yet', [{ ...LEGACY, to: null, data: '0x6000' }], 'value-to-creation'),
  warned('a contract creation without code', [{ ...LEGACY, to: null, value: '0x0' }], { says: 'without any code' }),
  warned('a recipient with a wrong checksum', [{ ...LEGACY, to: '0xD8dA6BF26964aF9D7eEd9e03E53415D37aA96045' }], {
    says: 'fails its checksum (EIP-55)',
  }),
  warned('value to the zero address', [{ ...LEGACY, to: ZERO }], 'burn-address'),
  warned('an unknown call', [{ ...EIP1559, data: '0xdeadbeef' }], { says: 'Unknown call' }),
];
