import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const ROOT = join(__dirname, '../../..');

/** Bytes of a page, and of all of them: a reader finds nothing in a page or a folder that is larger. */
const MAX_PAGE = 12_000;
const MAX_ALL = 350_000;

const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .map((name) => join('docs', name))
  .filter((path) => statSync(join(ROOT, path)).isFile() && !path.startsWith('docs/images/'));
const beside = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'].concat(
  ['bench', 'deploy', 'examples'].map((folder) => `${folder}/README.md`),
);
const pages = [...docs, ...beside];

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** @returns The text without blocks of code, in which brackets are no links and # is no heading. */
const proseOf = (text: string): string => text.replace(/^ *```[^]*?^ *```/gmu, '');

/** @returns The names by which links find the headings of a page, as GitHub makes them. */
const anchorsOf = (text: string): string[] =>
  [...proseOf(text).matchAll(/^#+ (.+)$/gmu)].map(([, heading = '']) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/gu, '$1')
      .toLowerCase()
      .replace(/[^\p{Letter}\p{Number}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );

type Link = { readonly from: string; readonly to: string; readonly path: string; readonly anchor: string | undefined };

/** @returns The links of a page to files of the repository. */
function linksOf(from: string, text: string): Link[] {
  return [...proseOf(text).matchAll(/\]\(([^)\s]+)\)/gu)].flatMap(([, to = '']) => {
    if (/^[a-z]+:/u.test(to)) return [];
    const [path = '', anchor] = to.split('#');
    return [{ from, to, path: path === '' ? from : normalize(join(dirname(from), path)), anchor }];
  });
}

/** @returns Whether a link leads to a file, and to a heading in it. */
function leads({ path, anchor }: Link): boolean {
  if (!existsSync(join(ROOT, path))) return false;
  return anchor === undefined || anchorsOf(read(path)).includes(anchor);
}

/** @returns The pages that links lead to, one after the other, from the first one. */
function reachableFrom(first: string): Set<string> {
  const found = new Set<string>();
  const toRead = [first];
  for (let page = toRead.pop(); page !== undefined; page = toRead.pop()) {
    if (found.has(page) || !page.endsWith('.md') || !existsSync(join(ROOT, page))) continue;
    found.add(page);
    toRead.push(...linksOf(page, read(page)).map(({ path }) => path));
  }
  return found;
}

/** @returns The rows of tables that are padded to columns, which nobody who reads Markdown as text needs. */
const paddedRows = (text: string): string[] =>
  proseOf(text)
    .split('\n')
    .filter((line) => line.startsWith('|') && /[^\s|] {2,}\||\| {2,}[^\s|]|-{5,}/u.test(line));

describe('the docs', () => {
  it('have a page of each size that a reader takes in, and all together are small', () => {
    const sizes = docs.map((path) => ({ path, size: statSync(join(ROOT, path)).size }));
    expect(sizes.filter(({ size }) => size > MAX_PAGE)).toEqual([]);
    expect(sizes.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(MAX_ALL);
    expect(docs.length).toBeGreaterThan(80);
  });

  it('consist of pages, beside their pictures', () => {
    expect(docs.filter((path) => !path.endsWith('.md'))).toEqual([]);
  });

  it('are all reached from the index', () => {
    const reached = reachableFrom('docs/README.md');
    expect(docs.filter((path) => !reached.has(path))).toEqual([]);
  });

  it('link to what exists, and to headings that exist', () => {
    const links = pages.flatMap((page) => linksOf(page, read(page)));
    expect(links.length).toBeGreaterThan(400);
    expect(links.filter((link) => !leads(link)).map(({ from, to }) => `${from}: ${to}`)).toEqual([]);
  });

  it('have tables without padding', () => {
    expect(docs.flatMap((path) => paddedRows(read(path)).map((row) => `${path}: ${row}`))).toEqual([]);
  });

  it('tell of every room in the architecture', () => {
    const text = read('docs/architecture.md');
    const rooms = ['src', 'src/core', 'src/snap'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { withFileTypes: true })
        .filter((entry) => entry.isDirectory() || /^src\/core$/u.test(folder))
        .map(({ name }) => join(folder, name)),
    );
    expect(rooms.length).toBeGreaterThan(30);
    const untold = rooms.filter((room) => !text.includes(`\`${room}\``) && !['src/core', 'src/snap'].includes(room));
    expect(untold).toEqual([]);
  });
});

describe('a page that is not as it should be', () => {
  it('is found by a link that leads nowhere', () => {
    const links = linksOf('docs/README.md', '[a](gone.md) [b](README.md#gone) [c](#documentation) ```[d](e.md)```');
    expect(links.map((link) => [link.to, leads(link)])).toEqual([
      ['gone.md', false],
      ['README.md#gone', false],
      ['#documentation', true],
      ['e.md', false],
    ]);
    expect(linksOf('docs/README.md', '```md\n[d](e.md)\n```\n[x](https://example.org)')).toEqual([]);
  });

  it('is found by a table that is padded', () => {
    expect(paddedRows('| a   | b |\n| --- | --- |\n| c | d |\n```\n| e    | f |\n```')).toEqual(['| a   | b |']);
  });

  it('is not reached if nothing links to it', () => {
    expect(reachableFrom('docs/benchmarks/abuse.md')).toEqual(new Set(['docs/benchmarks/abuse.md']));
  });
});
