import { type NodeClient } from '../../clients/node';
import { text } from '../../core/decode/words/lines';
import { isOtherContract } from '../../core/safe/recovery/answer';
import { contentDigest, IS_VALID, type MessageContent, validityCall } from '../../core/safe/safe-message';
import { InternalError, InvalidParamsError, NotFoundError, ProviderError, UserRejectedError } from '../../core/errors';
import { type Hex, toHex } from '../../core/eth/bytes';
import { chainIdOf, chainNameOf } from '../../core/schemas/chain';
import { BytesStruct, bytesStruct } from '../../core/structs/hex';
import { nullable, object, parse, string } from '../../core/structs/struct';
import { type AskedMessage } from '../../core/methods/results';
import { type SigningRequest } from './methods/define-method';
import { type CoOwners } from '../network/operation-chain';
import { servicesOf } from '../network/services';
import { type AccountDeps } from './deps';
import { withMore } from './ask-to-sign';

/** The most that is kept of a message, in characters of JSON. */
const MAX_CONTENT = 100_000;

/** @returns The content of a request that a Safe signs. */
function contentOf({ message, typed }: Pick<SigningRequest<unknown>, 'message' | 'typed'>): MessageContent {
  if (typed !== undefined) return { typedData: typed.data };
  if (message === undefined) throw new InternalError('A Safe was to sign what is no message. Nothing was signed.');
  return { message };
}

async function isValid(account: Hex, content: MessageContent, signature: Hex, node: NodeClient): Promise<boolean> {
  const call = validityCall(toHex(contentDigest(content)), signature);
  try {
    return (await node.callForWord(account, call, 'an answer about a signature')) === IS_VALID;
  } catch (error) {
    // The account reverts if a signature is not one of its owners'. A node also refuses because it is asked too often.
    if (isOtherContract(error)) return false;
    throw error;
  }
}

async function nodeFor(chainId: bigint, { chains }: Pick<AccountDeps, 'chains'>): Promise<NodeClient> {
  const configuration = await chains.find(chainId);
  if (configuration === undefined) throw new NotFoundError('The network no longer exists.');
  const { node } = servicesOf(configuration);
  await node.assertChain(chainId);
  return node;
}

/** A request for a message of an account that several owners sign for. */
type Asked = {
  readonly request: SigningRequest<unknown>;
  readonly account: Hex;
  readonly chainId: bigint;
  readonly origin: string;
  readonly coOwners: CoOwners;
  /** What each owner signs for the hash of a message. */
  readonly digestOf: (hash: Uint8Array) => Uint8Array;
  /** Called before a signature is returned about which nobody was asked now, because the person agreed before. */
  readonly onAgreed: (() => void) | undefined;
};

/**
 * Answers a site that asks for a message of an account with several owners. The first time, the person is asked, the
 * account's own key signs, and the message is kept until the others have signed. Only the same site gets the answer.
 *
 * @param sign - Asks the person, and signs with the account's own key.
 * @returns The signature of the account, once it was collected and the account's network still accepts it.
 * @throws {ProviderError} -32002 while signatures are missing.
 * @throws {UserRejectedError} If the person rejects it, or stopped collecting.
 * @throws {InvalidParamsError} If the message is too long to keep.
 */
export async function signWithOwners(
  { request, account, chainId, origin, coOwners, digestOf, onAgreed }: Asked,
  sign: (request: Pick<SigningRequest<unknown>, 'explain'>) => Promise<Hex>,
  deps: Pick<AccountDeps, 'chains' | 'messages' | 'now'>,
): Promise<Hex> {
  const { threshold, owners } = coOwners;
  const content = contentOf(request);
  if (JSON.stringify(content).length > MAX_CONTENT)
    throw new InvalidParamsError('message', `must have at most ${MAX_CONTENT} characters if several owners sign it`);
  const { messages } = deps;
  const hash = toHex(digestOf(contentDigest(content)));
  const before = await messages.find({ origin, hash });
  if (before?.answer === null) {
    await messages.remove(before);
    throw new UserRejectedError();
  }
  if (before === undefined) {
    const explain: typeof request.explain = (view) =>
      withMore(request.explain(view), {
        main: [
          text(
            'Signatures',
            `${threshold} of ${owners.length} owners must sign before the site gets it. Collect them under Proposals on the Keystead page.`,
          ),
        ],
      });
    const signature = await sign({ explain });
    const at = Number(deps.now()) * 1000;
    await messages.put({
      account,
      chainId: chainNameOf(chainId),
      origin,
      at,
      hash,
      ...content,
      signature,
    } as AskedMessage);
  } else if (before.answer !== undefined) {
    if (await isValid(account, content, before.answer, await nodeFor(chainId, deps))) {
      onAgreed?.();
      return before.answer;
    }
    // Owners have changed since. Their signatures are collected again.
    await messages.answer(before);
  }
  throw new ProviderError(
    'signatures-missing',
    `${threshold} of ${owners.length} owners of this account must sign. Collect their signatures under Proposals on the Keystead page. The same request is answered then.`,
  );
}

const AnswerStruct = object({ origin: string(), hash: bytesStruct(32), signature: nullable(BytesStruct) });

/**
 * `keystead_answerMessage`: gives the site the signature of the account that was collected, or null to refuse. The site
 * gets it when it asks again.
 *
 * @throws {NotFoundError} If no such message waits.
 * @throws {InvalidParamsError} If the account's network does not accept the signature.
 */
export async function answerMessage(params: unknown, deps: Pick<AccountDeps, 'chains' | 'messages'>): Promise<null> {
  const { signature: answer, ...asked } = parse(AnswerStruct, params, 'params');
  const { messages } = deps;
  const waiting = async (): Promise<AskedMessage> => {
    const message = await messages.find(asked);
    if (message === undefined) throw new NotFoundError('hash: no message of this site waits for signatures');
    return message;
  };
  const { account, chainId, message: bytes, typedData } = await waiting();
  const content = typedData === undefined ? { message: bytes ?? '0x' } : { typedData };
  const id = chainIdOf(chainId);
  if (answer !== null && !(await isValid(account, content, answer, await nodeFor(id, deps))))
    throw new InvalidParamsError('signature', 'must be one that the account accepts on its network (ERC-1271)');
  await messages.answer(asked, answer);
  // The account may have been deleted while its network was asked.
  await waiting();
  return null;
}
