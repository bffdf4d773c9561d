import { encodeAbiParameters, type Hex, numberToHex, pad, toEventSelector } from 'viem';

const EVENT = toEventSelector(
  'UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
);

/** An operation that an entry point executed. */
export type Executed = {
  readonly entryPoint: Hex;
  readonly hash: Hex;
  readonly sender: Hex;
  readonly nonce?: bigint;
  readonly success?: boolean;
};

/** @returns The entry point's log of an operation, as a node gives it. */
export function operationEvent({ entryPoint, hash, sender, nonce = 0n, success = true }: Executed) {
  const types = [{ type: 'uint256' }, { type: 'bool' }, { type: 'uint256' }, { type: 'uint256' }] as const;
  return {
    address: entryPoint,
    topics: [EVENT, hash, pad(sender.toLowerCase() as Hex), pad('0x')],
    data: encodeAbiParameters(types, [nonce, success, 1n, 1n]),
  };
}

/** @returns The receipt of the transaction that included an operation, as a node gives it. */
export const bundleReceipt = (transactionHash: Hex, ...executed: readonly Executed[]) => ({
  transactionHash,
  blockHash: pad('0xbb'),
  blockNumber: '0x11',
  gasUsed: '0x5208',
  status: '0x1',
  logs: executed.map(operationEvent),
});

/** @returns The answers of a node that included one operation of an account, to what it is asked about it. */
export const answersOfBundle = (transactionHash: Hex, executed: Executed) => ({
  eth_call: () => pad(numberToHex((executed.nonce ?? 0n) + 1n)),
  eth_getLogs: () => [{ ...operationEvent(executed), transactionHash }],
  eth_getTransactionReceipt: () => bundleReceipt(transactionHash, executed),
});
