import { Text } from '@metamask/snaps-sdk/jsx';

import { UserRejectedError } from '../../../../src/core/errors';
import { answerQuestion } from '../../../../src/snap/wallet/dialogs';
import { dialogsFor } from '../../../../src/snap/sites/dialogs';
import { RequestQueue } from '../../../../src/snap/sites/request-queue';
import { textOf } from '../../../support/screen-text';

type Params = { readonly id?: string; readonly ui?: unknown; readonly content?: unknown; readonly type?: string };
type Request = { readonly method: string; readonly params: Params };

const SITE = 'https://a.example';
const settled = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** A wallet whose person answers later. */
function wallet() {
  const requests: Request[] = [];
  let say: (answer: unknown) => void = () => undefined;
  const request = (one: Request): Promise<unknown> => {
    requests.push(one);
    if (one.method === 'snap_dialog') return new Promise((resolve) => (say = resolve));
    if (one.method === 'snap_createInterface') return Promise.resolve('question');
    if (one.method === 'snap_resolveInterface') say(true);
    return Promise.resolve(null);
  };
  Object.assign(globalThis, { snap: { request } });
  const last = (): Request => requests.at(-1)!;
  return {
    requests,
    last,
    say: (answer: unknown) => {
      say(answer);
    },
  };
}

const text = (value: string) => Text({ children: value });
const check = (name: string, value: boolean) => answerQuestion('question', { type: 'InputChangeEvent', name, value });

describe('a dialog with a form', () => {
  it('returns the value on screen, in whatever order the wallet responds', async () => {
    let screen = '';
    let say: (yes: boolean) => void = () => undefined;
    const answers: (() => void)[] = [];
    /** The wallet updates the screen immediately but confirms it late. */
    const request = ({ method, params }: Request): Promise<unknown> => {
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

    const asked = dialogsFor(SITE, new RequestQueue()).ask({
      initial: 'nothing',
      draw: text,
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

describe('a confirmation', () => {
  it.each([
    [-32002, -32002],
    [-32603, -32003],
  ])('that the wallet refuses to show with %i fails with %i, and leaves the next one alone', async (code, mine) => {
    Object.assign(globalThis, { snap: { request: () => Promise.reject(Object.assign(new Error('no'), { code })) } });
    const { consent } = dialogsFor(SITE, new RequestQueue());
    await expect(consent(text('A'))).rejects.toMatchObject({ rpcCode: mine });
    const { say } = wallet();
    const next = consent(text('B'));
    await settled();
    say(true);
    await next;
  });

  it.each([true, false])('of a site that asks again and again is rejected with the box checked: %s', async (answer) => {
    const { last, say } = wallet();
    const { consent, ask } = dialogsFor(SITE, new RequestQueue());
    for (let at = 0; at < 2; at++) {
      const asked = consent(text('Sign?'));
      await settled();
      expect(last().params.type).toBe('confirmation');
      say(true);
      await asked;
    }
    const third = consent(text('Sign?'));
    await settled();
    await check('reject-all', true);
    await check('reject-all', false);
    say(true);
    await third;
    const fourth = ask({ initial: 1, draw: (value) => text(String(value)), change: (value) => value + 1 });
    await settled();
    await check('reject-all', true);
    await check('other', true);
    expect(textOf(last().params.ui)).toContain('2');
    say(answer);
    await expect(fourth).rejects.toBeInstanceOf(UserRejectedError);
    await expect(consent(text('Sign?'))).rejects.toBeInstanceOf(UserRejectedError);
  });
});

describe('a confirmation at once', () => {
  it('is shown while another one is open, in a dialog without a type', async () => {
    const { requests, last } = wallet();
    const { consent, consentAtOnce } = dialogsFor(SITE, new RequestQueue());
    void consent(text('Sign?'));
    await settled();
    const urgent = consentAtOnce(text('Cancel?'));
    await settled();
    expect(last()).toEqual({ method: 'snap_dialog', params: { id: 'question' } });
    await answerQuestion('question', { type: 'ButtonClickEvent', name: 'other' });
    expect(requests.filter(({ method }) => method === 'snap_resolveInterface')).toHaveLength(0);
    await answerQuestion('question', { type: 'ButtonClickEvent', name: 'approve' });
    await urgent;
  });

  it('is rejected if it is closed', async () => {
    const { say } = wallet();
    const urgent = dialogsFor(SITE, new RequestQueue()).consentAtOnce(text('Cancel?'));
    await settled();
    say(null);
    await expect(urgent).rejects.toBeInstanceOf(UserRejectedError);
  });
});
