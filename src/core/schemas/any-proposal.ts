import { InvalidParamsError } from '../errors';
import { type Hex } from '../eth/bytes';
import { MESSAGE_FORMAT, messageFile, readMessageFile, type SafeMessage } from './safe-message';
import { operationFile, readOperation, type SafeProposal } from './safe-proposal';

/** What the owners of a Safe sign one after another: a user operation, or a message. */
export type AnyProposal = SafeProposal | SafeMessage;

/** In characters. A link or a file of a co-owner must not exhaust the page. */
export const MAX_PROPOSAL_LENGTH = 1_000_000;

/** @returns The account of a proposal. */
export const accountOf = (proposal: AnyProposal): Hex =>
  'operation' in proposal ? proposal.operation.sender : proposal.safe;

/** @returns The proposal as the JSON text of a file. */
export const writeProposal = (proposal: AnyProposal): string =>
  JSON.stringify('operation' in proposal ? operationFile(proposal) : messageFile(proposal), undefined, 2);

/**
 * Reads a proposal that anybody may have written.
 *
 * @param text - JSON.
 * @throws {InvalidParamsError} If the file is not a proposal, contradicts itself or contains a false signature; names
 *   the field and the rule.
 */
export function readProposal(text: string): Promise<AnyProposal> {
  return Promise.resolve().then((): Promise<AnyProposal> => {
    if (text.length > MAX_PROPOSAL_LENGTH)
      throw new InvalidParamsError('proposal', `must have at most ${MAX_PROPOSAL_LENGTH} characters`);
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      throw new InvalidParamsError('proposal', 'must be JSON');
    }
    const { format } = (json ?? {}) as { readonly format?: unknown };
    return format === MESSAGE_FORMAT ? readMessageFile(json) : readOperation(json);
  });
}
