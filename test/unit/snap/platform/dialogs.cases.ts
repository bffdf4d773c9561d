import { Text } from '@metamask/snaps-sdk/jsx';

import { answerQuestion, snapAsk } from '../../../../src/snap/platform/dialogs';
import { textOf } from '../../../support/screen-text';

describe('a dialog with a form', () => {
  it('returns the value on screen, in whatever order the wallet responds', async () => {
    let screen = '';
    let say: (yes: boolean) => void = () => undefined;
    const answers: (() => void)[] = [];
    /** The wallet updates the screen immediately but confirms it late. */
    const request = ({ method, params }: { method: string; params: { ui?: unknown } }): Promise<unknown> => {
      if (method === 'snap_dialog') return new Promise((resolve) => (say = resolve));
      screen = textOf(params.ui);
      if (method === 'snap_createInterface') return Promise.resolve('question');
      return new Promise((resolve) => {
        answers.push(() => {
          resolve(null);
        });
      });
    };
    Object.assign(globalThis, { snap: { request } });
    const settled = (): Promise<void> =>
      new Promise((resolve) => {
        setImmediate(resolve);
      });

    const asked = snapAsk({
      initial: 'nothing',
      draw: (value) => Text({ children: value }),
      change: (_value, event) => event as string,
    });
    await settled();
    const inputs = ['first', 'second'].map((value) => answerQuestion('question', value));
    await settled();
    // The last confirmation arrives first.
    while (answers.length > 0) {
      answers.pop()!();
      await settled();
    }
    expect(await Promise.all(inputs)).toEqual([true, true]);
    say(true);
    expect([await asked, screen]).toEqual(['second', 'second']);
  });
});
