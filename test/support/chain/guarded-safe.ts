import { readFileSync } from 'node:fs';

import {
  type Address,
  concat,
  encodeAbiParameters,
  getContractAddress,
  type Hex,
  isHex,
  keccak256,
  parseAbi,
  parseEther,
} from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';

import { NodeClient } from '../../../src/clients/node';
import { standInModule } from '../../../src/devnet/chain/state';
import { type Call } from '../../../src/core/erc4337/user-operation';
import { KINDS } from '../../../src/core/kinds';
import { recoveryTypedData } from '../../../src/core/safe/recovery/guardian-signature';
import { RECOVERY_MODULES, type RecoveryModule } from '../../../src/core/safe/recovery/modules';
import { type NewOwners } from '../../../src/core/safe/recovery/new-owners';
import { readRecovery, type RecoveryState } from '../../../src/core/safe/recovery/state';
import { DEVELOPMENT_CHAIN } from '../development-chain';
import { type ChainClient } from './contracts';

const SAFE_ABI = parseAbi([
  'function getOwners() view returns (address[])',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool)',
]);
const NOBODY: Address = `0x${'00'.repeat(20)}`;

/** The deployers that everyone uses; both have the same code. */
const DEPLOYERS: readonly Address[] = [
  '0x4e59b44847b379578588920cA78FbF26c0B4956C',
  '0x914d7Fec6aaC8cd542e72Bca78B30650d45643d7',
];
const NO_SALT: Hex = `0x${'00'.repeat(32)}`;

/** @returns The key of a person, by name. */
export const person = (name: string): PrivateKeyAccount => privateKeyToAccount(keccak256(Buffer.from(name)));

/** The bytecode in a file: hex, or a compiler's artifact. */
function bytecodeIn(file: string): Hex {
  const text = readFileSync(file, 'utf8').trim();
  const found = isHex(text)
    ? text
    : (JSON.parse(text) as { bytecode?: Hex | { object?: Hex }; deployedBytecode?: Hex }).bytecode;
  const code = typeof found === 'object' ? found.object : found;
  if (!isHex(code)) throw new Error(`${file}: must contain bytecode in hex, or an artifact with "bytecode"`);
  return code;
}

/**
 * Puts the real module on a chain, from a file with its creation code or its runtime code.
 *
 * @throws If the code is not that of a module that Keystead knows.
 */
export async function deployRealModule(chain: ChainClient, file: string): Promise<RecoveryModule> {
  const code = bytecodeIn(file);
  const running = RECOVERY_MODULES.find(({ codeHash }) => codeHash === keccak256(code));
  if (running !== undefined) {
    await chain.setCode({ address: running.address, bytecode: code });
    return running;
  }
  for (const module of RECOVERY_MODULES) {
    const initCode = concat([code, encodeAbiParameters([{ type: 'uint256' }], [module.period])]);
    for (const from of DEPLOYERS) {
      const options = { opcode: 'CREATE2', from, salt: NO_SALT, bytecode: initCode } as const;
      if (getContractAddress(options) !== module.address) continue;
      await chain.setCode({ address: from, bytecode: (await chain.getCode({ address: DEPLOYERS[0]! })) ?? '0x' });
      const hash = await chain.sendTransaction({ to: from, data: concat([NO_SALT, initCode]) });
      await chain.waitForTransactionReceipt({ hash });
      return module;
    }
  }
  throw new Error(`${file}: its bytecode gives no module that Keystead knows`);
}

/** The modules that tests run against: the stand-in always, and the real one if a file with its bytecode is named. */
export const MODULES: readonly (readonly [string, (chain: ChainClient) => Promise<RecoveryModule>])[] = [
  ['a stand-in for the module', () => Promise.resolve(standInModule())],
  ...(process.env.SOCIAL_RECOVERY_BYTECODE === undefined
    ? []
    : [
        [
          'the real module',
          (chain: ChainClient) => deployRealModule(chain, process.env.SOCIAL_RECOVERY_BYTECODE ?? ''),
        ] as const,
      ]),
];

/** A Safe with one owner on a chain, and what its guardians and anyone can do with its recovery module. */
export async function guardedSafe(chain: ChainClient, rpcUrl: string, module: RecoveryModule, owner: Address) {
  const deployment = { factory: KINDS['safe-0.7'].factory, owner, salt: 0n };
  const safe = KINDS['safe-0.7'].address(deployment);
  const initCode = KINDS['safe-0.7'].initCode(deployment);
  const node = new NodeClient({ url: rpcUrl });

  const mined = async (hash: Hex): Promise<void> => {
    const { status } = await chain.waitForTransactionReceipt({ hash });
    if (status !== 'success') throw new Error('the transaction was reverted');
  };
  /** Sends as an account whose key the chain does not need. */
  const sendAs = async (from: Address, { to, value, data }: Call): Promise<void> => {
    await chain.setBalance({ address: from, value: parseEther('1') });
    await chain.impersonateAccount({ address: from });
    await mined(await chain.sendTransaction({ account: from, to, value, data }));
  };
  await mined(await chain.sendTransaction({ to: initCode.slice(0, 42) as Hex, data: `0x${initCode.slice(42)}` }));

  return {
    safe,
    sendAs,
    /** The Safe makes the calls itself, as it does in a user operation. */
    asSafe: async (calls: readonly Call[]): Promise<void> => {
      for (const call of calls) await sendAs(safe, call);
    },
    anyone: (call: Call) => sendAs(chain.account.address, call),
    read: async (): Promise<RecoveryState> => {
      const state = await readRecovery(safe, module, node);
      if (state === undefined) throw new Error('the module is not on this chain');
      return state;
    },
    owners: () => chain.readContract({ address: safe, abi: SAFE_ABI, functionName: 'getOwners' }),
    /** Signs as a guardian, at the module's nonce of now. */
    signed: async (guardian: PrivateKeyAccount, recovery: NewOwners, nonce: bigint) => ({
      signer: guardian.address,
      signature: await guardian.signTypedData(
        recoveryTypedData(module, { safe, chainId: BigInt(DEVELOPMENT_CHAIN.id), nonce, ...recovery }),
      ),
    }),
    /** The owner sends 1 wei from the Safe, in a transaction that Safe checks. */
    spendAs: async (spender: Address): Promise<void> => {
      await chain.setBalance({ address: safe, value: parseEther('1') });
      await chain.setBalance({ address: spender, value: parseEther('1') });
      await chain.impersonateAccount({ address: spender });
      // v = 1: the sender of the transaction is the owner.
      const signature = concat([encodeAbiParameters([{ type: 'address' }], [spender]), NO_SALT, '0x01']);
      // A call says why it fails; a transaction of another's account does not.
      const { request } = await chain.simulateContract({
        account: spender,
        address: safe,
        abi: SAFE_ABI,
        functionName: 'execTransaction',
        args: [chain.account.address, 1n, '0x', 0, 0n, 0n, 0n, NOBODY, NOBODY, signature],
      });
      const hash = await chain.writeContract(request);
      await mined(hash);
    },
    passTime: async (seconds: bigint): Promise<void> => {
      await chain.increaseTime({ seconds: Number(seconds) });
      await chain.mine({ blocks: 1 });
    },
  };
}
