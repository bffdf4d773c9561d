import { inOrder } from '../../../src/clients/in-order';

/** A request that fails when it is told to. */
function request(name: string) {
  let fail = (): void => undefined;
  const answer = new Promise<string>((_resolve, reject) => {
    fail = () => {
      reject(new Error(name));
    };
  });
  return { answer, fail: () => fail() };
}

describe('requests that are sent together', () => {
  it('tell the failure of the first in the list, whichever failed first', async () => {
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      const requests = [request('first'), request('second'), request('third')] as const;
      const told = expect(inOrder(requests.map(({ answer }) => answer))).rejects.toThrow('first');
      for (const at of order) {
        requests[at]!.fail();
        await requests[at]!.answer.catch(() => undefined);
      }
      await told;
    }
  });

  it('tell a failure without the answers behind it', async () => {
    const [first, second] = [request('first'), request('second')];
    first.fail();
    await expect(inOrder([first.answer, second.answer])).rejects.toThrow('first');
  });

  it('give every answer', async () => {
    expect(await inOrder([Promise.resolve(1), Promise.resolve('two')])).toEqual([1, 'two']);
  });
});
