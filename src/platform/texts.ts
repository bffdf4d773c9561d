import { WalletRefusedError } from '../errors';
import { snapFile } from './files';

/** Where the build puts the texts that it takes out of the bundle (scripts/texts): a list, by number. */
export const FILE_OF_TEXTS = 'texts.json';

let texts: readonly string[] | undefined;
let reading: Promise<void> | undefined;

async function read(): Promise<void> {
  texts = JSON.parse((await snapFile(FILE_OF_TEXTS)) ?? '') as string[];
}

/**
 * Reads the texts of the snap, once. It never fails: what needs no words is answered without them, and the next
 * request asks for them again.
 */
export const readTexts = (): Promise<void> =>
  (reading ??= read().catch(() => {
    reading = undefined;
  }));

/**
 * A text of the snap. The build writes calls of it in the places of texts (scripts/texts); no source does.
 *
 * @param values - What stands in the text's slots, in order.
 * @throws {WalletRefusedError} If the wallet did not give the texts: nothing may be asked of a person without words.
 */
export function said(number: number, ...values: readonly unknown[]): string {
  if (texts === undefined)
    throw new WalletRefusedError(
      'The wallet did not give Keystead the file of its texts, so it cannot ask. Nothing was signed.',
    );
  let slot = 0;
  return (texts[number] as string).replace(/\0/gu, () => String(values[slot++]));
}
