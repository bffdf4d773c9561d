import { type Address } from 'viem';

import { type LocalServer, reply, serveJsonRpc } from '../json-rpc-server';

/** Gas for the checks of the paymaster, and for taking its fee. */
const GAS = '0x186a0';

/** What the service was sent. */
export type TokenPaymasterService = LocalServer & { readonly contexts: unknown[] };

/**
 * A paymaster service (ERC-7677) of a paymaster that is paid in one token. The context has to name it: `{ token }`.
 *
 * @param paymasters - By entry point.
 */
export async function startTokenPaymasterService(
  paymasters: Readonly<Record<Address, Address>>,
  token: Address,
): Promise<TokenPaymasterService> {
  const contexts: unknown[] = [];
  const server = await serveJsonRpc(({ id, method, params }, response) => {
    const [, entryPoint, , context] = params as [unknown, Address, unknown, { readonly token?: unknown }?];
    contexts.push(context);
    if (context?.token !== token) {
      reply(response, { id, error: { code: -32602, message: 'context.token: must be a token that is accepted here' } });
      return;
    }
    const limits = { paymasterVerificationGasLimit: GAS, paymasterPostOpGasLimit: GAS };
    const isStub = method === 'pm_getPaymasterStubData';
    const result = { paymaster: paymasters[entryPoint], paymasterData: token, ...(isStub && limits) };
    reply(response, { id, result });
  });
  return { ...server, contexts };
}
