import { Progress } from '../../src/devnet/progress';

/** A progress on a terminal of 80 columns or on a file, and what it has written. */
function written(isTTY: boolean) {
  const pieces: string[] = [];
  const stream = { isTTY, columns: 80, write: (piece: string) => pieces.push(piece) > 0 };
  return { pieces, progress: new Progress(stream as unknown as NodeJS.WriteStream) };
}

/** The line of the cursor after everything was written. */
function lastLine(pieces: readonly string[]): string {
  const lines = pieces.join('').replaceAll('\r\x1b[K', '\n').split('\n');
  return lines.at(-1) ?? '';
}

/** Work that lasts until `end` is called. */
function lasting() {
  let end!: () => void;
  const work = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { work: () => work, end };
}

describe('the progress of npm start', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is one line with the running steps and their seconds on a terminal', async () => {
    const { pieces, progress } = written(true);
    const [loading, building] = [lasting(), lasting()];
    const loaded = progress.during('loading', loading.work);
    expect(lastLine(pieces)).toBe('  ..  loading 0 s');
    jest.advanceTimersByTime(3_000);
    expect(lastLine(pieces)).toBe('  ..  loading 3 s');
    loading.end();
    await loaded;
    expect(lastLine(pieces)).toBe('');
    expect(pieces.join('')).not.toContain('\n');

    const built = progress.step('snap build', building.work, () => 'dist/');
    const other = progress.during('other', lasting().work);
    jest.advanceTimersByTime(1_000);
    expect(lastLine(pieces)).toBe('  ..  snap build 1 s, other 1 s');
    building.end();
    await built;
    expect(pieces.join('')).toMatch(/ {2}ok {2}snap build +dist\/\n/u);
    expect(lastLine(pieces)).toBe('  ..  other 1 s');
    progress.stop();
    await expect(Promise.race([other, Promise.resolve('goes on')])).resolves.toBe('goes on');
    expect(lastLine(pieces)).toBe('');
  });

  it('is one line for each slow step, and none for quick ones, elsewhere', async () => {
    const { pieces, progress } = written(false);
    const [slow, quick] = [lasting(), lasting()];
    const [first, second] = [progress.during('loading', slow.work), progress.during('quick', quick.work)];
    jest.advanceTimersByTime(1_000);
    quick.end();
    await second;
    expect(pieces.join('')).toBe('');
    jest.advanceTimersByTime(20_000);
    expect(pieces.join('')).toBe('  ..  loading\n');
    slow.end();
    await first;
    expect(pieces.join('')).toBe('  ..  loading\n');
  });

  it('says how far a step is, if that is known, and elsewhere after 2 seconds and every 5 seconds', async () => {
    let count = 0;
    const soFar = () => `${count} of 9 packages`;
    const terminal = written(true);
    const file = written(false);
    const work = lasting();
    const steps = [terminal, file].map(({ progress }) => progress.step('bundler', work.work, () => 'alto', soFar));
    count = 3;
    jest.advanceTimersByTime(2_000);
    expect(lastLine(terminal.pieces)).toBe('  ..  bundler: 3 of 9 packages 2 s');
    count = 8;
    jest.advanceTimersByTime(5_000);
    work.end();
    await Promise.all(steps);
    expect(file.pieces.join('')).toMatch(
      /^ {2}\.\. {2}bundler: 3 of 9 packages\n {2}\.\. {2}bundler: 8 of 9 packages\n {2}ok {2}bundler +alto\n$/u,
    );
  });
});
