import { ApprovalController } from '@metamask/approval-controller';
import { Messenger } from '@metamask/messenger';

import { type ProviderError, UserRejectedError } from '../../../../src/core/errors';
import { type DialogKind } from '../../../../src/snap/wallet/dialogs';
import { RequestQueue } from '../../../../src/snap/sites/request-queue';

/** A promise that is settled from outside. */
function pending<T>() {
  let end!: (value: T) => void;
  const promise = new Promise<T>((resolve) => {
    end = resolve;
  });
  return { promise, end };
}

const settled = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => (error as ProviderError).rpcCode,
  );

const A = 'https://first.example';
const B = 'https://second.example';
const OWN = 'metamask';
const isSite = (origin: string): boolean => origin !== OWN;

/** A queue, and the person at the dialogs that it shows. */
function withDialogs({ now = () => 0, maxWait = 60_000 }: { now?: () => number; maxWait?: number } = {}) {
  const queue = new RequestQueue(isSite, maxWait, now);
  const open: { readonly origin: string; readonly answer: () => void; readonly rejectAll: (() => void) | undefined }[] =
    [];
  const shown: string[] = [];
  const show = (origin: string, kind: DialogKind = 'confirmation'): Promise<void> =>
    queue.dialogsOf(origin)(kind, async (rejectAll) => {
      const { promise, end } = pending<null>();
      shown.push(origin);
      open.push({
        origin,
        rejectAll,
        answer: () => {
          end(null);
        },
      });
      await promise;
    });
  /** The person answers the dialog that is open longest. */
  const answer = async (): Promise<void> => {
    open.shift()!.answer();
    await settled();
  };
  const ask = (origin: string): Promise<void> => queue.run(origin, () => show(origin));
  return { queue, open, shown, show, ask, answer };
}

