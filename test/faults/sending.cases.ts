import { after, callsFrom, furnished, TO } from '../support/whole-snap/fixture';
import { type Flow, testEach } from '../support/whole-snap/matrix';
import { type WalletDouble } from '../support/wallet/wallet-double';

async function furnish() {
  const there = await furnished();
  const { world: sponsored } = await furnished({ paymasterUrl: 'https://paymaster.example/31337' });
  const {
    world,
    accounts: { eoa, smart },
  } = there;
  world.chain.includes = false;
  const waiting = await after(
    world,
    (session) => session.dapp('wallet_sendCalls', callsFrom(eoa.address)),
    (session) => session.dapp('wallet_sendCalls', callsFrom(smart.address)),
  );
  world.chain.includes = true;
  const included = waiting.clone();
  included.chain.includes = true;
  return { ...there, sponsored, waiting, included };
}

const sentIn = ({ chain: { transactions, operations } }: WalletDouble): number =>
  transactions.length + operations.length;

/**
 * Accepted exceptions to the rules:
 * - if the node rejects one of several transactions, those after it are not sent, and the batch says so;
 * - calls without a response, or interrupted after they were recorded, are kept as unclear until they are looked up;
 * - calls that may have been sent are not sent again under the same id.
 */
const AFTER_NOTING =
  /it ends otherwise: "\/state\/batches\/0\/sent\/(?:unsent": "1"|isUnclear": "true")|, killed(?: after)?: repeated, it fails: id: calls with this id were already sent$/u;

/** Repeating a sent request sends another one, which may have another nonce. */
const sending = (world: WalletDouble): Pick<Flow, 'world' | 'isDone' | 'without' | 'excepted'> => {
  const before = sentIn(world);
  return {
    world,
    isDone: (now) => sentIn(now) > before,
    without: /17000\d{8}|0x[0-9a-f]{64}/u,
    excepted: AFTER_NOTING,
  };
};

describe('requests that send calls or look up their status, with one failing call', () => {
  testEach(
    furnish,
    {
      eth_sendTransaction: ({ world, accounts: { eoa } }) => ({
        ...sending(world),
        run: (session) => session.dapp('eth_sendTransaction', [{ from: eoa.address, to: TO, value: '0x1' }]),
      }),
      'eth_sendTransaction of a smart account': ({ world, accounts: { smart } }) => ({
        ...sending(world),
        run: (session) => session.dapp('eth_sendTransaction', [{ from: smart.address, to: TO, value: '0x1' }]),
      }),
      wallet_sendCalls: ({ world, accounts: { eoa } }) => ({
        ...sending(world),
        run: (session) => session.dapp('wallet_sendCalls', callsFrom(eoa.address)),
      }),
      'wallet_sendCalls of a Safe, sponsored': ({ sponsored, accounts: { safe } }) => ({
        ...sending(sponsored),
        run: (session) => session.dapp('wallet_sendCalls', callsFrom(safe.address)),
      }),
      'wallet_getCallsStatus of transactions': ({ included, accounts: { eoa } }) => ({
        world: included,
        isPatient: true,
        run: (session) => session.dapp('wallet_getCallsStatus', [eoa.address]),
      }),
      'wallet_getCallsStatus of an operation': ({ included, accounts: { smart } }) => ({
        world: included,
        isPatient: true,
        run: (session) => session.dapp('wallet_getCallsStatus', [smart.address]),
      }),
      'wallet_getCallsStatus of pending calls': ({ waiting, accounts: { smart } }) => ({
        world: waiting,
        isPatient: true,
        run: (session) => session.dapp('wallet_getCallsStatus', [smart.address]),
      }),
      wallet_showCallsStatus: ({ included, accounts: { smart } }) => ({
        world: included,
        isPatient: true,
        run: (session) => session.dapp('wallet_showCallsStatus', [smart.address]),
      }),
      'the look-up in the background': ({ included }) => ({
        world: included,
        isPatient: true,
        run: (session) => session.cron(),
      }),
      'the look-up in the background of pending calls': ({ waiting }) => ({
        world: waiting,
        isPatient: true,
        run: (session) => session.cron(),
      }),
      'eth_getTransactionReceipt of an operation': ({ included }) => ({
        world: included,
        isPatient: true,
        run: (session) => session.dapp('eth_getTransactionReceipt', [included.chain.operations[0]!]),
      }),
    },
    650,
  );
});
