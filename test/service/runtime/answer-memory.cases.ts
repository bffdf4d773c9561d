import { AnswerMemory, type Answer, NoRoomError } from '../../../src/service/runtime/answer-memory';

const KIB = 1024;
/** So much of each answer is not counted. */
const FREE = 64 * KIB;

/** Grows an answer. @returns Whether that is done, which may come later. */
function grow(answer: Answer, bytes: number, signal?: AbortSignal) {
  const state = { done: false, error: undefined as unknown };
  const room = answer.grow(bytes, signal);
  if (room === undefined) state.done = true;
  else
    room.then(
      () => (state.done = true),
      (error: unknown) => (state.error = error),
    );
  return state;
}

const settled = () => new Promise(setImmediate);

describe('the memory of answers', () => {
  test('an answer counts until it is released, and short ones never do', async () => {
    const memory = new AnswerMemory({ keyAnswerBytes: 100 * KIB, allAnswerBytes: 1000 * KIB });
    const unread = memory.begin('a');
    expect(grow(unread, FREE + 100 * KIB).done).toBe(true);
    unread.complete();
    for (let i = 0; i < 1000; i++) expect(grow(memory.begin('a'), FREE).done).toBe(true);
    expect(grow(memory.begin('b'), FREE + 100 * KIB).done).toBe(true);
    // The oldest that grows goes on; the next waits.
    const [first, second] = [memory.begin('a'), memory.begin('a')];
    expect(grow(first, FREE + 1).done).toBe(true);
    const waits = grow(second, FREE + 1);
    expect(waits.done).toBe(false);
    first.release();
    await settled();
    // Now it is the oldest.
    expect(waits.done).toBe(true);
    const third = grow(memory.begin('a'), FREE + 1);
    expect(third.done).toBe(false);
    unread.release();
    await settled();
    expect(third.done).toBe(true);
  });

  test('several that grow together never wait for each other without end', async () => {
    const memory = new AnswerMemory({ keyAnswerBytes: 10 * KIB, allAnswerBytes: 15 * KIB });
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
          answer.release();
          left.delete(answer);
        }
      }
      await settled();
    }
    expect(left.size).toBe(0);
  });

  test('so many answers of a key wait; a further one gets no room', async () => {
    const memory = new AnswerMemory({ keyAnswerBytes: KIB, allAnswerBytes: 100 * KIB, waiting: 2 });
    grow(memory.begin('a'), FREE + KIB);
    const [one, two, three] = [1, 2, 3].map(() => grow(memory.begin('a'), FREE + 1));
    const other = grow(memory.begin('b'), FREE + 1);
    await settled();
    expect([one!.error, two!.error, other.done]).toEqual([undefined, undefined, true]);
    expect(three!.error).toBeInstanceOf(NoRoomError);
  });

  test('a wait ends with its signal, or with its answer', async () => {
    const memory = new AnswerMemory({ keyAnswerBytes: KIB, allAnswerBytes: KIB });
    const held = memory.begin('a');
    grow(held, FREE + KIB);
    const stop = new AbortController();
    const waiting = memory.begin('b');
    const [aborted, released] = [grow(waiting, FREE + 1, stop.signal), grow(memory.begin('c'), FREE + 1)];
    stop.abort();
    held.release();
    await settled();
    expect([aborted, released]).toEqual([
      { done: false, error: expect.any(NoRoomError) as unknown },
      { done: true, error: undefined },
    ]);
    const late = memory.begin('d');
    const gone = grow(late, FREE + KIB);
    late.release();
    await settled();
    expect(gone.done).toBe(true);
    // Growing later counts nothing.
    expect(grow(late, 100 * KIB).done).toBe(true);
  });
});
