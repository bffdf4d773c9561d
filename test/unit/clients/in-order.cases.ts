import { inOrder } from '../../../src/clients/in-order';

/** A request that can be made to fail. */
function request(name: string) {
  let fail = (): void => undefined;
  const answer = new Promise<string>((_resolve, reject) => {
    fail = () => {
      reject(new Error(name));
    };
  });
  return { answer, fail: () => fail() };
}

describe('concurrent requests', () => {
  it('report the failure of the first in the list, whichever fails first', async () => {
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

  it('report a failure without waiting for later responses', async () => {
    const [first, second] = [request('first'), request('second')];
    first.fail();
    await expect(inOrder([first.answer, second.answer])).rejects.toThrow('first');
  });

  it('return every result', async () => {
    expect(await inOrder([Promise.resolve(1), Promise.resolve('two')])).toEqual([1, 'two']);
  });
});
