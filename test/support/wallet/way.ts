import { Session } from 'node:inspector/promises';
import { SourceMap } from 'node:module';

import { bundledSource, PROGRAM_HEAD, SOURCE_SCRIPT } from './program';

/** A function that ran: its file below `src`, its line there, and its name, if it has one. */
export type Step = { readonly file: string; readonly line: number; readonly name: string };

/** @returns Where the line and column of a program are in `src`, or undefined for what the bundler wrote. */
function placesIn(text: string, map: string) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const source = new SourceMap(JSON.parse(map) as never);
  return (offset: number) => {
    const line = starts.findLastIndex((start) => start <= offset);
    const entry = source.findEntry(line, offset - starts[line]!);
    return 'originalSource' in entry ? { file: entry.originalSource, line: entry.originalLine + 1 } : undefined;
  };
}

/**
 * The functions of `src` that run during a request to a snap from `src` in this process, each once, as V8 counts them.
 * What runs at the start of a program is not part of a request.
 */
export async function wayOf(request: () => Promise<unknown>): Promise<readonly Step[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  await request();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const { text, map } = bundledSource();
  const placeOf = placesIn(text, map);
  return result
    .filter(({ url }) => url.endsWith(SOURCE_SCRIPT))
    .flatMap(({ functions }) => functions)
    .filter(({ ranges }) => ranges[0]!.count > 0)
    .flatMap(({ functionName, ranges }) => {
      const place = placeOf(ranges[0]!.startOffset - PROGRAM_HEAD.length);
      return place ? [{ ...place, name: functionName }] : [];
    });
}
