import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const ROOT = join(__dirname, '../../..');
const DOCS = join(ROOT, 'docs');

/** An image in Markdown: its description, and its file. */
const IMAGE = /!\[([^\]]*)\]\(([^)\s]+)\)/gu;

const pages = [
  ...['README.md', 'CONTRIBUTING.md'].map((name) => ({ page: join(ROOT, name), folder: ROOT })),
  ...readdirSync(DOCS)
    .filter((name) => name.endsWith('.md'))
    .map((name) => ({ page: join(DOCS, name), folder: DOCS })),
  { page: join(DOCS, 'images/README.md'), folder: join(DOCS, 'images') },
];
const images = pages.flatMap(({ page, folder }) =>
  [...readFileSync(page, 'utf8').matchAll(IMAGE)].map(([, alt, file]) => ({
    page: relative(ROOT, page),
    alt: alt!,
    file: relative(ROOT, resolve(folder, file!)),
  })),
);

describe('the pictures in the docs', () => {
  it('exist, and have a description', () => {
    expect(images.length).toBeGreaterThan(50);
    expect(images.filter(({ file, alt }) => alt.trim() === '' || !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('are all shown', () => {
    const taken = readdirSync(join(DOCS, 'images'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.webp'))
      .map((name) => join('docs/images', name));
    const shown = new Set(images.map(({ file }) => file));
    expect(taken.filter((file) => !shown.has(file))).toEqual([]);
  });
});
