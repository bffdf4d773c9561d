import { roundOrders } from './order';

/** The results of measuring snaps in rounds. */
export type Alternated = {
  /** Milliseconds per request, by name: one number per round. */
  readonly times: Readonly<Record<string, readonly number[]>>;
  /** Why a snap stopped answering, by name; it then has no times. */
  readonly failed: Readonly<Record<string, string>>;
  /** Each distinct response as JSON, by name: most snaps always give the same one. */
  readonly answers: Readonly<Record<string, readonly string[]>>;
};

/** How often each snap answers: `rounds` times `batch` requests. The seed determines the order. */
export type Plan = {
  readonly rounds: number;
  readonly batch: number;
  readonly seed: number;
};

/** The first rounds warm up and do not count. */
const WARM_UP = 2;

/**
 * Has each snap answer, in a different order each round. A failing snap is left out from then on.
 *
 * @param requests - By name.
 * @param ask - Resolves with the snap's response; rejects on an error.
 */
export async function alternate<Request>(
  requests: Readonly<Record<string, Request>>,
  { rounds, batch, seed }: Plan,
  ask: (name: string, request: Request) => Promise<unknown>,
): Promise<Alternated> {
  const names = Object.keys(requests);
  const orderOf = roundOrders(names, seed);
  const times = new Map<string, number[]>(names.map((name) => [name, []]));
  const answers = new Map<string, Set<string>>(names.map((name) => [name, new Set()]));
  const failed: Record<string, string> = {};
  for (let round = 0; round < WARM_UP + rounds; round++) {
    for (const name of orderOf(round)) {
      const measured = times.get(name);
      if (measured === undefined) continue;
      try {
        const given: unknown[] = [];
        const start = performance.now();
        for (let index = 0; index < batch; index++) given.push(await ask(name, requests[name] as Request));
        if (round >= WARM_UP) measured.push((performance.now() - start) / batch);
        for (const answer of given) answers.get(name)?.add(JSON.stringify(answer) ?? 'undefined');
      } catch (error) {
        failed[name] = (error as Error).message;
        times.delete(name);
      }
    }
  }
  return {
    times: Object.fromEntries(times),
    failed,
    answers: Object.fromEntries([...answers].map(([name, each]) => [name, [...each]])),
  };
}
