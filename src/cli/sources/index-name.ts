import {CrossplaneError} from '../../errors.js'
import {isIndexFile} from '../../reference/index-file-name.js'
import {parseImageName} from '../../reference/image-name.js'
import {nameFromSource} from '../../reference/image-source.js'
import {type Repository, repositoryOf} from '../../reference/repository.js'
import {quoted} from '../../text.js'
import {checkedSource} from './default-source.js'

/** The location of an index. */
export type IndexName =
  | {readonly kind: 'file'; readonly path: string}
  | {readonly kind: 'repository'; readonly root: Repository}

/** The value of `indexFlags`; from the environment it is one text, despite the flag's type. */
export interface IndexFlagValue {
  readonly index?: string | readonly string[]
}

/** Returns the indexes of flags or environment, in order. */
export function indexNames({index}: IndexFlagValue): readonly string[] {
  return givenNames(index)
}

/**
 * Returns the values of a flag that can be repeated, or of its variable. An empty variable names none; an empty flag is kept,
 * and rejected when it is parsed.
 */
export function givenNames(value: string | readonly string[] = []): readonly string[] {
  if (typeof value !== 'string') return value
  return value
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')
}

/**
 * Parses the name of an index: what is not a file is a repository, in the default source if it has no registry. Throws
 * `reference-invalid`.
 */
export function parseIndexName(text: string, defaultSource?: string): IndexName {
  if (isIndexFile(text)) return {kind: 'file', path: text}
  const image = parseImageName(text)
  if (image === undefined || image.tag !== undefined || image.digest !== undefined) {
    throw new CrossplaneError('reference-invalid', `invalid index ${quoted(text)}`, {
      suggestions: ['Write [HOST/]PATH without a tag, or ./FILE.'],
    })
  }
  const name = defaultSource === undefined ? image : nameFromSource(image, checkedSource(defaultSource))
  return {kind: 'repository', root: repositoryOf(name)}
}
