import { ServiceFailedError, ServiceRefusedError } from '../../../../../src/core/errors';
import { EmptyAnswerError, isOtherContract, wrongAnswer } from '../../../../../src/core/safe/recovery/answer';

const refused = (code: number, message: string) => new ServiceRefusedError('The node refused.', { code, message });

describe('an error', () => {
  it.each([
    ['an answer of another form', wrongAnswer('owners', 'must be a list')],
    ['no answer of the contract', new EmptyAnswerError('nothing')],
    ['a revert by its code', refused(3, 'no')],
    ['a revert by its words', refused(-32_000, 'Execution Reverted')],
  ])('says that another contract is there: %s', (_what, error) => {
    expect(isOtherContract(error)).toBe(true);
  });

  it.each([
    ['another refusal', refused(-32_000, 'out of gas')],
    ['a node that fails', new ServiceFailedError('The node does not answer.')],
    ['something else', new Error('execution reverted')],
  ])('says nothing of the contract: %s', (_what, error) => {
    expect(isOtherContract(error)).toBe(false);
  });
});
