import {withoutHidden} from './html.js'
import {newestOf, type SiteFile, type SitePackage, titleOf} from './site-model.js'

/**
 * Writes what the search of the site reads: packages and kinds of the newest versions, and the names of fields with the
 * numbers of their kinds, each relative to the one before. A script, because pages that are opened from disk can read no
 * other file.
 */
export function searchData(packages: readonly SitePackage[]): SiteFile {
  const kinds: (readonly [string, string, number, string, string])[] = []
  const fields = new Map<string, number[]>()
  for (const [index, own] of packages.entries()) {
    const {kinds: all, folder} = newestOf(own)
    for (const {kind, crd, title, page, fields: names} of all) {
      for (const name of names) {
        const numbers = fields.get(name)
        if (numbers === undefined) fields.set(name, [kinds.length])
        else numbers.push(kinds.length)
      }
      kinds.push([withoutHidden(kind), crd, index, `${folder}/${page}`, withoutHidden(title)])
    }
  }
  const data = {
    packages: packages.map(packageRow),
    kinds,
    fields: [...fields]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, numbers]) => [withoutHidden(name), steps(numbers)]),
  }
  // A text that is parsed: no name in it becomes code or a prototype.
  const text = JSON.stringify(JSON.stringify(data))
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
  return {path: 'search-data.js', content: `globalThis.catalogData = JSON.parse(${text})\n`}
}

function packageRow(own: SitePackage): readonly string[] {
  const version = newestOf(own)
  const {category, keywords, overview} = version.presentation
  const words = [category, ...keywords, overview.slice(0, 200)].join(' ')
  return [withoutHidden(titleOf(version)), own.name, `${version.folder}/index.html`, withoutHidden(words)]
}

function steps(numbers: readonly number[]): readonly number[] {
  return numbers.map((number, index) => number - (numbers[index - 1] ?? 0))
}
