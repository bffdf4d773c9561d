import { relative } from 'node:path';

import { cruise, type ICruiseResult } from 'dependency-cruiser';

/**
 * Prints the rooms of a folder and which imports which, as a graph for Graphviz:
 * `tsx scripts/rooms.ts src/snap | dot -Twebp -o rooms.webp`. A room is a folder; single files are left out.
 */
const folder = process.argv[2] ?? 'src/snap';
const { output } = await cruise([folder], {
  collapse: `^${folder}/[^/]+`,
  includeOnly: `^${folder}/[^/]+/`,
  exclude: 'node_modules',
  tsPreCompilationDeps: true,
  outputType: 'json',
});
const { modules } = JSON.parse(output as string) as ICruiseResult;
const room = (path: string): string => JSON.stringify(relative(folder, path));
console.log(
  'digraph { ranksep=0.5; nodesep=0.25; node [shape=box, style=rounded, fontname=Helvetica]; edge [color=gray40];',
);
for (const { source, dependencies } of modules) {
  console.log(`  ${room(source)};`);
  for (const { resolved } of dependencies)
    if (resolved !== source) console.log(`  ${room(source)} -> ${room(resolved)};`);
}
console.log('}');
