import { Admission } from '../../../src/service/admission/admission';
import { type Held, NoRoomError } from '../../../src/service/admission/held';

const KIB = 1024;
/** So much of each answer is not counted. */
const FREE = 64 * KIB;

/** Grows an answer. @returns Whether that is done, which may come later. */
function grow(answer: Held, bytes: number, signal?: AbortSignal) {
  const state = { done: false, error: undefined as unknown };
  const room = answer.charge(bytes, signal);
  if (room === undefined) state.done = true;
  else
    room.then(
      () => (state.done = true),
      (error: unknown) => (state.error = error),
    );
  return state;
}

/** Answers within the limits of one key and of all. */
function answersWithin(answers: number, allAnswers: number, waitingAnswers?: number) {
  const shares = { requests: 1, answers, allAnswers, ...(waitingAnswers !== undefined && { waitingAnswers }) };
  const admission = new Admission(shares, (exceeded) => new Error(exceeded));
  return { begin: (id: string) => admission.client(id).answer() };
}

const settled = () => new Promise(setImmediate);

describe('the memory of answers', () => {
  test('an answer counts until it is released, and short ones never do', async () => {
    const memory = answersWithin(100 * KIB, 1000 * KIB);
    const unread = memory.begin('a');
    expect(grow(unread, FREE + 100 * KIB).done).toBe(true);
    unread.complete();
    for (let i = 0; i < 1000; i++) expect(grow(memory.begin('a'), FREE).done).toBe(true);
    expect(grow(memory.begin('b'), FREE + 100 * KIB).done).toBe(true);
    // What is not read leaves no room, not even for the oldest that grows.
    const answers = [memory.begin('a'), memory.begin('a')] as const;
    const [first, second] = answers.map((answer) => grow(answer, FREE + 90 * KIB));
    expect([first!.done, second!.done]).toEqual([false, false]);
    unread.leave();
    await settled();
    expect([first!.done, second!.done]).toEqual([true, false]);
    answers[0].complete();
    await settled();
    expect(second!.done).toBe(false);
    answers[0].leave();
    await settled();
    expect(second!.done).toBe(true);
  });

  test('however many answers above the limit a key asks for, one is in memory until it is read', async () => {
    const memory = answersWithin(10 * KIB, 10 * KIB);
    const left = Array.from({ length: 20 }, () => memory.begin('a'));
    const grown = left.map((answer) => grow(answer, FREE + 30 * KIB));
    while (left.length > 0) {
      await settled();
      expect(grown.filter(({ done }) => done)).toHaveLength(1);
      const at = grown.findIndex(({ done }) => done);
      left[at]?.complete();
      await settled();
      expect(grown.filter(({ done }) => done)).toHaveLength(1);
      left[at]?.leave();
      left.splice(at, 1);
      grown.splice(at, 1);
    }
  });

  test('keys that read nothing do not keep the others waiting', async () => {
    const memory = answersWithin(10 * KIB, 20 * KIB);
    for (const id of ['a', 'b']) {
      const unread = memory.begin(id);
      expect(grow(unread, FREE + 10 * KIB).done).toBe(true);
      unread.complete();
    }
    const older = grow(memory.begin('a'), FREE + 1);
    const other = memory.begin('c');
    expect([older.done, grow(other, FREE + 10 * KIB).done]).toEqual([false, true]);
    other.complete();
    expect(grow(memory.begin('c'), FREE + 1).done).toBe(false);
  });

  test('the parts of an answer wait for each other, but not until one is read: the whole is sent together', async () => {
    const memory = answersWithin(10 * KIB, 1000 * KIB);
    const [batch, other] = [memory.begin('a'), memory.begin('a')];
    const parts = [batch.part(), batch.part()] as const;
    const [one, two] = parts.map((part) => grow(part, FREE + 20 * KIB));
    const behind = grow(other, FREE + 1);
    expect([one!.done, two!.done, behind.done]).toEqual([true, false, false]);
    parts[0].complete();
    await settled();
    expect([two!.done, behind.done]).toEqual([true, false]);
    parts[1].complete();
    batch.complete();
    await settled();
    expect(behind.done).toBe(false);
    batch.leave();
    await settled();
    expect(behind.done).toBe(true);
    const late = batch.part();
    expect([late.hasLeft, grow(late, 100 * KIB).done]).toEqual([true, true]);
  });

  test('many short parts count from their first byte: one batch goes on, and those beside it wait', async () => {
    const memory = answersWithin(1000 * KIB, 10_000 * KIB);
    const batches = Array.from({ length: 10 }, () => memory.begin('a'));
    const grown = batches.map((batch) =>
      Array.from({ length: 100 }, () => {
        const part = batch.part();
        const { done } = grow(part, FREE - KIB);
        if (done) part.complete();
        return done;
      }),
    );
    await settled();
    // All parts together are 62 MiB.
    const held = grown.map((parts) => parts.filter(Boolean).length);
    expect(held).toEqual([100, ...Array.from({ length: 9 }, () => 0)]);
    for (const batch of batches) batch.leave();
    expect(grow(memory.begin('a'), 900 * KIB).done).toBe(true);
  });

  test('several that grow together never wait for each other without end', async () => {
    const memory = answersWithin(10 * KIB, 15 * KIB);
    const answers = ['a', 'a', 'b', 'b', 'c'].map((id) => memory.begin(id));
    for (const answer of answers) grow(answer, FREE);
    const steps = answers.map((answer) => Array.from({ length: 20 }, () => () => grow(answer, KIB)));
    const left = new Map(
      answers.map((answer, i) => [
        answer,
        { steps: steps[i] ?? [], last: undefined as ReturnType<typeof grow> | undefined },
      ]),
    );
    for (let turns = 0; left.size > 0 && turns < 1000; turns++) {
      for (const [answer, each] of left) {
        if (each.last?.done === false) continue;
        const next = each.steps.shift();
        if (next) each.last = next();
        else {
          answer.leave();
          left.delete(answer);
        }
      }
      await settled();
    }
    expect(left.size).toBe(0);
  });

  test('so many answers of a key wait; a further one gets no room', async () => {
    const memory = answersWithin(KIB, 100 * KIB, 2);
    grow(memory.begin('a'), FREE + KIB);
    const [one, two, three] = [1, 2, 3].map(() => grow(memory.begin('a'), FREE + 1));
    const other = grow(memory.begin('b'), FREE + 1);
    await settled();
    expect([one!.error, two!.error, other.done]).toEqual([undefined, undefined, true]);
    expect(three!.error).toBeInstanceOf(NoRoomError);
  });

  test('a wait ends with its signal, or with its answer', async () => {
    const memory = answersWithin(KIB, KIB);
    const held = memory.begin('a');
    grow(held, FREE + KIB);
    const stop = new AbortController();
    const waiting = memory.begin('b');
    const [aborted, released] = [grow(waiting, FREE + 1, stop.signal), grow(memory.begin('c'), FREE + 1)];
    stop.abort();
    held.leave();
    await settled();
    expect([aborted, released]).toEqual([
      { done: false, error: expect.any(NoRoomError) as unknown },
      { done: true, error: undefined },
    ]);
    const late = memory.begin('d');
    const gone = grow(late, FREE + KIB);
    late.leave();
    await settled();
    expect(gone.done).toBe(true);
    // Growing later counts nothing.
    expect(grow(late, 100 * KIB).done).toBe(true);
  });
});
