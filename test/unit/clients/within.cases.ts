import { type Ending, within } from '../../../src/clients/within';

const never = (): Promise<never> => new Promise(() => undefined);

/** Work that does not end, and whether its signal was aborted. */
function endless() {
  let given: AbortSignal | undefined;
  const work = (signal: AbortSignal): Promise<never> => {
    given = signal;
    return never();
  };
  return { work, isAborted: () => given?.aborted };
}

const why = (ending: Ending): Ending => ending;

describe('within a time limit', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('gives what the work gives, and leaves no timer and no listener', async () => {
    const cancel = new AbortController();
    const removed = jest.spyOn(cancel.signal, 'removeEventListener');
    let given: AbortSignal | undefined;
    const work = (signal: AbortSignal): Promise<string> => {
      given = signal;
      return Promise.resolve('done');
    };
    expect(await within(1000, work, why, cancel.signal)).toBe('done');
    expect(given?.aborted).toBe(true);
    expect(jest.getTimerCount()).toBe(0);
    expect(removed).toHaveBeenCalledTimes(1);
  });

  it('fails as the work fails', async () => {
    await expect(within(1000, () => Promise.reject(new Error('broken')), why)).rejects.toThrow('broken');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('gives something else if the work is late, and aborts it', async () => {
    const { work, isAborted } = endless();
    const running = within(1000, work, why);
    jest.advanceTimersByTime(999);
    expect(isAborted()).toBe(false);
    jest.advanceTimersByTime(1);
    expect(isAborted()).toBe(true);
    expect(await running).toBe('late');
  });

  it('throws instead if that is what is to be done', async () => {
    const running = within(1000, never, () => {
      throw new Error('too late');
    });
    jest.advanceTimersByTime(1000);
    await expect(running).rejects.toThrow('too late');
  });

  it.each(['before', 'while'])('ends if it is cancelled %s it runs', async (when) => {
    const cancel = new AbortController();
    if (when === 'before') cancel.abort();
    const { work, isAborted } = endless();
    const running = within(1000, work, why, cancel.signal);
    cancel.abort();
    expect(await running).toBe('cancelled');
    expect(isAborted()).toBe(true);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('believes the end, not an answer that comes after it', async () => {
    let answer: (text: string) => void = () => undefined;
    const running = within(1000, () => new Promise<string>((resolve) => (answer = resolve)), why);
    jest.advanceTimersByTime(1000);
    answer('done');
    expect(await running).toBe('late');
  });
});
