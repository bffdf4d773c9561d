/** What a round of snaps took. */
export type Alternated = {
  /** Milliseconds a request, by name: one number a round. */
  readonly times: Readonly<Record<string, readonly number[]>>;
  /** Why a snap stopped answering, by name: it has no times. */
  readonly failed: Readonly<Record<string, string>>;
};

/** The first rounds warm up, and do not count. */
const WARM_UP = 2;

/**
 * Has each of some snaps answer in turn, `rounds` times `batch` requests. One that fails is left out from then on.
 *
 * @param requests - By name.
 * @param ask - Resolves once the snap has answered; rejects if it refuses.
 */
export async function alternate<Request>(
  requests: Readonly<Record<string, Request>>,
  rounds: number,
  batch: number,
  ask: (name: string, request: Request) => Promise<unknown>,
): Promise<Alternated> {
  const times = new Map<string, number[]>(Object.keys(requests).map((name) => [name, []]));
  const failed: Record<string, string> = {};
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const [name, measured] of times) {
      const start = performance.now();
      try {
        for (let index = 0; index < batch; index++) await ask(name, requests[name] as Request);
      } catch (error) {
        failed[name] = (error as Error).message;
        times.delete(name);
        continue;
      }
      if (round >= 0) measured.push((performance.now() - start) / batch);
    }
  }
  return { times: Object.fromEntries(times), failed };
}
