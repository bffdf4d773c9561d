import { sendCallsFrom, UnsureError } from '../../../src/companion/model/send-calls';
import { SnapClient } from '../../../src/companion/model/snap-client';
import { tokensOnlyHere } from '../../../src/companion/model/tokens';
import { ALICE, BOB, DEVNET, GOLD, STANDARD } from '../../support/companion/samples';

const SNAP = 'npm:keystead';
const CALLS = [{ to: ALICE, value: 1n, data: '0x' }] as const;
const refusal = (code: number, message: string) => () => {
  throw Object.assign(new Error(message), { code });
};
const UNREACHABLE = refusal(-32002, 'The node at node.example could not be reached.');

type Answers = Readonly<Record<string, (params: readonly unknown[]) => unknown>>;

/** Sends with a snap that answers so. @returns What became of it, and the ids that the snap was asked about. */
async function send(answers: Answers) {
  const ids: unknown[] = [];
  const all: Answers = { eth_chainId: () => '0x7a69', eth_accounts: () => [STANDARD.address], ...answers };
  const request = async ({ method, params }: { readonly method: string; readonly params?: unknown }) => {
    if (method === 'wallet_getSnaps') return { [SNAP]: { id: SNAP, version: '1.0.0', enabled: true } };
    if (method !== 'wallet_invokeSnap') return null;
    const asked = (params as { readonly request: { readonly method: string; readonly params?: unknown[] } }).request;
    const [first] = asked.params ?? [];
    if (asked.method === 'wallet_getCallsStatus') ids.push(first);
    if (asked.method === 'wallet_sendCalls') ids.push((first as { readonly id: string }).id);
    return all[asked.method]?.(asked.params ?? []);
  };
  const client = new SnapClient(
    {
      ...{ name: 'Wallet', rdns: 'io.metamask', isSimulated: false, isFlask: false },
      provider: { request } as never,
      request: (method, params) => request({ method, params }) as never,
    },
    SNAP,
  );
  const sent = await sendCallsFrom(STANDARD, CALLS, DEVNET, client).catch((error: unknown) => error);
  return { sent, ids };
}

describe('what became of calls that were to be sent', () => {
  const status = () => ({ version: '2.0.0', chainId: '0x7a69', id: 'x', status: 100, atomic: true });

  it('is not taken for nothing if Keystead has recorded them, whatever the answer was', async () => {
    const { sent, ids } = await send({ wallet_sendCalls: UNREACHABLE, wallet_getCallsStatus: status });
    expect(sent).toMatch(/^0x[0-9a-f]{64}$/u);
    expect(ids).toEqual([sent, sent]);
  });

  it('is nothing, and the reason is told, only if Keystead says that it knows of none', async () => {
    const none = refusal(5730, 'id: this site has sent no calls with this id');
    const { sent } = await send({ wallet_sendCalls: UNREACHABLE, wallet_getCallsStatus: none });
    expect(sent).not.toBeInstanceOf(UnsureError);
    expect(String(sent)).toContain('could not be reached');
  });

  it('is unknown if Keystead cannot be asked, or its dialog may still be open', async () => {
    const silent = refusal(-32603, 'The snap crashed.');
    expect((await send({ wallet_sendCalls: silent, wallet_getCallsStatus: silent })).sent).toBeInstanceOf(UnsureError);
    const late = refusal(
      -32002,
      'wallet_sendCalls: the wallet did not answer within 180 s. A dialog may still be open.',
    );
    const { sent, ids } = await send({ wallet_sendCalls: late, wallet_getCallsStatus: status });
    expect(sent).toBeInstanceOf(UnsureError);
    expect((sent as Error).message).toBe(
      'Your wallet has not answered for three minutes. Its dialog may still be open: what you approve there is done.',
    );
    expect(ids).toHaveLength(1);
  });

  it('is the id of what was sent', async () => {
    const { sent, ids } = await send({ wallet_sendCalls: ([call]) => ({ id: (call as { readonly id: string }).id }) });
    expect(ids).toEqual([sent]);
  });
});

it('tells the tokens that no backup has from those of the snap, and of networks that are gone', () => {
  const token = (chainId: string, address: typeof GOLD | typeof BOB) =>
    ({ chainId, address, symbol: 'GOLD', name: 'Gold', decimals: 6 }) as const;
  const here = [token(DEVNET.chainId, GOLD), token(DEVNET.chainId, BOB), token('eip155:5', GOLD)];
  const inSnap = [{ ...token(DEVNET.chainId, BOB), address: BOB.toLowerCase() as typeof BOB }];
  expect(tokensOnlyHere(here, inSnap, [DEVNET])).toEqual([here[0]]);
});
