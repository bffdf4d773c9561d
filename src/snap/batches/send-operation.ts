import { type Json } from '@metamask/snaps-sdk';

import { PreparedLedger } from '../networks/prepared-operations';
import { operationChain } from '../networks/operation-chain';
import { servicesOf } from '../networks/services';
import { fundsFor } from '../../clients/entry-point';
import { suggestedFees } from '../../clients/transactions';
import { userOperationHash } from '../../core/erc4337/hash';
import { type Intent } from '../../core/erc4337/user-operation';
import { InternalError, InvalidParamsError, ProviderError, ServiceFailedError } from '../../core/errors';
import { quantityToHex, toHex } from '../../core/eth/bytes';
import { text } from '../../core/decode/lines';
import { type Explanation } from '../../core/decode/types';
import { type SmartAccountEntry } from '../accounts/account';
import { signFor } from '../accounts/keys';
import { smartAccountOf } from '../accounts/smart-account';
import { USER_OPERATION_METHODS } from '../methods';
import { type UserOperationContext } from '../methods/user-operation-context';
import { type StateStore } from '../platform/state';
import { ConfirmSignatureScreen } from '../ui/confirm-signature';
import { type ChainConfiguration } from '../../core/schemas/chain-configuration';
import { BytesStruct } from '../../core/schemas/hex';
import { parse } from '../../core/schemas/struct';
import { toUserOperation, UserOperationDetailsStruct, UserOperationPatchStruct } from '../../core/schemas/user-operation';
import { type Batch } from './batch';
import { type Note } from './send-noted';
import { isOn } from '../permissions/network-of-site';
import { consentFor, type Site } from '../permissions/site';

/** A paymaster service that the site chose (ERC-7677), in place of the configured one. */
export type SiteSponsor = { readonly url: string; readonly context?: Readonly<Record<string, unknown>> };

/** Bundlers want more than nodes do, for they pay before they are paid. What is not needed is not charged. */
const withMargin = (fee: bigint): bigint => (fee * 3n + 1n) / 2n;

async function operationFees(configuration: ChainConfiguration) {
  const fees = await suggestedFees(servicesOf(configuration).node);
  const [most, tip] =
    'gasPrice' in fees ? [fees.gasPrice, fees.gasPrice] : [fees.maxFeePerGas, fees.maxPriorityFeePerGas];
  return { maxFeePerGas: quantityToHex(withMargin(most)), maxPriorityFeePerGas: quantityToHex(withMargin(tip)) };
}

type SentOperation = Batch['sent'] & { as: 'operation' };

/** A store that ends with the request. */
function memoryStore(): StateStore {
  let stored: Json = null;
  return {
    read: () => Promise.resolve(stored),
    write: (_key, value) => {
      stored = value;
      return Promise.resolve();
    },
  };
}

const sponsoredBy = (configuration: ChainConfiguration, sponsor: SiteSponsor | undefined): ChainConfiguration => {
  if (sponsor === undefined) return configuration;
  const { paymasterContext: _configured, ...rest } = configuration;
  return { ...rest, paymasterUrl: sponsor.url, ...(sponsor.context && { paymasterContext: sponsor.context }) };
};

const naming = (explanation: Explanation, sponsor: SiteSponsor | undefined): Explanation =>
  sponsor === undefined
    ? explanation
    : {
        ...explanation,
        lines: [text('Paymaster service, chosen by the site', new URL(sponsor.url).host), ...explanation.lines],
      };

/**
 * Carries calls out as one user operation: prepares it, has it sponsored and estimated, shows it, signs it
 * and sends it, all with the code of the account methods.
 *
 * @param place - Where the calls are carried out, and `field`: what an intent is in the site's parameters, `$1` being its
 * position. Refusals name it.
 * @param note - Remembers the operation before it goes out.
 * @returns Where the calls went; unclear if the bundler did not answer when the operation was sent.
 * @throws {ProviderError} 4901 if the account is not on the chain.
 * @throws {UserRejectedError} If it is refused; nothing was signed or sent then.
 * @throws {ServiceRefusedError} If the bundler or the paymaster service does not take it; says why.
 */
export async function sendOperation(
  intents: readonly Intent[],
  stored: SmartAccountEntry,
  {
    configuration,
    sponsor,
    field,
  }: { configuration: ChainConfiguration; sponsor?: SiteSponsor | undefined; field: string },
  site: Site,
  note: Note<SentOperation>,
): Promise<SentOperation> {
  if (!isOn(stored, configuration.chainId))
    throw new ProviderError('chain-disconnected', `The account is not on ${configuration.chainId}.`);
  const account = smartAccountOf(stored);
  // What is prepared here is signed here or never: were it remembered, a site that is refused could come back
  // with it, sponsor and all, as something that Keystead has prepared.
  const chain = operationChain(sponsoredBy(configuration, sponsor), account, {
    ledger: new PreparedLedger(memoryStore()),
    caller: site.origin,
  });
  const context: UserOperationContext = {
    account,
    now: site.now(),
    chain: () => Promise.resolve(chain),
    signDigest: async (digest) => signFor(await site.accounts.get(stored.account.id), site.entropy, digest),
  };
  const review = (method: keyof typeof USER_OPERATION_METHODS, params: unknown) =>
    USER_OPERATION_METHODS[method].prepare(params).review(context);

  const wanted = intents.map(({ to, value, data }) => ({ to, value: quantityToHex(value), data }));
  const [details, fees] = await Promise.all([
    review('eth_prepareUserOperation', wanted)
      .then(({ run }) => run())
      .then((answer) => parse(UserOperationDetailsStruct, answer, 'operation'))
      .catch((error: unknown) => {
        if (!(error instanceof InvalidParamsError)) throw error;
        throw new InvalidParamsError(error.field.replace(/^intents(\[\d+\])?/u, field), error.rule);
      }),
    operationFees(configuration),
  ]);
  if (details.gasLimits === undefined)
    throw new ServiceFailedError(
      'The bundler does not answer, so the operation could not be sent. Nothing was signed.',
    );
  const draft = {
    sender: account.address,
    nonce: details.nonce,
    initCode: details.initCode,
    callData: details.callData,
    ...details.gasLimits,
    ...fees,
    paymasterAndData: details.dummyPaymasterAndData,
    signature: details.dummySignature,
  };
  const patch = await review('eth_patchUserOperation', [draft]).then(({ run }) => run());
  const patched = { ...draft, ...parse(UserOperationPatchStruct, patch, 'patch') };

  const { explanation, run } = await review('eth_signUserOperation', [patched]);
  if (explanation === undefined) throw new InternalError('The operation could not be shown. Nothing was signed.');
  const complete = naming(await site.library.complete(explanation), sponsor);
  await consentFor(
    site,
    stored,
  )(ConfirmSignatureScreen({ explanation: complete, address: account.address, origin: site.origin }));
  const operation = toUserOperation({ ...patched, signature: parse(BytesStruct, await run(), 'signature') });
  const { bundler, node } = servicesOf(configuration);
  const { entryPoint } = chain.place;
  // Its hash does not come from the bundler.
  const hash = toHex(userOperationHash(operation, chain.place));
  const sent: SentOperation = { as: 'operation', entryPoint, nonce: details.nonce, hash };
  await note(sent);
  try {
    await bundler.sendUserOperation(operation, chain.place, { funds: () => fundsFor(node, operation, chain.place) });
    return sent;
  } catch (error) {
    if (!(error instanceof ServiceFailedError)) throw error;
    // Without an answer it may be out all the same.
    return { ...sent, isUnclear: true };
  }
}
