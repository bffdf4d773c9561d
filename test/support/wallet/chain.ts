import { ENTRY_POINTS, versionOfEntryPoint } from '../../../src/core/erc4337/entry-points';
import { userOperationHash } from '../../../src/core/erc4337/hash';
import { fromRpcForm, type RpcUserOperation } from '../../../src/core/erc4337/rpc-form';
import { fromHex, type Hex, quantityToHex, toHex } from '../../../src/core/eth/bytes';
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { bundleReceipt, type Executed, operationEvent } from '../operation-event';

/** An error response of a service. */
export class Refusal extends Error {}

const PAYMASTER = '0x00000000000000000000000000000000000000c1';
const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`;
const hashOfBlock = word(0xbbn);
/** The transaction that includes all operations. */
const BUNDLE = word(0xccn);
const GET_NONCE = '0x35567e1a';
/** A token with the symbol "TST" and 18 decimals. */
export const TOKEN = '0x00000000000000000000000000000000000000cc';
const TOKEN_ANSWERS: Readonly<Record<string, Hex>> = {
  '0x95d89b41': `0x545354${'00'.repeat(29)}`,
  '0x313ce567': word(18n),
};

type Params = readonly unknown[];

/** A simulated chain with its services. It includes everything immediately, unless it is told to wait. */
export class SimulatedChain {
  /** What was accepted, in order. */
  readonly transactions: Hex[] = [];
  readonly operations: Hex[] = [];
  /** The same operations, as their entry points execute them. */
  readonly executed: Executed[] = [];
  includes = true;

  /** A copy of the chain with the same history. */
  clone(): SimulatedChain {
    const copy = new SimulatedChain();
    copy.transactions.push(...this.transactions);
    copy.operations.push(...this.operations);
    copy.executed.push(...this.executed);
    copy.includes = this.includes;
    return copy;
  }

  /** @throws {Refusal} */
  answer(method: string, params: Params, chainId: bigint): unknown {
    const answer = Object.hasOwn(ANSWERS, method) ? ANSWERS[method] : undefined;
    if (answer === undefined) throw new Refusal(`the method ${method} does not exist`);
    return answer(this, params, chainId);
  }
}

const taken = (count: number, { includes }: SimulatedChain): bigint => BigInt(includes ? count : 0);

function takeTransaction(chain: SimulatedChain, [raw]: Params): Hex {
  const hash = toHex(keccak256(fromHex(raw as Hex)));
  if (chain.transactions.includes(hash)) throw new Refusal('already known');
  chain.transactions.push(hash);
  return hash;
}

function takeOperation(chain: SimulatedChain, [json, entryPoint]: Params, chainId: bigint): Hex {
  const version = versionOfEntryPoint(entryPoint as Hex);
  if (version === undefined) throw new Refusal('unsupported entry point');
  const operation = fromRpcForm(json as RpcUserOperation);
  const hash = toHex(userOperationHash(operation, { version, entryPoint: entryPoint as Hex, chainId }));
  if (!chain.operations.includes(hash)) {
    chain.operations.push(hash);
    const { sender, nonce } = operation;
    chain.executed.push({ entryPoint: entryPoint as Hex, hash, sender, nonce });
  }
  return hash;
}

const receiptOf = (hash: Hex): object => ({
  transactionHash: hash,
  blockHash: hashOfBlock,
  blockNumber: '0x11',
  gasUsed: '0x5208',
  status: '0x1',
  logs: [],
});

/** The methods of the services. */
/** `getModulesPaginated(address,uint256)`, `getOwners()`. */
const SAFE_READS: readonly string[] = ['0xcc2f8452', '0xa0e67e2b'];

const ANSWERS: Readonly<Record<string, (chain: SimulatedChain, params: Params, chainId: bigint) => unknown>> = {
  eth_chainId: (_chain, _params, chainId) => quantityToHex(chainId),
  eth_getTransactionCount: (chain) => quantityToHex(taken(chain.transactions.length, chain)),
  eth_getBalance: () => '0xde0b6b3a7640000',
  eth_getCode: () => '0x',
  eth_getStorageAt: () => word(0n),
  eth_call: (chain, [call]) => {
    const { to, data } = call as { to: Hex; data: Hex };
    const told = to === TOKEN ? TOKEN_ANSWERS[data] : undefined;
    if (told !== undefined) return told;
    // No Safe is deployed, so none has modules or owners.
    if (SAFE_READS.includes(data.slice(0, 10))) return '0x';
    return word(data.startsWith(GET_NONCE) ? taken(chain.operations.length, chain) : 10n ** 18n);
  },
  eth_estimateGas: () => '0x5208',
  eth_getBlockByNumber: () => ({ number: '0x10', baseFeePerGas: '0x3b9aca00' }),
  eth_maxPriorityFeePerGas: () => '0x3b9aca00',
  eth_sendRawTransaction: takeTransaction,
  eth_getTransactionByHash: (chain, [hash]) => (chain.transactions.includes(hash as Hex) ? { hash } : null),
  eth_blockNumber: () => '0x11',
  eth_getTransactionReceipt: (chain, [hash]) => {
    if (chain.includes && hash === BUNDLE) return bundleReceipt(BUNDLE, ...chain.executed);
    return chain.includes && chain.transactions.includes(hash as Hex) ? receiptOf(hash as Hex) : null;
  },
  eth_getLogs: (chain) =>
    chain.includes ? chain.executed.map((one) => ({ ...operationEvent(one), transactionHash: BUNDLE })) : [],
  eth_getUserOperationByHash: (chain, [hash]) => (chain.operations.includes(hash as Hex) ? { hash } : null),
  eth_supportedEntryPoints: () => Object.values(ENTRY_POINTS),
  eth_estimateUserOperationGas: () => ({
    callGasLimit: '0x10000',
    verificationGasLimit: '0x20000',
    preVerificationGas: '0xc000',
  }),
  eth_sendUserOperation: takeOperation,
  eth_getUserOperationReceipt: (chain, [hash]) =>
    chain.includes && chain.operations.includes(hash as Hex)
      ? {
          userOpHash: hash,
          sender: PAYMASTER,
          nonce: '0x0',
          success: true,
          actualGasUsed: '0x1',
          actualGasCost: '0x1',
          logs: [],
          receipt: { transactionHash: BUNDLE, blockNumber: '0x11', blockHash: hashOfBlock, gasUsed: '0x1' },
        }
      : null,
  pm_getPaymasterStubData: () => ({
    paymaster: PAYMASTER,
    paymasterData: `0x${'00'.repeat(65)}`,
    paymasterVerificationGasLimit: '0x8000',
    paymasterPostOpGasLimit: '0x1000',
  }),
  pm_getPaymasterData: () => ({ paymaster: PAYMASTER, paymasterData: `0x${'11'.repeat(65)}` }),
};
