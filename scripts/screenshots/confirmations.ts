import { maxUint256, numberToHex, parseEther, stringToHex } from 'viem';
import { createSiweMessage } from 'viem/siwe';

import { type Companion } from '../../test/support/browser/companion';
import { amountOf, type Contracts, TOKEN } from './contracts';
import { devnetOf } from './devnet';
import { Camera, SMALL_PHONE } from './picture';

type Address = `0x${string}`;
type Request = { readonly method: string; readonly params: unknown };

const FRIEND = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const STRANGER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const CHAIN_ID = 31_337;

const wei = (ether: string): string => numberToHex(parseEther(ether));

/** The accounts that ask, one of each kind. */
export type Accounts = { readonly standard: Address; readonly safe: Address };

type Requests = Readonly<Record<string, Request>>;

/** What a site asks for, by the name of the picture: where fees are paid, and where a paymaster service pays them. */
function requestsOf(
  { standard, safe }: Accounts,
  contracts: Contracts,
  site: URL,
): { readonly paid: Requests; readonly sponsored: Requests } {
  const { token, nfts, spender, tokenCall, nftsCall } = contracts;
  const send = (transaction: object): Request => ({ method: 'eth_sendTransaction', params: [transaction] });
  const sendCalls = (from: Address, calls: readonly object[]): Request => ({
    method: 'wallet_sendCalls',
    params: [{ version: '2.0.0', from, chainId: numberToHex(CHAIN_ID), atomicRequired: true, calls }],
  });
  const permit = {
    domain: { name: TOKEN, version: '1', chainId: CHAIN_ID, verifyingContract: token },
    primaryType: 'Permit',
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
      Permit: [
        { name: 'owner', type: 'address' },
        { name: 'spender', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    message: {
      owner: standard,
      spender,
      value: String(amountOf('250')),
      nonce: '0',
      deadline: String(Math.floor(Date.now() / 1000) + 1200),
    },
  };
  const signIn = createSiweMessage({
    address: standard,
    chainId: CHAIN_ID,
    domain: site.host,
    nonce: 'oWk3vTfa92',
    uri: site.href,
    version: '1',
    issuedAt: new Date(),
    statement: 'I accept the terms of service.',
  });
  const paid = {
    send: send({ from: standard, to: FRIEND, value: wei('1.5') }),
    receive: send({ from: standard, to: nfts, data: nftsCall('mintNFTs', [1n]) }),
    permit: { method: 'eth_signTypedData_v4', params: [standard, JSON.stringify(permit)] },
    'sign-in': { method: 'personal_sign', params: [stringToHex(signIn), standard] },
    'cannot-succeed': send({ from: standard, to: FRIEND, value: wei('9999') }),
    delegation: sendCalls(standard, [
      { to: token, data: tokenCall('approve', [spender, amountOf('250')]) },
      { to: FRIEND, value: wei('0.5') },
    ]),
  };
  const sponsored = {
    sponsored: send({ from: safe, to: FRIEND, value: wei('0.25') }),
    batch: sendCalls(safe, [
      { to: token, data: tokenCall('approve', [spender, amountOf('250')]) },
      { to: token, data: tokenCall('transfer', [FRIEND, amountOf('40')]) },
      { to: FRIEND, value: wei('0.5') },
    ]),
    drainer: sendCalls(safe, [
      { to: token, data: tokenCall('approve', [STRANGER, maxUint256]) },
      { to: nfts, data: nftsCall('setApprovalForAll', [STRANGER, true]) },
    ]),
  };
  return { paid, sponsored };
}

/** Takes pictures of the snap's confirmations, each on a phone and on a desktop, and rejects what was asked. */
export async function takeConfirmations(companion: Companion, accounts: Accounts, contracts: Contracts): Promise<void> {
  const { page } = companion;
  const dialog = page.getByRole('dialog');
  const camera = new Camera(page, 'confirmations');
  const { snapId, chain } = await devnetOf(page.url());
  const { name, chainId, rpcUrl, bundlerUrl, paymasterUrl } = chain;
  const ask = (request: Request) => companion.ask('wallet_invokeSnap', { snapId, request });

  const take = async (picture: string): Promise<void> => {
    console.log(picture);
    await camera.take(`${picture}-360`, SMALL_PHONE, 'light');
  };
  const takeRequest = async (picture: string, request: Request): Promise<void> => {
    const asked = ask(request);
    const early = await Promise.race([asked, dialog.waitFor().then(() => undefined)]);
    if (early !== undefined) throw new Error(`${picture}: ${JSON.stringify(early)}`);
    await take(picture);
    if (picture === 'cannot-succeed') {
      await companion.press('Approve', dialog);
      await dialog.filter({ hasText: 'Sign even though it will fail?' }).waitFor();
      await take(`${picture}-again`);
    }
    await companion.press('Reject', dialog);
    await asked;
  };
  const setChain = async (paymaster: object): Promise<void> => {
    const params = { chainId, name, rpcUrl, bundlerUrl, ...paymaster };
    const asked = ask({ method: 'keystead_setChain', params });
    await companion.press('Approve', dialog);
    await asked;
  };

  const switching = ask({ method: 'wallet_switchEthereumChain', params: [{ chainId: numberToHex(CHAIN_ID) }] });
  const connecting = ask({ method: 'eth_requestAccounts', params: [] });
  await dialog.filter({ hasText: /Connect (?:a site|this Keystead page)/u }).waitFor();
  await take('connect');
  await companion.connect(accounts.standard, accounts.safe);
  await Promise.all([switching, connecting]);
  const { paid, sponsored } = requestsOf(accounts, contracts, new URL(page.url()));
  await setChain({});
  for (const [picture, request] of Object.entries(paid)) await takeRequest(picture, request);
  await setChain({ paymasterUrl });
  for (const [picture, request] of Object.entries(sponsored)) await takeRequest(picture, request);
}
