import { citedOf } from '../../../bench/report/report';

describe('what the docs keep of a report', () => {
  const latency = {
    title: 'latency',
    columns: ['Request', 'empty snap', 'keystead'],
    rows: [
      ['personal_sign', '1', '2'],
      ['eth_sign', '1', '–'],
    ],
  };
  const report = {
    tables: [latency, { ...latency, title: 'the same in Node', isDetail: true }],
    charts: { boot: '<svg/>' },
    notes: ['a note'],
    data: { all: 1 },
  };

  it('has neither charts nor tables of detail, nor requests that only others answer', () => {
    expect(citedOf(report)).toStrictEqual({
      tables: [{ ...latency, rows: [['personal_sign', '1', '2']] }],
      notes: ['a note'],
      data: { all: 1 },
    });
  });

  it('has every row of a table that has no column of ours', () => {
    const table = { title: 'the chain service', columns: ['measured', 'result'], rows: [['look-ups', '–']] };
    expect(citedOf({ tables: [table], data: {} }).tables).toStrictEqual([table]);
  });
});
