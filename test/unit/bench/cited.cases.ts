import { citedOf } from '../../../bench/report';

describe('what the docs keep of a report', () => {
  it('has no notes, and nothing that only others answer', () => {
    const latency = {
      title: 'latency',
      columns: ['Request', 'empty snap', 'keystead'],
      rows: [
        ['personal_sign', '1', '2'],
        ['eth_sign', '1', '–'],
      ],
    };
    const report = { tables: [latency], notes: ['a note'], data: { all: 1 } };
    expect(citedOf(report)).toStrictEqual({
      tables: [{ ...latency, rows: [['personal_sign', '1', '2']] }],
      data: { all: 1 },
    });
  });

  it('has all of a table that has no column of ours, but the load of the machine', () => {
    const table = { title: 'the chain service', columns: ['measured', 'result'], rows: [['look-ups', '–']] };
    const all = { ...table, rows: [...table.rows, ['load of the machine before', '1']] };
    expect(citedOf({ tables: [all], data: {} }).tables).toStrictEqual([table]);
  });
});
