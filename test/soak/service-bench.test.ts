import { benchService } from '../../bench/service/separate';

describe("the chain service's benchmark", () => {
  it('runs to completion with few requests and blocks', async () => {
    const { tables } = await benchService({ quick: true });
    const names = tables.flatMap(({ rows }) => rows.map(([name]) => name));
    expect(names).toEqual(expect.arrayContaining(['look-ups by number, p99', 'look-ups by hash, p99']));
  });
});
