// Loads the modules in a page as they are, without a bundler.
import { StorageClient, StorageError } from '/clients.js';
import { announceKeystead, ProviderRpcError } from '/provider.js';

export async function use({ storage, key, secret }) {
  const files = new StorageClient({ url: storage, key, secret });
  const bytes = crypto.getRandomValues(new Uint8Array(60_000));
  const { cid } = await files.add(new Blob([bytes]));
  const read = await files.read(cid);

  const announced = [];
  addEventListener('eip6963:announceProvider', ({ detail }) => announced.push(detail.info));
  const { provider, info } = announceKeystead();
  dispatchEvent(new Event('eip6963:requestProvider'));
  const heard = announced.filter(({ uuid }) => uuid === info.uuid).length;
  const refused = (request) => request.then(undefined, (error) => error);
  const noWallet = await refused(provider.request({ method: 'eth_requestAccounts' }));
  const wrongKey = await refused(new StorageClient({ url: storage, key, secret: 'x' }).read(cid));

  return {
    isSame: read.length === bytes.length && read.every((byte, index) => byte === bytes[index]),
    wrongKey: wrongKey instanceof StorageError && wrongKey.status,
    announced: heard,
    noWallet: noWallet instanceof ProviderRpcError && noWallet.code,
    icon: await new Promise((resolve) => {
      const image = Object.assign(new Image(), { src: info.icon });
      image.onload = () => resolve(image.naturalWidth);
      image.onerror = () => resolve('broken');
    }),
  };
}
