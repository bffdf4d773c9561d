import { Book } from './book';
import { saying } from './explaining';
import { type Explanation } from '../../src/core/decode/explanation';

/** What the hostile requests show. */
export const SCREENS = new Book('hostile/screens.json');

/** What calls and messages of known kinds are explained as. */
export const EXPLANATIONS = new Book('unit/core/decode/explanations.json');

/** Expects that a call or message is explained as it was. @param name - No other has it. */
export const expectExplained = (name: string, explanation: Explanation): void =>
  EXPLANATIONS.expect(name, saying(explanation).split('\n'));
