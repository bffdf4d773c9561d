import { type Hex, hashTypedData } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

import { type Companion } from './companion';

/** What the wallet was asked to sign, for a test to look at. */
export type OtherWallet = { readonly address: Hex; readonly signed: unknown[] };

/**
 * Adds another wallet to a browser profile, with one key: it announces itself (EIP-6963), signs typed data without
 * asking, and does not have the development network before a page adds it.
 */
export async function addOtherWallet({ context, page }: Companion, key: Hex): Promise<OtherWallet> {
  const account = privateKeyToAccount(key);
  const signed: unknown[] = [];
  const networks = ['0x1'];
  let selected = '0x1';
  const answer = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    switch (method) {
      case 'eth_requestAccounts':
      case 'eth_accounts':
        return [account.address];
      case 'eth_chainId':
        return selected;
      case 'wallet_addEthereumChain':
        networks.push((params[0] as { chainId: string }).chainId);
        return null;
      case 'wallet_switchEthereumChain': {
        const { chainId } = params[0] as { chainId: string };
        if (!networks.includes(chainId)) throw Object.assign(new Error('Unknown network'), { code: 4902 });
        selected = chainId;
        return null;
      }
      case 'eth_signTypedData_v4': {
        const data = JSON.parse(params[1] as string) as Parameters<typeof hashTypedData>[0];
        signed.push(data);
        return account.sign({ hash: hashTypedData(data) });
      }
      default:
        throw Object.assign(new Error(`No method ${method}`), { code: 4200 });
    }
  };
  await context.exposeFunction('askOtherWallet', (method: string, params: readonly unknown[] = []) =>
    answer(method, params).then(
      (result) => ({ result }),
      (error: { readonly code?: number; readonly message: string }) => ({
        error: { code: error.code, message: error.message },
      }),
    ),
  );
  const announce = `{
    const provider = {
      request: async ({ method, params }) => {
        const { result, error } = await globalThis.askOtherWallet(method, params);
        if (error) throw Object.assign(new Error(error.message), error);
        return result;
      },
      on() {},
      removeListener() {},
    };
    const info = { uuid: 'b5f0a1de-0000-4000-8000-000000000001', name: 'Other wallet', icon: 'data:,', rdns: 'example.other' };
    const tell = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }));
    addEventListener('eip6963:requestProvider', tell);
    tell();
  }`;
  await context.addInitScript({ content: announce });
  await page.evaluate(announce);
  return { address: account.address, signed };
}
