// Uses both entry points of the installed package in plain Node, against a running service.
import { DagClient, NodeClient, StorageClient, StorageError } from 'keystead/clients';
import { createKeysteadProvider, ProviderRpcError } from 'keystead/provider';

const { rpc, storage, key, secret } = JSON.parse(process.argv[2]);

const files = new StorageClient({ url: storage, key, secret });
const { cid } = await files.add('hello world\n');
const wallet = { request: ({ method }) => Promise.resolve(method === 'wallet_getSnaps' ? {} : null) };
const provider = createKeysteadProvider({ wallet });
const refused = (request) => request.then(undefined, (error) => error);

console.log(
  JSON.stringify({
    chainId: String(await new NodeClient({ url: `${rpc}/v3/${key}` }).chainId()),
    cid,
    text: new TextDecoder().decode(await files.read(cid)),
    node: await new DagClient(files).put({ link: { '/': cid } }),
    wrongKey: await refused(new StorageClient({ url: storage, key, secret: 'x' }).add('x')).then(
      (error) => error instanceof StorageError && error.status,
    ),
    accounts: await provider.request({ method: 'eth_accounts' }),
    unconnected: await refused(provider.request({ method: 'personal_sign', params: ['0x', '0x'] })).then(
      (error) => error instanceof ProviderRpcError && error.code,
    ),
  }),
);
