import { InvalidParamsError, pathText } from '../errors';

/**
 * A kind of account cannot execute an intent. A caller whose parameters name the intents otherwise uses `index` and
 * `member` to name the field.
 */
export class InvalidIntentError extends InvalidParamsError {
  readonly index: number;
  readonly member: 'to' | 'value';

  /**
   * @param index - The position of the intent.
   * @param member - The offending member of the intent.
   * @param rule - The rule it breaks, as the rest of a sentence: "must be …".
   */
  constructor(index: number, member: 'to' | 'value', rule: string) {
    super(pathText('intents', [index, member]), rule);
    this.index = index;
    this.member = member;
  }
}
