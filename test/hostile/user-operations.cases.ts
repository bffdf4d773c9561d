import { type Json } from '@metamask/snaps-sdk';
import { decodeFunctionData, numberToHex, parseAbi } from 'viem';
import { getUserOperationHash, type UserOperation } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';

import { ACCOUNT_VERSIONS, type AccountVersion, ENTRY_POINTS } from '../../src/core/erc4337/entry-points';
import { type Hex } from '../../src/core/eth/bytes';
import { judge } from '../support/hostile/judge';
import { type Given, type OperationCase, type WireOperation } from '../support/hostile/operation';
import { firstScreens, shownBy } from '../support/hostile/outcome';
import { KEY, OTHER, SECOND_KEY } from '../support/hostile/people';
import { SCREENS } from '../support/books';
import { startHostileSuite } from '../support/hostile/suite';
import { USER_OPERATIONS } from '../support/hostile/user-operations';
import { type SimulatedNode, startSimulatedNode } from '../support/simulated-node';

const CHAIN = 'eip155:31337';
const GET_NONCE = '0x35567e1a';
const { wallet, snap, grants } = startHostileSuite();
const owner = privateKeyToAccount(KEY);

let node: SimulatedNode;
const given = {} as Record<AccountVersion, Given>;
const ids = {} as Record<AccountVersion, string>;
const siteOf = (version: AccountVersion): string => `https://v${version.replace('.', '')}.example`;

async function answerTo<T>(request: Promise<{ result?: Json; error?: { message: string } }>): Promise<T> {
  const { result, error } = await request;
  if (result === undefined) throw new Error(error?.message);
  return result as T;
}

type Account = { readonly id: string; readonly address: Hex };
const createSmart = (version: AccountVersion, privateKey: Hex): Promise<Account> => {
  const options = { type: 'eip155:erc4337', chainId: CHAIN, entryPointVersion: version, privateKey };
  return answerTo(snap.keyring('keyring_createAccount', { options }));
};

beforeAll(async () => {
  node = await startSimulatedNode({
    eth_getCode: () => '0x',
    eth_getBalance: () => '0xde0b6b3a7640000',
    eth_call: (params) => {
      const [{ data }] = params as [{ data: string }];
      return numberToHex(data.startsWith(GET_NONCE) ? 5 : 0, { size: 32 });
    },
    eth_estimateUserOperationGas: () => ({
      callGasLimit: '0x5208',
      verificationGasLimit: '0x30d40',
      preVerificationGas: '0xc350',
    }),
  });
  wallet.services = [node.url];
  await answerTo(snap.keyring('keystead_setChain', { chainId: CHAIN, rpcUrl: node.url, bundlerUrl: node.url }));
  const created: { version: AccountVersion; id: string; address: Hex; second: Account }[] = [];
  // The snap reads the connected sites only once, so connect all of them before the first request.
  for (const version of ACCOUNT_VERSIONS) {
    const { id, address } = await createSmart(version, KEY);
    const second = await createSmart(version, SECOND_KEY);
    await grants.put(siteOf(version), { accounts: [id, second.id], chainId: CHAIN });
    created.push({ version, id, address, second });
  }
  for (const { version, id, address, second } of created) {
    const intents = [{ to: OTHER, value: '0x1', data: '0x' }];
    const { gasLimits, dummySignature, dummyPaymasterAndData, bundlerUrl, ...details } = await answerTo<
      Record<string, Hex> & { gasLimits: Record<string, Hex> }
    >(snap.submit(id, 'eth_prepareUserOperation', intents, CHAIN));
    // Prepared operations are recorded per caller, so the site prepares the same one.
    expect(await answerTo(snap.dapp(siteOf(version), 'eth_prepareUserOperation', intents))).toMatchObject(details);
    expect({ dummyPaymasterAndData, bundlerUrl }).toEqual({ dummyPaymasterAndData: '0x', bundlerUrl: node.url });
    ids[version] = id;
    given[version] = {
      version,
      sender: address,
      second: second.address,
      operation: {
        sender: address,
        ...details,
        ...gasLimits,
        maxFeePerGas: '0x12a05f200',
        maxPriorityFeePerGas: '0x3b9aca00',
        paymasterAndData: '0x',
        signature: dummySignature,
      },
    };
  }
});
afterAll(async () => {
  await node.stop();
});

