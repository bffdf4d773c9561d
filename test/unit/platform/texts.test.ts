import { type Json } from '@metamask/snaps-sdk';

import { WalletRefusedError } from '../../../src/errors';
import { FILE_OF_TEXTS } from '../../../src/platform/texts';

type Params = { readonly path: string; readonly encoding: string };

/** The module as it is at the snap's start, in a wallet that gives what `give` says. */
async function started(give: () => Promise<Json> | Json) {
  const asked: Params[] = [];
  const snap = {
    request: async ({ method, params }: { method: string; params: Params }): Promise<Json> => {
      expect(method).toBe('snap_getFile');
      asked.push(params);
      return give();
    },
  };
  Object.assign(globalThis, { snap });
  jest.resetModules();
  return { ...(await import('../../../src/platform/texts')), asked };
}

const TEXTS = JSON.stringify(['two words', '\0 of \0, and \0']);

describe('the texts of the snap', () => {
  it('are read once, however many ask at once', async () => {
    const { readTexts, said, asked } = await started(() => TEXTS);
    await Promise.all([readTexts(), readTexts()]);
    await readTexts();
    expect(asked).toEqual([{ path: FILE_OF_TEXTS, encoding: 'utf8' }]);
    expect(said(0)).toBe('two words');
  });

  it('take values in order, as they are', async () => {
    const { readTexts, said } = await started(() => TEXTS);
    await readTexts();
    expect(said(1, '$&', 5n, '\0')).toBe('$& of 5, and \0');
    expect(said(1, undefined, null, ['a', 'b'])).toBe('undefined of null, and a,b');
  });

  it.each([
    ['gives nothing', () => null],
    ['gives something else', () => 'no JSON'],
    ['refuses', () => Promise.reject(new Error('no such file'))],
  ])('are asked for again where the wallet %s', async (_how, refuse) => {
    let give: () => Promise<Json> | Json = refuse;
    const { readTexts, said, asked } = await started(() => give());
    await readTexts();
    expect(() => said(0)).toThrow(
      'The wallet did not give Keystead the file of its texts, so it cannot ask. Nothing was signed.',
    );
    give = () => TEXTS;
    await readTexts();
    expect(said(0)).toBe('two words');
    expect(asked).toHaveLength(2);
  });

  it('are missed in an error that says whose fault it is', async () => {
    const { said } = await started(() => null);
    let thrown: unknown;
    try {
      said(0);
    } catch (error) {
      thrown = error;
    }
    expect((thrown as Error).constructor.name).toBe(WalletRefusedError.name);
  });
});
