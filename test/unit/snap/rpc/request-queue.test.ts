import { ProviderError } from '../../../../src/core/errors';
import { Turns } from '../../../../src/snap/rpc/request-queue';

/** Something that somebody ends from outside. */
function pending<T>() {
  let end!: (value: T) => void;
  const promise = new Promise<T>((resolve) => {
    end = resolve;
  });
  return { promise, end };
}

describe('turns', () => {
  it('are one at a time for each origin, in order, and of different origins at once', async () => {
    const turns = new Turns();
    const [first, second] = [pending<null>(), pending<null>()];
    const began: string[] = [];
    const work = (name: string, until: Promise<null>) => () => {
      began.push(name);
      return until;
    };
    const running = [
      turns.take('a', work('a1', first.promise)),
      turns.take('a', work('a2', Promise.resolve(null))),
      turns.take('b', work('b1', second.promise)),
    ];
    await Promise.resolve();
    await turns.take('c', () => Promise.resolve());
    expect(began).toEqual(['a1', 'b1']);
    first.end(null);
    second.end(null);
    await Promise.all(running);
    expect(began).toEqual(['a1', 'b1', 'a2']);
  });

  it('go on after one that failed', async () => {
    const turns = new Turns();
    await expect(turns.take('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await turns.take('a', () => Promise.resolve(5))).toBe(5);
  });

  it('are refused to a request that waits for too long, which is never run', async () => {
    const turns = new Turns(5);
    const first = pending<null>();
    const running = turns.take('a', () => first.promise);
    const late = jest.fn(() => Promise.resolve());
    await expect(turns.take('a', late)).rejects.toMatchObject({ rpcCode: -32002 });
    first.end(null);
    await running;
    expect(late).not.toHaveBeenCalled();
    expect(await turns.take('a', () => Promise.resolve(5))).toBe(5);
  });

  it('are bounded for all origins together', async () => {
    const turns = new Turns();
    const wait = pending<null>();
    const running = Array.from({ length: 40 }, (_item, index) => turns.take(`origin ${index % 8}`, () => wait.promise));
    await expect(turns.take('another', () => Promise.resolve())).rejects.toBeInstanceOf(ProviderError);
    wait.end(null);
    await Promise.all(running);
    expect(await turns.take('another', () => Promise.resolve(5))).toBe(5);
  });
});
