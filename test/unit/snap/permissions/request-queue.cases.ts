import { type ProviderError } from '../../../../src/core/errors';
import { RequestQueue } from '../../../../src/snap/permissions/request-queue';

/** A promise that is settled from outside. */
function pending<T>() {
  let end!: (value: T) => void;
  const promise = new Promise<T>((resolve) => {
    end = resolve;
  });
  return { promise, end };
}

describe('queued requests', () => {
  it('run one at a time and in order per origin, and concurrently across origins', async () => {
    const turns = new RequestQueue();
    const [first, second] = [pending<null>(), pending<null>()];
    const began: string[] = [];
    const work = (name: string, until: Promise<null>) => () => {
      began.push(name);
      return until;
    };
    const running = [
      turns.run('a', work('a1', first.promise)),
      turns.run('a', work('a2', Promise.resolve(null))),
      turns.run('b', work('b1', second.promise)),
    ];
    await Promise.resolve();
    await turns.run('c', () => Promise.resolve());
    expect(began).toEqual(['a1', 'b1']);
    first.end(null);
    second.end(null);
    await Promise.all(running);
    expect(began).toEqual(['a1', 'b1', 'a2']);
  });

  it('continue after a failure', async () => {
    const turns = new RequestQueue();
    await expect(turns.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await turns.run('a', () => Promise.resolve(5))).toBe(5);
  });

  it('are rejected and never run if they wait too long', async () => {
    const turns = new RequestQueue(5);
    const first = pending<null>();
    const running = turns.run('a', () => first.promise);
    const late = jest.fn(() => Promise.resolve());
    await expect(turns.run('a', late)).rejects.toMatchObject({ rpcCode: -32002 });
    first.end(null);
    await running;
    expect(late).not.toHaveBeenCalled();
    expect(await turns.run('a', () => Promise.resolve(5))).toBe(5);
  });

  /** Fills the queue with requests that do not end before the test does. */
  function filledBy(origins: readonly string[]) {
    const turns = new RequestQueue();
    const wait = pending<null>();
    const refused: string[] = [];
    const running = origins.map((origin) =>
      turns.run(origin, () => wait.promise).catch(() => void refused.push(origin)),
    );
    const end = async (): Promise<void> => {
      wait.end(null);
      await Promise.all(running);
    };
    return { turns, refused, end };
  }
  const times = <T>(count: number, make: (at: number) => T): T[] =>
    Array.from({ length: count }, (_item, at) => make(at));
  const answerTo = (turns: RequestQueue, origin: string): Promise<unknown> =>
    turns.run(origin, () => Promise.resolve(5)).catch((error: unknown) => (error as ProviderError).rpcCode);

  it('are limited per origin', async () => {
    const { turns, refused, end } = filledBy(times(9, () => 'https://greedy.example'));
    expect(await answerTo(turns, 'https://honest.example')).toBe(5);
    await end();
    expect(refused).toHaveLength(1);
  });

  it.each([
    ['origins of one site', times(40, (at) => `https://page${at % 5}.greedy.example`)],
    ['ports of one host', times(40, (at) => `http://localhost:${8000 + (at % 5)}`)],
    ['five sites', times(40, (at) => `https://greedy${at % 5}.example`)],
    ['forty origins of one site, each with a dialog', times(40, (at) => `https://page${at}.greedy.example`)],
    ['forty sites, each with a dialog', times(40, (at) => `https://greedy${at}.example`)],
  ])('of %s do not keep out another site', async (_who, origins) => {
    const { turns, refused, end } = filledBy(origins);
    expect(await answerTo(turns, 'https://honest.example')).toBe(5);
    expect(await answerTo(turns, 'https://www.honest.example')).toBe(5);
    await end();
    expect(refused.length).toBeLessThanOrEqual(2);
  });

  it('of one site do not keep out another page of the same host name', async () => {
    const { turns, end } = filledBy(times(40, (at) => `https://greedy${at % 5}.pages.example`));
    expect(await answerTo(turns, 'https://honest.pages.example')).toBe(5);
    expect(await answerTo(turns, 'https://greedy1.pages.example')).toBe(-32002);
    await end();
  });

  it('give way from the last one of the site with the most, never from a dialog or from a smaller site', async () => {
    const origins = [
      ...times(8, () => 'https://small.example'),
      ...times(32, (at) => `https://p${at % 4}.large.example`),
    ];
    const { turns, refused, end } = filledBy(origins);
    const wait = pending<null>();
    const more = times(8, () => turns.run('https://honest.example', () => wait.promise));
    await Promise.resolve();
    wait.end(null);
    await Promise.all(more);
    await end();
    expect(refused).toHaveLength(8);
    expect(new Set(refused.map((origin) => origin.slice(-'large.example'.length)))).toEqual(new Set(['large.example']));
  });

  it('are refused if their own site fills the queue', async () => {
    const { turns, end } = filledBy(times(40, (at) => `https://page${at}.greedy.example`));
    expect(await answerTo(turns, 'https://another.greedy.example')).toBe(-32002);
    await end();
    expect(await answerTo(turns, 'https://another.greedy.example')).toBe(5);
  });

  it('of an account are not limited by those of its sites', async () => {
    const turns = new RequestQueue();
    const wait = pending<null>();
    const running = times(20, (at) =>
      turns.run(`https://site${at}.example`, () => turns.runInLine('account 1', () => wait.promise)),
    );
    expect(await answerTo(turns, 'https://honest.example')).toBe(5);
    wait.end(null);
    expect(await Promise.all(running)).toHaveLength(20);
  });
});
