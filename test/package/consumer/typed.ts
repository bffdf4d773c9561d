// Type-checked against the installed package: what must compile, and what must not.
import { type Added, BundlerClient, NodeClient, StorageClient, StorageError } from 'keystead/clients';
import { announceKeystead, createKeysteadProvider, type KeysteadProvider, ProviderRpcError } from 'keystead/provider';

const provider: KeysteadProvider = createKeysteadProvider({
  snapId: 'local:http://localhost:8080',
  nodes: { 1: 'https://node.example', 10: { request: () => Promise.resolve(null) } },
  chooseWallet: (wallets) => wallets.find(({ info }) => info.rdns === 'io.metamask.flask') ?? wallets[0],
});
provider
  .on('accountsChanged', (accounts) => {
    const [first]: readonly `0x${string}`[] = accounts;
    console.log(first);
  })
  .on('disconnect', ({ code }) => console.log(code.toFixed()));
// @ts-expect-error There is no such event.
provider.on('accountChanged', () => undefined);
// @ts-expect-error A snap id starts with npm: or local:.
createKeysteadProvider({ snapId: 'keystead' });

export async function use(): Promise<string> {
  const [account] = await provider.request({ method: 'eth_requestAccounts' });
  if (account === undefined) throw new ProviderRpcError(4100, 'no account');
  const { id } = await provider.request({
    method: 'wallet_sendCalls',
    params: [{ version: '2.0.0', chainId: '0x1', atomicRequired: true, calls: [{ to: account, value: '0x1' }] }],
  });
  const { status, receipts } = await provider.request({ method: 'wallet_getCallsStatus', params: [id] });
  console.log(status + 1, receipts?.[0]?.transactionHash);
  // @ts-expect-error The parameters of known methods are typed.
  await provider.request({ method: 'eth_signUserOperation', params: ['0x'] });
  const untyped: unknown = await provider.request({ method: 'eth_getLogs', params: [{ fromBlock: 'latest' }] });
  console.log(untyped, announceKeystead().info.uuid);

  const added: Added = await new StorageClient({ url: 'http://127.0.0.1:5001' }).add(new Uint8Array(1), {
    onProgress: (done, total) => console.log(done, total),
  });
  const chainId: bigint = await new NodeClient({ url: 'https://node.example' }).chainId();
  const receipt = await new BundlerClient({ url: 'https://bundler.example' }).getUserOperationReceipt('0x00');
  if (receipt?.success === false) throw new StorageError('network', `${receipt.actualGasCost} on ${chainId}`);
  return added.cid;
}
