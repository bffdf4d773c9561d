import { citedOf } from '../../../bench/report/report';

describe('what the docs keep of a report', () => {
  const latency = {
    title: 'latency',
    columns: ['Request', 'empty snap', 'solana', 'keystead'],
    rows: [
      ['personal_sign', '1', '–', '2'],
      ['eth_sign', '1', '3', '–'],
    ],
  };
  const report = {
    tables: [latency, { ...latency, title: 'the same in Node', isDetail: true }],
    charts: { boot: '<svg/>' },
    notes: ['a note'],
    data: { all: 1 },
  };

  it('has neither notes nor charts nor tables of detail, nor what only others answer', () => {
    expect(citedOf(report)).toStrictEqual({
      tables: [{ ...latency, columns: ['Request', 'empty snap', 'keystead'], rows: [['personal_sign', '1', '2']] }],
      data: { all: 1 },
    });
  });

  it('has no row of a snap that the docs do not compare with', () => {
    const table = {
      title: 'size',
      columns: ['Snap', 'gzip'],
      rows: [
        ['keystead', '1'],
        ['tron', '2'],
      ],
    };
    expect(citedOf({ tables: [table], data: {} }).tables).toStrictEqual([{ ...table, rows: [['keystead', '1']] }]);
  });

  it('has the rows that are cited of a table that has no column of ours', () => {
    const table = { title: 'the chain service', columns: ['measured', 'result'], rows: [['look-ups', '–']] };
    const uncited = [
      'load of the machine before',
      'http, 1 connection, keystead / bare node:http and ws',
      'http, 64 connections, keystead / anvil, 4000 uncles by turns',
      'ws, 64 connections, keystead, another uncle each time',
      'look-ups by hash, p50',
    ];
    const all = { ...table, rows: [...table.rows, ...uncited.map((name) => [name, '1'])] };
    expect(citedOf({ tables: [all], data: {} }).tables).toStrictEqual([table]);
  });
});
