import { listOf, MESSAGE, permit, transaction } from './payloads';

/** A request to a snap, by the handler that receives it. */
export type SnapRequest = {
  readonly handler: 'keyring' | 'rpc';
  readonly origin: string;
  readonly method: string;
  readonly params?: unknown;
  /** The address whose signature the response must be. */
  readonly signer?: string;
};

const keyringRequest = (method: string, params?: unknown, origin = 'metamask'): SnapRequest => ({
  handler: 'keyring',
  origin,
  method,
  ...(params !== undefined && { params }),
});

/** The first request to a starting snap. */
export const LIST: SnapRequest = keyringRequest('keyring_listAccounts');

export const createAccount = (options: object, origin: string): SnapRequest =>
  keyringRequest('keyring_createAccount', { options }, origin);

/** @param hasOrigin - Whether the request includes its origin, which older keyrings do not accept. */
export const submit = (
  { id, address }: Account,
  { method, params, scope }: Signing,
  hasOrigin: boolean,
): SnapRequest => ({
  ...keyringRequest('keyring_submitRequest', {
    id: '11111111-1111-4111-8111-111111111111',
    scope,
    account: id,
    ...(hasOrigin && { origin: 'metamask' }),
    request: { method, params },
  }),
  signer: address,
});

/** An account as described by a keyring. Older keyrings name its methods differently. */
export type Account = {
  readonly id: string;
  readonly address: string;
  readonly type?: string;
  readonly methods?: readonly string[];
  readonly supportedMethods?: readonly string[];
};

export const isSmart = ({ type }: Account): boolean => type === 'eip155:erc4337';

/** A request for an account's method, before it is converted to a form that the keyring accepts. */
export type Signing = { readonly method: string; readonly params: unknown; readonly scope: string };

/**
 * The measured methods of an externally owned account with their parameters; addresses in lower case, as MetaMask sends
 * them.
 */
export function signings(account: Account): Record<string, Signing> {
  const address = account.address.toLowerCase();
  const [anywhere, mainnet] = ['', 'eip155:1'];
  const typed = (data: object): Signing => ({
    method: 'eth_signTypedData_v4',
    params: [address, data],
    scope: mainnet,
  });
  return {
    personal_sign: { method: 'personal_sign', params: [MESSAGE, address], scope: anywhere },
    'eth_signTypedData_v4 (permit)': typed(permit(address)),
    eth_signTransaction: { method: 'eth_signTransaction', params: [transaction(address)], scope: mainnet },
    'eth_signTypedData_v4 (1,000 items)': typed(listOf(1000)),
  };
}
