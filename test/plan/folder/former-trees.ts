import {readFileSync} from 'node:fs'
import {sha256Of} from '../../../src/plan/sha256.js'
import {OWNED_FILES, parseOwnedFiles, TREE_SETTINGS} from '../../../src/plan/folder/owned-files.js'

/** Reads the files of a recorded tree: `former-trees` are of the release before new trees had another folder. */
export function recordedTree(file: string): ReadonlyMap<string, string> {
  const [, ...parts] = readFileSync(`test/testdata/${file}`, 'utf8').split(/^=== /m)
  return new Map(parts.map(part => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]))
}

/** The list of the managed files of a tree. */
export function listOf(texts: ReadonlyMap<string, string>): string {
  const listed = [...texts]
    .filter(([path]) => path !== TREE_SETTINGS)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  const lines = listed.map(([path, text]) => `${sha256Of(text)}  ${path}`)
  return ['# kubectl-crossplane files v1', ...lines, ''].join('\n')
}

/** The lists of the managed files of a tree, by their paths. */
export function listsOf(texts: ReadonlyMap<string, string>) {
  return new Map([[OWNED_FILES, parseOwnedFiles(listOf(texts), 'a tree')]])
}

/** Returns the files of a tree as an earlier release would have written them. */
export function asFormerTree(texts: ReadonlyMap<string, string>, path: string): ReadonlyMap<string, string> {
  const former = [...texts].map(([file, text]): readonly [string, string] => {
    if (file === 'kustomization.yaml') return [file, text.replace('- xpkgs\n', '- packages\n')]
    if (file === 'argocd/applications/xpkgs.yaml')
      return [file, text.replace(`path: ${path}/xpkgs`, `path: ${path}/packages`)]
    if (file !== TREE_SETTINGS) return [file.replace(/^xpkgs\//, 'packages/'), text]
    const [format = '', , ...lines] = text.replace('xpkgFolder: xpkgs\n', '').split('\n')
    return [file, [format, `# sha256: ${sha256Of(lines.join('\n'))}`, ...lines].join('\n')]
  })
  return new Map(former)
}
