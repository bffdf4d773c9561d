import { runExample, valueExportsOf } from '../helpers/examples';
import { type SimulatedNode, startSimulatedNode } from '../helpers/simulated-node';

const LIBRARY = ['src/clients/index.ts', 'src/provider/index.ts'];
const found = valueExportsOf(LIBRARY);

let node: SimulatedNode;
beforeAll(async () => {
  node = await startSimulatedNode();
  const { fetch } = globalThis;
  // The services that examples name.
  jest.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const { hostname } = new URL(input as string);
    return fetch(hostname.endsWith('.example') ? node.url : input, init);
  });
});
afterAll(() => node.stop());

describe('the examples of the published library', () => {
  it('exist for everything that can be called or made', () => {
    expect(found.length).toBeGreaterThan(10);
    expect(found.filter(({ examples }) => examples.length === 0).map(({ name }) => name)).toEqual([]);
  });

  it.each(found.flatMap((one) => one.examples.map((code, at) => [`${one.name}, ${at + 1}`, one, code] as const)))(
    '%s',
    async (_name, one, code) => {
      await runExample(one, code);
    },
  );
});
