import { readFileSync } from 'node:fs';

import { nodeRows, nodesTable } from '../../../support/ledger-nodes';

test('six nodes: everything is found, or the list says what it lacks; the docs say so', async () => {
  const rows = await nodeRows();
  for (const { node, found, there, words } of rows) {
    const isWhole = found.size === there.size;
    expect([node, [...found].filter((place) => !there.has(place))]).toEqual([node, []]);
    expect([node, /ended early|may lack some/u.test(words)]).toEqual([node, !isWhole]);
  }
  expect(rows.filter(({ found, there }) => found.size < there.size)).toHaveLength(2);
  expect(readFileSync('docs/ledger.md', 'utf8')).toContain(nodesTable(rows));
});
