import {basename} from 'node:path'

/**
 * What commands need together, as the modules that are imported dynamically: each part contains them and all that they
 * import statically, without what an earlier part has. What remains is the last part. V8 reads all of the code cache
 * of a part.
 */
const PARTS = [
  // Every start, help, and version.
  [
    'dist/cli/shell/bundled-plugin.js',
    'dist/cli/shell/main.js',
    'dist/cli/shell/help/program-help.js',
    'dist/command-map.js',
    'dist/commands/version.js',
  ],
  // Resolving packages from folders.
  [
    'dist/adapters/local-package.js',
    'dist/adapters/packages-folder.js',
    'dist/adapters/read-named-file.js',
    'dist/cli/files/entry-folder.js',
    'dist/package/crd-owner.js',
    'dist/package/stack/stack-format.js',
    'dist/package/stack/tree.js',
    'dist/commands/package/tree.js',
  ],
  // Reading and writing them.
  [
    'dist/adapters/less-memory.js',
    'dist/commands/package/inspect.js',
    'dist/commands/package/lint.js',
    'dist/commands/package/render.js',
    'dist/package/stack/inspect.js',
    'dist/package/stack/lint.js',
    'dist/package/stack/render.js',
    'dist/package/stack/render-resolved.js',
    'dist/pipeline/render/render-recognized.js',
    'dist/pipeline/request/read-request.js',
  ],
  ['dist/cli/completion/complete.js', 'dist/completion-model.js'],
  ['dist/adapters/kubernetes-client.js'],
]

/**
 * Divides the chunks of a bundle into parts; the entry is the first.
 *
 * @template {{readonly path: string}} Chunk
 * @param {Chunk} entry
 * @param {readonly Chunk[]} chunks
 * @param {import('esbuild').Metafile} metafile
 * @returns {readonly (readonly Chunk[])[]}
 */
export function partsOf(entry, chunks, {outputs}) {
  const byName = new Map(Object.entries(outputs).map(([path, output]) => [basename(path), output]))
  const names = new Map([...byName].map(([name, {entryPoint}]) => [entryPoint, name]))
  const nameOf = (/** @type {string} */ path) => {
    const name = names.get(path)
    if (name === undefined) throw new Error(`the bundle has no chunk of ${path}`)
    return name
  }
  const left = new Map([entry, ...chunks].map(chunk => [basename(chunk.path), chunk]))
  /** @type {(name: string) => Chunk[]} */
  const take = name => {
    const chunk = left.get(name)
    if (chunk === undefined) return []
    left.delete(name)
    const imports = (byName.get(name)?.imports ?? []).filter(({kind}) => kind === 'import-statement')
    return [chunk, ...imports.flatMap(({path}) => take(basename(path)))]
  }
  const parts = PARTS.map((paths, part) =>
    [...(part === 0 ? [basename(entry.path)] : []), ...paths.map(nameOf)].flatMap(take),
  )
  return [...parts, [...left.values()]]
}
