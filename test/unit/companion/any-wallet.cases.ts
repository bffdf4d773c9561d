import {
  type AnyWallet,
  connectOn,
  type ConnectOptions,
  feeOf,
  sendAndWait,
} from '../../../src/companion/model/any-wallet';

const ACCOUNT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const DEVNET = { name: 'Devnet', rpcUrl: 'http://127.0.0.1:8545/' };
const refusal = (code: number) => Object.assign(new Error('no'), { code });

/** A wallet that has some networks, and what it was asked. */
function walletWith(networks: readonly bigint[], answers: Readonly<Record<string, () => unknown>> = {}) {
  const has = new Set(networks);
  const asked: string[] = [];
  let selected = 1n;
  const request = (method: string, params?: unknown): Promise<unknown> =>
    new Promise((resolve) => {
      asked.push(method);
      const wanted = BigInt((params as readonly { chainId?: string }[] | undefined)?.[0]?.chainId ?? 0);
      const own = answers[method];
      if (own !== undefined) return resolve(own());
      if (method === 'eth_requestAccounts') return resolve([ACCOUNT]);
      if (method === 'eth_chainId') return resolve(`0x${selected.toString(16)}`);
      if (method === 'wallet_addEthereumChain') return resolve(has.add(wanted) && null);
      if (method !== 'wallet_switchEthereumChain') return resolve(null);
      if (!has.has(wanted)) throw refusal(4902);
      selected = wanted;
      resolve(null);
    });
  return { wallet: { id: 'x', name: 'A wallet', request } as AnyWallet, asked };
}

const connect = (wallet: AnyWallet, chainId: bigint, options: Partial<ConnectOptions> = {}) =>
  connectOn(wallet, chainId, { again: false, ...options });

it('refuses a wallet that says it has switched, and has not', async () => {
  const { wallet } = walletWith([], { wallet_switchEthereumChain: () => null });
  await expect(connect(wallet, 100n)).rejects.toThrow('A wallet is not on Gnosis. Switch it there and try again.');
});

it('has the network added if this page knows a node of it, and only then', async () => {
  const { wallet, asked } = walletWith([1n]);
  expect(await connect(wallet, 31_337n, { known: DEVNET })).toBe(ACCOUNT);
  expect(asked).toContain('wallet_addEthereumChain');
  const other = walletWith([1n]);
  await expect(connect(other.wallet, 100n)).rejects.toThrow(
    'A wallet does not have Gnosis. Add that network there, then connect again.',
  );
  expect(other.asked).not.toContain('wallet_addEthereumChain');
});

it('also if the wallet wraps its error in an internal one', async () => {
  let isAdded = false;
  const wraps = () => {
    if (!isAdded) throw Object.assign(refusal(-32_603), { data: { originalError: { code: 4902 } } });
    return null;
  };
  const { wallet } = walletWith([1n], {
    wallet_switchEthereumChain: wraps,
    wallet_addEthereumChain: () => {
      isAdded = true;
      return null;
    },
    eth_chainId: () => (isAdded ? '0x7a69' : '0x1'),
  });
  expect(await connect(wallet, 31_337n, { known: DEVNET })).toBe(ACCOUNT);
});

it('does not add a network that the person has refused to select', async () => {
  const rejects = () => {
    throw refusal(4001);
  };
  const { wallet, asked } = walletWith([1n], { wallet_switchEthereumChain: rejects });
  await expect(connect(wallet, 31_337n, { known: DEVNET })).rejects.toMatchObject({ code: 4001 });
  expect(asked).not.toContain('wallet_addEthereumChain');
});

it('has the wallet ask again for another account, unless it cannot', async () => {
  const { wallet, asked } = walletWith([1n]);
  await connect(wallet, 1n);
  expect(asked).not.toContain('wallet_requestPermissions');
  await connect(wallet, 1n, { again: true });
  expect(asked).toContain('wallet_requestPermissions');
  const unable = () => {
    throw refusal(-32_601);
  };
  const older = walletWith([1n], { wallet_requestPermissions: unable });
  expect(await connect(older.wallet, 1n, { again: true })).toBe(ACCOUNT);
});

it('connects no account if the person closes that question', async () => {
  const closes = () => {
    throw refusal(4001);
  };
  const { wallet, asked } = walletWith([1n], { wallet_requestPermissions: closes });
  await expect(connect(wallet, 1n, { again: true })).rejects.toMatchObject({ code: 4001 });
  expect(asked).not.toContain('eth_requestAccounts');
});

it('sends nothing on another network than that of the recovery, whichever the person has selected since', async () => {
  const send = (chainId: bigint) => {
    const { wallet, asked } = walletWith([1n], { eth_getTransactionReceipt: () => ({ status: '0x1' }) });
    return { asked, sent: sendAndWait(wallet, ACCOUNT, { to: ACCOUNT, data: '0x' }, chainId) };
  };
  const other = send(100n);
  await expect(other.sent).rejects.toThrow('A wallet is not on Gnosis. Switch it there and try again.');
  expect(other.asked).not.toContain('eth_sendTransaction');
  const same = send(1n);
  await same.sent;
  expect(same.asked).toContain('eth_sendTransaction');
});

it('tells what a transaction would cost, if the wallet says both its gas and the price of gas', async () => {
  const call = { to: ACCOUNT, data: '0x12' };
  const answers = { eth_estimateGas: () => '0x5208', eth_gasPrice: () => '0x3b9aca00' };
  expect(await feeOf(walletWith([], answers).wallet, ACCOUNT, call)).toBe(21_000_000_000_000n);
  const { eth_gasPrice } = answers;
  await expect(feeOf(walletWith([], { eth_gasPrice }).wallet, ACCOUNT, call)).rejects.toThrow();
});
