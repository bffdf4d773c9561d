import { DIGEST, listOf, MESSAGE, NAMED_VALUES, permit, transaction } from '../payloads';
import { type SnapRequest } from '../runtime/request';

export const keyringRequest = (method: string, params?: unknown, origin = 'metamask'): SnapRequest => ({
  handler: 'keyring',
  origin,
  method,
  ...(params !== undefined && { params }),
});

/** The first request to a starting snap. */
export const LIST: SnapRequest = keyringRequest('keyring_listAccounts');

const FIRST_OF: Readonly<Record<string, SnapRequest>> = {
  'message-signing': { handler: 'rpc', origin: 'https://portfolio.metamask.io', method: 'getPublicKey' },
};
export const firstOf = (name: string): SnapRequest => FIRST_OF[name] ?? LIST;

/** The label of the same request once the snap is warm. */
export const FIRST_AGAIN = 'first answer again';

export const createAccount = (options: object, origin?: string): SnapRequest =>
  keyringRequest('keyring_createAccount', { options }, origin);

/** @param hasOrigin - Whether the request includes its origin, which older keyrings do not accept. */
export const submit = (account: string, method: string, params: unknown, scope = '', hasOrigin = true): SnapRequest =>
  keyringRequest('keyring_submitRequest', {
    id: '11111111-1111-4111-8111-111111111111',
    scope,
    account,
    ...(hasOrigin && { origin: 'metamask' }),
    request: { method, params },
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
 * The methods of an externally owned account with their parameters; addresses in lower case, as MetaMask sends them.
 */
export function signings(account: Account): Record<string, Signing> {
  const address = account.address.toLowerCase();
  const [anywhere, mainnet] = ['', 'eip155:1'];
  return {
    personal_sign: { method: 'personal_sign', params: [MESSAGE, address], scope: anywhere },
    'eth_signTypedData_v4 (permit)': {
      method: 'eth_signTypedData_v4',
      params: [address, permit(address)],
      scope: mainnet,
    },
    eth_signTransaction: { method: 'eth_signTransaction', params: [transaction(address)], scope: mainnet },
    'eth_signTypedData_v4 (1,000 items)': {
      method: 'eth_signTypedData_v4',
      params: [address, listOf(1000)],
      scope: mainnet,
    },
    'eth_signTypedData_v3 (permit)': {
      method: 'eth_signTypedData_v3',
      params: [address, permit(address)],
      scope: mainnet,
    },
    eth_signTypedData_v1: { method: 'eth_signTypedData_v1', params: [address, NAMED_VALUES], scope: anywhere },
    eth_sign: { method: 'eth_sign', params: [address, DIGEST], scope: anywhere },
  };
}

/** The response to `eth_prepareUserOperation`. */
export type Prepared = {
  readonly nonce: string;
  readonly initCode: string;
  readonly callData: string;
  readonly gasLimits?: Readonly<Record<string, string>>;
  readonly dummySignature: string;
};

const GAS_LIMITS = { callGasLimit: '0x10000', verificationGasLimit: '0x60000', preVerificationGas: '0xc000' };

export const preparing = (scope: string): Signing => ({
  method: 'eth_prepareUserOperation',
  params: [{ to: '0x1111111254eeb25477b68fb85ed929f73a960582', value: '0x1', data: '0x' }],
  scope,
});

/** The two requests that follow once a user operation is prepared. */
export function following(account: Account, prepared: Prepared, scope: string): Record<string, Signing> {
  const operation = {
    sender: account.address.toLowerCase(),
    nonce: prepared.nonce,
    initCode: prepared.initCode,
    callData: prepared.callData,
    ...(prepared.gasLimits ?? GAS_LIMITS),
    maxFeePerGas: '0x59682f00',
    maxPriorityFeePerGas: '0x59682f00',
    paymasterAndData: '0x',
    signature: prepared.dummySignature,
  };
  return {
    eth_patchUserOperation: { method: 'eth_patchUserOperation', params: [operation], scope },
    eth_signUserOperation: { method: 'eth_signUserOperation', params: [operation], scope },
  };
}
