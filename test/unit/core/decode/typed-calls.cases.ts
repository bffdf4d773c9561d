import { type Hex } from '../../../../src/core/eth/bytes';
import { type TypedData } from '../../../../src/core/eth/typed-data';
import { ALICE, BOB, ME, typedData, USDC } from '../../../support/explaining';
import { APPROVE, at, DAI, describeRows, type Row, SOON, WORD } from './typed-rows';

const SAFE = (gas: string) =>
  `SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 ${gas},uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce)`;
const safe = (operation: number, data: Hex = APPROVE, gas = 'baseGas', gasPrice = 0, value = '0'): TypedData =>
  typedData(
    SAFE(gas),
    { chainId: 1, verifyingContract: ALICE },
    {
      to: USDC,
      value,
      data,
      operation,
      safeTxGas: 0,
      [gas]: 0,
      gasPrice,
      gasToken: DAI,
      refundReceiver: BOB,
      nonce: 3,
    },
  );

const ROWS: readonly Row[] = [
  ['a transaction of a Safe', safe(0), [`Safe: ${ALICE}`, `To: ${USDC}`, '5.5 USDC', 'Nonce: 3']],
  [
    'a transaction of a Safe that pays for its gas',
    safe(0, APPROVE, 'baseGas', 1),
    [`Refund recipient: ${BOB}`, 'or more for gas to 0x742d…f44e. It could take everything that the Safe holds.'],
    ['gas-refund'],
  ],
  [
    'a transaction of a Safe that sends value',
    safe(0, APPROVE, 'baseGas', 0, `${10n ** 18n}`),
    ['5.5 USDC', 'Value: 1 ETH'],
  ],
  ['a transaction of an old Safe', safe(0, APPROVE, 'dataGas'), ['5.5 USDC']],
  ['a delegatecall of a Safe', safe(1), [`Code to run: ${USDC}`], ['delegatecall']],
  ['an unknown operation type of a Safe', safe(2), ['Approve a Safe transaction'], ['malformed-call']],
  [
    'a meta transaction',
    typedData('MetaTransaction(uint256 nonce,address from,bytes functionSignature)', at(USDC), {
      nonce: 1,
      from: ME,
      functionSignature: APPROVE,
    }),
    ['5.5 USDC', `Spender: ${BOB}`],
  ],
  [
    'a forwarded call',
    typedData(
      'ForwardRequest(address from,address to,uint256 value,uint256 gas,uint256 nonce,uint48 deadline,bytes data)',
      at(ALICE),
      { from: ME, to: USDC, value: 7, gas: 100_000, nonce: 1, deadline: SOON, data: APPROVE },
    ),
    ['5.5 USDC', `Contract: ${ALICE}`, 'Value: 0.000000000000000007 ETH'],
  ],
  [
    'a forwarded call with value',
    typedData(
      'ForwardRequest(address from,address to,uint256 value,uint256 gas,uint256 nonce,uint48 deadline,bytes data)',
      at(ALICE),
      { from: ME, to: BOB, value: '2000000000000000000', gas: 100_000, nonce: 1, deadline: SOON, data: '0x' },
    ),
    [`To: ${BOB}`, 'Value: 2 ETH'],
  ],
  [
    'a delegation without limits',
    typedData(
      'Delegation(address delegate,address delegator,bytes32 authority,Caveat[] caveats,uint256 salt)Caveat(address enforcer,bytes terms)',
      at(ALICE),
      { delegate: BOB, delegator: ME, authority: WORD, caveats: [], salt: 0 },
    ),
    [`Delegate: ${BOB}`, 'everything is allowed'],
    ['account-administration'],
  ],
];

describeRows(ROWS);
