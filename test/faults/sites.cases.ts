import { type Json } from '@metamask/snaps-sdk';

import { typedData } from '../support/explaining';
import { after, callsFrom, CHAIN, configuration, furnished, TIMES, TO } from '../support/whole-snap/fixture';
import { TOKEN } from '../support/wallet/chain';
import { testEach } from '../support/whole-snap/matrix';
import { DAPP, OTHER } from '../support/wallet/in-process';
import { WalletDouble } from '../support/wallet/wallet-double';

/** An ERC-2612 permit for a token that is looked up in the snap's files. */
const PERMIT = typedData(
  'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)',
  { chainId: 1, verifyingContract: '0x514910771AF9Ca656af840dff83E8264EcF986CA' },
  { owner: TO, spender: TO, value: '1', nonce: '0', deadline: '1800000000' },
) as unknown as Json;

async function furnish() {
  const there = await furnished();
  const { world, accounts } = there;
  const choosing = world.clone();
  choosing.choice = [accounts.smart.id];
  const twoChains = await after(world, (session) => session.keyring('keystead_setChain', configuration(10)));
  const busy = await after(twoChains, (session) => session.dapp('wallet_sendCalls', callsFrom(accounts.eoa.address)));
  const withStorage = world.clone();
  const empty = await after(new WalletDouble(), (session) =>
    session.keyring('keystead_setChain', configuration(31337)),
  );
  withStorage.write('storage', { url: 'https://storage.example', key: 'a-key', secret: 'storage secret' });
  return { ...there, choosing, empty, twoChains, busy, withStorage };
}

describe('requests about sites, chains and settings, with one failing call', () => {
  testEach(
    furnish,
    {
      eth_requestAccounts: ({ world }) => ({
        world,
        without: TIMES,
        run: (session) => session.dapp('eth_requestAccounts', [], OTHER),
      }),
      // Repeated after the account was added, the dialog offers that account, so there is never a second one.
      'eth_requestAccounts without an account, which creates one': ({ empty }) => ({
        world: empty,
        without: TIMES,
        run: (session) => session.dapp('eth_requestAccounts', [], OTHER),
      }),
      'wallet_requestPermissions with a choice': ({ choosing }) => ({
        world: choosing,
        without: TIMES,
        // If the screen cannot be updated, it shows the previous choice, and the site gets that one.
        excepted: /^snap_updateInterface, fails/u,
        run: (session) => session.dapp('wallet_requestPermissions', [{ eth_accounts: {} }], OTHER),
      }),
      'wallet_requestPermissions of a connected site': ({ choosing }) => ({
        world: choosing,
        without: TIMES,
        run: (session) => session.dapp('wallet_requestPermissions', [{ eth_accounts: {} }], DAPP),
      }),
      wallet_revokePermissions: ({ world }) => ({
        world,
        run: (session) => session.dapp('wallet_revokePermissions', [{ eth_accounts: {} }]),
      }),
      wallet_switchEthereumChain: ({ twoChains }) => ({
        world: twoChains,
        run: (session) => session.dapp('wallet_switchEthereumChain', [{ chainId: '0xa' }]),
      }),
      wallet_addEthereumChain: ({ world }) => ({
        world,
        run: (session) =>
          session.dapp('wallet_addEthereumChain', [{ chainId: '0xa', rpcUrls: [configuration(10).rpcUrl] }]),
      }),
      wallet_watchAsset: ({ world }) => ({
        world,
        run: (session) => session.dapp('wallet_watchAsset', { type: 'ERC20', options: { address: TOKEN } }),
      }),
      wallet_getCapabilities: ({ twoChains, accounts: { smart } }) => ({
        world: twoChains,
        run: (session) => session.dapp('wallet_getCapabilities', [smart.address]),
      }),
      'a node’s response': ({ world }) => ({ world, run: (session) => session.dapp('eth_getBalance', [TO, 'latest']) }),
      'keystead_setChain at the RPC handler': ({ world }) => ({
        world,
        run: (session) => session.dapp('keystead_setChain', configuration(10), OTHER),
      }),
      'keystead_removeChain at the RPC handler': ({ twoChains }) => ({
        world: twoChains,
        run: (session) => session.dapp('keystead_removeChain', { chainId: CHAIN }),
      }),
      'keystead_setChain at the keyring handler': ({ world }) => ({
        world,
        run: (session) => session.keyring('keystead_setChain', configuration(10)),
      }),
      'keystead_setChain of a configured chain': ({ world }) => ({
        world,
        run: (session) =>
          session.keyring(
            'keystead_setChain',
            configuration(31337, { paymasterUrl: 'https://paymaster.example/31337' }),
          ),
      }),
      'keystead_removeChain at the keyring handler': ({ twoChains }) => ({
        world: twoChains,
        run: (session) => session.keyring('keystead_removeChain', { chainId: CHAIN }),
      }),
      'the home page': ({ busy }) => ({ world: busy, run: (session) => session.home() }),
      'the home page: a site is disconnected': ({ busy }) => ({
        world: busy,
        run: (session) => session.input({ type: 'ButtonClickEvent', name: `disconnect:${DAPP}` }),
      }),
      'the home page: the status of calls': ({ busy }) => ({
        world: busy,
        isPatient: true,
        run: (session) => session.input({ type: 'ButtonClickEvent', name: 'look-up' }),
      }),
      'the home page: the settings': ({ busy }) => ({
        world: busy,
        run: (session) =>
          session.input({ type: 'FormSubmitEvent', name: 'settings', value: { confirmSignatures: 'always' } }),
      }),
      'the insight into a transaction': ({ withStorage }) => ({
        world: withStorage,
        run: (session) =>
          session.insight('onTransaction', {
            transaction: { from: TO, to: TO, value: '0x0', data: `0x12345678${'00'.repeat(32)}` },
            chainId: CHAIN,
            transactionOrigin: DAPP,
          }),
      }),
      'the insight into a message': ({ world }) => ({
        world,
        run: (session) =>
          session.insight('onSignature', {
            signature: { from: TO, data: PERMIT, signatureMethod: 'eth_signTypedData_v4' },
            signatureOrigin: DAPP,
          }),
      }),
    },
    480,
  );
});
