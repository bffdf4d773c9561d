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

/** @returns The paths of the modules that have their texts taken out. */
export const speakers = (): readonly string[] => SPEAKERS.flatMap((path) => [...modulesIn(path)]);

/** Every text that is taken out of the bundle, each once: those that are said most come first, and have the shortest numbers. */
function allTexts(): readonly string[] {
  const uses = new Map<string, number>();
  const count = (text: string): number => {
    uses.set(text, (uses.get(text) ?? 0) + 1);
    return 0;
  };
  for (const path of speakers()) withoutTexts(path, readFileSync(path, 'utf8'), count, SAID);
  return [...uses].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([text]) => text);
}

/** Writes the file of the texts, as the modules say them now, into the folder of a build. @returns Its path, as the manifest lists it. */
export function writeTexts(folder: string): string {
  writeFileSync(join(folder, FILE_OF_TEXTS), JSON.stringify(allTexts()));
  return FILE_OF_TEXTS;
}

/**
 * Takes the texts out of a module, if it is one that says much. They have the numbers that they have in the file: a module
 * may have changed since that was written.
 *
 * @param path - Of the module.
 * @param folder - Of the build, where the file of the texts is.
 * @returns The module, with calls in the places of its texts.
 * @throws If the file does not have a text that the module says.
 */
export function speechless(path: string, code: string, folder: string): string {
  if (!speakers().includes(path)) return code;
  const texts = JSON.parse(readFileSync(join(folder, FILE_OF_TEXTS), 'utf8')) as readonly string[];
  const numberOf = (text: string): number => {
    const number = texts.indexOf(text);
    if (number === -1) throw new Error(`A text has come up since the file of the texts was written: "${text}".`);
    return number;
  };
  const called = withoutTexts(path, code, numberOf, SAID);
  if (called === code) return code;
  if (code.includes(SAID)) throw new Error(`${relative(root, path)} says "${SAID}" before its texts are taken out.`);
  return `${called}\nimport { said as ${SAID} } from './${relative(dirname(path), MODULE)}';\n`;
}
