import { announceKeystead } from 'keystead/provider';
import { devnet } from 'virtual:devnet';

const { chainId, rpcUrl, bundlerUrl, name } = devnet.chain;
const { provider } = announceKeystead({ snapId: devnet.snapId });
const ask = (method, params) => provider.request({ method, params });

const RECIPIENT = '0x14dc79964da2c08b23698b3d3cc7ca32193d9955';
const ONE_GWEI = 1_000_000_000n;

const status = document.querySelector('#status');
const say = (line) => (status.value += `${line}\n`);
let account;

const hex = (number) => `0x${number.toString(16)}`;

/** A call to the bundler itself: Keystead signs, and sends nothing here. */
async function bundler(method, params) {
  const answer = await fetch(bundlerUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = await answer.json();
  if (error) throw new Error(`The bundler refused ${method}: ${error.message}`);
  return result;
}

/** The first `length` bytes of a hex string, and the rest. */
const split = (data, length) => [data.slice(0, 2 + 2 * length), `0x${data.slice(2 + 2 * length)}`];

/** The form of an operation that bundlers take from entry point 0.7 on (ERC-7769): factory and paymaster are fields. */
function toBundler({ initCode, paymasterAndData, ...operation }) {
  const [factory, factoryData] = split(initCode, 20);
  const [paymaster, afterPaymaster] = split(paymasterAndData, 20);
  const [verification, afterVerification] = split(afterPaymaster, 16);
  const [postOp, paymasterData] = split(afterVerification, 16);
  return {
    ...operation,
    ...(initCode !== '0x' && { factory, factoryData }),
    ...(paymasterAndData !== '0x' && {
      paymaster,
      paymasterVerificationGasLimit: hex(BigInt(verification)),
      paymasterPostOpGasLimit: hex(BigInt(postOp)),
      paymasterData,
    }),
  };
}

/** Asks until the operation is included. */
async function receiptOf(hash) {
  for (;;) {
    const receipt = await bundler('eth_getUserOperationReceipt', [hash]);
    if (receipt) return receipt;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

async function connect() {
  await ask('keystead_setChain', { chainId, rpcUrl, bundlerUrl, name });
  [account] = await ask('eth_requestAccounts');
  say(`Connected to ${account}.`);
  await fetch('/faucet', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address: account }),
  });
  say('The faucet sent it 10 test ether.');
  document.querySelector('#send').disabled = false;
}

async function send() {
  const chains = await ask('keystead_getChains');
  const { entryPoint } = chains.find((chain) => chain.chainId === chainId);

  const prepared = await ask('eth_prepareUserOperation', [{ to: RECIPIENT, value: hex(10n ** 17n), data: '0x' }]);
  say('Prepared: call data, nonce and gas limits.');

  const { baseFeePerGas } = await ask('eth_getBlockByNumber', ['latest', false]);
  const operation = {
    sender: account,
    nonce: prepared.nonce,
    initCode: prepared.initCode,
    callData: prepared.callData,
    ...prepared.gasLimits,
    maxFeePerGas: hex(2n * (BigInt(baseFeePerGas) + ONE_GWEI)),
    maxPriorityFeePerGas: hex(ONE_GWEI),
    paymasterAndData: prepared.dummyPaymasterAndData,
    signature: prepared.dummySignature,
  };

  Object.assign(operation, await ask('eth_patchUserOperation', [operation]));
  say(operation.paymasterAndData === '0x' ? 'Patched: the account pays.' : 'Patched: a paymaster pays.');

  operation.signature = await ask('eth_signUserOperation', [operation, entryPoint]);
  say('Signed.');

  const hash = await bundler('eth_sendUserOperation', [toBundler(operation), entryPoint]);
  say(`Sent to the bundler: ${hash}.`);

  const { success, receipt } = await receiptOf(hash);
  say(`${success ? 'Included' : 'Included, and failed'}: transaction ${receipt.transactionHash}.`);
}

for (const [id, run] of [
  ['#connect', connect],
  ['#send', send],
]) {
  const button = document.querySelector(id);
  button.addEventListener('click', async () => {
    button.disabled = true;
    status.value = '';
    await run().catch((error) => say(error.message));
    button.disabled = false;
  });
}
