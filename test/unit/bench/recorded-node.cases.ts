import { type Asked, serveNode, type ServedNode } from '../../../bench/runtime/recorded-node';

const asked = (method: string): Asked => ({ method, params: [] });

async function ask({ url }: ServedNode, method: string): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 7, ...asked(method) });
  return (await fetch(url, { method: 'POST', body })).json();
}

it('groups requests in rounds: those that came while none before them was answered', async () => {
  let open = (): void => undefined;
  const both = new Promise<void>((resolve) => {
    let left = 2;
    open = () => {
      left -= 1;
      if (left === 0) resolve();
    };
  });
  const node = await serveNode(async ({ method }) => {
    if (method !== 'third') {
      open();
      await both;
    }
    return `the ${method}`;
  }, 0);
  try {
    const answers = await Promise.all([ask(node, 'first'), ask(node, 'second')]);
    expect(answers).toEqual(['first', 'second'].map((method) => ({ jsonrpc: '2.0', id: 7, result: `the ${method}` })));
    await ask(node, 'third');
    const [together, alone] = node.takeRounds();
    expect(together?.map(({ method }) => method).sort()).toEqual(['first', 'second']);
    expect(alone).toEqual([asked('third')]);
    expect(node.takeRounds()).toEqual([]);
  } finally {
    node.close();
  }
});