const part = (bytes: Hex, from: number, to?: number): Hex =>
  `0x${bytes.slice(2 + 2 * from, to === undefined ? undefined : 2 + 2 * to)}`;

/** The operation in viem's format, with unpacked fields from 0.7 on. */
function theirs(operation: Record<string, Hex>, version: AccountVersion): UserOperation {
  const { initCode = '0x', paymasterAndData = '0x', sender, callData, signature, ...quantities } = operation;
  const numbers = Object.fromEntries(Object.entries(quantities).map(([name, value]) => [name, BigInt(value)]));
  const common = { sender: sender?.toLowerCase(), callData, signature, ...numbers };
  if (version === '0.6') return { ...common, initCode, paymasterAndData } as unknown as UserOperation;
  return {
    ...common,
    ...(initCode !== '0x' && { factory: part(initCode, 0, 20).toLowerCase(), factoryData: part(initCode, 20) }),
    ...(paymasterAndData !== '0x' && {
      paymaster: part(paymasterAndData, 0, 20),
      paymasterVerificationGasLimit: BigInt(part(paymasterAndData, 20, 36)),
      paymasterPostOpGasLimit: BigInt(part(paymasterAndData, 36, 52)),
      paymasterData: part(paymasterAndData, 52),
    }),
  } as unknown as UserOperation;
}

/** 0.6 and 0.7 sign the hash as a message, 0.8 signs the hash itself. */
function signatureOf([operation]: readonly [Record<string, Hex>], version: AccountVersion): Promise<Hex> {
  const hash = getUserOperationHash({
    userOperation: theirs(operation, version) as never,
    entryPointAddress: ENTRY_POINTS[version],
    entryPointVersion: version,
    chainId: 31337,
  });
  return version === '0.8' ? owner.sign({ hash }) : owner.signMessage({ message: { raw: hash } });
}

const CALLS = parseAbi([
  'function execute(address,uint256,bytes)',
  'function executeBatch(address[],uint256[],bytes[])',
]);
type Batch = readonly [readonly Hex[], readonly bigint[], readonly Hex[]];

/** Decodes the calls of 0.7 call data to intents. */
function intentsOf([callData]: readonly [Hex]): Json {
  const { functionName, args } = decodeFunctionData({ abi: CALLS, data: callData.toLowerCase() as Hex });
  const [to, value, data] = (functionName === 'execute' ? args.map((argument) => [argument]) : args) as Batch;
  return to.map((each, index) => ({
    to: each.toLowerCase(),
    value: numberToHex(value[index] ?? 0n),
    data: data[index] ?? '0x',
  }));
}

const EXPECTED: Record<string, (params: never, version: AccountVersion) => Json | Promise<Json>> = {
  eth_signUserOperation: signatureOf,
  eth_patchUserOperation: () => ({ paymasterAndData: '0x' }),
  eth_decodeUserOperationCallData: intentsOf,
};

async function run({ params: { version, make }, method = 'eth_signUserOperation', ...each }: OperationCase) {
  const { scope = CHAIN, must, mustOverRpc = must, handlers = ['keyring', 'rpc'] } = each;
  const params = make(given[version]) as WireOperation[];
  const expected = () => EXPECTED[method]?.(params as never, version) ?? null;
  const outcomes = {
    keyring: () => snap.submit(ids[version], method, params, scope),
    rpc: () => snap.dapp(siteOf(version), method, params),
  };
  for (const handler of handlers) {
    const outcome = await outcomes[handler]();
    const due = handler === 'rpc' ? mustOverRpc : must;
    await judge(outcome, due, params, expected, () => Promise.resolve(outcome.screens.join(' ')));
    // Only our own screen can explain an operation to the user.
    if (due.refuse === undefined && method === 'eth_signUserOperation')
      expect(firstScreens(outcome.screens)).toHaveLength(1);
    if (handler === handlers.at(-1)) SCREENS.expect(`user operation: ${each.name}`, shownBy(outcome));
  }
}

describe('user operations, through both handlers', () => {
  it.each(USER_OPERATIONS.map((each) => [each.name, each] as const))('%s', async (_name, each) => {
    await run(each);
  });
});
