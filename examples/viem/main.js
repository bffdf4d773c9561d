import { announceKeystead } from 'keystead/provider';
import { createPublicClient, createWalletClient, custom, defineChain, formatEther, http, parseEther } from 'viem';
import { devnet } from 'virtual:devnet';

const chain = defineChain({
  id: 31337,
  name: devnet.chain.name,
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [devnet.chain.rpcUrl] } },
});
const node = createPublicClient({ chain, transport: http() });
const { provider } = announceKeystead({ snapId: devnet.snapId, chainId: chain.id });
const wallet = createWalletClient({ chain, transport: custom(provider) });

const PEOPLE = ['0x14dC79964da2C08b23698B3D3cc7Ca32193d9955', '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f'];

const status = document.querySelector('#status');
let account;

/** Runs what a button does, and shows its outcome. */
function onPress(id, run) {
  const button = document.querySelector(id);
  button.addEventListener('click', async () => {
    button.disabled = true;
    try {
      status.value = await run();
    } catch (error) {
      // viem says in one line what went wrong; a person who presses Reject is no failure.
      status.value = error.shortMessage ?? error.message;
    } finally {
      button.disabled = false;
    }
  });
}

const enable = (...ids) => ids.forEach((id) => (document.querySelector(id).disabled = false));

onPress('#connect', async () => {
  const { chainId, rpcUrl, bundlerUrl, name } = devnet.chain;
  // Keystead needs a bundler to send what a smart account does; wallet_addEthereumChain cannot name one.
  await provider.request({ method: 'keystead_setChain', params: { chainId, rpcUrl, bundlerUrl, name } });
  [account] = await wallet.requestAddresses();
  enable('#fund', '#pay');
  return `Connected to ${account}.`;
});

onPress('#fund', async () => {
  const answer = await fetch('/faucet', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address: account }),
  });
  const { balance, error } = await answer.json();
  return error ?? `You have ${formatEther(BigInt(balance))} ETH.`;
});

onPress('#pay', async () => {
  const { id } = await wallet.sendCalls({
    account,
    calls: PEOPLE.map((to, index) => ({ to, value: parseEther(`0.${index + 1}`) })),
  });
  status.value = 'Sent. Waiting until it is included…';
  const { status: outcome, receipts } = await wallet.waitForCallsStatus({ id });
  const [{ transactionHash }] = receipts;
  const balance = formatEther(await node.getBalance({ address: account }));
  return outcome === 'success'
    ? `Both are paid in transaction ${transactionHash}. You have ${balance} ETH left.`
    : `The payments failed in transaction ${transactionHash}.`;
});