describe('requests of a site', () => {
  it('run one at a time and in order, concurrently with those of other sites', async () => {
    const turns = new RequestQueue();
    const [first, second] = [pending<null>(), pending<null>()];
    const began: string[] = [];
    const work = (name: string, until: Promise<null>) => () => {
      began.push(name);
      return until;
    };
    const running = [
      turns.run(A, work('a1', first.promise)),
      turns.run(A, work('a2', Promise.resolve(null))),
      turns.run(B, work('b1', second.promise)),
    ];
    await Promise.resolve();
    await turns.run('https://c.example', () => Promise.resolve());
    expect(began).toEqual(['a1', 'b1']);
    first.end(null);
    second.end(null);
    await Promise.all(running);
    expect(began).toEqual(['a1', 'b1', 'a2']);
  });

  it('continue after a failure', async () => {
    const turns = new RequestQueue();
    await expect(turns.run(A, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await turns.run(A, () => Promise.resolve(5))).toBe(5);
  });

  it('are rejected and never run if they wait too long', async () => {
    const turns = new RequestQueue(isSite, 5);
    const first = pending<null>();
    const running = turns.run(A, () => first.promise);
    const late = jest.fn(() => Promise.resolve());
    await expect(turns.run(A, late)).rejects.toMatchObject({ rpcCode: -32002 });
    first.end(null);
    await running;
    expect(late).not.toHaveBeenCalled();
    expect(await turns.run(A, () => Promise.resolve(5))).toBe(5);
  });

  it('wait one at a time; those of Keystead itself wait eight at a time', async () => {
    const turns = new RequestQueue(isSite);
    const first = pending<null>();
    const all = (origin: string) => Array.from({ length: 12 }, () => codeOf(turns.run(origin, () => first.promise)));
    const [site, own] = [all(A), all(OWN)];
    await settled();
    first.end(null);
    expect((await Promise.all(site)).filter((code) => code === -32002)).toHaveLength(10);
    expect((await Promise.all(own)).filter((code) => code === -32002)).toHaveLength(3);
  });

  it('let the next one begin once the user has approved, before they are done', async () => {
    const turns = new RequestQueue();
    const broadcast = pending<string>();
    const first = turns.run(A, (onApproved) => {
      onApproved();
      return broadcast.promise;
    });
    expect(await turns.run(A, () => Promise.resolve('second'))).toBe('second');
    broadcast.end('first');
    expect(await first).toBe('first');
  });

  it('fail as they do, after the next one has begun', async () => {
    const turns = new RequestQueue();
    const first = turns.run(A, async (onApproved) => {
      onApproved();
      await settled();
      throw new Error('not sent');
    });
    const failure = first.catch((error: unknown) => (error as Error).message);
    expect(await turns.run(A, () => Promise.resolve(5))).toBe(5);
    expect(await failure).toBe('not sent');
  });

  it('of an account are not limited by those of its sites', async () => {
    const turns = new RequestQueue();
    const wait = pending<null>();
    const running = Array.from({ length: 20 }, (_one, at) =>
      turns.run(`https://site${at}.example`, () => turns.runInLine('account 1', () => wait.promise)),
    );
    expect(await turns.run(A, () => Promise.resolve(5))).toBe(5);
    wait.end(null);
    expect(await Promise.all(running)).toHaveLength(20);
  });
});

describe('dialogs', () => {
  it('of one kind are shown one at a time, whoever asks', async () => {
    const { show, shown, answer } = withDialogs();
    const all = [show(A), show(B), show(OWN), show(A, 'custom'), show(A, 'alert')];
    await settled();
    // One of each kind, as MetaMask allows.
    expect(shown).toEqual([A, A, A]);
    for (let at = 0; at < 5; at++) await answer();
    await Promise.all(all);
    expect(shown).toEqual([A, A, A, B, OWN]);
  });

  it('are never more than MetaMask allows, by its own controller', async () => {
    const messenger = new Messenger({ namespace: 'ApprovalController' } as never);
    const approvals = new ApprovalController({ messenger, showApprovalRequest: () => undefined } as never);
    const TYPES = { confirmation: 'snap_dialog:confirmation', alert: 'snap_dialog:alert', custom: 'snap_dialog' };
    const queue = new RequestQueue(isSite);
    const show = (origin: string, kind: DialogKind): Promise<unknown> =>
      queue.dialogsOf(origin)(kind, () => approvals.add({ origin: 'npm:keystead', type: TYPES[kind] }));
    const kinds = ['confirmation', 'alert', 'custom', 'confirmation', 'alert', 'custom'] as const;
    const all = kinds.map((kind, at) => codeOf(show(at % 2 === 0 ? A : B, kind)));
    await settled();
    expect(approvals.getTotalApprovalCount()).toBe(3);
    // Without the queue, this is how MetaMask answers.
    expect(() => approvals.add({ origin: 'npm:keystead', type: 'snap_dialog' })).toThrow('already pending');
    for (let round = 0; round < 2; round++) {
      for (const id of Object.keys(approvals.state.pendingApprovals)) void approvals.acceptRequest(id, true);
      await settled();
    }
    expect(await Promise.all(all)).toEqual(all.map(() => 'done'));
  });

  it('come from the sites in turn, whatever their number of origins', async () => {
    const { show, shown, answer } = withDialogs();
    const greedy = ['https://a.greedy.example', 'https://b.greedy.example', 'https://c.greedy.example'];
    const all = [...greedy, A].map((origin) => show(origin));
    await settled();
    for (let at = 0; at < 4; at++) await answer();
    await Promise.all(all);
    expect(shown).toEqual([greedy[0], A, greedy[1], greedy[2]]);
  });

  it('of a site that asks again and again leave the next place to another one', async () => {
    const { show, shown, answer, ask } = withDialogs();
    const all: Promise<unknown>[] = [ask(A), codeOf(ask(A))];
    await settled();
    all.push(show(B));
    await answer();
    await answer();
    await answer();
    await Promise.all(all);
    expect(shown).toEqual([A, B, A]);
  });

  it('of a site wait one at a time, and so does its next request', async () => {
    const { ask, answer } = withDialogs();
    const first = ask(A);
    await settled();
    const waiting = codeOf(ask(B));
    const inLine = codeOf(ask(B));
    await settled();
    expect(await inLine).toBe(-32002);
    expect(await codeOf(ask(B))).toBe(-32002);
    await answer();
    await answer();
    await first;
    expect(await waiting).toBe('done');
  });

  it('of eight pages of a site at most wait, and another site waits all the same', async () => {
    const { ask, show, answer } = withDialogs();
    const first = ask(A);
    await settled();
    const pages = Array.from({ length: 12 }, (_one, at) => codeOf(ask(`https://page${at}.greedy.example`)));
    const other = codeOf(show(B));
    await settled();
    for (let at = 0; at < 10; at++) await answer();
    expect((await Promise.all(pages)).filter((code) => code === -32002)).toHaveLength(4);
    expect(await other).toBe('done');
    await first;
  });

  it('of forty sites do not keep another one out', async () => {
    const { ask, shown, answer } = withDialogs();
    const all = Array.from({ length: 40 }, (_one, at) => codeOf(ask(`https://greedy${at}.example`)));
    const honest = codeOf(ask(A));
    for (let at = 0; at < 41; at++) {
      await settled();
      await answer();
    }
    expect(new Set(await Promise.all([...all, honest]))).toEqual(new Set(['done']));
    expect(shown).toContain(A);
  });

  it('are refused, never shown, if they wait too long', async () => {
    const { show, shown, answer } = withDialogs({ maxWait: 5 });
    const first = show(A);
    await settled();
    expect(await codeOf(show(B))).toBe(-32002);
    await answer();
    await first;
    expect(shown).not.toContain(B);
  });

  it('of the next caller are shown after one that failed', async () => {
    const queue = new RequestQueue(isSite);
    const failing = queue.dialogsOf(A)('confirmation', () => Promise.reject(new Error('not shown')));
    const next = queue.dialogsOf(B)('confirmation', () => Promise.resolve('shown'));
    await expect(failing).rejects.toThrow('not shown');
    expect(await next).toBe('shown');
  });
});

describe('a site that asks again and again', () => {
  /** Shows and answers dialogs one after another. @returns Whether each offered to reject all. */
  async function offers(world: ReturnType<typeof withDialogs>, origins: readonly string[]): Promise<boolean[]> {
    const offered: boolean[] = [];
    for (const origin of origins) {
      const asked = world.ask(origin);
      await settled();
      offered.push(world.open[0]!.rejectAll !== undefined);
      await world.answer();
      await asked;
    }
    return offered;
  }

  it('gets a dialog with a way out from the third in a row', async () => {
    expect(await offers(withDialogs(), [A, A, A, A])).toEqual([false, false, true, true]);
  });

  it('begins anew after a dialog of another one, or a minute', async () => {
    let time = 0;
    const world = withDialogs({ now: () => time });
    expect(await offers(world, [A, A, B, A, A])).toEqual([false, false, false, false, false]);
    time = 60_000;
    expect(await offers(world, [A, A, A])).toEqual([false, false, true]);
  });

  it('cannot avoid it with other origins of its own', async () => {
    const origins = [1, 2, 3].map((at) => `https://page${at}.greedy.example`);
    expect(await offers(withDialogs(), origins)).toEqual([false, false, true]);
  });

  it('is never MetaMask or Keystead itself', async () => {
    expect(await offers(withDialogs(), [OWN, OWN, OWN, OWN])).toEqual([false, false, false, false]);
  });

  it('is rejected for a minute, with all that waits, and nobody else is', async () => {
    let time = 0;
    const world = withDialogs({ now: () => time });
    await offers(world, [A, A]);
    const third = world.ask(A);
    await settled();
    const waiting = codeOf(world.ask(A));
    const fromAnotherPage = codeOf(world.show('https://www.first.example'));
    await settled();
    world.open[0]!.rejectAll!();
    expect([await waiting, await fromAnotherPage]).toEqual([4001, 4001]);
    await world.answer();
    await third;
    const before = world.shown.length;
    await expect(world.ask(A)).rejects.toBeInstanceOf(UserRejectedError);
    await expect(world.show(A)).rejects.toBeInstanceOf(UserRejectedError);
    expect(world.shown).toHaveLength(before);
    const others = [world.ask(B), world.ask(OWN)];
    for (let at = 0; at < 2; at++) {
      await settled();
      await world.answer();
    }
    await Promise.all(others);
    time = 60_000;
    expect(await offers(world, [A])).toEqual([false]);
  });
});
