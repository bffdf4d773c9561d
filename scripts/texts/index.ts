import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { FILE_OF_TEXTS } from '../../src/platform/texts';
import { withoutTexts } from './extract';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** The modules that say much: backups, what explains, what draws screens, and what puts a bundler's refusals into words. */
const SPEAKERS = ['src/backup', 'src/erc4337/failures.ts', 'src/explain', 'src/ui'].map((path) => join(root, path));

/** Of the source, as in `import { said } from …`; the other is its name in a module that has its texts taken out. */
const MODULE = join(root, 'src/platform/texts');
const SAID = '$said';

function* modulesIn(path: string): Generator<string> {
  if (statSync(path).isDirectory()) for (const name of readdirSync(path).sort()) yield* modulesIn(join(path, name));
  else if (/\.tsx?$/u.test(path)) yield path;
}

const speakers: readonly string[] = SPEAKERS.flatMap((path) => [...modulesIn(path)]);

/** Every text that is taken out of the bundle, each once: those that are said most come first, and have the shortest numbers. */
function allTexts(): readonly string[] {
  const uses = new Map<string, number>();
  const count = (text: string): number => {
    uses.set(text, (uses.get(text) ?? 0) + 1);
    return 0;
  };
  for (const path of speakers) withoutTexts(path, readFileSync(path, 'utf8'), count, SAID);
  return [...uses].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([text]) => text);
}

const texts = allTexts();
const numbers = new Map(texts.map((text, number) => [text, number]));

function numberOf(text: string): number {
  const number = numbers.get(text);
  if (number === undefined) throw new Error(`A text has come up since the texts were numbered: "${text}".`);
  return number;
}

/** Whether a module has its texts taken out of the bundle. */
export const isSpeaker = (path: string): boolean => speakers.includes(path);

/**
 * @param path - Of a module that {@link isSpeaker}.
 * @returns The module, with calls in the places of its texts.
 */
export function speechless(path: string, code: string): string {
  const called = withoutTexts(path, code, numberOf, SAID);
  if (called === code) return code;
  if (code.includes(SAID)) throw new Error(`${relative(root, path)} says "${SAID}" before its texts are taken out.`);
  return `${called}\nimport { said as ${SAID} } from ${JSON.stringify(MODULE)};\n`;
}

/** Writes the file of the texts into the folder of a build. @returns Its path, as the manifest lists it. */
export function writeTexts(folder: string): string {
  writeFileSync(join(folder, FILE_OF_TEXTS), JSON.stringify(texts));
  return FILE_OF_TEXTS;
}
