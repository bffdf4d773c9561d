import fs, { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ConfigError } from '../../../src/service/runtime/config';
import { makeDirectory } from '../../../src/service/runtime/directory';
import { makeFolder } from '../../support/service/folder';

test('files that others put into a partly created directory stay, and the original error is reported', () => {
  const folder = makeFolder();
  const path = join(folder, 'a', 'b', 'x'.repeat(300));
  const make = fs.mkdirSync;
  jest.spyOn(fs, 'mkdirSync').mockImplementation((each, options) => {
    const made = make(each, options);
    if (each === join(folder, 'a', 'b')) writeFileSync(join(folder, 'a', 'other'), '');
    return made;
  });
  expect(() => {
    makeDirectory(path);
  }).toThrow(new ConfigError(`${path}: cannot create the directory (ENAMETOOLONG at ${path})`));
  expect(readdirSync(join(folder, 'a'))).toEqual(['other']);
});
