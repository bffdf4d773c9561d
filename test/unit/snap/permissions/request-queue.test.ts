import { ProviderError } from '../../../../src/core/errors';
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

  it('are limited across all origins', async () => {
    const turns = new RequestQueue();
    const wait = pending<null>();
    const running = Array.from({ length: 40 }, (_item, index) => turns.run(`origin ${index % 8}`, () => wait.promise));
    await expect(turns.run('another', () => Promise.resolve())).rejects.toBeInstanceOf(ProviderError);
    wait.end(null);
    await Promise.all(running);
    expect(await turns.run('another', () => Promise.resolve(5))).toBe(5);
  });
});
