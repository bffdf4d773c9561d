import { maxUint256 } from 'viem';

import { ALICE, BOB, ME, typedData, USDC } from '../../../support/explaining';
import {
  at,
  BATCH,
  DAI,
  describeRows,
  DETAILS,
  details,
  LATER,
  NEVER,
  PERMISSIONS,
  permit,
  PERMIT2,
  type Row,
  SOON,
  WORD,
} from './typed-rows';

const SINGLE = `PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)${DETAILS}`;

const authorization = (name: string, value: bigint, validBefore: string) =>
  typedData(
    `${name}(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)`,
    at(USDC),
    { from: ME, to: BOB, value: value.toString(), validAfter: 0, validBefore, nonce: WORD },
  );

const ROWS: readonly Row[] = [
  ['a permit', permit(5_500_000n, SOON), ['5.5 USDC', `Spender: ${BOB}`, `Token: ${USDC}`, 'without a transaction']],
  ['an unlimited permit', permit(maxUint256, SOON), ['unlimited'], ['unlimited-approval']],
  ['a permit that never expires', permit(1n, NEVER), ['Signature expires: never'], ['never-expires']],
  [
    'a permit of DAI',
    typedData('Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)', at(DAI), {
      holder: ME,
      spender: BOB,
      nonce: 0,
      expiry: 0,
      allowed: true,
    }),
    [`Token: ${DAI}`, 'unlimited', 'never'],
    ['never-expires', 'unlimited-approval'],
  ],
  [
    'a permit of DAI that revokes',
    typedData('Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)', at(DAI), {
      holder: ME,
      spender: BOB,
      nonce: 0,
      expiry: 0,
      allowed: false,
    }),
    ['Amount: nothing'],
  ],
  [
    'a permit for one NFT',
    typedData('Permit(address spender,uint256 tokenId,uint256 nonce,uint256 deadline)', at(ALICE), {
      spender: BOB,
      tokenId: 7,
      nonce: 0,
      deadline: SOON,
    }),
    ['Token ID: 7', `Spender: ${BOB}`],
  ],
  [
    'a permit for a whole collection',
    typedData('PermitForAll(address operator,bool approved,uint256 nonce,uint256 deadline)', at(ALICE), {
      operator: BOB,
      approved: true,
      nonce: 0,
      deadline: SOON,
    }),
    [`Operator: ${BOB}`],
    ['approval-for-all'],
  ],
  [
    'an authorization of Compound that revokes',
    typedData('Authorization(address owner,address manager,bool isAllowed,uint256 nonce,uint256 expiry)', at(ALICE), {
      owner: ME,
      manager: BOB,
      isAllowed: false,
      nonce: 0,
      expiry: SOON,
    }),
    ['Revoke full access', `Manager: ${BOB}`],
  ],
  [
    'an authorization of Morpho',
    typedData(
      'Authorization(address authorizer,address authorized,bool isAuthorized,uint256 nonce,uint256 deadline)',
      at(ALICE),
      { authorizer: ME, authorized: BOB, isAuthorized: true, nonce: 0, deadline: SOON },
    ),
    [`Manager: ${BOB}`],
    ['approval-for-all'],
  ],
  [
    'Permit2, one token',
    typedData(SINGLE, at(PERMIT2), { details: details(USDC, 5_500_000n, SOON), spender: BOB, sigDeadline: SOON }),
    ['5.5 USDC', `Spender: ${BOB}`, `Contract: ${PERMIT2}`, 'Approval expires: 2026-01-01 01:00:00 UTC'],
  ],
  [
    'Permit2, one token, unlimited and without expiry',
    typedData(SINGLE, at(PERMIT2), {
      details: details(USDC, (1n << 160n) - 1n, 2 ** 48 - 1),
      spender: BOB,
      sigDeadline: SOON,
    }),
    ['unlimited', 'Approval expires: never'],
    ['never-expires', 'unlimited-approval'],
  ],
  ...(
    [
      [SOON, LATER],
      [LATER, SOON],
    ] as const
  ).map(([first, second]): Row => [
    `Permit2, a batch whose entries are unlimited together, until ${first} and ${second}`,
    typedData(BATCH, at(PERMIT2), {
      details: [details(USDC, (1n << 160n) - 1n, first), details(USDC, (1n << 160n) - 1n, second)],
      spender: BOB,
      sigDeadline: SOON,
    }),
    ['spend all of your USDC until 2026-01-01 02:00:00 UTC.'],
    ['unlimited-approval'],
  ]),
  [
    'Permit2, a batch whose last entry is unlimited',
    typedData(BATCH, at(PERMIT2), {
      details: [...Array.from({ length: 50 }, () => details(DAI, 1n, SOON)), details(USDC, (1n << 160n) - 1n, SOON)],
      spender: BOB,
      sigDeadline: SOON,
    }),
    ['Not shown: 31 more items'],
    ['unlimited-approval'],
  ],
  [
    'Permit2, a transfer',
    typedData(
      `PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)${PERMISSIONS}`,
      at(PERMIT2),
      { permitted: { token: USDC, amount: '5500000' }, spender: BOB, nonce: 0, deadline: SOON },
    ),
    ['Maximum amount: 5.5 USDC', `Spender: ${BOB}`],
  ],
  [
    'Permit2, a transfer of several tokens',
    typedData(
      `PermitBatchTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline)${PERMISSIONS}`,
      at(PERMIT2),
      {
        permitted: [
          { token: USDC, amount: '5500000' },
          { token: DAI, amount: NEVER },
        ],
        spender: BOB,
        nonce: 0,
        deadline: SOON,
      },
    ),
    ['Maximum amount: 5.5 USDC', `Token: ${DAI}`],
    ['everything'],
  ],
  [
    'Permit2, for another contract',
    typedData(SINGLE, at(ALICE), { details: details(USDC, 1n, SOON), spender: BOB, sigDeadline: SOON }),
    ['is for another contract'],
  ],
  [
    'a transfer by signature',
    authorization('TransferWithAuthorization', 5_500_000n, SOON),
    ['5.5 USDC', `Recipient: ${BOB}`],
  ],
  [
    'a transfer by signature of everything, without expiry',
    authorization('ReceiveWithAuthorization', maxUint256, NEVER),
    [`Recipient: ${BOB}`],
    ['everything', 'never-expires'],
  ],
  [
    'the cancellation of such a transfer',
    typedData('CancelAuthorization(address authorizer,bytes32 nonce)', at(USDC), { authorizer: ME, nonce: WORD }),
    ['Cancel a transfer by signature', WORD],
  ],
];

describeRows(ROWS);
