import {CRD_KIND} from '../../kubernetes/crd-kind.js'
import {nameOf} from '../../kubernetes/object-key.js'
import {objectIn} from './object-in-file.js'

/** A file with its new content, if it gets one. */
export interface NewFile {
  readonly path?: string
  readonly content?: string
}

/**
 * Returns the former paths of files of CRDs that move, by their new paths. The file of a CRD moves when a second install
 * shares it, and with the layout. @param texts - the contents before, by path.
 */
export function movedCrds(
  files: readonly NewFile[],
  texts: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const kept = new Set(files.filter(({content}) => content !== undefined).map(({path}) => path))
  const left = new Map(
    [...texts].flatMap(([path, text]) => {
      const name = kept.has(path) ? undefined : crdIn(text)
      return name === undefined ? [] : [[name, path] as const]
    }),
  )
  if (left.size === 0) return new Map()
  return new Map(
    files.flatMap(({path = '', content}) => {
      const former = texts.has(path) ? undefined : left.get(crdIn(content) ?? '')
      return former === undefined ? [] : [[path, former] as const]
    }),
  )
}

/** Returns the name of the CRD that a file holds. */
function crdIn(text: string | undefined): string | undefined {
  const crd = objectIn(text, CRD_KIND.kind)
  return crd === undefined ? undefined : nameOf(crd).name
}
