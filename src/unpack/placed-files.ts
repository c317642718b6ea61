import type {PackageFile} from './package-file.js'

/** The content of a file, and the word that it is looked up with. */
export interface Described<Value> {
  readonly file: PackageFile
  readonly word: string
  readonly value: Value
}

/**
 * Files by directory and word. The files that apply to a CRD are looked up from the CRD's own directory, so that
 * reading a package does not take time by the product of its CRDs and its other files.
 */
export class PlacedFiles<Value> {
  /** All of them, in the order given. */
  readonly all: readonly Described<Value>[]
  readonly #byPlace = new Map<string, Described<Value>[]>()

  constructor(all: readonly Described<Value>[]) {
    this.all = all
    for (const described of all) {
      const key = placeKey(directory(described.file.path), described.word)
      const place = this.#byPlace.get(key)
      if (place === undefined) this.#byPlace.set(key, [described])
      else place.push(described)
    }
  }

  /**
   * Returns the values at or above a file for one of the words: one list per directory that has any, the nearest
   * first.
   */
  above(file: PackageFile, words: readonly string[]): Described<Value>[][] {
    return directoriesAbove(file.path)
      .map(place => words.flatMap(word => this.#byPlace.get(placeKey(place, word)) ?? []))
      .filter(values => values.length > 0)
  }
}

/** A separator that no path contains. */
function placeKey(place: string, word: string): string {
  return `${place}\0${word}`
}

/** The directory of a path with its closing slash; empty for `.registry/` itself. */
function directory(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** The directory of a path and all that hold it, the nearest first. */
function directoriesAbove(path: string): string[] {
  const own = directory(path)
  return own === '' ? [''] : [own, ...directoriesAbove(own.slice(0, -1))]
}
