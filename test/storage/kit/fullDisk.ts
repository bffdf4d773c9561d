import fs from 'node:fs';

const NO_SPACE = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });

/** The next `count` small writes, of whatever file, or all of them, find the disk full, as far as their writer can tell. */
export function fillDisk(count?: number): void {
  const write = jest.spyOn(fs, 'writeSync');
  if (count === undefined) {
    write.mockImplementation(() => {
      throw NO_SPACE;
    });
    return;
  }
  for (let time = 0; time < count; time++) {
    write.mockImplementationOnce(() => {
      throw NO_SPACE;
    });
  }
}
