import { checkLength, failed } from './answer';
import type { Answer, BatchSize, Caller, Done, ParsedBody } from './caller';
import { clientGone, INTERNAL_ERROR, RpcError, tookTooLong } from './errors';
import { idOf } from './json-rpc';
import { itemsOf, type Json, JsonPieces, type Part } from './json-text';
import type { AnswerRoom } from './upstream';

/** Characters or bytes of responses after which the rest of a batch is rejected; requests processed concurrently. */
const BATCH_ANSWER = 64 << 20;
const BATCH_CONCURRENCY = 16;

/** @param status - The HTTP status of a request that was executed. Its response is dropped, so it is free. */
const tooLarge = (status?: number) =>
  new RpcError(
    INTERNAL_ERROR,
    `the responses of this batch exceed ${BATCH_ANSWER >> 20} MiB: send the remaining requests again`,
    status === undefined ? {} : { status },
  );

/**
 * The room for a response from a node. Its piece is dropped if the whole is a batch that is too large by now, or if the
 * client has left.
 */
export const roomOf = ({ client, memory, batch }: Caller): AnswerRoom => ({
  charge: (bytes, signal) => {
    if (memory.hasLeft) throw clientGone();
    if (batch !== undefined && batch.bytes + memory.length + bytes > BATCH_ANSWER) {
      batch.isFull = true;
      memory.leave();
      throw tooLarge(503);
    }
    return memory.charge(bytes, signal);
  },
  next: () => client.next(),
});

/** Whether the item is a notification, which gets no response (JSON-RPC 2.0, section 4.1). */
const isNotification = (item: unknown): boolean => typeof item === 'object' && item !== null && !('id' in item);

/** @returns The responses of a batch as JSON; undefined if all requests are notifications. */
function batchOf(answers: readonly Answer[]): Json | undefined {
  const bodies = answers.flatMap(({ body }) => body ?? []);
  if (bodies.length === 0) return undefined;
  checkLength(bodies.reduce((sum, { length }) => sum + length + 1, 1));
  if (bodies.every((body) => typeof body === 'string')) return `[${bodies.join(',')}]`;
  return JsonPieces.of(...bodies.flatMap((body, i) => [i === 0 ? '[' : ',', body]), ']');
}

/** A body that holds a batch. */
export type Batch = ParsedBody & { value: readonly unknown[] };

/** How the items of a batch are answered. */
export type Answering = {
  /** Begins the answer to one item. */
  readonly request: (caller: Caller, item: unknown, text: () => string, done: Done, length: number | undefined) => void;
  /** @throws {RpcError} If the service is stopping. */
  readonly goOn: () => void;
  /** Time for the whole batch, in milliseconds. */
  readonly answerMs: number;
};

/**
 * Answers a batch. Items after a limit, or after the client has left, are neither processed nor charged.
 *
 * @throws {RangeError} If the responses do not fit in one string.
 */
export async function answerBatch(caller: Caller, batch: Batch, answering: Answering): Promise<Answer> {
  const { value, text, lengths } = batch;
  let parts: Part[] | undefined;
  const textOf = (i: number) => () => (parts ??= itemsOf(text))[i]?.text ?? '';
  const size: BatchSize = { bytes: 0, isFull: false };
  const ask = (item: unknown, i: number) =>
    new Promise<Answer>((resolve) => {
      const memory = caller.memory.part();
      const done = (answer: Answer) => {
        size.bytes += answer.status === 200 ? memory.length : 0;
        memory.complete();
        resolve(answer);
      };
      answering.request({ ...caller, memory, batch: size }, item, textOf(i), done, lengths[i]);
    });
  const answers: Answer[] = [];
  let characters = 0;
  const isFull = () => size.isFull || characters > BATCH_ANSWER;
  const isOver = () => isFull() || performance.now() > caller.deadline || caller.memory.hasLeft;
  for (let at = 0; at < value.length && !isOver(); at += BATCH_CONCURRENCY) {
    await caller.client.next();
    // The connections that waited for this have been closed, and so has the node's.
    answering.goOn();
    const items = value.slice(at, at + BATCH_CONCURRENCY);
    const some = await Promise.all(items.map((item, i) => ask(item, at + i)));
    characters += some.reduce((sum, { body = '' }) => sum + body.length, 0);
    answers.push(...some);
  }
  const why = isFull() ? tooLarge() : tookTooLong(answering.answerMs);
  for (let i = answers.length; i < value.length; i += 1) {
    const item = value[i];
    if (!isNotification(item)) answers.push(failed(idOf(item, textOf(i)), why));
  }
  const [first = 200, ...others] = new Set(answers.map(({ status }) => status));
  return {
    body: batchOf(answers),
    status: others.length > 0 ? 200 : first,
    spent: answers.some(({ spent }) => spent),
  };
}
