import { type Hex } from '../../../eth/bytes';
import { address, text } from '../../words/lines';
import { feeText } from '../payment';
import { digitsOf, type TypedRule, uintOf } from './rule';

/** An address that is encoded as a number. */
const addressIn = (word: bigint): Hex => `0x${BigInt.asUintN(160, word).toString(16).padStart(40, '0')}`;

/** A transaction of ZKsync, which is signed as typed data: whoever has the signature can send it. */
export const ZKSYNC_RULES: readonly TypedRule[] = [
  {
    type:
      'Transaction(uint256 txType,uint256 from,uint256 to,uint256 gasLimit,uint256 gasPerPubdataByteLimit,' +
      'uint256 maxFeePerGas,uint256 maxPriorityFeePerGas,uint256 paymaster,uint256 nonce,uint256 value,bytes data,' +
      'bytes32[] factoryDeps,bytes paymasterInput)',
    read: (message, scene) => {
      const [from, to] = [addressIn(uintOf(message, 'from')), addressIn(uintOf(message, 'to'))];
      const paymaster = uintOf(message, 'paymaster');
      const fee = feeText(uintOf(message, 'gasLimit') * uintOf(message, 'maxFeePerGas'), scene);
      return {
        title: 'Approve a transaction',
        fee,
        effects: [{ kind: 'opaque', what: 'transaction' }],
        lines: [
          address('From', from),
          text('Network fee', fee),
          text('Nonce', uintOf(message, 'nonce').toString()),
          ...(paymaster === 0n ? [] : [address('Fee payer (paymaster)', addressIn(paymaster))]),
        ],
        calls: [{ to, from, value: uintOf(message, 'value'), data: digitsOf(message, 'data') }],
      };
    },
  },
];
