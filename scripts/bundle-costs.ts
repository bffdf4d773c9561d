import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { buildSnap } from './build';

/** The name of a part, and its minified code. */
type Piece = readonly [name: string, code: string];

const LIBRARIES = 'node_modules/';
const gzipped = (code: string): number => gzipSync(code, { level: 9 }).length;

/** The source file, or the library, that a source map names. */
function sourceOf(path: string): string {
  const library = path.lastIndexOf(LIBRARIES);
  if (library === -1) return path.replace(/^webpack:\/\/[^/]*\//u, '').replace(/^\.\//u, '');
  const [scope = '', name = ''] = path.slice(library + LIBRARIES.length).split('/');
  return scope.startsWith('@') ? `${scope}/${name}` : scope;
}

/** The parts of a bundle in their order, by their source. */
function piecesOf(bundle: string, map: SourceMap): Piece[] {
  const pieces: Piece[] = [];
  for (const [line, code] of bundle.split('\n').entries()) {
    let [start, current] = [0, ''];
    for (let column = 0; column <= code.length; column++) {
      const entry = map.findEntry(line, column);
      const source = column < code.length && 'originalSource' in entry ? entry.originalSource : '';
      if (source === current && column < code.length) continue;
      if (column > start) pieces.push([sourceOf(current), code.slice(start, column)]);
      [start, current] = [column, source];
    }
  }
  return pieces;
}

/** The room or feature of a source: two folders, and three where a room is large. */
function featureOf(source: string): string {
  const folders = source.split('/').slice(0, -1);
  return source.startsWith('src/') ? folders.slice(0, folders[2] === 'decode' ? 4 : 3).join('/') : source;
}

/**
 * Prints what each part of a bundle costs: the bytes of gzip that the bundle has fewer without it, and its minified
 * bytes. What parts have in common counts for neither, so the first column adds up to less than the whole.
 *
 * @param within - Lists the files of this folder instead of all features and libraries.
 */
async function printCosts(edition: 'keyring' | 'insights', within?: string): Promise<void> {
  const { folder } = await buildSnap({ edition, withSourceMap: true });
  const bundle = readFileSync(join(folder, 'bundle.js'), 'utf8').replace(/\n\/\/# sourceMappingURL.*$/u, '');
  const map = new SourceMap(
    JSON.parse(readFileSync(join(folder, 'bundle.js.map'), 'utf8')) as ConstructorParameters<typeof SourceMap>[0],
  );
  const nameOf = (source: string): string => (within === undefined ? featureOf(source) : source);
  const pieces = piecesOf(bundle, map).map(([source, code]): Piece => [nameOf(source), code]);
  const names = [...new Set(pieces.map(([name]) => name))].filter((name) => name.startsWith(within ?? ''));
  const whole = gzipped(bundle);
  const codeOf = (holds: (name: string) => boolean): string =>
    pieces.flatMap(([name, code]) => (holds(name) ? [code] : [])).join('');
  const rows = names.map((name) => ({
    part: name === '' ? '(bundler)' : name,
    gzip: whole - gzipped(codeOf((other) => other !== name)),
    minified: codeOf((other) => other === name).length,
  }));
  console.log(`${edition}: ${whole} bytes of gzip, ${bundle.length} minified`);
  for (const { part, gzip, minified } of rows.sort((one, other) => other.gzip - one.gzip))
    console.log(`${String(gzip).padStart(7)} ${String(minified).padStart(8)}  ${part}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const within = process.argv[2];
  for (const edition of ['keyring', 'insights'] as const) await printCosts(edition, within);
}
