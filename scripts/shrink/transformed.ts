import ts from 'typescript';

/**
 * Changes JavaScript by its syntax tree.
 *
 * @param code - A script.
 * @param change - Gets every node when the nodes in it were visited; returns what stands in its place.
 * @returns The script, printed anew.
 */
export function transformed(code: string, change: (node: ts.Node) => ts.Node): string {
  const file = parsed(code);
  const visitor: ts.TransformerFactory<ts.SourceFile> = (context) => {
    const visit = (node: ts.Node): ts.Node => change(ts.visitEachChild(node, visit, context));
    return (source) => visit(source) as ts.SourceFile;
  };
  const { transformed: files } = ts.transform(file, [visitor]);
  const printer = ts.createPrinter({ removeComments: true });
  return files.map((each) => printer.printFile(each)).join('');
}

/** The syntax tree of a script, each node with its parent. */
export function parsed(code: string): ts.SourceFile {
  return ts.createSourceFile('bundle.js', code, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
}
