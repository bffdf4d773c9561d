import { resolve } from 'node:path';

import { readOptions, UsageError } from '../../src/devnet/options';

describe('the command line of npm start', () => {
  it.each([
    [['--port-base', 'abc'], '--port-base must be a number from 1024 to 65528'],
    [['--port-base', '1023'], '--port-base must be a number from 1024 to 65528'],
    [['--port-base', '65529'], '--port-base must be a number from 1024 to 65528'],
    [['--port-base', '9000.5'], '--port-base must be a number from 1024 to 65528'],
    [['--port-base'], 'argument missing'],
    [['--data-dir', ''], '--data-dir must name a folder'],
    [['--once', '--data-dir', 'kept'], '--once cannot be combined'],
    [['--once', '--no-bundler'], '--once cannot be combined'],
    [['--nonsense'], "Unknown option '--nonsense'"],
    [['nonsense'], "Unexpected argument 'nonsense'"],
  ])('refuses %j', (args, sentence) => {
    const read = () => readOptions(args);
    expect(read).toThrow(UsageError);
    expect(read).toThrow(sentence);
  });

  it.each([['--help'], ['-h']])('takes %s as a request for help', (arg) => {
    expect(readOptions([arg])).toBeUndefined();
  });

  it('sets how the devnet runs', () => {
    expect(readOptions([])).toEqual({ once: false, bundler: true, portBase: undefined, dataDir: undefined });
    expect(readOptions(['--no-bundler', '--port-base', '65528', '--data-dir', 'kept'])).toEqual({
      once: false,
      bundler: false,
      portBase: 65_528,
      dataDir: resolve('kept'),
    });
  });
});
